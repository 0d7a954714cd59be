#pragma once

// What hardware, engines and number formats allow, whatever the bytes: the vetoes that no budget lifts.

#include "hwadvisor/engine.hpp"
#include "hwadvisor/hardware.hpp"
#include "hwadvisor/precision.hpp"
#include "hwadvisor/scenario.hpp"

#include <optional>
#include <string>

namespace hwadvisor::advice {

// A "no" with its figure.
struct Veto {
  std::string limit; // "availability", "engine", "precision", "scenario"
  std::string reason;
  double misses_by = 0.0;
  std::string unit = {};
};

// Whether `engine` reads weights of this kind: GGUF is llama.cpp's, MLX formats are MLX's.
bool engine_reads(const Engine& engine, const Precision& precision);

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

} // namespace hwadvisor::advice
