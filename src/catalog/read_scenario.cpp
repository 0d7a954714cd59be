#include "catalog/readers.hpp"
#include "hardware/names.hpp"

#include <fmt/format.h>

#include <array>

namespace hwadvisor::catalog {
namespace {

// A default is written as a number, a text or a boolean and kept as the text that a flag would have.
std::string default_text(const Json& value)
{
  return value.is_string() ? value.get<std::string>() : json::dump(value);
}

void read_defaults(ObjectReader& in, Scenario& scenario)
{
  for (const std::string& key : in.keys()) {
    const Json* value = in.member(key);
    if (value == nullptr || value->is_structured()) {
      in.fail(key, "a number, a text or true/false was expected: the value of a request key");
      return;
    }
    scenario.defaults.emplace_back(key, default_text(*value));
  }
}

constexpr std::array<std::pair<std::string_view, CostBasis>, 3> k_cost_bases{
    {{"run", CostBasis::run}, {"month", CostBasis::month}, {"horizon", CostBasis::horizon}}};

} // namespace

Result<Scenario> read_scenario(const Json& value, const Place& place)
{
  ObjectReader in(value, place);
  Scenario scenario;
  scenario.id = in.text("id");
  scenario.title = in.text("title");
  scenario.summary = in.maybe_text("summary").value_or("");
  in.object("defaults", [&](ObjectReader& defaults) { read_defaults(defaults, scenario); });
  scenario.precision_ladder = in.texts("precision_ladder");
  scenario.training_ladder = in.texts("training_ladder");
  if (in.has("cost_basis")) {
    scenario.cost_basis = in.one_of<CostBasis>("cost_basis", k_cost_bases);
  }
  for (const std::string& word : in.texts("tiers")) {
    bool known = false;
    for (const auto& [name, tier] : k_tiers) {
      if (word == name) {
        scenario.tiers.push_back(tier);
        known = true;
      }
    }
    if (!known) {
      in.fail("tiers", fmt::format("'{}' is not one of hyperscaler, specialist, marketplace", word));
    }
  }
  scenario.allow_used = in.maybe_boolean("allow_used").value_or(scenario.allow_used);
  scenario.allow_consumer = in.maybe_boolean("allow_consumer").value_or(scenario.allow_consumer);
  scenario.production = in.maybe_boolean("production").value_or(scenario.production);
  scenario.hours_per_month = in.number("hours_per_month", {0.0, 744.0});
  scenario.horizon_months = in.maybe_number("horizon_months", {1.0, 120.0}).value_or(scenario.horizon_months);
  scenario.prudent_headroom = in.maybe_number("prudent_headroom", {0.0, 0.9}).value_or(scenario.prudent_headroom);
  scenario.min_device_memory_gb = in.maybe_number("min_device_memory_gb", {0.0, 1e6}).value_or(0.0);
  scenario.max_local_devices = static_cast<std::int32_t>(
      in.maybe_integer("max_local_devices", {0, 100'000}).value_or(scenario.max_local_devices));
  scenario.host_owned = in.maybe_boolean("host_owned").value_or(scenario.host_owned);
  scenario.spare_machines = static_cast<std::int32_t>(in.maybe_integer("spare_machines", {0, 100}).value_or(0));
  scenario.runs_per_month = in.maybe_number("runs_per_month", {0.0, 100'000.0}).value_or(0.0);
  scenario.setup_hours = in.maybe_number("setup_hours", {0.0, 1000.0}).value_or(0.0);
  scenario.train_tokens = in.maybe_integer("train_tokens", {0, std::int64_t{1} << 60}).value_or(0);
  scenario.train_samples = in.maybe_integer("train_samples", {0, std::int64_t{1} << 60}).value_or(0);
  in.objects("software", [&](ObjectReader& software) {
    SoftwareChoice& out = scenario.software.emplace_back();
    out.software = software.text("software");
    out.surcharge = software.maybe_number("surcharge", {0.0, 100.0}).value_or(0.0);
  });
  scenario.preferred_engines = in.texts("preferred_engines");
  scenario.sources = in.texts("sources");
  read_provenance(in);
  if (auto fault = in.finish()) {
    return *fault;
  }
  return scenario;
}

} // namespace hwadvisor::catalog
