#pragma once

// The order of the answers, and which of them are told.

#include "advice/score.hpp"

namespace hwadvisor::advice {

struct Ranked {
  Placed placed;
  Prices prices;
  double score = 0.0; // of its best dated offer

  bool local() const { return placed.hardware->local; }
  const Priced& best() const { return prices.offers.front(); }
};

// Cheapest first; ties by device id, count, and bought before rented.
void sort_by_score(std::vector<Ranked>& feasible);

// The lines worth reading: at most two of a device family, and no larger number of a device after a smaller one. The
// first five differ in memory size or count, and hold both a bought and a rented one where there are such; the rest
// follow by score.
std::vector<const Ranked*> select(const std::vector<Ranked>& feasible);

} // namespace hwadvisor::advice
