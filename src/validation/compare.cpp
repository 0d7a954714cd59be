#include "hwadvisor/validation.hpp"

#include "hwadvisor/catalog.hpp"
#include "validation/metrics.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

namespace hwadvisor {
namespace {

constexpr double k_rounding = 0.005; // logs print two or three digits

// Why an estimate that stands has no such figure.
std::string why_absent(const Estimate& estimate, std::string_view metric)
{
  if (metric.starts_with("fit.") || metric.starts_with("speed.")) {
    if (!estimate.fit) {
      return "no hardware is named";
    }
    if (metric.starts_with("speed.") && estimate.fit->verdict == Verdict::no) {
      return "judged not to fit, so that no speed is given";
    }
    if (estimate.speed && !estimate.speed->missing.empty()) {
      return estimate.speed->missing;
    }
  }
  return "this figure is not estimated for such a job";
}

} // namespace

double Comparison::error_pct() const
{
  if (!predicted) {
    return 0.0;
  }
  if (metric == "fit.fits") {
    return (predicted->likely - measured) * 100.0;
  }
  if (measured == 0.0) {
    return predicted->likely == 0.0 ? 0.0 : 100.0;
  }
  return (predicted->likely / measured - 1.0) * 100.0;
}

bool Comparison::inside() const
{
  const double slack = std::abs(measured) * k_rounding;
  return predicted && measured >= predicted->low - slack && measured <= predicted->high + slack;
}

std::vector<Comparison> compare(const MeasuredCase& measured, const Catalog& catalog)
{
  std::optional<Estimate> estimated;
  std::string reason;
  if (measured.request.error) {
    reason = fmt::format("{}: {}", measured.request.error->where, measured.request.error->message);
  } else if (auto result = estimate(*measured.request.request, catalog, Detail::numbers); result.ok()) {
    estimated = std::move(*result);
  } else {
    reason = result.error().message;
  }
  std::vector<Comparison> rows;
  for (const auto& [key, value] : measured.measured) {
    Comparison row{measured.id, key, value, std::nullopt, reason, measured.tags};
    const validation::Metric* metric = validation::find_metric(key);
    if (metric == nullptr) {
      row.reason = "this key is not known";
    } else if (estimated) {
      row.predicted = metric->figure(*estimated);
      row.reason = row.predicted ? "" : why_absent(*estimated, key);
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<Comparison> compare_all(const std::vector<MeasuredCase>& cases, const Catalog& catalog)
{
  std::vector<Comparison> rows;
  for (const MeasuredCase& each : cases) {
    auto answer = compare(each, catalog);
    std::move(answer.begin(), answer.end(), std::back_inserter(rows));
  }
  return rows;
}

} // namespace hwadvisor
