#pragma once

// What a configuration says, under one name for each fact: the step between config.json and the layers and tensors.

#include "hwadvisor/model.hpp"
#include "model/fields.hpp"
#include "model/style.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace hwadvisor::model {

struct Shape {
  std::string model_type;
  Style style;

  std::int64_t hidden = 0;
  std::int64_t vocabulary = 0;
  std::int64_t max_positions = 0;
  std::int64_t embedding_width = 0; // OPT-350m embeds in fewer channels than it thinks in
  bool tied = false;
  bool head = true; // false: an embedding model without an output head

  std::int64_t heads = 0, kv_heads = 0, head_dim = 0, v_head_dim = 0;
  std::int64_t window = 0;
  bool value_from_key = false; // Gemma 4's full layers project once for both; both are cached

  // multi-head latent attention
  std::int64_t q_rank = 0, latent_rank = 0, nope_dim = 0, rope_dim = 0;
  std::int64_t index_heads = 0, index_dim = 0;
  std::int64_t output_rank = 0, output_groups = 0; // DeepSeek V4's grouped low-rank output projection
  std::int64_t residual_streams = 0;               // DeepSeek V4's hyper-connections

  std::int64_t ffn = 0, dense_ffn = 0; // dense_ffn: of the layers without experts
  std::int64_t experts = 0, experts_per_token = 0, expert_width = 0, shared_width = 0;
  std::int64_t zero_experts = 0; // in the router, without weights (LongCat)
  std::int64_t latent_width = 0; // experts run in a narrower space (Nemotron 3 Super, Kimi K3)

  // gated delta net, KDA, lightning attention
  std::int64_t linear_k_heads = 0, linear_v_heads = 0, linear_k_dim = 0, linear_v_dim = 0;
  // Mamba; conv_kernel also of the mixers above and of short convolutions
  std::int64_t ssm_inner = 0, ssm_state = 0, ssm_heads = 0, ssm_groups = 0, ssm_rank = 0, conv_kernel = 0;
  std::int64_t recurrent_width = 0;                 // RWKV's attention width
  std::int64_t wkv_head_size = 0, token_shifts = 0; // RWKV from version 5 on

  // Gemma 3n and 4: an embedding table of its own for every layer
  std::int64_t layer_embedding_width = 0, layer_embedding_vocabulary = 0;

  std::int64_t altup_streams = 0, laurel_rank = 0; // Gemma 3n

  std::vector<Layer> layers;
  std::int64_t draft_layers = 0;
  std::vector<std::string> assumptions;

  std::int64_t layer_count() const { return static_cast<std::int64_t>(layers.size()); }
};

// Reads a text decoder (flat, or the text part of a multimodal model).
Shape read_shape(const Fields& in, const std::string& model_type);

// The feed-forward of every layer: widths, experts, and which layers are dense. `shape` has the sizes.
void read_feed_forward(const Fields& in, Shape& shape);

// What mixes tokens in every layer: windows, recurrent layers, latent attention, shared caches.
void read_mixers(const Fields& in, Shape& shape);

} // namespace hwadvisor::model
