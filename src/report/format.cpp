#include "report/format.hpp"

#include "text/grouped.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace hwadvisor::report {
using text::group_digits;

std::string grouped(std::int64_t value)
{
  return text::grouped(value);
}

std::string gib(Bytes bytes)
{
  const double value = in_gibibytes(bytes);
  return group_digits(std::abs(value) < 0.1 ? fmt::format("{:.3f}", value) : fmt::format("{:.2f}", value));
}

std::string gib_unit(Bytes bytes)
{
  return gib(bytes) + " GiB";
}

std::string size_of_file(Bytes bytes)
{
  return group_digits(fmt::format("{:.2f}", in_gigabytes(bytes))) + " GB";
}

std::string share(Bytes part, Bytes whole)
{
  if (whole.value() <= 0) {
    return "";
  }
  const double percent = 100.0 * (part / whole);
  return percent > 0.0 && percent < 0.5 ? "<1 %" : fmt::format("{:.0f} %", percent);
}

std::string figure(double value)
{
  if (value == 0.0 || !std::isfinite(value)) {
    return "0";
  }
  const int digits = 2 - static_cast<int>(std::floor(std::log10(std::abs(value))));
  return group_digits(fmt::format("{:.{}f}", value, digits > 0 ? std::min(digits, 6) : 0));
}

std::string range(const Interval<double>& value)
{
  if (value.low == value.high) {
    return figure(value.likely);
  }
  return fmt::format("{} ({} - {})", figure(value.likely), figure(value.low), figure(value.high));
}

std::string usd(double value)
{
  const double size = std::abs(value);
  if (size >= 1000.0) {
    return "$" + group_digits(fmt::format("{:.0f}", value));
  }
  if (size >= 0.1 || size == 0.0) {
    return fmt::format("${:.2f}", value);
  }
  return "$" + figure(value);
}

std::string count_of(std::int64_t count, std::string_view noun)
{
  return fmt::format("{} {}{}", grouped(count), noun, count == 1 ? "" : "s");
}

std::string parameters(std::int64_t count)
{
  const auto value = static_cast<double>(count);
  if (value >= 1e12) {
    return fmt::format("{:.3g} trillion", value / 1e12);
  }
  if (value >= 1e9) {
    return fmt::format("{:.3g} billion", value / 1e9);
  }
  return value >= 1e6 ? fmt::format("{:.3g} million", value / 1e6) : grouped(count);
}

std::size_t columns(std::string_view text)
{
  std::size_t count = 0;
  for (const char c : text) {
    count += (static_cast<unsigned char>(c) & 0xc0) != 0x80 ? 1 : 0;
  }
  return count;
}

} // namespace hwadvisor::report
