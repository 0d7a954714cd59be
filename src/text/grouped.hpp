#pragma once

#include <cstdint>
#include <string>

namespace hwadvisor::text {

// "131,072"
std::string grouped(std::int64_t value);

// The same for the digits before a decimal point: "1234.50" -> "1,234.50".
std::string group_digits(std::string digits);

} // namespace hwadvisor::text
