// Any bytes as a Hugging Face config.json: refused with a message, or an architecture whose sums are not negative.
#include "hwadvisor/model.hpp"

#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto architecture = hwadvisor::read_config(text, "fuzz");
  if (!architecture) {
    if (architecture.error().message.empty()) {
      std::abort();
    }
    return 0;
  }
  if (architecture->parameters() < 0 || architecture->active_parameters() < 0) {
    std::abort();
  }
  return 0;
}
