#include "advice/candidates.hpp"

#include "advice/support.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace hwadvisor::advice {
namespace {

bool same_word(std::string_view a, std::string_view b)
{
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](unsigned char x, unsigned char y) {
           return std::tolower(x) == std::tolower(y);
         });
}

bool listed(const std::vector<std::string>& words, std::string_view value)
{
  return words.empty() ||
         std::any_of(words.begin(), words.end(), [&](const std::string& word) { return same_word(word, value); });
}

Rejection reject(std::string hardware, const Veto& veto)
{
  Rejection rejection;
  rejection.hardware = std::move(hardware);
  rejection.reason = veto.reason;
  rejection.limit = veto.limit;
  rejection.misses_by = veto.misses_by;
  rejection.unit = veto.unit;
  return rejection;
}

// Slices larger than this serve pretraining, not these jobs, and every size of them is the same answer.
constexpr std::int32_t k_largest_machine = 64;

// Why an instance is no candidate, whatever the job.
std::optional<Veto> check_instance(const Instance& instance, const Question& question)
{
  const Request& request = question.request;
  if (instance.device.empty()) {
    return instance.device_named.empty()
               ? Veto{"scenario", "it has no accelerator (0 devices)"}
               : Veto{"availability",
                      fmt::format("its accelerator '{}' is not a device of the catalog", instance.device_named)};
  }
  if (instance.device_fraction) {
    return Veto{"fraction", fmt::format("it rents {:.3g} of one device, not a whole one", *instance.device_fraction),
                1.0 - *instance.device_fraction, "devices"};
  }
  if (instance.device_count > k_largest_machine) {
    return Veto{
        "scenario",
        fmt::format("{} devices in one piece are more than are placed ({})", instance.device_count, k_largest_machine),
        static_cast<double>(instance.device_count - k_largest_machine), "devices"};
  }
  if (std::find(question.tiers.begin(), question.tiers.end(), instance.tier) == question.tiers.end()) {
    return Veto{"tier", fmt::format("{} offers are left out (0 of the tiers asked for)", tier_name(instance.tier))};
  }
  if (!listed(request.provider, instance.provider)) {
    return Veto{"provider",
                fmt::format("its provider is {}, asked was {}", instance.provider, fmt::join(request.provider, ", "))};
  }
  if (!listed(request.region, instance.region)) {
    return Veto{"region",
                fmt::format("its price is of region {}, asked was {}",
                            instance.region.empty() ? "unknown" : instance.region, fmt::join(request.region, ", "))};
  }
  return std::nullopt;
}

const Device* find_device(std::span<const Device> devices, std::string_view id)
{
  const auto found = std::lower_bound(devices.begin(), devices.end(), id,
                                      [](const Device& d, std::string_view key) { return d.id < key; });
  if (found != devices.end() && found->id == id) {
    return &*found;
  }
  const auto anywhere = std::find_if(devices.begin(), devices.end(), [&](const Device& d) { return d.id == id; });
  return anywhere != devices.end() ? &*anywhere : nullptr;
}

} // namespace

std::string Hardware::name() const
{
  return count == 1 ? device->id : fmt::format("{}x {}", count, device->id);
}

Candidates list_candidates(const Question& question, std::span<const Device> devices,
                           std::span<const Instance> instances)
{
  Candidates found;
  const Request& request = question.request;
  const Scenario& scenario = *question.scenario;
  const bool want_local = !request.only || *request.only == "local";
  const bool want_cloud = !request.only || *request.only == "cloud";
  using Key = std::tuple<std::string, int, int, std::string>; // device, rented, count, link
  std::map<Key, Hardware> groups;

  for (const Device& device : devices) {
    if (!want_local || device.kind == DeviceKind::cpu) {
      continue;
    }
    ++found.devices;
    std::optional<Veto> veto;
    if (!listed(request.vendor, device.vendor)) {
      veto = Veto{"vendor", fmt::format("{} is made by {}, asked was {}", device.name, device.vendor,
                                        fmt::join(request.vendor, ", "))};
    }
    veto = veto ? veto : check_availability(device, true, scenario);
    veto = veto ? veto : check_scenario(device, true, scenario);
    if (veto) {
      found.rejected.push_back(reject(device.id, *veto));
      continue;
    }
    const bool whole = device.acquisition == Acquisition::system_only;
    for (const std::int32_t count : {1, 2, 4, 8}) {
      const bool asked = !request.count || *request.count == count;
      if (asked && (count == 1 || (!whole && count <= scenario.max_local_devices))) {
        groups[{device.id, 0, count, ""}] = Hardware{&device, count, true, "", {}};
      }
    }
  }
  for (const Instance& instance : instances) {
    if (!want_cloud) {
      break;
    }
    ++found.instances;
    std::optional<Veto> veto = check_instance(instance, question);
    const Device* device = veto ? nullptr : find_device(devices, instance.device);
    if (!veto && device == nullptr) {
      veto = Veto{"availability", fmt::format("its device '{}' is not in the catalog", instance.device)};
    }
    if (!veto && !listed(request.vendor, device->vendor)) {
      veto = Veto{"vendor", fmt::format("{} is made by {}, asked was {}", device->name, device->vendor,
                                        fmt::join(request.vendor, ", "))};
    }
    veto = veto ? veto : check_availability(*device, false, scenario);
    veto = veto ? veto : check_scenario(*device, false, scenario);
    if (!veto && request.count && *request.count != instance.device_count) {
      veto = Veto{"count", fmt::format("it has {} devices, asked were {}", instance.device_count, *request.count)};
    }
    if (veto) {
      found.rejected.push_back(reject(instance.id, *veto));
      continue;
    }
    const std::string link = instance.device_count > 1 ? instance.interconnect : "";
    Hardware& group = groups[{device->id, 1, instance.device_count, link}];
    group.device = device;
    group.count = instance.device_count;
    group.link = link;
    group.instances.push_back(&instance);
  }
  for (auto& [key, hardware] : groups) {
    std::sort(hardware.instances.begin(), hardware.instances.end(),
              [](const Instance* a, const Instance* b) { return a->id < b->id; });
    found.hardware.push_back(std::move(hardware));
  }
  return found;
}

} // namespace hwadvisor::advice
