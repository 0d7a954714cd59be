#include "catalog/check.hpp"
#include "catalog/name_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

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

bool contains(const auto& list, const auto& id)
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
      const bool whole = price.includes == PriceIncludes::complete_machine;
      if (m_device.market_class != "edge" && whole != m_device.market_class.starts_with("unified-")) {
        fault("prices", "a price includes {}, which the class {} does not have",
              whole ? "a complete machine" : "no complete machine", m_device.market_class);
      }
      const auto& options = m_device.memory_options_gb;
      const bool known_size = options.empty() ? m_device.memory && m_device.memory->value() == price.memory_gb
                                              : contains(options, price.memory_gb.value_or(0.0));
      if (price.memory_gb && !known_size) {
        fault("prices", "a price is for {} GB, which is none of its sizes", *price.memory_gb);
      }
    }
    if (!std::is_sorted(m_device.prices.begin(), m_device.prices.end(),
                        [](const PurchasePrice& a, const PurchasePrice& b) { return a.date > b.date; })) {
      fault("prices", "prices are to be in the order of their dates, the newest first");
    }
  }

  void text()
  {
    constexpr std::array<std::string_view, 6> nullable{
        "memory.marketed_gb", "memory.bandwidth_gb_s", "tdp_w", "released", "prices", "acquisition"};
    // What an answer rests on is not left out in silence, though an overlay need not say all.
    constexpr std::array<std::string_view, 4> owed{"memory.marketed_gb", "memory.bandwidth_gb_s", "tdp_w", "prices"};
    const json::Json entry = m_findings.entry(EntryKind::device, m_device.id);
    check_reasons(m_findings, EntryKind::device, m_device.id, entry, nullable);
    const json::Json* reasons = value_at(entry, "unknown");
    const auto is_explained = [&](std::string_view path) {
      return reasons != nullptr && reasons->contains(std::string(path));
    };
    for (const std::string_view path : owed) {
      if (value_at(entry, path) == nullptr && !is_explained(path)) {
        fault("reasons", "{} is left out, and no reason is given in 'unknown'", path);
      }
    }
    if (m_device.kind != DeviceKind::cpu && !sixteen_bit() && !is_explained("peak_tflops.fp16")) {
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

// A machine that its provider named after its GPU ("A100-80GB", "A6000") is no clash: the bare name means the device,
// the machine needs its provider.
bool is_named_after(const Instance& instance, const Device& device, const Catalog& catalog)
{
  const Device* held = catalog.find_device(instance.device);
  return compact(instance.name).find(compact(device.series)) != std::string::npos ||
         (held != nullptr && held->series == device.series);
}

void check_names(Findings& findings)
{
  const Catalog& catalog = findings.catalog();
  std::multimap<std::string, const Instance*> machines;
  for (const Instance& instance : catalog.instances()) {
    machines.emplace(compact(instance.name), &instance);
  }
  NameOwners owners;
  std::map<std::string, std::vector<const Device*>> series;
  for (const Device& device : catalog.devices()) {
    series[compact(device.series)].push_back(&device);
    owners.claim(findings, EntryKind::device, "names", device.id, device.id);
    owners.claim(findings, EntryKind::device, "names", device.name, device.id);
    std::set<std::string> own{compact(device.id), compact(device.name)};
    for (const std::string& alias : device.aliases) {
      owners.claim(findings, EntryKind::device, "names", alias, device.id);
      if (!own.insert(compact(alias)).second) {
        findings.add(EntryKind::device, device.id, "names",
                     fmt::format("the alias '{}' repeats another name of the device", alias));
      }
      const auto [first, last] = machines.equal_range(compact(alias));
      if (std::any_of(first, last, [&](const auto& m) { return !is_named_after(*m.second, device, catalog); })) {
        findings.add(EntryKind::device, device.id, "names", fmt::format("the alias '{}' is an instance's name", alias));
      }
    }
  }
  for (const auto& [name, members] : series) {
    const auto common = std::count_if(members.begin(), members.end(), [](const Device* d) { return d->common_form; });
    if (common > (members.size() > 1 ? 1 : 0)) {
      findings.add(
          EntryKind::device, members.front()->id, "series",
          fmt::format("{} common forms among {} of the series '{}'", common, members.size(), members.front()->series));
    }
    const std::string* owner = owners.find(name);
    if (owner != nullptr && (members.size() > 1 || *owner != members.front()->id)) {
      findings.add(
          EntryKind::device, *owner, "series",
          fmt::format("a name of this device is the series '{}' of several or of another", members.front()->series));
    }
    if (std::any_of(members.begin(), members.end(),
                    [&](const Device* d) { return d->series != members.front()->series; })) {
      findings.add(EntryKind::device, members.front()->id, "series",
                   fmt::format("the series '{}' is spelled in several ways", members.front()->series));
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
