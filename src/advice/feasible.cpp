#include "advice/feasible.hpp"

#include <algorithm>
#include <iterator>

namespace hwadvisor::advice {

Feasible find_feasible(const Question& question, const Candidates& candidates, const Catalog& catalog)
{
  Feasible feasible;
  feasible.rejected = candidates.rejected;
  for (const Hardware& hardware : candidates.hardware) {
    SearchResult found = place(question, hardware, catalog);
    feasible.placements += found.placements;
    std::move(found.rejected.begin(), found.rejected.end(), std::back_inserter(feasible.rejected));
    if (!found.placed) {
      if (found.nearest) {
        // A near miss is no near miss where no budget reaches it.
        if (const auto missed = budget_missed(question, *found.nearest, catalog)) {
          feasible.rejected.back().reason += "; over budget too: " + missed->reason;
        }
        feasible.nearest.emplace(hardware.name(), *std::move(found.nearest));
      }
      continue;
    }
    Prices prices = price(question, *found.placed, catalog);
    std::move(prices.rejected.begin(), prices.rejected.end(), std::back_inserter(feasible.rejected));
    if (!prices.offers.empty() && prices.offers.front().score) {
      const double score = *prices.offers.front().score;
      feasible.ranked.push_back({*std::move(found.placed), std::move(prices), score});
    }
  }
  sort_by_score(feasible.ranked);
  return feasible;
}

} // namespace hwadvisor::advice
