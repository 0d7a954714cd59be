#include "catalog/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

namespace hwadvisor::catalog {
namespace {

// USD that one whole device may plausibly cost an hour on demand: the widest prices of marketplaces and hyperscalers of
// 2023 to 2026 with room to spare. The first row that fits counts.
struct HourlyRange {
  std::string_view device_prefix;
  double low;
  double high;
};
constexpr HourlyRange k_hourly[] = {
    {"nvidia-gb", 2.0, 40.0},  {"nvidia-b", 2.0, 40.0},   {"nvidia-h", 0.8, 20.0}, {"nvidia-gh", 0.8, 20.0},
    {"nvidia-a100", 0.4, 8.0}, {"nvidia-v100", 0.1, 5.0}, {"amd-mi", 0.8, 20.0},   {"google-tpu", 0.3, 20.0},
    {"aws-", 0.1, 10.0},       {"intel-gaudi", 0.5, 8.0}, {"", 0.05, 8.0},
};

class InstanceCheck {
public:
  InstanceCheck(Findings& findings, const Instance& instance) : m_findings(findings), m_instance(instance) {}

  void run()
  {
    prices();
    device();
    host();
    text();
  }

private:
  template <class... Values> void fault(std::string_view rule, fmt::format_string<Values...> format, Values&&... values)
  {
    m_findings.add(EntryKind::instance, m_instance.id, rule, fmt::format(format, std::forward<Values>(values)...));
  }

  void not_above(std::string_view term, const std::optional<RentalPrice>& price, std::string_view base_term,
                 const std::optional<RentalPrice>& base)
  {
    if (price && base && price->price > base->price) {
      fault("prices", "{} {} is above {} {}", term, price->price.value(), base_term, base->price.value());
    }
  }

  void prices()
  {
    const Instance& i = m_instance;
    not_above("spot", i.spot, "on-demand", i.on_demand);
    not_above("reserved_1y", i.reserved_1y, "on-demand", i.on_demand);
    not_above("reserved_3y", i.reserved_3y, "on-demand", i.on_demand);
    not_above("reserved_3y", i.reserved_3y, "reserved_1y", i.reserved_1y);
    if (i.on_demand && !i.device.empty()) {
      const double rate = i.on_demand->price.value() / (i.device_count * i.device_fraction.value_or(1.0));
      const auto row = std::find_if(std::begin(k_hourly), std::end(k_hourly),
                                    [&](const HourlyRange& r) { return i.device.starts_with(r.device_prefix); });
      if (!(rate >= row->low && rate <= row->high)) {
        fault("prices", "{:.3f} USD for a device and hour is outside {} to {}", rate, row->low, row->high);
      }
    }
  }

  void device()
  {
    const Instance& i = m_instance;
    if (i.device_fraction.has_value() != (i.shape == InstanceShape::fraction)) {
      fault("fractions", "the shape and the fraction of a device go together");
    }
    if (i.device_named.empty() && i.shape != InstanceShape::vm && i.shape != InstanceShape::bare_metal) {
      fault("devices", "this shape needs a device");
    }
    if (i.device.empty()) {
      return;
    }
    const Device* known = m_findings.catalog().find_device(i.device);
    if (known == nullptr) {
      fault("devices", "there is no device '{}'", i.device);
      return;
    }
    if (known->memory && i.device_memory_gib) {
      const double share = *i.device_memory_gib / i.device_fraction.value_or(1.0) / known->memory->value();
      if (!(share >= 0.85 && share <= 1.1)) {
        fault("devices", "{} GiB a device, but {} has {} GB", *i.device_memory_gib, known->id, known->memory->value());
      }
    }
    if (i.shape == InstanceShape::tpu_slice && known->kind != DeviceKind::tpu) {
      fault("devices", "a TPU slice of {}", known->id);
    }
  }

  void host()
  {
    const Instance& i = m_instance;
    const double gib = i.memory ? in_gibibytes(*i.memory) : 0.0;
    if (i.vcpus && *i.vcpus > 1024 * i.nodes) {
      fault("ranges", "{} vCPUs", *i.vcpus);
    }
    if (i.memory && !(gib >= 0.5 && gib <= 32768.0 * i.nodes)) {
      fault("ranges", "{} GiB of host memory", gib);
    }
    if (i.vcpus && i.memory && !(gib / *i.vcpus >= 0.2 && gib / *i.vcpus <= 64.0)) {
      fault("ranges", "{} GiB for {} vCPUs", gib, *i.vcpus);
    }
  }

  void text()
  {
    constexpr std::array<std::string_view, 13> nullable{"region",
                                                        "vcpus",
                                                        "memory_gib",
                                                        "cpu.model",
                                                        "cpu.arch",
                                                        "accelerator.device",
                                                        "accelerator.memory_gib_each",
                                                        "local_storage_gb",
                                                        "network_gbps",
                                                        "price.on_demand",
                                                        "price.spot",
                                                        "price.reserved_1y",
                                                        "price.reserved_3y"};
    const json::Json entry = m_findings.entry(EntryKind::instance, m_instance.id);
    check_reasons(m_findings, EntryKind::instance, m_instance.id, entry, nullable);
    check_dates(m_findings, EntryKind::instance, m_instance.id, entry, "2022-01-01");
    const json::Json* sources = value_at(entry, "sources");
    if (sources == nullptr || sources->empty()) {
      fault("sources", "no source is given");
    }
  }

  Findings& m_findings;
  const Instance& m_instance;
};

} // namespace

void check_instances(Findings& findings)
{
  const Catalog& catalog = findings.catalog();
  std::map<std::string, NameOwners, std::less<>> names;
  std::set<std::string, std::less<>> used;
  for (const Instance& instance : catalog.instances()) {
    used.insert(instance.provider);
    names[instance.provider].claim(findings, EntryKind::instance, "names", instance.name, instance.id);
    if (catalog.find_provider(instance.provider) == nullptr) {
      findings.add(EntryKind::instance, instance.id, "providers",
                   fmt::format("there is no provider '{}'", instance.provider));
    }
    InstanceCheck(findings, instance).run();
  }
  for (const Provider& provider : catalog.providers()) {
    if (used.find(provider.id) == used.end()) {
      findings.add(EntryKind::provider, provider.id, "providers", "no instance is of this provider");
    }
  }
}

} // namespace hwadvisor::catalog
