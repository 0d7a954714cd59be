// Any bytes as a GGUF file: refused with a message, or tensors that lie inside the file, and a model whose sums are not
// negative.
#include "modelfile/model_file.hpp"

#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
  using namespace hwadvisor;
  const modelfile::MemorySource source(std::string_view(reinterpret_cast<const char*>(data), size));
  auto file = modelfile::read_gguf(source, "fuzz");
  if (!file) {
    if (file.error().message.empty()) {
      std::abort();
    }
    return 0;
  }
  for (const modelfile::GgufTensor& tensor : file->tensors) {
    if (tensor.bytes < 0 || tensor.offset > size || static_cast<std::uint64_t>(tensor.bytes) > size - tensor.offset) {
      std::abort();
    }
  }
  const auto model = modelfile::model_of_gguf(std::move(*file), "fuzz");
  if (model && (*model->model.params_total < 0 || *model->model.params_active < 0)) {
    std::abort();
  }
  return 0;
}
