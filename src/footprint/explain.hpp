#pragma once

// Words and figures of formula texts: "131,072", "2 bytes", "34/32 bytes", "13.04 GiB".

#include "hwadvisor/precision.hpp"
#include "hwadvisor/units.hpp"

#include <cstdint>
#include <string>

namespace hwadvisor::explain {

std::string count(std::int64_t value);                // 131072 -> "131,072"
std::string number(double value);                     // 4.5 -> "4.5", 14 -> "14": at most 4 significant digits
std::string element_size(const NumberFormat& format); // "2 bytes", "34/32 bytes"
std::string size(Bytes bytes);                        // "13.04 GiB", "598.5 MiB", "512 B"

} // namespace hwadvisor::explain
