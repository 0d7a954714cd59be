// Any bytes as a request file; any text as the value of any flag.
#include "hwadvisor/request.hpp"

#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
  using namespace hwadvisor;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto requests = parse_requests(text, "fuzz");
  if (!requests && requests.error().message.empty()) {
    std::abort();
  }
  if (size > 1) {
    const auto& keys = request_keys();
    Request request;
    const Status set = set_request_key(request, keys[data[0] % keys.size()].name, text.substr(1));
    if (!set && set.error().message.empty()) {
      std::abort();
    }
  }
  return 0;
}
