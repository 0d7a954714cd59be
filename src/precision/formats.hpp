#pragma once

// What the choosing rules need of the table of formats beyond the public interface.

#include "hwadvisor/precision.hpp"

#include <string>
#include <string_view>

namespace hwadvisor {

// `name` in lower case without "-", "_" and spaces: "Q4_K_M", "q4-k-m" and "q4km" are one name.
std::string squeezed(std::string_view name);

// The ExLlama rate of `hundredths` of a bit per weight, 100 to 800.
const NumberFormat& bits_per_weight_format(int hundredths);

} // namespace hwadvisor
