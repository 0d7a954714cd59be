#include "footprint/explain.hpp"

#include <fmt/format.h>

namespace hwadvisor::explain {

std::string count(std::int64_t value)
{
  std::string digits = fmt::format("{}", value);
  const std::size_t first = value < 0 ? 1 : 0;
  for (std::size_t at = digits.size(); at > first + 3;) {
    at -= 3;
    digits.insert(at, ",");
  }
  return digits;
}

std::string number(double value)
{
  return fmt::format("{:.4g}", value);
}

std::string element_size(const NumberFormat& format)
{
  if (format.block_elements == 1) {
    return format.block_bytes == 1 ? "1 byte" : fmt::format("{} bytes", format.block_bytes);
  }
  return fmt::format("{}/{} bytes", format.block_bytes, format.block_elements);
}

std::string size(Bytes bytes)
{
  const auto value = static_cast<double>(bytes.value());
  if (value >= 1073741824.0) {
    return fmt::format("{:.2f} GiB", value / 1073741824.0);
  }
  if (value >= 1048576.0) {
    return fmt::format("{:.1f} MiB", value / 1048576.0);
  }
  return fmt::format("{} B", bytes.value());
}

} // namespace hwadvisor::explain
