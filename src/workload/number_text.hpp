#pragma once

// Numbers as people write them: "7B", "8k", "24GB", "3.5/h", "2000usd", "30d". The whole text must be used; what is
// left over, negative, not finite or too large is an error that quotes the text and says what is accepted.

#include "hwadvisor/result.hpp"

#include <cstdint>
#include <limits>
#include <string_view>

namespace hwadvisor::workload {

// What "k" stands for: 1,000 of most things, 1,024 tokens of a context.
enum class Thousand : std::uint8_t { decimal, binary };

struct CountRange {
  std::int64_t low = 0;
  std::int64_t high = std::numeric_limits<std::int64_t>::max();
};

struct RealRange {
  double low = 0.0;
  double high = 1e18;
};

// "4096", "7B", "350M", "1.5T", "8k", "7e9"; the result is a whole number.
Result<std::int64_t> parse_count(std::string_view text, CountRange range = {}, Thousand thousand = Thousand::decimal);

// "0.5", "2e3", "1.5k"; with `percent`, also "90%".
Result<double> parse_real(std::string_view text, RealRange range = {}, bool percent = false);

// A memory size as the box says it, in vendor gigabytes: "24", "24GB", "24GiB", "512MB", "1.5TB".
Result<double> parse_vendor_gb(std::string_view text);

// "2000", "2000usd", "$2,000", "2k usd".
Result<double> parse_usd(std::string_view text);

// "3.5", "3.5/h", "$3.5/hr", "3.5usd/hour"; `per` is "hour" or "month".
Result<double> parse_usd_per(std::string_view text, std::string_view per);

// "90s", "45min", "24h", "30d", "2w", in hours. The unit is required.
Result<double> parse_hours(std::string_view text);

// "on", "off", "true", "false", "yes", "no", "1", "0".
Result<bool> parse_switch(std::string_view text);

} // namespace hwadvisor::workload
