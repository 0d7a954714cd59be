// Any bytes as a safetensors file and as an index: refused with a message, or tensors that fill the file.
#include "modelfile/model_file.hpp"

#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
  using namespace hwadvisor;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto index = modelfile::parse_safetensors_index(bytes, "fuzz");
  if (!index && index.error().message.empty()) {
    std::abort();
  }
  const auto files = modelfile::read_safetensors(modelfile::MemorySource(bytes), "fuzz");
  if (!files) {
    if (files.error().message.empty()) {
      std::abort();
    }
    return 0;
  }
  std::int64_t sum = 0;
  for (const modelfile::SafeTensor& tensor : files->tensors) {
    sum += tensor.bytes;
  }
  if (sum < 0 || static_cast<std::size_t>(sum) > size) {
    std::abort();
  }
  for (const std::int64_t bits : {0, 3, 4}) {
    const auto model = modelfile::model_of_safetensors(*files, "fuzz", std::nullopt, bits);
    if (*model.model.params_total < 0 || *model.model.params_active < 0) {
      std::abort();
    }
  }
  return 0;
}
