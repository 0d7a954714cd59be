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

// The lines worth reading, in order: at most two of a device family, no larger count of a device that costs no less
// than a smaller one, and both a bought and a rented one among the first five where there are such.
std::vector<const Ranked*> select(const std::vector<Ranked>& feasible);

} // namespace hwadvisor::advice
