#pragma once

// The recommendation: every hardware that can be had, placed, judged, priced and ranked by the cost of doing the job.
// Pure; knows nothing of terminals. How "best" is defined: docs/ranking.md.

#include "hwadvisor/bill.hpp"
#include "hwadvisor/catalog.hpp"
#include "hwadvisor/footprint.hpp"
#include "hwadvisor/speed.hpp"
#include "hwadvisor/workload.hpp"

#include <string>
#include <vector>

namespace hwadvisor {

// One way to get the hardware of an answer.
struct Offer {
  const Instance* instance = nullptr; // nullptr: bought
  Bill bill;
};

struct Answer {
  Placement placement;
  Precision precision;
  std::string engine;
  Footprint footprint;
  Fit fit;
  Speed speed;
  Bill bill;                           // of the best offer
  std::optional<LocalMachine> machine; // when bought
  std::vector<Offer> offers;           // cheapest first
  double score = 0.0;                  // USD of doing the job: lower is better. Absolute
  std::vector<std::string> reasons;
  std::vector<std::string> caveats;
};

struct Rejection {
  std::string hardware; // device id, with count when more than one
  std::string reason;   // a sentence with the figure
  std::string limit;    // "memory", "budget", "availability", "engine", "speed" …
  double misses_by = 0.0;
  std::string unit; // "GiB", "USD", "ms" …
  std::optional<Change> smallest_change;
};

struct Recommendation {
  std::vector<Answer> answers; // ranked
  std::vector<Rejection> rejected;
  std::int64_t devices_considered = 0;
  std::int64_t instances_considered = 0;
  std::int64_t placements_considered = 0;
  std::vector<Note> notes;
  std::string horizon_text;      // what makes buying and renting comparable here
  std::string what_would_change; // the nearest thing that changes the first answer
};

Result<Recommendation> recommend(const Request& request, const Catalog& catalog);

} // namespace hwadvisor
