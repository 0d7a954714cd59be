// Any bytes: parsed or refused with a message, and what was parsed prints and parses again to the same text.
#include "json/json.hpp"

#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto value = hwadvisor::json::parse(text, "fuzz");
  if (!value) {
    if (value.error().message.empty()) {
      std::abort();
    }
    return 0;
  }
  const std::string printed = hwadvisor::json::dump(*value);
  const auto again = hwadvisor::json::parse(printed, "fuzz");
  if (!again || hwadvisor::json::dump(*again) != printed) {
    std::abort();
  }
  return 0;
}
