#include "hwadvisor/hardware.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hwadvisor {
namespace {

const MemoryClass* find_class(const std::vector<MemoryClass>& classes, std::string_view id)
{
  const auto found = std::find_if(classes.begin(), classes.end(), [&](const MemoryClass& c) { return c.id == id; });
  return found == classes.end() ? nullptr : &*found;
}

// Metal recommends a smaller share as the working set where a Mac has 36 GB or less (data/memory-classes.json): the
// class of such a machine depends on the size fitted, not on the chip.
std::string class_of(const Device& device, double gb)
{
  if (device.memory_class == "apple-unified" && gb <= 36.0) {
    return "apple-unified-small";
  }
  if (device.memory_class == "apple-unified-small" && gb > 36.0) {
    return "apple-unified";
  }
  return device.memory_class;
}

} // namespace

Result<UsableMemory> usable_memory(const Device& device, const std::vector<MemoryClass>& classes,
                                   std::optional<double> option_gb)
{
  const bool as_catalogued = !option_gb || (device.memory && device.memory->value() == *option_gb);
  if (device.usable_memory && as_catalogued) {
    return UsableMemory{*device.usable_memory, "measured"};
  }
  if (!option_gb && !device.memory) {
    return Error{ErrorKind::usage, fmt::format("the memory of {} is not known; say how much it has", device.name)};
  }
  const VendorGigabytes size = option_gb ? VendorGigabytes(*option_gb) : *device.memory;
  const std::string id = class_of(device, size.value());
  const MemoryClass* memory_class = find_class(classes, id);
  if (memory_class == nullptr) {
    return Error{ErrorKind::usage, fmt::format("the memory class '{}' of {} is not in the catalog", id, device.name)};
  }
  return UsableMemory{marketed_bytes(size) * memory_class->ratio,
                      fmt::format("class {} x {}", id, memory_class->ratio)};
}

} // namespace hwadvisor
