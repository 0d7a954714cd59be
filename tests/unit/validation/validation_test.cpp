#include "hwadvisor/validation.hpp"

#include "catch.hpp"
#include "unit/whole_catalog.hpp"

#include <set>

using namespace hwadvisor;

namespace {

std::vector<MeasuredCase> cases_of(std::string_view text)
{
  auto cases = parse_measurements(text, "runs.json");
  INFO((cases.ok() ? std::string() : cases.error().where + ": " + cases.error().message));
  REQUIRE(cases.ok());
  return *std::move(cases);
}

std::string fault_of(std::string_view text)
{
  const auto cases = parse_measurements(text, "runs.json");
  REQUIRE_FALSE(cases.ok());
  CHECK(cases.error().kind == ErrorKind::malformed);
  return cases.error().where + ": " + cases.error().message;
}

Comparison row(double measured, Interval<double> predicted)
{
  return {"case", "memory.weights_bytes", measured, predicted, "", {"tag"}};
}

} // namespace

TEST_CASE("a KV cache of 131,072 tokens is compared to the byte", "[validation]")
{
  const auto cases = cases_of(R"({"cases": [{"id": "kv", "source": "arithmetic", "tags": ["llama"], "note": "x",
    "request": {"model": "llama-3.1-8b", "precision": "bf16", "context": 131072, "batch": 1, "gpu_as_named": "any"},
    "measured": {"memory.kv_cache_bytes": 17179869184}}]})");
  const auto rows = compare_all(cases, catalog());
  REQUIRE(rows.size() == 1);
  REQUIRE(rows[0].predicted);
  CHECK(rows[0].predicted->likely == 17179869184.0);
  CHECK(rows[0].error_pct() == 0.0);
  CHECK(rows[0].inside());
}

TEST_CASE("what cannot be computed is unsupported with its reason", "[validation]")
{
  const auto rows = compare_all(cases_of(R"({"cases": [
        {"id": "a", "request": {"model": "no-such-model-99b"}, "measured": {"memory.weights_bytes": 1, "fit.fits": true}},
        {"id": "b", "request": {"model": "llama-3.1-8b", "colour": "red"}, "measured": {"memory.weights_bytes": 1}},
        {"id": "c", "request": {"model": "llama-3.1-8b"}, "measured": {"memory.unheard_of": 1, "fit.fits": false}}]})"),
                                catalog());
  REQUIRE(rows.size() == 5);
  for (const Comparison& each : rows) {
    INFO(each.id << " " << each.metric);
    CHECK_FALSE(each.predicted);
  }
  CHECK(rows[0].reason == "'no-such-model-99b' is not a known model");
  CHECK(rows[2].reason == "runs.json: /cases/1/request/colour: 'colour' is not a known key");
  CHECK(rows[3].reason == "this key is not known");
  CHECK(rows[4].reason == "no hardware is named");
}

TEST_CASE("errors of a measurements file", "[validation]")
{
  CHECK(fault_of("[]") == "runs.json: an object was expected, not []");
  CHECK(fault_of("{}") == "runs.json: /cases: missing");
  CHECK(fault_of(R"({"cases": [{"id": "a", "measured": {}}]})") == "runs.json: /cases/0/request: missing");
  CHECK(fault_of(R"({"cases": [{"id": "a", "request": {}}]})") == "runs.json: /cases/0/measured: missing");
  CHECK(fault_of(R"({"cases": [{"id": "a", "request": {}, "measured": {"fit.fits": "yes"}}]})") ==
        "runs.json: /cases/0/measured/fit.fits: a number was expected, not \"yes\"");
  CHECK(fault_of(R"({"cases": [{"id": "a", "request": {}, "measured": {}},
                               {"id": "a", "request": {}, "measured": {}}]})") ==
        "runs.json: /cases/1/id: 'a' is the id of an earlier case");
}

TEST_CASE("errors are signed, and the interval allows for the digits of a log", "[validation]")
{
  CHECK(row(200, {100, 150, 190}).error_pct() == -25.0);
  CHECK_FALSE(row(200, {100, 150, 190}).inside());
  CHECK(row(200, {100, 150, 199.5}).inside());
  Comparison fits{"case", "fit.fits", 0.0, Interval<double>::exactly(1.0), "", {}};
  CHECK(fits.error_pct() == 100.0);
}

TEST_CASE("a summary by metric and tag", "[validation]")
{
  std::vector<Comparison> rows;
  for (const double predicted : {90.0, 100.0, 101.0, 110.0, 150.0}) { // errors -10, 0, 1, 10, 50
    rows.push_back(row(100, {predicted, predicted, predicted}));
  }
  rows.push_back({"case", "memory.weights_bytes", 1.0, std::nullopt, "why", {"other"}});
  const auto summary = summarise(rows);
  REQUIRE(summary.size() == 3);
  CHECK(summary[0].tag == "all");
  CHECK(summary[0].n == 5);
  CHECK(summary[0].unsupported == 1);
  CHECK(summary[0].median_abs_pct == Approx(10.0));
  CHECK(summary[0].p90_abs_pct == Approx(34.0)); // between 10 and 50, at 3.6 of 4
  CHECK(summary[0].bias_pct == Approx(1.0));
  CHECK(summary[0].inside_interval_pct == Approx(20.0));
  CHECK(summary[1].tag == "other");
  CHECK(summary[1].n == 0);
  CHECK(summary[2].tag == "tag");
}

TEST_CASE("the measurements that the program carries are well-formed, with ids of their own", "[validation]")
{
  std::set<std::string> ids;
  std::size_t cases = 0;
  for (const MeasurementFile& file : builtin_measurements()) {
    for (const MeasuredCase& each : cases_of(file.text)) {
      INFO(file.name << " " << each.id);
      CHECK(ids.insert(each.id).second);
      CHECK_FALSE(each.source.empty());
      CHECK_FALSE(each.measured.empty());
      ++cases;
    }
  }
  CHECK(cases >= 3000);
}
