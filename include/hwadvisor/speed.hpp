#pragma once

// How fast: a first roofline. Each phase takes max(FLOPs / (peak x efficiency), bytes / (bandwidth x efficiency)) plus
// launch and link time; efficiencies are data (data/efficiency.json) by device class and carry the interval seen in
// measurements. A speed is only estimated for a placement that fits.

#include "hwadvisor/units.hpp"
#include "hwadvisor/workload.hpp"

#include <optional>
#include <string>
#include <vector>

namespace hwadvisor {

// One row of data/efficiency.json (keys there are these names): fractions of peak for a class of devices. Of the rows
// of a phase, the first whose lists all admit the case holds; an empty list admits any.
struct Efficiency {
  std::string id;
  std::string phase;                       // "decode", "prefill", "train", "image_train", "image_infer", "link"
  std::vector<std::string> devices;        // ids
  std::vector<std::string> memory_classes; // as in Device::memory_class
  std::vector<std::string> market_classes;
  std::vector<std::string> vendors;
  std::vector<std::string> links; // as in Device::link (phase "link")
  std::vector<std::string> engines;
  Interval<double> fraction;     // of peak FLOP/s, of bandwidth (decode), of one direction (link)
  double reference_tflops = 0.0; // fraction x (peak / reference)^exponent; 0: the fraction as it stands
  double exponent = 0.0;
  double kv_fraction = 0.0;          // decode: of bandwidth, for KV reads
  double step_overhead_ms = 0.0;     // per forward pass
  double layer_overhead_us = 0.0;    // per layer of a forward pass: kernel launches
  double sequence_overhead_us = 0.0; // per sequence of a batch
  double latency_us = 0.0;           // link: per collective
  double bytes_per_mac = 0.0;        // images: bytes moved per multiply-accumulate at 16 bit (memory-bound layers)
  double cap_per_second = 0.0;       // images/s of one device, whatever its peak; 0: none
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
  std::optional<Interval<double>> latency_ms; // one batch, where a job has no tokens
  std::optional<double> mfu;
  std::string bound;   // "memory bandwidth", "compute", "link", "input"
  std::string missing; // why a figure is absent; empty: nothing is
};

Speed estimate_speed(const Workload& workload, const Placement& placement, const std::vector<Efficiency>& efficiencies);

} // namespace hwadvisor
