#include "catalog/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace hwadvisor::catalog {
namespace {

struct Range {
  double low;
  double high;
};

// What a device of a class can have. Wide on purpose: the ranges catch a wrong unit, a sparse or per-node figure, a
// slipped digit.
struct ClassRanges {
  std::string_view market_class;
  Range memory_gb, bandwidth_gb_s, watts, sixteen_bit_tflops;
};

constexpr ClassRanges k_ranges[] = {
    {"datacenter", {0.2, 500}, {50, 25000}, {35, 2500}, {3, 6000}},
    {"workstation", {5, 128}, {100, 2500}, {40, 650}, {5, 700}},
    {"consumer", {3, 48}, {90, 2500}, {50, 650}, {3, 500}},
    {"laptop", {2, 32}, {90, 1200}, {30, 250}, {3, 300}},
    {"edge", {0.004, 256}, {4, 400}, {1, 200}, {0.01, 400}},
    {"integrated", {4, 256}, {30, 300}, {10, 150}, {0.5, 100}},
    {"unified-desktop", {8, 800}, {60, 9000}, {10, 1800}, {2, 3000}},
    {"unified-laptop", {8, 256}, {60, 700}, {10, 200}, {2, 200}},
    {"cloud-only", {8, 300}, {50, 12000}, {50, 1500}, {0.5, 6000}},
    {"server-cpu", {1, 8192}, {80, 2000}, {60, 700}, {0.5, 700}},
    {"workstation-cpu", {1, 8192}, {80, 700}, {150, 500}, {0.5, 400}},
    {"desktop-cpu", {1, 512}, {20, 200}, {15, 300}, {0.05, 50}},
    {"laptop-cpu", {1, 256}, {20, 300}, {5, 170}, {0.05, 50}},
};

// A chip of a whole wafer, and chips that compute from on-chip memory, are like no others of their class.
constexpr std::array<std::string_view, 3> k_outside_ranges{"cerebras-wse-3", "groq-lpu-v1", "nvidia-groq-3-lpu"};
// Parts whose makers cut the INT8 units: far below the usual twice the 16-bit rate.
constexpr std::array<std::string_view, 4> k_reduced_int8{"nvidia-b300-sxm-288gb", "nvidia-gb300-288gb",
                                                         "nvidia-dgx-station-gb300", "nvidia-rubin-sxm-288gb"};

bool contains(const auto& list, std::string_view id)
{
  return std::find(list.begin(), list.end(), id) != list.end();
}

class DeviceCheck {
public:
  DeviceCheck(Findings& findings, const Device& device) : m_findings(findings), m_device(device) {}

  void run()
  {
    ranges();
    peaks();
    memory();
    cpu();
    prices();
    text();
  }

private:
  template <class... Values> void fault(std::string_view rule, fmt::format_string<Values...> format, Values&&... values)
  {
    m_findings.add(EntryKind::device, m_device.id, rule, fmt::format(format, std::forward<Values>(values)...));
  }

  std::optional<double> sixteen_bit() const { return m_device.peaks.fp16 ? m_device.peaks.fp16 : m_device.peaks.bf16; }

  void in_range(std::string_view what, std::optional<double> value, const Range& range)
  {
    if (value && !(*value >= range.low && *value <= range.high)) {
      fault("ranges", "{} {} is outside {} to {} of the class {}", what, *value, range.low, range.high,
            m_device.market_class);
    }
  }

  void ranges()
  {
    const auto row = std::find_if(std::begin(k_ranges), std::end(k_ranges),
                                  [&](const ClassRanges& r) { return r.market_class == m_device.market_class; });
    if (row == std::end(k_ranges)) {
      fault("ranges", "'{}' is not a class of devices", m_device.market_class);
      return;
    }
    if (contains(k_outside_ranges, m_device.id)) {
      return;
    }
    const auto gigabytes = m_device.memory ? std::optional(m_device.memory->value()) : std::nullopt;
    const auto bandwidth = m_device.bandwidth ? std::optional(m_device.bandwidth->value() / 1e9) : std::nullopt;
    const auto watts = m_device.tdp ? std::optional(m_device.tdp->value()) : std::nullopt;
    in_range("memory", gigabytes, row->memory_gb);
    in_range("bandwidth", bandwidth, row->bandwidth_gb_s);
    in_range("power", watts, row->watts);
    in_range("16-bit peak", sixteen_bit(), row->sixteen_bit_tflops);
  }

  // A narrow format is not slower than a wide one; a few percent are rounding in datasheets.
  void not_below(std::string_view narrow, std::optional<double> fast, std::string_view wide, std::optional<double> slow)
  {
    if (fast && slow && *fast < 0.97 * *slow) {
      fault("peaks", "{} {} is below {} {}", narrow, *fast, wide, *slow);
    }
  }

  void peaks()
  {
    const Peaks& p = m_device.peaks;
    not_below("fp4", p.fp4, "fp8", p.fp8);
    not_below("fp8", p.fp8, "fp16", p.fp16);
    not_below("fp8", p.fp8, "bf16", p.bf16);
    not_below("fp16_accumulate", p.fp16_accumulate, "fp16", p.fp16);
    const bool is_cpu = m_device.kind == DeviceKind::cpu;
    if (!is_cpu) { // CPUs convert 16-bit values and compute in fp32
      not_below("fp16", p.fp16, "fp32", p.fp32);
      not_below("tf32", p.tf32, "fp32", p.fp32);
    }
    const auto base = sixteen_bit();
    if (p.fp8 && base && *p.fp8 > 5.1 * *base) {
      fault("peaks", "fp8 {} is more than 5 times the 16-bit peak {}: a sparse figure?", *p.fp8, *base);
    }
    const bool reduced = contains(k_reduced_int8, m_device.id);
    if (p.int8 && base && !is_cpu && !reduced && !(*p.int8 >= 0.9 * *base && *p.int8 <= 8.1 * *base)) {
      fault("peaks", "int8 {} is not 1 to 8 times the 16-bit peak {}", *p.int8, *base);
    }
    if (p.int4 && p.int8 && !(*p.int4 >= 0.9 * *p.int8 && *p.int4 <= 4.1 * *p.int8)) {
      fault("peaks", "int4 {} is not 1 to 4 times int8 {}", *p.int4, *p.int8);
    }
  }

  void memory()
  {
    const auto& classes = m_findings.catalog().memory_classes();
    if (!m_device.memory_class.empty() && std::none_of(classes.begin(), classes.end(), [&](const MemoryClass& c) {
          return c.id == m_device.memory_class;
        })) {
      fault("memory", "there is no memory class '{}'", m_device.memory_class);
    }
    if (m_device.memory && m_device.usable_memory) {
      const double share = *m_device.usable_memory / marketed_bytes(*m_device.memory);
      if (!(share >= 0.6 && share <= 1.0001)) {
        fault("memory", "usable memory is {:.3f} of the marketed size", share);
      }
    }
    const auto& options = m_device.memory_options_gb;
    if (!std::is_sorted(options.begin(), options.end()) ||
        (!options.empty() && (!m_device.memory || m_device.memory->value() != options.back()))) {
      fault("memory", "memory options are to be sorted, and the marketed size the largest of them");
    }
  }

  void cpu()
  {
    if (m_device.kind == DeviceKind::cpu && !m_device.cpu) {
      fault("cpu", "a CPU without facts of its cores");
    }
    if (!m_device.cpu) {
      return;
    }
    const CpuFacts& facts = *m_device.cpu;
    if (facts.cores > 0 && facts.threads > 0 && (facts.threads < facts.cores || facts.threads > 2 * facts.cores)) {
      fault("cpu", "{} threads of {} cores", facts.threads, facts.cores);
    }
    if (facts.base_ghz > 0.0 && facts.boost_ghz > 0.0 && facts.boost_ghz < facts.base_ghz) {
      fault("cpu", "boost clock {} below base clock {}", facts.boost_ghz, facts.base_ghz);
    }
  }

  void prices()
  {
    const bool announced = m_device.status == "announced";
    if (announced != (m_device.acquisition == Acquisition::announced)) {
      fault("acquisition", "status and acquisition disagree on 'announced'");
    }
    const std::string& today = m_findings.today();
    const std::string& released = m_device.released;
    if (!released.empty() && (released < "2005" || (!announced && released > today.substr(0, released.size())))) {
      fault("dates", "released {} is not between 2005 and {}", released, today);
    }
    for (const PurchasePrice& price : m_device.prices) {
      if (!(price.price.value() >= 10.0 && price.price.value() <= 5e6)) {
        fault("prices", "{} USD is no plausible price of a device", price.price.value());
      }
    }
  }

  void text()
  {
    constexpr std::array<std::string_view, 6> nullable{
        "memory.marketed_gb", "memory.bandwidth_gb_s", "tdp_w", "released", "prices", "acquisition"};
    const json::Json entry = m_findings.entry(EntryKind::device, m_device.id);
    check_reasons(m_findings, EntryKind::device, m_device.id, entry, nullable);
    const json::Json* reasons = value_at(entry, "unknown");
    const bool is_explained = reasons != nullptr && reasons->contains("peak_tflops.fp16");
    if (m_device.kind != DeviceKind::cpu && !sixteen_bit() && !is_explained &&
        value_at(entry, "peak_tflops") != nullptr) {
      fault("reasons", "peak_tflops.fp16 is not known, and no reason is given");
    }
    check_dates(m_findings, EntryKind::device, m_device.id, entry, "2005-01-01");
    const json::Json* sources = value_at(entry, "sources");
    if (sources == nullptr || sources->empty()) {
      fault("sources", "no source is given");
    }
  }

  Findings& m_findings;
  const Device& m_device;
};

void check_names(Findings& findings)
{
  NameOwners owners;
  std::map<std::string, std::vector<const Device*>> series;
  for (const Device& device : findings.catalog().devices()) {
    series[device.series].push_back(&device);
    owners.claim(findings, EntryKind::device, "names", device.id, device.id);
    owners.claim(findings, EntryKind::device, "names", device.name, device.id);
    for (const std::string& alias : device.aliases) {
      owners.claim(findings, EntryKind::device, "names", alias, device.id);
    }
  }
  for (const auto& [name, members] : series) {
    const auto common = std::count_if(members.begin(), members.end(), [](const Device* d) { return d->common_form; });
    if (common > (members.size() > 1 ? 1 : 0)) {
      findings.add(EntryKind::device, members.front()->id, "series",
                   fmt::format("{} common forms among {} of the series '{}'", common, members.size(), name));
    }
    const std::string* owner = owners.find(name);
    if (owner != nullptr && (members.size() > 1 || *owner != members.front()->id)) {
      findings.add(EntryKind::device, *owner, "series",
                   fmt::format("a name of this device is the series '{}' of several or of another", name));
    }
  }
}

} // namespace

void check_devices(Findings& findings)
{
  check_names(findings);
  for (const Device& device : findings.catalog().devices()) {
    DeviceCheck(findings, device).run();
  }
}

} // namespace hwadvisor::catalog
