#pragma once

// Predictions against measurements: a file of cases, each a request and what was measured when it ran. A prediction
// uses the request alone. A case that cannot be computed is unsupported, with its reason, and counts against coverage.

#include "hwadvisor/request.hpp"
#include "hwadvisor/result.hpp"
#include "hwadvisor/units.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hwadvisor {

class Catalog;

struct MeasuredCase {
  std::string id;
  std::string source;
  ParsedRequest request;                                // an unknown word in it makes the case unsupported
  std::vector<std::pair<std::string, double>> measured; // "memory.kv_cache_bytes" (docs/validation.md); fits: 1 or 0
  std::vector<std::string> tags;
};

// {"cases": [{"id", "source", "request", "measured": {KEY: number}, "tags", "note"}]}; `file` only names it in errors.
// ErrorKind::malformed: not such a file, a measured value that is no number, or an id given twice.
Result<std::vector<MeasuredCase>> parse_measurements(std::string_view json_text, std::string_view file);

// The measurements that the program carries (data/measurements), by file name.
struct MeasurementFile {
  std::string_view name;
  std::string_view text;
};
std::span<const MeasurementFile> builtin_measurements();

// One measured value beside its prediction.
struct Comparison {
  std::string id; // the case's
  std::string metric;
  double measured = 0.0;
  std::optional<Interval<double>> predicted; // empty: unsupported
  std::string reason;                        // why it is
  std::vector<std::string> tags;

  double error_pct() const; // signed; a wrong yes or no is 100. 0 when unsupported
  bool inside() const;      // the measured value lies in the interval (to half a percent of rounding)
};

// One row for every measured key of the case.
std::vector<Comparison> compare(const MeasuredCase& measured, const Catalog& catalog);

// The rows of all cases, in their order.
std::vector<Comparison> compare_all(const std::vector<MeasuredCase>& cases, const Catalog& catalog);

struct ErrorSummary {
  std::string metric;
  std::string tag;   // "all", or a tag of the cases
  std::size_t n = 0; // scored
  double median_abs_pct = 0.0;
  double p90_abs_pct = 0.0;
  double bias_pct = 0.0;            // median of the signed errors
  double inside_interval_pct = 0.0; // share of measured values inside the predicted interval
  std::size_t unsupported = 0;
};

// By metric, and below each metric by tag; metrics and tags in alphabetical order, "all" first.
std::vector<ErrorSummary> summarise(const std::vector<Comparison>& rows);

} // namespace hwadvisor
