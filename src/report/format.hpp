#pragma once

// Figures as people read them. Memory is GiB (2^30) and says so; money is USD.

#include "hwadvisor/units.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hwadvisor::report {

std::string grouped(std::int64_t value);          // "131,072"
std::string gib(Bytes bytes);                     // "13.04": two decimals, of small ones three
std::string gib_unit(Bytes bytes);                // "13.04 GiB"
std::string size_of_file(Bytes bytes);            // "14.00 GB": decimal, as downloads and the rule of thumb count
std::string share(Bytes part, Bytes whole);       // "46 %"
std::string figure(double value);                 // three significant digits, grouped: "1,230", "42.1", "0.35"
std::string range(const Interval<double>& value); // "42.1 (30 - 55)"
std::string usd(double value);                    // "$1,234", "$3.67", "$0.0042"
std::string count_of(std::int64_t count, std::string_view noun); // "1 device", "8 devices"
std::string parameters(std::int64_t count);                      // "8.03 billion", "110 million"

// Columns that a text takes on a terminal, counting UTF-8 code points.
std::size_t columns(std::string_view text);

} // namespace hwadvisor::report
