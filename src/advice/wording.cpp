#include "advice/wording.hpp"

#include "text/grouped.hpp"

#include <fmt/format.h>

#include <cmath>

namespace hwadvisor::advice {

std::string thousands(double value)
{
  return text::group_digits(fmt::format("{:.0f}", std::abs(value) < 0.5 ? 0.0 : value)); // no "-0"
}

std::string money(double usd)
{
  return std::abs(usd) < 99.995 ? fmt::format("${:.2f}", usd) : "$" + thousands(usd);
}

std::string figure(double value)
{
  const double size = std::abs(value);
  if (size >= 1000.0) {
    return thousands(value);
  }
  return size >= 100.0  ? fmt::format("{:.0f}", value)
         : size >= 10.0 ? fmt::format("{:.1f}", value)
                        : fmt::format("{:.2f}", value);
}

std::string duration(double hours)
{
  if (hours < 1.0) {
    return fmt::format("{:.0f} min", std::max(1.0, hours * 60.0));
  }
  return hours < 48.0 ? fmt::format("{:.1f} h", hours) : fmt::format("{:.1f} days", hours / 24.0);
}

std::string share(double fraction)
{
  return fmt::format("{:.0f} %", fraction * 100.0);
}

std::string basis_words(CostBasis basis)
{
  return basis == CostBasis::run ? "a run" : basis == CostBasis::month ? "a month" : "over the horizon";
}

std::string hardware_words(const Device& device, std::int32_t count, std::int32_t machines)
{
  const std::string devices =
      count == 1 ? fmt::format("one {}", device.name) : fmt::format("{} x {}", count, device.name);
  return machines == 1 ? devices : fmt::format("{} machines of {}", machines, devices);
}

} // namespace hwadvisor::advice
