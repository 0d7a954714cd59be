#pragma once

// Tensor tables of well-known models, written by hand from their published configurations.

#include "hwadvisor/precision.hpp"

#include <string_view>
#include <vector>

namespace hwadvisor::test {

struct Shape {
  int layers = 0;
  int hidden = 0;
  int heads = 0;
  int kv_heads = 0;
  int head_dim = 0;
  int ffn = 0;
  int vocabulary = 0;
  bool tied = false;
  bool attention_bias = false;
  bool fused = false; // query, key and value in one matrix, gate and up in one
  bool qk_norm = false;
  int norms = 2; // a layer
  int experts = 0;
  int expert_width = 0;
  int shared_width = 0;
};

std::vector<Tensor> transformer(const Shape& shape);
TensorContext context_of(const Shape& shape, std::string_view architecture = {});

inline constexpr Shape k_llama3_8b{32, 4096, 32, 8, 128, 14336, 128256};
inline constexpr Shape k_llama2_7b{32, 4096, 32, 32, 128, 11008, 32000};
inline constexpr Shape k_llama3_70b{80, 8192, 64, 8, 128, 28672, 128256};

struct KnownModel {
  std::vector<Tensor> tensors;
  TensorContext context;
};
// A model of gguf-mix-sizes.csv by its name there; an empty table for others.
KnownModel known_model(std::string_view name);

} // namespace hwadvisor::test
