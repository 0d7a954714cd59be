#pragma once

// One weight tensor (or several alike) of a model, by its role. The tensor table of a model is where parameter counts,
// bytes under any number format, adapter sizes and FLOPs come from.

#include "hwadvisor/units.hpp"

#include <cstdint>
#include <string_view>

namespace hwadvisor {

enum class TensorRole : std::uint8_t {
  token_embedding,
  layer_embedding, // a table that every layer looks up its own part of (Gemma 3n, Gemma 4 E-models)
  position_embedding,
  output_head,
  attention_q,
  attention_k,
  attention_v,
  attention_qkv, // fused in the checkpoint
  attention_output,
  latent_q_a, // MLA low-rank projections
  latent_q_b,
  latent_kv_a,
  latent_kv_b,
  indexer, // sparse-attention indexer
  ffn_gate,
  ffn_up,
  ffn_down,
  router,
  expert_gate,
  expert_up,
  expert_down,
  shared_expert_gate,
  shared_expert_up,
  shared_expert_down,
  recurrent_in, // Mamba, linear attention, RWKV, short convolution: matrices
  recurrent_out,
  recurrent_other, // their small tensors: convolution kernels, A, D, dt
  norm,
  bias,
  vision, // a whole tower or projector
  audio,
  convolution, // CNN weights
  other
};

std::string_view role_name(TensorRole role); // "attention_q"

struct NumberFormat;

struct Tensor {
  TensorRole role = TensorRole::other;
  std::int32_t layer = -1;       // -1: not in a layer
  std::int64_t rows = 0;         // outputs of a linear layer
  std::int64_t row_elements = 0; // inputs; a quantiser's blocks run along a row
  std::int64_t copies = 1;       // experts: how many alike
  bool encoder = false;          // belongs to the encoder stack of an encoder-decoder

  // Of a tensor that was found in a file: what it takes there, scales included, and its format where it has a name.
  // A precision that keeps tensors as stored (precision.hpp) takes these; -1: no file was read.
  std::int64_t stored_bytes = -1;
  const NumberFormat* stored = nullptr;

  constexpr std::int64_t elements() const { return saturating_mul(saturating_mul(rows, row_elements), copies); }
};

} // namespace hwadvisor
