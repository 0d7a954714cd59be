#pragma once

// How a job is placed on one machine: the engine and precision, the parallelism, and how many machines alike the load
// needs. Nothing here looks at prices.

#include "advice/candidates.hpp"

namespace hwadvisor::advice {

struct Placed {
  const Hardware* hardware = nullptr;
  const Variant* variant = nullptr;
  Workload workload; // the variant's, with the sequences of ONE machine
  Placement placement;
  std::int32_t machines = 1;
  Footprint footprint;
  Interval<Bytes> need; // of the fullest device
  UsableMemory usable;
  Verdict verdict = Verdict::no;
  Speed speed; // of one machine
};

// Replicas of a served model share nothing: the fullest device is one of a replica that holds its share of the
// sequences. In training, where they share the step, the replica is the whole.
Workload replica_workload(const Placed& placed);
Placement replica_placement(const Placed& placed);

struct SearchResult {
  std::optional<Placed> placed;
  std::optional<Placed> nearest; // the one that misses by least, when nothing is placed
  std::vector<Rejection> rejected;
  std::int64_t placements = 0;
};

SearchResult place(const Question& question, const Hardware& hardware, const Catalog& catalog);

} // namespace hwadvisor::advice
