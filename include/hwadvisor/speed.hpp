#pragma once

// How fast: a first roofline. Each phase takes max(FLOPs / (peak x efficiency), bytes / (bandwidth x efficiency));
// efficiencies are data (data/efficiency.json) by device class and carry the interval seen in measurements.
// A speed is only estimated for a placement that fits.

#include "hwadvisor/units.hpp"
#include "hwadvisor/workload.hpp"

#include <optional>
#include <string>
#include <vector>

namespace hwadvisor {

// One row of data/efficiency.json: fractions of peak for a class of devices.
struct Efficiency {
  std::string id;
  std::vector<std::string> market_classes; // empty: any
  std::vector<std::string> vendors;        // empty: any
  std::string phase;                       // "decode", "prefill", "train"
  Interval<double> fraction;
  double step_overhead_ms = 0.0; // a launch and scheduling floor, per forward pass
};

struct Speed {
  std::optional<Interval<double>> decode_tokens_per_s; // one sequence
  std::optional<Interval<double>> prefill_tokens_per_s;
  std::optional<Interval<double>> ttft_ms;
  std::optional<Interval<double>> tpot_ms;
  std::optional<Interval<double>> total_tokens_per_s; // output tokens, all sequences, all devices
  std::optional<Interval<double>> requests_per_s;
  std::optional<Interval<double>> train_tokens_per_s; // all devices
  std::optional<Interval<double>> samples_per_s;
  std::optional<Interval<double>> step_ms;
  std::optional<double> mfu;
  std::string bound;   // "memory bandwidth", "compute", "link"
  std::string missing; // why a figure is absent; empty: nothing is
};

Speed estimate_speed(const Workload& workload, const Placement& placement, const std::vector<Efficiency>& efficiencies);

} // namespace hwadvisor
