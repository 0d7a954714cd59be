#include "advice/support.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hwadvisor::advice {
namespace {

bool contains(const std::vector<std::string>& list, std::string_view word)
{
  return std::find(list.begin(), list.end(), word) != list.end();
}

bool starts(std::string_view text, std::string_view head)
{
  return text.substr(0, head.size()) == head;
}

// NVIDIA compute capabilities that kernels need. Sources: CUDA C++ Programming Guide, arithmetic instructions
// (bf16 8.0, fp8 8.9); vLLM documentation, supported hardware (AWQ and GPTQ 7.5); FP4 tensor cores begin with Blackwell
// (10.0), and 4-bit floats run weight-only from 8.0. What an engine needs whatever the format stands in its entry.
constexpr double k_bf16_minimum = 8.0;
constexpr double k_fp8_minimum = 8.9;
constexpr double k_fp4_minimum = 8.0;
constexpr double k_int4_minimum = 7.5;

std::optional<Veto> needs_capability(const Device& device, double minimum, std::string_view what)
{
  if (device.vendor != "NVIDIA" || !device.compute_capability || *device.compute_capability >= minimum) {
    return std::nullopt;
  }
  return Veto{"precision",
              fmt::format("{} needs compute capability {:.1f}; {} has {:.1f}", what, minimum, device.name,
                          *device.compute_capability),
              minimum - *device.compute_capability, "compute capability"};
}

std::optional<Veto> lacks_peak(const Device& device, const std::optional<double>& peak, std::string_view what)
{
  if (peak || device.vendor == "NVIDIA") {
    return std::nullopt;
  }
  return Veto{"precision", fmt::format("{} has no {} arithmetic (0 TFLOP/s in the catalog)", device.name, what)};
}

} // namespace

std::optional<Veto> check_availability(const Device& device, bool local, const Scenario& scenario)
{
  const std::string why = device.acquisition_reason.empty() ? "" : ": " + device.acquisition_reason;
  switch (device.acquisition) {
  case Acquisition::announced:
    return Veto{"availability", fmt::format("{} is announced, not shipping (0 can be had today){}", device.name, why)};
  case Acquisition::restricted:
    return Veto{"availability",
                fmt::format("{} is sold in one market only{}{}", device.name,
                            device.acquisition_market.empty() ? "" : " (" + device.acquisition_market + ")", why)};
  case Acquisition::used_only:
    if (local && !scenario.allow_used) {
      return Veto{"availability", fmt::format("{} is sold second-hand only, which scenario {} leaves out{}",
                                              device.name, scenario.id, why)};
    }
    return std::nullopt;
  case Acquisition::rent_only:
  case Acquisition::part_of_system:
    if (local) {
      return Veto{"availability", fmt::format("{} cannot be bought as a part{}", device.name, why)};
    }
    return std::nullopt;
  case Acquisition::system_only:
    if (local && !starts(device.market_class, "unified")) {
      return Veto{"availability", fmt::format("{} is sold only inside a complete system: no single one for a desk{}",
                                              device.name, why)};
    }
    return std::nullopt;
  case Acquisition::card:
    return std::nullopt;
  }
  return std::nullopt;
}

std::optional<Veto> check_scenario(const Device& device, bool local, const Scenario& scenario)
{
  if (device.kind == DeviceKind::cpu || device.market_class == "integrated") {
    return Veto{"scenario", device.name + ": machines without an accelerator are not placed in this scenario"};
  }
  if (device.market_class == "edge") {
    return Veto{"scenario", device.name + " is an edge board"};
  }
  const bool consumer = device.market_class == "consumer" || starts(device.market_class, "laptop") ||
                        device.market_class == "unified-laptop" || device.market_class == "unified-desktop";
  if (local && consumer && !scenario.allow_consumer) {
    return Veto{
        "scenario",
        fmt::format("{} is a consumer part: no ECC memory and no support for servers, which scenario {} asks for",
                    device.name, scenario.id)};
  }
  if (local && scenario.host_owned && device.market_class == "datacenter") {
    return Veto{"scenario",
                fmt::format("{} is a server card: its {} need a server's air flow, which a desktop PC lacks",
                            device.name, device.tdp ? fmt::format("{:.0f} W", device.tdp->value()) : "watts")};
  }
  if (!device.memory) {
    return Veto{"data", device.name + ": its memory size is not known (0 GB in the catalog)"};
  }
  if (device.memory->value() < scenario.min_device_memory_gb) {
    return Veto{"scenario",
                fmt::format("{} has {:.4g} GB; scenario {} starts at {:.4g} GB", device.name, device.memory->value(),
                            scenario.id, scenario.min_device_memory_gb),
                scenario.min_device_memory_gb - device.memory->value(), "GB"};
  }
  if (software_of(device, scenario) == nullptr) {
    return Veto{"engine", fmt::format("{} runs {}, none of which scenario {} plans with", device.name,
                                      device.software.empty() ? "no known software"
                                                              : fmt::format("{}", fmt::join(device.software, ", ")),
                                      scenario.id)};
  }
  return std::nullopt;
}

const SoftwareChoice* software_of(const Device& device, const Scenario& scenario)
{
  for (const SoftwareChoice& choice : scenario.software) {
    if (contains(device.software, choice.software)) {
      return &choice;
    }
  }
  return nullptr;
}

std::optional<Veto> check_engine(const Device& device, const Engine& engine)
{
  if (std::string reason = unsupported_reason(engine, device); !reason.empty()) {
    return Veto{"engine", std::move(reason)};
  }
  if (auto veto = needs_capability(device, engine.compute_capability, engine.name)) {
    veto->limit = "engine";
    return veto;
  }
  return std::nullopt;
}

std::optional<Veto> check_job(const Device& device, const Workload& workload)
{
  std::optional<Veto> veto = check_engine(device, *workload.engine);
  if (std::string reason = veto ? "" : unsupported_reason(workload, device); !reason.empty()) {
    veto = Veto{"method", std::move(reason)};
  }
  return veto ? veto : check_precision(device, *workload.engine, workload.precision, workload.task != Task::inference);
}

std::optional<Veto> check_precision(const Device& device, const Engine& engine, const Precision& precision,
                                    bool training)
{
  if (engine.expands_formats) {
    return std::nullopt;
  }
  const std::string_view weights = precision.weights->id;
  const std::string_view compute = precision.compute != nullptr ? precision.compute->id : weights;
  if (starts(weights, "fp8") || starts(compute, "fp8") || starts(weights, "mxfp8")) {
    auto veto = needs_capability(device, k_fp8_minimum, "fp8");
    return veto ? veto : lacks_peak(device, device.peaks.fp8, "fp8");
  }
  if (starts(precision.id, "nvfp4") || starts(precision.id, "mxfp4")) {
    return needs_capability(device, k_fp4_minimum, precision.id);
  }
  if (starts(precision.id, "awq") || starts(precision.id, "gptq") || starts(precision.id, "int4")) {
    return needs_capability(device, k_int4_minimum, precision.id);
  }
  if (compute == "bf16" && precision.kind != PrecisionKind::quantised) {
    auto veto = needs_capability(device, k_bf16_minimum, precision.id);
    return veto ? veto : lacks_peak(device, device.peaks.bf16, "bf16");
  }
  if (compute == "fp16" && training && device.vendor != "NVIDIA") {
    return lacks_peak(device, device.peaks.fp16, "fp16");
  }
  return std::nullopt;
}

} // namespace hwadvisor::advice
