#pragma once

// Which row of data/efficiency.json holds for a case, and the peaks and links that it is a fraction of.

#include "hwadvisor/speed.hpp"

#include <string_view>

namespace hwadvisor::speed {

// The admitting row with the most specific selectors (devices, then engines, then memory classes, then classes,
// vendors and links); ties by id. nullptr: no row admits the case.
const Efficiency* find_efficiency(const std::vector<Efficiency>& rows, std::string_view phase, const Device& device,
                                  std::string_view engine, std::string_view link = {});

// Low, likely and high fraction of `peak_tflops`.
Interval<double> fraction_at(const Efficiency& row, double peak_tflops);

// Dense peak in FLOP/s for matrix products of this precision on this device. Weight-only formats multiply at 16 bit;
// an 8- or 4-bit float counts at its own rate only where weights and activations are both in it.
std::optional<double> matrix_peak(const Device& device, const Precision& precision);

// The link that joins the devices of a replica.
struct Link {
  std::string_view kind;
  double one_way_bytes = 0.0; // per second and device
};
// Empty: not known. NVLink counts only within its scale-up domain and, in an instance, where the instance has it.
std::optional<Link> link_between(const Placement& placement, std::int32_t devices);

} // namespace hwadvisor::speed
