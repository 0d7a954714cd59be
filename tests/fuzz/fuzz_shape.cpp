// Any bytes as llama.cpp's sizes: refused with a message, or an architecture whose sums are not negative.
#include "model/config.hpp"
#include "modelfile/gguf_config.hpp"
#include "modelfile/llamacpp_shape.hpp"

#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
  using namespace hwadvisor;
  const auto object = json::parse(std::string_view(reinterpret_cast<const char*>(data), size), "fuzz");
  if (!object) {
    return 0;
  }
  const auto shape = modelfile::parse_llamacpp_shape(*object, {"fuzz", ""});
  if (!shape) {
    return 0;
  }
  const auto config = modelfile::config_of_gguf(shape->metadata, shape->vocabulary, "fuzz");
  if (!config) {
    return 0;
  }
  const auto architecture = model::read_architecture(*config, "fuzz");
  if (architecture && (architecture->parameters() < 0 || architecture->active_parameters() < 0)) {
    std::abort();
  }
  return 0;
}
