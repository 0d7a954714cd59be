#pragma once

// What hardware, engines and number formats allow, whatever the bytes: the vetoes that no budget lifts.

#include "hwadvisor/scenario.hpp"
#include "hwadvisor/workload.hpp"

#include <optional>
#include <string>

namespace hwadvisor::advice {

// A "no" with its figure.
struct Veto {
  std::string limit; // "availability", "engine", "method", "precision", "scenario"
  std::string reason;
  double misses_by = 0.0;
  std::string unit = {};
};

// Whether the device can be had at all: bought (local) or rented.
std::optional<Veto> check_availability(const Device& device, bool local, const Scenario& scenario);

// Whether the scenario wants devices of this kind.
std::optional<Veto> check_scenario(const Device& device, bool local, const Scenario& scenario);

// The software of the scenario that the device carries; nullptr: none of it.
const SoftwareChoice* software_of(const Device& device, const Scenario& scenario);

std::optional<Veto> check_engine(const Device& device, const Engine& engine);

// Whether the device's arithmetic and the engine's kernels take this precision.
std::optional<Veto> check_precision(const Device& device, const Engine& engine, const Precision& precision,
                                    bool training);

// All of a job on a device: the engine, the method's libraries, the precision.
std::optional<Veto> check_job(const Device& device, const Workload& workload);

} // namespace hwadvisor::advice
