#pragma once

// How a family of models writes its layers: norms, biases, gates. A config.json says the sizes and seldom these; they
// are fixed by the model's class. One row a family.

#include <cstdint>
#include <string_view>

namespace hwadvisor::model {

enum class Norm : std::uint8_t {
  rms,           // a weight
  layer,         // a weight and a bias
  layer_no_bias, // a weight
};

enum class QkNorm : std::uint8_t {
  none,
  per_head,   // one weight of the head's width, shared by the heads
  full_width, // a weight for every channel of q and of k
};

enum class AttentionGate : std::uint8_t {
  none,
  doubled_q,   // q_proj yields query and gate
  per_channel, // a projection of its own, as wide as q
  per_head,    // a projection to one value a head
};

struct Style {
  std::string_view model_type;
  Norm norm = Norm::rms;
  std::int32_t norms_per_layer = 2;
  bool gated = true;        // feed-forward of gate, up and down; else up and down
  bool tied = false;        // the default where tie_word_embeddings is absent
  bool qkv_bias = false;    // the default where no key says it
  bool output_bias = false; // attention output projection
  bool ffn_bias = false;
  bool head_bias = false;
  QkNorm qk_norm = QkNorm::none;
  AttentionGate gate = AttentionGate::none;
  bool sinks = false;       // one learned attention sink a head
  bool router_bias = false; // one value an expert: a bias or a score correction
  bool expert_bias = false;
  bool shared_expert_gate = false; // a sigmoid gate of the shared expert
  bool embedding_norm = false;
  std::int32_t position_offset = -1; // learned positions: rows beyond max positions; -1: none are learned
};

// The row of `model_type`, or of a Llama-like decoder, which most unnamed families are. `known` tells which.
Style style_of(std::string_view model_type, bool& known);

} // namespace hwadvisor::model
