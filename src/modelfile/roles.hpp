#pragma once

// What a tensor is for, told by its name.

#include "hwadvisor/tensor.hpp"

#include <string_view>

namespace hwadvisor::modelfile {

struct NamedRole {
  TensorRole role = TensorRole::other;
  std::int32_t layer = -1;
  bool encoder = false; // of an encoder-decoder's encoder
  bool draft = false;   // of a layer for multi-token prediction, told by its own name
};

// llama.cpp's names: "blk.3.attn_q.weight" (src/llama-arch.cpp; projector files: tools/mtmd/clip-impl.h).
NamedRole role_in_gguf(std::string_view name);

// Names of PyTorch checkpoints: "model.layers.3.self_attn.q_proj.weight", "h.3.attn.c_attn.weight" …
NamedRole role_in_checkpoint(std::string_view name);

} // namespace hwadvisor::modelfile
