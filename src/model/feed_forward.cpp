#include "model/shape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace hwadvisor::model {

namespace {

// Which layers have experts. Families say it in a dozen ways; later rules refine earlier ones.
std::vector<bool> expert_layers(const Fields& in, const Shape& shape)
{
  const auto n = shape.layers.size();
  std::vector<bool> sparse(n, shape.experts > 0);
  if (shape.experts == 0) {
    return sparse;
  }
  const auto first =
      in.count_or({"first_k_dense_replace", "num_dense_layers", "moe_layer_start_index"}, 0, k_max_layers);
  const auto last = in.count_or({"moe_layer_end_index"}, k_max_layers, k_max_layers);
  const auto step =
      in.count_or({"decoder_sparse_step", "interleave_moe_layer_step", "moe_layer_interval"}, 1, k_max_layers);
  const auto period = in.count_or({"expert_layer_period"}, 0, k_max_layers);
  const auto offset = in.count_or({"expert_layer_offset"}, 0, k_max_layers);
  const auto listed = in.counts({"moe_layer_freq"});
  const auto dense_only = in.counts({"mlp_only_layers"});
  const auto types = in.texts({"mlp_layer_types"});
  const auto frequency = listed.empty() ? in.count_or({"moe_layer_freq"}, 1, k_max_layers) : 1;
  for (std::size_t i = 0; i < n; ++i) {
    const auto layer = static_cast<std::int64_t>(i);
    sparse[i] = layer >= first && layer <= last && (step <= 1 || (layer + 1) % step == 0) &&
                (period == 0 || layer % period == offset) && (frequency <= 1 || layer % frequency == 0) &&
                (i >= listed.size() || listed[i] != 0) && (i >= types.size() || types[i] == "sparse") &&
                std::find(dense_only.begin(), dense_only.end(), layer) == dense_only.end();
  }
  return sparse;
}

// Nemotron-NAS: the width of each layer is a multiple of the hidden size, fitted to a multiple of 256.
// Source: nvidia/Llama-3_3-Nemotron-Super-49B-v1 modeling_decilm.py, _ffn_mult_to_intermediate_size.
std::int64_t width_of_multiplier(double multiplier, std::int64_t hidden)
{
  const auto raw = static_cast<std::int64_t>(2.0 * multiplier * static_cast<double>(hidden) / 3.0);
  return round_up(raw, 256);
}

void read_block_configs(const Fields& in, Shape& shape)
{
  const auto* blocks = in.find({"block_configs"});
  if (blocks == nullptr) {
    return;
  }
  if (!blocks->is_array() || blocks->size() != shape.layers.size()) {
    in.fail("expected one entry a layer", "block_configs");
    return;
  }
  std::optional<Error> error;
  for (std::size_t i = 0; i < shape.layers.size(); ++i) {
    auto& layer = shape.layers[i];
    const Fields block((*blocks)[i], "/block_configs/" + std::to_string(i), error);
    const auto attention = block.object({"attention"});
    if (attention.flag({"no_op"}, false)) {
      layer = Layer{};
      layer.mixer = Mixer::none;
    } else {
      const auto group = attention.count_or({"n_heads_in_group"}, 1, k_max_heads);
      layer.kv_heads = static_cast<std::int32_t>(shape.heads / std::max<std::int64_t>(group, 1));
      layer.window = attention.count_or({"window_length"}, 0, k_max_positions);
    }
    const auto ffn = block.object({"ffn"});
    const auto multiplier = ffn.number({"ffn_mult"}, 0.0);
    if (!(multiplier >= 0.0 && multiplier < 1024.0)) {
      in.fail("ffn_mult out of range", "block_configs");
      return;
    }
    layer.ffn_width = ffn.flag({"no_op"}, false) ? 0 : width_of_multiplier(multiplier, shape.hidden);
  }
  if (error) {
    in.fail(error->message, "block_configs");
  }
}

// LFM2 states a width before the usual two-thirds cut of gated layers.
std::int64_t adjusted_width(const Fields& in, std::int64_t width)
{
  if (!in.flag({"block_auto_adjust_ff_dim"}, false)) {
    return width;
  }
  const auto multiple = std::max<std::int64_t>(in.count_or({"block_multiple_of"}, 256), 1);
  const auto factor = std::clamp(in.number({"block_ffn_dim_multiplier"}, 1.0), 0.0, 64.0);
  const auto cut = static_cast<std::int64_t>(factor * std::floor(2.0 * static_cast<double>(width) / 3.0));
  return round_up(cut, multiple);
}

} // namespace

void read_feed_forward(const Fields& in, Shape& shape)
{
  const auto nested = in.object({"ffn_config"});
  shape.experts = in.count({"num_experts", "num_local_experts", "n_routed_experts", "moe_num_experts"}, k_max_heads)
                      .value_or(nested.count_or({"moe_num_experts"}, 0, k_max_heads));
  if (shape.experts <= 1) {
    shape.experts = 0;
  }
  shape.ffn = nested.count_or({"ffn_hidden_size"}, shape.ffn);
  if (shape.ffn == 0) {
    // GPT-2, BLOOM, Falcon and MPT say nothing: four times the width
    shape.ffn = saturating_mul(shape.hidden, in.count_or({"expansion_ratio", "mlp_ratio"}, 4, 64));
  }
  if (shape.model_type == "qwen") { // the first Qwen states gate and up together (modeling_qwen.py, QWenMLP)
    shape.ffn /= 2;
  }
  shape.ffn = adjusted_width(in, shape.ffn);
  shape.dense_ffn = in.count_or({"intermediate_size_mlp", "dense_intermediate_size"}, shape.ffn);
  if (shape.experts > 0) {
    shape.experts_per_token = in.count({"num_experts_per_tok", "num_experts_per_token", "experts_per_token",
                                        "top_k_experts", "moe_top_k", "moe_topk", "moe_k"},
                                       k_max_heads)
                                  .value_or(nested.count_or({"moe_top_k"}, 2, k_max_heads));
    shape.expert_width = in.count_or({"moe_intermediate_size", "expert_ffn_hidden_size"}, shape.ffn);
    shape.zero_experts = in.count_or({"zero_expert_num"}, 0, k_max_heads);
    if (shape.experts_per_token > shape.experts + shape.zero_experts) {
      in.fail(fmt::format("{} experts a token of only {}", shape.experts_per_token, shape.experts + shape.zero_experts),
              "num_experts_per_tok");
    }
    if (shape.zero_experts > 0) { // LongCat: part of the choices compute nothing; this is the mean of the others
      shape.experts_per_token = shape.experts_per_token * shape.experts / (shape.experts + shape.zero_experts);
    }
    shape.latent_width = in.count_or({"moe_latent_size", "routed_expert_hidden_size"}, 0);
    const auto shared =
        in.count_or({"n_shared_experts", "num_shared_experts", "moe_num_shared_experts"}, 0, k_max_heads);
    shape.shared_width = in.count({"shared_expert_intermediate_size", "shared_intermediate_size",
                                   "moe_shared_expert_intermediate_size", "share_expert_dim"})
                             .value_or(saturating_mul(shared, shape.expert_width));
    if (shape.model_type == "llama4_text") {
      shape.shared_width = shape.expert_width; // one shared expert of the same width, never written down
    }
  } else if (shape.model_type == "granitemoehybrid") {
    shape.ffn = shape.dense_ffn = in.count_or({"shared_intermediate_size"}, shape.ffn);
  }

  const auto sparse = expert_layers(in, shape);
  const auto widths = in.counts({"intermediate_size"});
  const auto letters = in.text({"hybrid_override_pattern"});
  const auto blocks = in.texts({"layers_block_type"});
  const bool split = !letters.empty() || !blocks.empty(); // a layer is a mixer or a feed-forward, not both
  const auto shared_kv = in.count_or({"num_kv_shared_layers"}, 0, k_max_layers);
  const bool wide_when_shared = in.flag({"use_double_wide_mlp"}, false) && shared_kv > 0;
  const bool dense_beside_experts = shape.model_type == "gemma4_text" && shape.experts > 0;
  const bool two_in_a_block = shape.model_type == "longcat_flash";
  for (std::size_t i = 0; i < shape.layers.size(); ++i) {
    auto& layer = shape.layers[i];
    layer.gated = shape.style.gated;
    bool with_experts = sparse[i];
    if (split) {
      const bool dense = letters.empty() ? blocks[i] == "mlp" : letters[i] == '-';
      const bool moe = letters.empty() ? blocks[i] == "moe" : letters[i] == 'E';
      if (!dense && !moe) {
        continue;
      }
      with_experts = moe;
    }
    if (shape.model_type == "mamba" || shape.model_type == "falcon_mamba" || shape.model_type == "mamba2") {
      continue; // the mixer is the whole layer
    }
    layer.ffn_width = i < widths.size() ? widths[i] : shape.dense_ffn;
    if (wide_when_shared && layer.shares_kv) {
      layer.ffn_width = saturating_mul(layer.ffn_width, 2);
    }
    if (two_in_a_block) {
      with_experts = i % 2 == 0; // one expert block beside the two dense ones
    }
    if (with_experts) {
      layer.shared_width = dense_beside_experts || two_in_a_block ? layer.ffn_width : shape.shared_width;
      layer.ffn_width = shape.expert_width;
      layer.experts = static_cast<std::int32_t>(shape.experts);
      layer.experts_per_token = static_cast<std::int32_t>(std::min(shape.experts_per_token, shape.experts));
    }
  }
  read_block_configs(in, shape);
}

} // namespace hwadvisor::model
