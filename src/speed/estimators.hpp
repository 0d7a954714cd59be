#pragma once

// The estimators behind estimate_speed(), by kind of job.

#include "hwadvisor/speed.hpp"
#include "speed/work.hpp"

namespace hwadvisor::speed {

// Prefill and decode of a language model, alone or at a concurrency.
Speed serving_speed(const Work& work, const Workload& workload, const Placement& placement,
                    const std::vector<Efficiency>& efficiencies);
// A training step of a model with tokens.
Speed training_speed(const Work& work, const Workload& workload, const Placement& placement,
                     const std::vector<Efficiency>& efficiencies);
// Images of a model whose work is told per image.
Speed image_speed(const Workload& workload, const Placement& placement, const std::vector<Efficiency>& efficiencies);

// estimate_speed() for a caller that has measured the work already (empty: the model has no tokens).
Speed placed_speed(const std::optional<Work>& work, const Workload& workload, const Placement& placement,
                   const std::vector<Efficiency>& efficiencies);

// One of the three ends of an interval, chosen by index, so that a formula is written once.
inline double end_of(const Interval<double>& interval, int end)
{
  return end == 0 ? interval.low : end == 1 ? interval.likely : interval.high;
}
inline Interval<double> rising(double a, double b, double c)
{
  return {a < c ? a : c, b, a < c ? c : a};
}

} // namespace hwadvisor::speed
