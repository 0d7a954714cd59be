#include "text/grouped.hpp"

namespace hwadvisor::text {

std::string group_digits(std::string digits)
{
  const std::size_t start = digits.starts_with('-') ? 1 : 0;
  const std::size_t point = digits.find('.');
  for (std::size_t at = point == std::string::npos ? digits.size() : point; at > start + 3;) {
    at -= 3;
    digits.insert(at, ",");
  }
  return digits;
}

std::string grouped(std::int64_t value)
{
  return group_digits(std::to_string(value));
}

} // namespace hwadvisor::text
