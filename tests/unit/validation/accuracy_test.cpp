// How far predictions of memory may be from what was measured: the bar that every change has to clear. `hwadvisor
// validate` prints the same errors case by case.
#include "hwadvisor/validation.hpp"

#include "catch.hpp"
#include "unit/whole_catalog.hpp"

#include <algorithm>
#include <cmath>
#include <map>

using namespace hwadvisor;

namespace {

const std::vector<Comparison>& rows_of(std::string_view file)
{
  static std::map<std::string_view, std::vector<Comparison>> known;
  auto& rows = known[file];
  if (rows.empty()) {
    for (const MeasurementFile& each : builtin_measurements()) {
      if (each.name == file) {
        const auto cases = parse_measurements(each.text, each.name);
        REQUIRE(cases.ok());
        rows = compare_all(*cases, catalog());
      }
    }
  }
  return rows;
}

using Tags = std::vector<std::string>;

bool has_any(const Comparison& row, const Tags& tags)
{
  return std::any_of(row.tags.begin(), row.tags.end(),
                     [&](const std::string& tag) { return std::find(tags.begin(), tags.end(), tag) != tags.end(); });
}

// Of one metric: all cases, those with one of `tags`, or those with none of `without`.
ErrorSummary errors(std::string_view file, std::string_view metric, const Tags& tags, const Tags& without)
{
  std::vector<Comparison> rows = rows_of(file);
  std::erase_if(rows, [&](const Comparison& row) {
    return row.metric != metric || (!tags.empty() && !has_any(row, tags)) || has_any(row, without);
  });
  const auto summary = summarise(rows);
  REQUIRE_FALSE(summary.empty());
  return summary.front(); // "all"
}

struct Limit {
  const char* metric;
  double median;
  double p90;
  Tags tags = {};
  Tags without = {};
};

void check(std::string_view file, const std::vector<Limit>& limits)
{
  for (const Limit& limit : limits) {
    const ErrorSummary found = errors(file, limit.metric, limit.tags, limit.without);
    INFO(file << " " << limit.metric << (limit.tags.empty() ? "" : ", tag " + limit.tags.front()) << ": " << found.n
              << " values, median " << found.median_abs_pct << " %, p90 " << found.p90_abs_pct << " %");
    CHECK(found.n > 0);
    CHECK(found.median_abs_pct <= limit.median);
    CHECK(found.p90_abs_pct <= limit.p90);
  }
}

const Tags k_hybrids{"mamba", "mamba2", "falcon-h1", "granitehybrid", "lfm2", "nemotron_h", "qwen3next"};
const Tags k_latent{"deepseek2"};

Tags joined(Tags a, const Tags& b)
{
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

} // namespace

TEST_CASE("llama.cpp's buffers", "[accuracy]")
{
  const Tags encoders{"bert"}; // reported, not promised
  check("llamacpp-buffers.json",
        {
            {"memory.weights_bytes", 0.2, 2.0},
            {"memory.kv_cache_bytes", 0.1, 0.5},
            {"memory.state_bytes", 0.2, 2.0},
            {"memory.output_bytes", 0.2, 2.0},
            {"memory.activations_bytes", 1.0, 9.0},
            {"memory.activations_bytes", 1.0, 7.0, {}, joined(joined(k_hybrids, k_latent), encoders)},
            {"memory.activations_bytes", 2.0, 12.0, k_latent},
            {"memory.activations_bytes", 4.0, 20.0, k_hybrids},
            {"memory.host_activations_bytes", 0.3, 10.0},
            {"memory.host_weights_bytes", 0.2, 2.0},
        });
  for (const Comparison& row : rows_of("llamacpp-buffers.json")) {
    if (row.metric == "memory.kv_cache_bytes") {
      INFO(row.id);
      CHECK(std::abs(row.error_pct()) <= 2.0);
    }
  }
}

TEST_CASE("engines' memory in inference", "[accuracy]")
{
  check("inference-memory.json", {
                                     {"memory.weights_bytes", 1.0, 6.0},
                                     {"memory.weights_file_bytes", 0.3, 4.0},
                                     {"memory.kv_cache_bytes", 0.1, 2.0},
                                     {"memory.kv_capacity_tokens", 8.0, 25.0},
                                     {"memory.activations_bytes", 3.0, 15.0, {"llama.cpp"}},
                                     {"memory.allocated_bytes", 2.0, 8.0, {"transformers"}},
                                     {"memory.allocated_bytes", 4.0, 18.0, {}, {"diffusers"}},
                                     {"memory.allocated_bytes", 15.0, 40.0, {"diffusers"}},
                                     {"memory.per_device_bytes", 15.0, 40.0},
                                     {"fit.fits", 0.0, 0.0},
                                 });
}

TEST_CASE("most published memory figures can be predicted", "[accuracy]")
{
  for (const char* file : {"llamacpp-buffers.json", "inference-memory.json"}) {
    const auto& rows = rows_of(file);
    const auto scored =
        std::count_if(rows.begin(), rows.end(), [](const Comparison& row) { return row.predicted.has_value(); });
    INFO(file);
    CHECK(static_cast<double>(scored) >= 0.93 * static_cast<double>(rows.size()));
  }
}
