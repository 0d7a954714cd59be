#pragma once

// Every candidate placed, priced and put in order, before any line is left out for the reader's sake.

#include "advice/ranking.hpp"

#include <map>

namespace hwadvisor::advice {

struct Feasible {
  std::vector<Ranked> ranked; // by score; they point into the candidates
  std::vector<Rejection> rejected;
  std::map<std::string, Placed> nearest; // by hardware name: what missed by least
  std::int64_t placements = 0;
};

Feasible find_feasible(const Question& question, const Candidates& candidates, const Catalog& catalog);

} // namespace hwadvisor::advice
