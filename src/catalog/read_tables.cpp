// The small tables: providers, memory classes, efficiencies, machine parts.
#include "catalog/readers.hpp"
#include "hardware/names.hpp"

#include <array>

namespace hwadvisor::catalog {
namespace {

constexpr std::array<std::pair<std::string_view, int>, 6> k_phases{
    {{"decode", 0}, {"prefill", 1}, {"train", 2}, {"image_train", 3}, {"image_infer", 4}, {"link", 5}}};

// Of a single figure: where it is from and when it held.
void read_source(ObjectReader& in)
{
  (void)read_date(in, "date");
  (void)in.maybe_text("source");
  (void)in.maybe_text("note");
}

void check_order(ObjectReader& in, double low, double likely, double high)
{
  if (!in.failed() && !(low <= likely && likely <= high)) {
    in.fail("low", "low, likely and high must not fall");
  }
}

} // namespace

Result<Provider> read_provider(const Json& value, const Place& place)
{
  ObjectReader in(value, place);
  Provider provider;
  provider.id = in.text("id");
  provider.name = in.text("name");
  provider.tier = in.one_of<Tier>("tier", k_tiers);
  provider.url = in.maybe_text("url").value_or("");
  read_provenance(in);
  if (auto fault = in.finish()) {
    return *fault;
  }
  return provider;
}

Result<MemoryClass> read_memory_class(const Json& value, const Place& place)
{
  ObjectReader in(value, place);
  MemoryClass memory_class;
  memory_class.id = in.text("id");
  memory_class.ratio = in.number("ratio", {0.01, 1.0});
  memory_class.low = in.maybe_number("low", {0.01, 1.0}).value_or(memory_class.ratio);
  memory_class.high = in.maybe_number("high", {0.01, 1.0}).value_or(memory_class.ratio);
  memory_class.basis = in.maybe_text("basis").value_or("assumed");
  (void)in.maybe_integer("n", {0, 1'000'000});
  check_order(in, memory_class.low, memory_class.ratio, memory_class.high);
  read_provenance(in);
  if (auto fault = in.finish()) {
    return *fault;
  }
  return memory_class;
}

Result<Efficiency> read_efficiency(const Json& value, const Place& place)
{
  ObjectReader in(value, place);
  Efficiency row;
  row.id = in.text("id");
  row.phase = in.text("phase");
  if (!in.failed()) {
    (void)in.one_of<int>("phase", k_phases);
  }
  row.devices = in.texts("devices");
  row.memory_classes = in.texts("memory_classes");
  row.market_classes = in.texts("classes");
  row.vendors = in.texts("vendors");
  row.links = in.texts("links");
  row.engines = in.texts("engines");
  const bool present = in.object("fraction", [&](ObjectReader& fraction) {
    constexpr json::NumberRange range{0.0001, 1.5}; // "boost" peaks are exceeded now and then
    row.fraction = {fraction.number("low", range), fraction.number("likely", range), fraction.number("high", range)};
    check_order(fraction, row.fraction.low, row.fraction.likely, row.fraction.high);
  });
  if (!present) {
    in.fail("fraction", "an object with low, likely and high is required here");
  }
  constexpr json::NumberRange not_negative{0.0, 1e9};
  row.reference_tflops = in.maybe_number("reference_tflops", not_negative).value_or(0.0);
  row.exponent = in.maybe_number("exponent", {-2.0, 2.0}).value_or(0.0);
  row.kv_fraction = in.maybe_number("kv_fraction", {0.0, 1.5}).value_or(0.0);
  row.step_overhead_ms = in.maybe_number("step_overhead_ms", not_negative).value_or(0.0);
  row.layer_overhead_us = in.maybe_number("layer_overhead_us", not_negative).value_or(0.0);
  row.sequence_overhead_us = in.maybe_number("sequence_overhead_us", not_negative).value_or(0.0);
  row.latency_us = in.maybe_number("latency_us", not_negative).value_or(0.0);
  row.bytes_per_mac = in.maybe_number("bytes_per_mac", not_negative).value_or(0.0);
  row.cap_per_second = in.maybe_number("cap_per_second", not_negative).value_or(0.0);
  (void)in.maybe_integer("n", {0, 1'000'000'000});
  read_provenance(in);
  if (auto fault = in.finish()) {
    return *fault;
  }
  return row;
}

namespace {

struct Figure {
  std::string_view id;
  double MachineParts::*member;
  json::NumberRange range;
};

constexpr std::array<Figure, 9> k_figures{
    {{"ram_usd_per_gb", &MachineParts::ram_usd_per_gb, {0.0, 1000.0}},
     {"storage_usd_per_tb", &MachineParts::storage_usd_per_tb, {0.0, 10000.0}},
     {"usd_per_kwh", &MachineParts::usd_per_kwh, {0.0, 10.0}},
     {"colocation_usd_per_kw_month", &MachineParts::colocation_usd_per_kw_month, {0.0, 10'000.0}},
     {"cooling_factor", &MachineParts::cooling_factor, {1.0, 3.0}},
     {"load_factor", &MachineParts::load_factor, {0.0, 1.0}},
     {"resale_after_24_months", &MachineParts::resale_after_24_months, {0.0, 1.0}},
     {"street_over_list", &MachineParts::street_over_list, {0.1, 10.0}},
     {"age_per_year", &MachineParts::age_per_year, {0.0, 5.0}}}};

void read_figure(ObjectReader& in, MachineParts& parts)
{
  const std::string id = in.text("id");
  for (const Figure& figure : k_figures) {
    if (figure.id == id) {
      parts.*figure.member = in.number("value", figure.range);
      return;
    }
  }
  std::string accepted;
  for (const Figure& figure : k_figures) {
    accepted += (accepted.empty() ? "" : ", ") + std::string(figure.id);
  }
  in.fail("id", "'" + id + "' is not one of " + accepted);
}

} // namespace

Result<MachineParts> read_machine_parts(const Json& value, const Place& place, const MachineParts& known)
{
  ObjectReader in(value, place);
  MachineParts parts = known;
  if (in.has("platforms")) {
    parts.platforms.clear();
  }
  in.objects("platforms", [&](ObjectReader& platform) {
    MachineParts::Platform& out = parts.platforms.emplace_back();
    out.id = platform.text("id");
    out.name = platform.text("name");
    out.max_devices = static_cast<std::int32_t>(platform.integer("max_devices", {1, 1024}));
    out.max_device_watts = platform.number("max_device_watts", {1.0, 1e6});
    out.cpu_cores = static_cast<std::int32_t>(platform.integer("cpu_cores", {1, 65536}));
    out.usd = platform.number("usd", {0.0, 1e7});
    out.base_watts = platform.number("base_watts", {0.0, 1e5});
    read_source(platform);
  });
  in.objects("figures", [&](ObjectReader& figure) {
    read_figure(figure, parts);
    read_source(figure);
  });
  if (const std::string date = read_date(in, "prices_as_of", 10); !date.empty()) {
    parts.prices_as_of = date;
  }
  in.ignore("schema");
  (void)in.maybe_text("note");
  if (auto fault = in.finish()) {
    return *fault;
  }
  return parts;
}

} // namespace hwadvisor::catalog
