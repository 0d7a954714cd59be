#pragma once

// Devices and instances by the names that people, drivers and clouds give them.

#include "hwadvisor/catalog.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hwadvisor::catalog {

struct HardwareLists {
  std::span<const Device> devices;
  std::span<const Instance> instances;
  std::span<const Provider> providers;
};

// "4090", "2x a100 80gb", "aws/g5.12xlarge", "v5litepod-8" … Errors are ErrorKind::unknown with candidates.
Result<HardwareChoice> resolve_hardware(std::string_view name, const HardwareLists& lists);

// One device without a count: the choice, or nothing where the name fits none, or the error of an ambiguous name.
Result<std::optional<HardwareChoice>> resolve_device(std::string_view name, std::span<const Device> devices);

// What to suggest for a name that fits no device: those with all its words ("RTX 6000"), or but for the size of memory
// ("M3 Max 65GB").
std::vector<std::string> devices_like(std::string_view name, std::span<const Device> devices);

// The unknown-name error with the nearest names.
Error unknown_hardware(std::string_view name, const HardwareLists& lists);

} // namespace hwadvisor::catalog
