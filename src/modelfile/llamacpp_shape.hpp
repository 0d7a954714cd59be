#pragma once

// A model as llama.cpp's own names for its sizes ("n_embd", "n_head_kv"), as logs and measurements give it. It is read
// as the metadata of a GGUF file would be.

#include "modelfile/gguf.hpp"
#include "json/reader.hpp"

namespace hwadvisor::modelfile {

struct LlamaCppShape {
  GgufMetadata metadata;
  std::int64_t vocabulary = 0;
  std::optional<bool> tied_embeddings;
  std::optional<std::int64_t> parameters; // "n_params"
};

// ErrorKind::usage: a key is missing, unknown, or out of range.
Result<LlamaCppShape> parse_llamacpp_shape(const json::Json& object, const json::Place& place);

} // namespace hwadvisor::modelfile
