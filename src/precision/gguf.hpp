#pragma once

// GGUF files: which ggml type llama.cpp's quantiser gives to a tensor.

#include "hwadvisor/precision.hpp"

#include <span>
#include <string_view>

namespace hwadvisor {

// A mix as people name it. Precision::gguf_mix is its place in gguf_mixes().
struct GgufMix {
  std::string_view name;       // "q4_k_m"
  std::string_view rules;      // whose rules it follows, where that is another mix: "q2_k" for "q2_k_l"
  std::string_view base;       // type of what no rule singles out
  std::string_view edges = {}; // type of embeddings and head, where the publisher sets it
  bool approximate = false;
};
std::span<const GgufMix> gguf_mixes();

const NumberFormat& gguf_format(const Precision& precision, const Tensor& tensor, const TensorContext& context);

} // namespace hwadvisor
