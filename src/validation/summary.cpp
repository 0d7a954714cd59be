#include "hwadvisor/validation.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace hwadvisor {
namespace {

struct Group {
  std::vector<double> errors; // signed, in percent
  std::size_t inside = 0;
  std::size_t unsupported = 0;
};

// Linear interpolation between the two nearest ranks.
double quantile(std::vector<double> values, double share)
{
  if (values.empty()) {
    return 0.0;
  }
  std::sort(values.begin(), values.end());
  const double at = share * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (values[above] - values[below]) * (at - static_cast<double>(below));
}

ErrorSummary summary_of(const std::string& metric, const std::string& tag, const Group& group)
{
  std::vector<double> sizes;
  for (const double error : group.errors) {
    sizes.push_back(std::abs(error));
  }
  ErrorSummary out{metric, tag, group.errors.size()};
  out.median_abs_pct = quantile(sizes, 0.5);
  out.p90_abs_pct = quantile(sizes, 0.9);
  out.bias_pct = quantile(group.errors, 0.5);
  out.inside_interval_pct =
      group.errors.empty() ? 0.0 : 100.0 * static_cast<double>(group.inside) / static_cast<double>(group.errors.size());
  out.unsupported = group.unsupported;
  return out;
}

} // namespace

std::vector<ErrorSummary> summarise(const std::vector<Comparison>& rows)
{
  constexpr const char* k_every = ""; // sorts before every tag
  std::map<std::pair<std::string, std::string>, Group> groups;
  for (const Comparison& row : rows) {
    std::set<std::string> tags(row.tags.begin(), row.tags.end());
    tags.insert(k_every);
    for (const std::string& tag : tags) {
      Group& group = groups[{row.metric, tag}];
      if (row.predicted) {
        group.errors.push_back(row.error_pct());
        group.inside += row.inside() ? 1 : 0;
      } else {
        ++group.unsupported;
      }
    }
  }
  std::vector<ErrorSummary> out;
  for (const auto& [key, group] : groups) {
    out.push_back(summary_of(key.first, key.second == k_every ? "all" : key.second, group));
  }
  return out;
}

} // namespace hwadvisor
