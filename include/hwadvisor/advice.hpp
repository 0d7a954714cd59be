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
  std::int32_t replicas = 1;          // of the instance or the machine, to carry the load
  Bill bill;
};

struct Answer {
  Placement placement; // of one replica
  std::int32_t replicas = 1;
  Precision precision;
  std::string engine;
  Footprint footprint;
  Fit fit;
  Speed speed;                         // of one replica
  Bill bill;                           // of the best offer
  std::optional<LocalMachine> machine; // when bought
  std::vector<Offer> offers;           // dated ones, cheapest first; then undated ones, which do not rank
  double score = 0.0;                  // USD of doing the job: lower is better. Absolute
  std::vector<std::string> reasons;
  std::vector<std::string> caveats;

  bool local() const { return placement.instance == nullptr; }
};

struct Rejection {
  std::string hardware; // device or instance id, with "Nx " before it when more than one
  std::string reason;   // a sentence with the figure
  std::string limit;    // "memory", "budget", "availability", "engine", "speed" …
  double misses_by = 0.0;
  std::string unit; // "GiB", "USD", "ms" …
  std::optional<Change> smallest_change;
};

// How many rejections of each limit there are, the listed ones included.
struct RejectionCount {
  std::string limit;
  std::int64_t count = 0;
};

struct Recommendation {
  Workload workload;               // with the first precision that was tried
  std::string scenario;            // id
  std::vector<Answer> answers;     // ranked
  std::vector<Rejection> rejected; // the informative ones first
  std::vector<RejectionCount> rejection_counts;
  std::int64_t devices_considered = 0;
  std::int64_t instances_considered = 0;
  std::int64_t placements_considered = 0;
  std::vector<Note> notes;       // what was assumed comes first
  std::string horizon_text;      // what makes buying and renting comparable here
  std::string what_would_change; // the nearest thing that changes the first answer
};

Result<Recommendation> recommend(const Request& request, const Catalog& catalog);

} // namespace hwadvisor
