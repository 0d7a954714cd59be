#pragma once

// A scenario is a kind of user with a kind of job: what is assumed when the request does not say, what may be
// recommended, and how cost is counted. Scenarios are data (data/scenarios/*.json); keys there are these names.

#include "hwadvisor/hardware.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace hwadvisor {

// What "the cost of doing the job" is. Training asked of a scenario that counts by the month is counted by the run,
// and inference asked of one that counts by the run is counted by the month.
enum class CostBasis : std::uint8_t {
  run,    // USD of one training run or batch, within its deadline
  month,  // USD a month of serving a load at its targets, whole replicas
  horizon // USD of hours_per_month over horizon_months, so that buying and renting compare
};

// Software that a device must carry to be recommended, and what working with it costs beside the hardware.
struct SoftwareChoice {
  std::string software;   // "cuda", "rocm", "metal" … as in Device::software
  double surcharge = 0.0; // share of the hardware's cost that set-up and missing kernels are taken to cost
};

struct Scenario {
  std::string id;    // "learning"
  std::string title; // "Learning and small projects on a tight budget"
  std::string summary;
  // Request keys taken when the request does not set them, as text ("concurrency": "16").
  std::vector<std::pair<std::string, std::string>> defaults;
  std::vector<std::string> precision_ladder; // inference: tried in this order, best quality first, when none is asked
  std::vector<std::string> training_ladder;  // training: the first that the device computes in
  CostBasis cost_basis = CostBasis::horizon;
  std::vector<Tier> tiers;            // offers that may be shown
  bool allow_used = false;            // second-hand parts may be recommended
  bool allow_consumer = true;         // consumer and laptop parts may be recommended
  bool production = false;            // wants ECC, support, an on-demand base
  double hours_per_month = 0.0;       // of use
  double horizon_months = 24.0;       // over which buying and renting are compared
  double prudent_headroom = 0.0;      // share of usable memory that should stay free
  double min_device_memory_gb = 0;    // smaller devices are not worth starting with
  std::int32_t max_local_devices = 8; // in one machine that one buys
  bool host_owned = false;            // a desktop PC to put one card in is taken to exist
  std::int32_t spare_machines = 0;    // bought beside those that carry the load
  double runs_per_month = 0.0;        // that a machine of one's own is shared by; 0: as many as its hours hold
  double setup_hours = 0.0;           // of a rented machine, before a run starts and after it ends
  std::int64_t train_tokens = 0;      // the run assumed when the request names none; 0: none is assumed
  std::int64_t train_samples = 0;     // the same for models that train on images
  std::vector<SoftwareChoice> software;
  std::vector<std::string> preferred_engines; // the first that runs on a device is taken
  std::vector<std::string> sources;
};

} // namespace hwadvisor
