#pragma once

// The estimate of one job: its bytes; on a given hardware also the verdict, speed and cost. Pure but for the files that
// a request names (a config.json).

#include "hwadvisor/bill.hpp"
#include "hwadvisor/catalog.hpp"
#include "hwadvisor/footprint.hpp"
#include "hwadvisor/speed.hpp"
#include "hwadvisor/workload.hpp"

#include <optional>
#include <string>
#include <vector>

namespace hwadvisor {

// A limit of the request that does not hold.
struct UnmetLimit {
  std::string key; // "ttft_ms"
  double asked = 0.0;
  double estimated = 0.0;
  std::string text; // a sentence with both figures
};

// What it costs, and how: rented (the named instance, or the cheapest that has just this hardware) or bought.
struct Cost {
  Bill bill;
  const Instance* instance = nullptr;  // nullptr: no rent is known
  std::optional<LocalMachine> machine; // where the device can be bought
};

struct Estimate {
  Request request; // normalised: defaults filled in
  Workload workload;
  Placement placement;
  Footprint footprint;
  std::optional<Fit> fit;                      // with hardware
  std::optional<std::int64_t> max_concurrency; // sequences that its memory admits; with hardware, for inference
  std::optional<Speed> speed;                  // with hardware that it fits
  std::optional<Cost> cost;                    // with hardware
  std::vector<UnmetLimit> unmet;
  std::vector<Note> notes; // the workload's among them
};

// Errors: what resolve() and estimate_footprint() say; more than one hardware.
Result<Estimate> estimate(const Request& request, const Catalog& catalog, Detail detail);

} // namespace hwadvisor
