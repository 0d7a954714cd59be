#include "advice/rejections.hpp"

#include <algorithm>
#include <set>
#include <tuple>

namespace hwadvisor::advice {
namespace {

constexpr std::size_t k_most_of_a_limit = 10;
constexpr std::size_t k_most_changes = 3; // each is found by estimating again, many times

// Near misses teach the most; what cannot be had at all, the least.
int order_of(std::string_view limit)
{
  constexpr std::string_view k_order[] = {"memory", "budget", "tpot",  "ttft",      "deadline", "speed",
                                          "load",   "power",  "price", "precision", "engine",   "availability"};
  const auto* found = std::find(std::begin(k_order), std::end(k_order), limit);
  return static_cast<int>(found - std::begin(k_order));
}

// Of a limit those that miss by least, and after them those that cannot be told.
auto key_of(const Rejection& r)
{
  return std::tuple(order_of(r.limit), std::string_view(r.limit), r.misses_by > 0.0 ? 0 : 1, r.misses_by,
                    std::string_view(r.hardware));
}

} // namespace

void tell_rejections(std::vector<Rejection> all, const std::map<std::string, Placed>& nearest, const Catalog& catalog,
                     Recommendation& recommendation)
{
  std::sort(all.begin(), all.end(), [](const Rejection& a, const Rejection& b) { return key_of(a) < key_of(b); });
  std::size_t told_of_limit = 0;
  std::size_t changes = 0;
  std::set<std::tuple<std::string, std::string>> seen;
  for (Rejection& rejection : all) {
    auto& counts = recommendation.rejection_counts;
    if (counts.empty() || counts.back().limit != rejection.limit) {
      counts.push_back({rejection.limit, 0});
      told_of_limit = 0;
    }
    ++counts.back().count;
    if (told_of_limit >= k_most_of_a_limit || !seen.emplace(rejection.hardware, rejection.limit).second) {
      continue;
    }
    ++told_of_limit;
    const auto placed = nearest.find(rejection.hardware);
    if (rejection.limit == "memory" && placed != nearest.end() && changes < k_most_changes) {
      ++changes;
      const Placed& missed = placed->second;
      const auto fit =
          judge_fit(replica_workload(missed), replica_placement(missed), missed.footprint, catalog.memory_classes());
      if (fit.ok()) {
        rejection.smallest_change = fit->smallest_change;
      }
    }
    recommendation.rejected.push_back(std::move(rejection));
  }
}

} // namespace hwadvisor::advice
