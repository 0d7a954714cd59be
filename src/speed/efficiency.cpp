#include "speed/efficiency.hpp"

#include <algorithm>
#include <cmath>

namespace hwadvisor::speed {
namespace {

// Points for a list that names the case, -1 for one that does not admit it, 0 for an empty one.
int match(const std::vector<std::string>& list, std::string_view value, int points)
{
  if (list.empty()) {
    return 0;
  }
  return std::find(list.begin(), list.end(), value) != list.end() ? points : -1;
}

int specificity(const Efficiency& row, const Device& device, std::string_view engine, std::string_view link)
{
  const int parts[] = {match(row.devices, device.id, 32),
                       match(row.engines, engine, 16),
                       match(row.memory_classes, device.memory_class, 8),
                       match(row.market_classes, device.market_class, 4),
                       match(row.vendors, device.vendor, 2),
                       match(row.links, link, 1)};
  int sum = 0;
  for (const int part : parts) {
    if (part < 0) {
      return -1;
    }
    sum += part;
  }
  return sum;
}

// GeForce and Radeon cards reach each other through the host: half of the slot's two-way figure is one way.
constexpr double k_pcie4_x16_one_way = 31.5e9;

} // namespace

const Efficiency* find_efficiency(const std::vector<Efficiency>& rows, std::string_view phase, const Device& device,
                                  std::string_view engine, std::string_view link)
{
  const Efficiency* best = nullptr;
  int best_points = -1;
  for (const Efficiency& row : rows) {
    if (row.phase != phase) {
      continue;
    }
    const int points = specificity(row, device, engine, link);
    if (points > best_points || (points == best_points && best != nullptr && row.id < best->id)) {
      best = points >= 0 ? &row : best;
      best_points = points;
    }
  }
  return best;
}

Interval<double> fraction_at(const Efficiency& row, double peak_tflops)
{
  if (row.reference_tflops <= 0.0 || row.exponent == 0.0) {
    return row.fraction;
  }
  const double factor = std::pow(peak_tflops / row.reference_tflops, row.exponent);
  const auto bounded = [factor](double fraction) { return std::min(0.95, fraction * factor); };
  return {bounded(row.fraction.low), bounded(row.fraction.likely), bounded(row.fraction.high)};
}

std::optional<double> matrix_peak(const Device& device, const Precision& precision)
{
  const Peaks& peaks = device.peaks;
  const auto first = [](std::initializer_list<std::optional<double>> choices) -> std::optional<double> {
    for (const auto& choice : choices) {
      if (choice) {
        return *choice * 1e12;
      }
    }
    return std::nullopt;
  };
  const std::string_view compute = precision.compute != nullptr ? precision.compute->id : std::string_view("bf16");
  const std::string_view weights = precision.weights != nullptr ? precision.weights->id : compute;
  const auto starts = [](std::string_view text, std::string_view head) { return text.substr(0, head.size()) == head; };
  if (compute == "fp32") {
    return first({peaks.fp32});
  }
  if (compute == "tf32") {
    return first({peaks.tf32, peaks.fp32});
  }
  if (precision.id == "nvfp4" && peaks.fp4) {
    return first({peaks.fp4});
  }
  if ((starts(weights, "fp8") || starts(compute, "fp8") || starts(weights, "mxfp8")) && peaks.fp8) {
    return first({peaks.fp8});
  }
  if (precision.id == "int8" && peaks.int8) {
    return first({peaks.int8});
  }
  if (compute == "fp16") {
    return first({peaks.fp16, peaks.fp32});
  }
  return first({peaks.bf16, peaks.fp16, peaks.fp32});
}

std::optional<Link> link_between(const Placement& placement, std::int32_t devices)
{
  const Device& device = *placement.device;
  const bool fast = device.link != "pcie" && device.link != "none" && !device.link.empty();
  const std::string_view joined = placement.instance != nullptr ? std::string_view(placement.instance->interconnect)
                                                                : std::string_view(device.link);
  const bool has_fast = joined != "pcie" && joined != "none" && !joined.empty();
  if (fast && has_fast && devices <= std::max(device.scale_up_domain, 1) && device.link_bandwidth) {
    return Link{device.link, device.link_bandwidth->value() / 2.0};
  }
  if (device.pcie_bandwidth) {
    return Link{"pcie", device.pcie_bandwidth->value() / 2.0};
  }
  if (device.link == "pcie" && device.link_bandwidth) {
    return Link{"pcie", device.link_bandwidth->value() / 2.0};
  }
  if (fast && !has_fast && device.link_bandwidth) { // a module whose instance does not say how it is joined
    return Link{"pcie", k_pcie4_x16_one_way};
  }
  return std::nullopt;
}

} // namespace hwadvisor::speed
