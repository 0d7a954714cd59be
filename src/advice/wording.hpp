#pragma once

// Figures in sentences.

#include "hwadvisor/advice.hpp"

#include <string>

namespace hwadvisor::advice {

std::string thousands(double value);      // 12345.6 -> "12,346"
std::string money(double usd);            // "$0.34", "$14.20", "$1,234"
std::string figure(double value);         // three significant digits, no exponent
std::string duration(double hours);       // "25 min", "9.2 h", "3.1 days"
std::string share(double fraction);       // "33 %"
std::string basis_words(CostBasis basis); // "a run", "a month", "in all"
std::string hardware_words(const Device& device, std::int32_t count, std::int32_t machines);

} // namespace hwadvisor::advice
