#include "catalog/hardware_names.hpp"

#include "catalog/name_text.hpp"
#include "text/near.hpp"
#include "text/quote.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace hwadvisor::catalog {
namespace {

constexpr std::int32_t k_most_devices = 1024; // above it a number belongs to the name: "7900 XTX"

std::string_view trimmed(std::string_view text)
{
  const auto start = text.find_first_not_of(" \t");
  if (start == std::string_view::npos) {
    return {};
  }
  return text.substr(start, text.find_last_not_of(" \t") - start + 1);
}

std::int32_t count_of(std::string_view text)
{
  std::int32_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  return error == std::errc() && end == text.data() + text.size() && count >= 1 && count <= k_most_devices ? count : 0;
}

struct Counted {
  std::int32_t count = 0; // 0: no count in it
  std::string_view name;
};

// "8xH100", "8 x H100", "8 H100": the number first.
Counted count_before(std::string_view text)
{
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  std::string_view rest = text.substr(digits);
  const bool spaced = !rest.empty() && rest.front() == ' ';
  rest = trimmed(rest);
  const bool times = !rest.empty() && (rest.front() == 'x' || rest.front() == 'X' || rest.front() == '*');
  if (!times && !spaced) {
    return {};
  }
  return {count_of(text.substr(0, digits)), trimmed(times ? rest.substr(1) : rest)};
}

// "H100:8", "H100x8", "H100 x 8": the number last.
Counted count_after(std::string_view text)
{
  const std::size_t last = text.find_last_not_of("0123456789");
  if (last == std::string_view::npos) {
    return {};
  }
  const std::string_view digits = text.substr(last + 1);
  const std::string_view front = trimmed(text.substr(0, last + 1));
  if (front.empty() || (front.back() != ':' && front.back() != 'x' && front.back() != 'X' && front.back() != '*')) {
    return {};
  }
  return {count_of(digits), trimmed(front.substr(0, front.size() - 1))};
}

// The cloud's prefix that people leave out: "v5litepod-8", "NC24ads_A100_v4".
std::string_view short_name(std::string_view name)
{
  for (const std::string_view prefix : {std::string_view("tpu-"), std::string_view("Standard_")}) {
    if (name.starts_with(prefix)) {
      return name.substr(prefix.size());
    }
  }
  return name;
}

HardwareChoice choice_of(const Instance& instance, std::span<const Device> devices)
{
  HardwareChoice choice;
  choice.instance = &instance;
  choice.count = std::max(1, instance.device_count);
  const auto device = std::lower_bound(devices.begin(), devices.end(), instance.device,
                                       [](const Device& d, const std::string& id) { return d.id < id; });
  choice.device = device != devices.end() && device->id == instance.device ? &*device : nullptr;
  return choice;
}

Result<std::optional<HardwareChoice>> resolve_device_in(std::string_view name, const HardwareLists& lists)
{
  return resolve_device(name, lists.devices);
}

Result<std::optional<HardwareChoice>> resolve_instance(std::string_view name, const HardwareLists& lists)
{
  std::vector<const Instance*> found;
  for (const Instance& instance : lists.instances) {
    if (same_compact(instance.id, name)) {
      return std::optional(choice_of(instance, lists.devices));
    }
    if (same_compact(instance.name, name) || same_compact(short_name(instance.name), name)) {
      found.push_back(&instance);
    }
  }
  if (found.size() > 1) {
    Error error{ErrorKind::unknown,
                fmt::format("{} is an instance of {} providers: say which", text::quoted(name), found.size())};
    for (const Instance* instance : found) {
      error.candidates.push_back(instance->id);
    }
    return error;
  }
  return found.empty() ? std::optional<HardwareChoice>() : choice_of(*found.front(), lists.devices);
}

// Google counts the cores of a TPU slice of some generations and the chips of others: "v3-8" is 4 chips of 2 cores,
// "v5e-8" is 8 chips of one core.
std::optional<HardwareChoice> resolve_tpu_slice(std::string_view name, std::span<const Device> devices)
{
  const std::size_t dash = name.rfind('-');
  const std::int32_t cores = dash == std::string_view::npos ? 0 : count_of(name.substr(dash + 1));
  if (cores == 0) {
    return std::nullopt;
  }
  std::string_view generation = name.substr(0, dash);
  if (generation.ends_with("pod")) {
    generation.remove_suffix(3);
  }
  const auto device = resolve_device(generation, devices);
  if (!device.ok() || !device->has_value() || (**device).device->kind != DeviceKind::tpu) {
    return std::nullopt;
  }
  HardwareChoice choice = **device;
  choice.count = cores / choice.device->cores_per_chip;
  return cores % choice.device->cores_per_chip == 0 ? std::optional(choice) : std::nullopt;
}

} // namespace

Error unknown_hardware(std::string_view name, const HardwareLists& lists)
{
  constexpr std::size_t most = 4;
  Error error{ErrorKind::unknown, fmt::format("{} is not a known device or instance", text::quoted(name))};
  error.candidates = devices_like(name, lists.devices);
  // Instances that start alike: "p5" and "aws/p5" are families.
  for (const Instance& instance : lists.instances) {
    const std::string& own = name.find('/') == std::string_view::npos ? instance.name : instance.id;
    if (own.starts_with(name)) {
      error.candidates.push_back(instance.id);
    }
  }
  if (error.candidates.empty()) {
    std::vector<std::string> known;
    for (const Device& device : lists.devices) {
      known.push_back(device.series);
    }
    for (const Device& device : lists.devices) {
      known.push_back(device.name);
      known.insert(known.end(), device.aliases.begin(), device.aliases.end());
    }
    for (const Instance& instance : lists.instances) {
      known.push_back(name.find('/') == std::string_view::npos ? instance.name : instance.id);
    }
    error.candidates = text::near_matches(name, known);
  }
  if (error.candidates.size() > most) {
    error.candidates.resize(most);
  }
  return error;
}

Result<HardwareChoice> resolve_hardware(std::string_view text, const HardwareLists& lists)
{
  std::string ascii(trimmed(text));
  for (auto at = ascii.find("×"); at != std::string::npos; at = ascii.find("×")) {
    ascii.replace(at, std::string_view("×").size(), "x");
  }
  const std::string_view name = ascii;
  if (name.empty()) {
    return Error{ErrorKind::unknown, "a device or an instance was expected, like 'RTX 4090' or 'aws/g5.12xlarge'"};
  }
  if (name.find('/') != std::string_view::npos) {
    HWADVISOR_TRY(instance, resolve_instance(name, lists));
    if (instance) {
      return *instance;
    }
  }
  // A device comes before an instance of the same name, and "A100x2" is two devices before it is some cloud's instance.
  const Counted readings[] = {{1, name}, count_before(name), count_after(name)};
  for (const auto resolve_by : {&resolve_device_in, &resolve_instance}) {
    for (const Counted& reading : readings) {
      if (reading.count > 0 && !reading.name.empty()) {
        HWADVISOR_TRY(found, resolve_by(reading.name, lists));
        if (found) {
          found->count *= reading.count;
          return *found;
        }
      }
    }
  }
  if (const auto slice = resolve_tpu_slice(name, lists.devices)) {
    return *slice;
  }
  return unknown_hardware(name, lists);
}

} // namespace hwadvisor::catalog
