// Images a second of a convolutional or vision model, from its multiply-accumulates. Such models move more bytes than
// they multiply: the memory term decides on most cards, and the loader caps the fastest.

#include "speed/efficiency.hpp"
#include "speed/estimators.hpp"

#include <algorithm>

namespace hwadvisor::speed {
namespace {

constexpr double k_data_parallel = 0.97;  // published vision runs on 2-8 devices: median 0.96-0.99 a device
constexpr double k_training_passes = 3.0; // forward, and a backward of twice its work

} // namespace

Speed image_speed(const Workload& workload, const Placement& placement, const std::vector<Efficiency>& efficiencies)
{
  const Device& device = *placement.device;
  const bool training = workload.task != Task::inference;
  Speed speed;
  const double macs = workload.model->image_work->gmacs * 1e9;
  const Efficiency* row = find_efficiency(efficiencies, training ? "image_train" : "image_infer", device, "");
  const std::optional<double> peak = matrix_peak(device, workload.precision);
  if (row == nullptr || macs <= 0.0 || (!peak && !device.bandwidth)) {
    speed.missing = "no image speed: peak, bandwidth or work per image is not known for " + device.id;
    return speed;
  }
  const bool wide = workload.precision.compute != nullptr && workload.precision.compute->block_bytes >= 4;
  const int count = std::max(1, placement.count);
  double rate[3] = {};
  for (int end = 0; end < 3; ++end) {
    const double spread = end_of(row->fraction, end) / row->fraction.likely;
    double seconds = 0.0;
    if (peak) {
      seconds = 2.0 * macs * (training ? k_training_passes : 1.0) / (*peak * end_of(row->fraction, end));
      speed.bound = "compute";
    }
    if (device.bandwidth && row->bytes_per_mac > 0.0) {
      const double moving = macs * row->bytes_per_mac * (wide ? 2.0 : 1.0) / (device.bandwidth->value() * spread);
      if (moving > seconds) {
        seconds = moving;
        speed.bound = "memory bandwidth";
      }
    }
    double one = 1.0 / seconds;
    if (row->cap_per_second > 0.0 && one > row->cap_per_second) {
      one = row->cap_per_second;
      speed.bound = "input";
    }
    rate[end] = one * count * (count > 1 ? k_data_parallel : 1.0);
  }
  speed.samples_per_s = rising(rate[0], rate[1], rate[2]);
  const auto batch = static_cast<double>(
      std::max<std::int64_t>(1, training ? workload.training.micro_batch * count : workload.inference.sequences));
  const auto pass = rising(batch / rate[2] * 1e3, batch / rate[1] * 1e3, batch / rate[0] * 1e3);
  (training ? speed.step_ms : speed.latency_ms) = pass;
  return speed;
}

} // namespace hwadvisor::speed
