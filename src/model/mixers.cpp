#include "model/shape.hpp"

#include <algorithm>

namespace hwadvisor::model {

namespace {

std::int32_t narrow(std::int64_t n)
{
  return static_cast<std::int32_t>(std::clamp<std::int64_t>(n, 0, k_max_width));
}

Layer attention_layer(const Shape& shape)
{
  Layer layer;
  layer.heads = narrow(shape.heads);
  layer.kv_heads = narrow(shape.kv_heads);
  layer.k_head_dim = narrow(shape.head_dim);
  layer.v_head_dim = narrow(shape.v_head_dim);
  if (shape.latent_rank > 0) {
    layer.mixer = Mixer::latent_attention;
    layer.kv_heads = layer.heads;
    layer.latent_rank = narrow(shape.latent_rank);
    layer.rope_dim = narrow(shape.rope_dim);
  }
  layer.indexer_dim = narrow(shape.index_dim);
  return layer;
}

// The last kernel - 1 inputs of every channel that goes through the short convolution.
std::int64_t convolution_state(const Shape& shape, std::int64_t channels)
{
  return saturating_mul(std::max<std::int64_t>(shape.conv_kernel - 1, 0), channels);
}

// State sizes: Mamba (Gu and Dao 2023, section 3.4), Mamba-2 (Dao and Gu 2024): inner x state, and the convolved
// channels; equal to what llama.cpp allocates ("llama_memory_recurrent" in its log).
Layer mamba_layer(const Shape& shape)
{
  Layer layer;
  layer.mixer = shape.ssm_heads > 0 ? Mixer::mamba2 : Mixer::mamba1;
  layer.state_elements = saturating_mul(shape.ssm_inner, shape.ssm_state);
  const auto groups = layer.mixer == Mixer::mamba2 ? 2 * shape.ssm_groups * shape.ssm_state : 0;
  layer.conv_elements = convolution_state(shape, shape.ssm_inner + groups);
  return layer;
}

// Gated DeltaNet and KDA keep one key x value matrix a value head (Yang et al. 2024); KDA convolves q, k and v alike.
Layer linear_layer(const Shape& shape)
{
  Layer layer;
  layer.mixer = Mixer::linear_attention;
  layer.state_elements = saturating_mul(shape.linear_v_heads, shape.linear_k_dim * shape.linear_v_dim);
  layer.conv_elements = convolution_state(shape, 2 * shape.linear_k_heads * shape.linear_k_dim +
                                                     shape.linear_v_heads * shape.linear_v_dim);
  return layer;
}

// MiniMax's lightning attention: the same matrix a head, no convolution.
Layer lightning_layer(const Shape& shape)
{
  Layer layer;
  layer.mixer = Mixer::linear_attention;
  layer.heads = narrow(shape.heads);
  layer.k_head_dim = layer.v_head_dim = narrow(shape.head_dim);
  layer.state_elements = saturating_mul(shape.heads, shape.head_dim * shape.head_dim);
  return layer;
}

Layer short_conv_layer(const Shape& shape)
{
  Layer layer;
  layer.mixer = Mixer::short_conv;
  layer.conv_elements = convolution_state(shape, shape.hidden);
  return layer;
}

// Falcon-H1: attention and Mamba-2 read the same input, side by side.
Layer parallel_layer(const Shape& shape)
{
  Layer layer = attention_layer(shape);
  const Layer mamba = mamba_layer(shape);
  layer.state_elements = mamba.state_elements;
  layer.conv_elements = mamba.conv_elements;
  return layer;
}

// RWKV-4 keeps five vectors a layer: two shifted inputs and the numerator, denominator and maximum of its average.
Layer rwkv_layer(const Shape& shape)
{
  Layer layer;
  layer.mixer = Mixer::rwkv;
  layer.state_elements = 2 * shape.hidden + 3 * shape.recurrent_width;
  if (shape.wkv_head_size > 0) { // from version 5 on a matrix a head, and the shifted inputs (arXiv:2404.05892)
    layer.state_elements = saturating_mul(shape.hidden, shape.wkv_head_size);
    layer.conv_elements = saturating_mul(shape.hidden, shape.token_shifts);
  }
  return layer;
}

bool set_by_name(Layer& layer, const Shape& shape, std::string_view name, std::int64_t window)
{
  if (name == "full_attention" || name == "attention" || name == "global_attention" || name == "*" ||
      name == "global") {
    return true;
  }
  if (name == "sliding_attention" || name == "local_attention" || name == "chunked_attention" || name == "local") {
    layer.window = window;
    layer.chunked = name == "chunked_attention";
  } else if (name == "linear_attention") {
    layer = linear_layer(shape);
  } else if (name == "mamba" || name == "M") {
    layer = mamba_layer(shape);
  } else if (name == "hybrid") {
    layer = parallel_layer(shape);
  } else if (name == "lightning_attention") {
    layer = lightning_layer(shape);
  } else if (name == "rwkv") {
    layer = rwkv_layer(shape);
  } else if (name == "conv" || name == "short_conv") {
    layer = short_conv_layer(shape);
  } else if (name == "moe" || name == "mlp" || name == "E" || name == "-") {
    layer = Layer{};
    layer.mixer = Mixer::none;
  } else {
    return false;
  }
  return true;
}

// Names or letters, one a layer. True when the configuration has such a list.
bool read_named_layers(const Fields& in, Shape& shape, std::int64_t window)
{
  auto names = in.texts({"layer_types", "layers_block_type", "layers_types"});
  if (names.empty()) {
    for (const char letter : in.text({"hybrid_override_pattern"})) {
      names.emplace_back(1, letter);
    }
  }
  if (names.empty()) {
    return false;
  }
  if (names.size() < shape.layers.size()) {
    in.fail("the list of layer types has " + std::to_string(names.size()) + " entries for " +
            std::to_string(shape.layers.size()) + " layers");
    return true;
  }
  for (std::size_t i = 0; i < shape.layers.size(); ++i) {
    if (!set_by_name(shape.layers[i], shape, names[i], window)) {
      in.fail("layer type '" + names[i].substr(0, 40) + "' is not known", "layer_types");
      return true;
    }
  }
  return true;
}

// A window in all layers but every n-th, or in all.
void read_windows(const Fields& in, Shape& shape, std::int64_t window)
{
  const auto& type = shape.model_type;
  auto every = in.count_or({"sliding_window_pattern", "_sliding_window_pattern"}, 0, k_max_layers);
  bool chunked = false;
  if (type == "gemma2" || type == "gpt_oss") {
    every = 2;
  } else if (type == "gemma3_text" && every == 0) {
    every = 6;
  } else if (type == "cohere2" && every == 0) {
    every = 4;
  } else if (type == "llama4_text") {
    window = in.count_or({"attention_chunk_size"}, 8192, k_max_positions);
    every = in.count_or({"no_rope_layer_interval"}, 4, k_max_layers);
    chunked = true;
  }
  if (window == 0) {
    return;
  }
  // Qwen states a window that its use_sliding_window switches off, and then only the layers past max_window_layers use.
  const bool qwen = type.rfind("qwen", 0) == 0;
  if (!in.flag({"use_sliding_window"}, !qwen)) {
    return;
  }
  const auto from = qwen ? in.count_or({"max_window_layers"}, 0, k_max_layers) : 0;
  for (std::size_t i = 0; i < shape.layers.size(); ++i) {
    const auto layer = static_cast<std::int64_t>(i);
    const bool full = (every > 0 && (layer + 1) % every == 0) || layer < from;
    if (!full) {
      shape.layers[i].window = window;
      shape.layers[i].chunked = chunked;
    }
  }
}

void read_hybrid(const Fields& in, Shape& shape)
{
  const auto n = static_cast<std::int64_t>(shape.layers.size());
  const auto period = in.count_or({"attn_layer_period"}, 0, k_max_layers);
  const auto offset = in.count_or({"attn_layer_offset"}, 0, k_max_layers);
  const auto interval = in.count_or({"full_attention_interval"}, 0, k_max_layers);
  const auto kinds = in.counts({"attn_type_list"}); // MiniMax: 1 softmax, 0 lightning
  const auto kda = in.object({"linear_attn_config"}).counts({"kda_layers"});
  const auto cross = in.counts({"cross_attention_layers"});
  const bool all_mamba =
      shape.model_type == "mamba" || shape.model_type == "mamba2" || shape.model_type == "falcon_mamba";
  for (std::int64_t i = 0; i < n; ++i) {
    auto& layer = shape.layers[static_cast<std::size_t>(i)];
    if (all_mamba || (period > 0 && i % period != offset)) {
      layer = mamba_layer(shape);
    } else if (shape.model_type == "rwkv") {
      layer = rwkv_layer(shape);
    } else if (interval > 0 && (i + 1) % interval != 0) {
      layer = linear_layer(shape);
    } else if (static_cast<std::size_t>(i) < kinds.size() && kinds[static_cast<std::size_t>(i)] == 0) {
      layer = lightning_layer(shape);
    } else if (std::find(kda.begin(), kda.end(), i + 1) != kda.end()) { // counted from 1
      layer = linear_layer(shape);
    } else if (std::find(cross.begin(), cross.end(), i) != cross.end()) {
      layer.mixer = Mixer::cross_attention;
    }
  }
}

// Families whose windowed and full layers have shapes of their own.
void read_layer_shapes(const Fields& in, Shape& shape)
{
  // Gemma 4: wider heads and fewer KV heads in the full layers.
  const auto global_dim = in.count_or({"global_head_dim"}, 0, k_max_heads);
  const auto global_kv = in.count_or({"num_global_key_value_heads"}, 0, k_max_heads);
  // MiMo V2: the windowed layers' own shape.
  const auto pattern = in.counts({"hybrid_layer_pattern"});
  const auto swa_kv = in.count_or({"swa_num_key_value_heads"}, 0, k_max_heads);
  // Step 3.5, Laguna: query heads a layer.
  const auto heads = in.counts({"num_attention_heads_per_layer"});
  const auto ratios = in.counts({"compress_ratios"});
  const auto kv_list = in.counts({"num_key_value_heads"});
  for (std::size_t i = 0; i < shape.layers.size(); ++i) {
    auto& layer = shape.layers[i];
    if (layer.mixer != Mixer::attention) {
      continue;
    }
    if (i < pattern.size()) {
      layer.window = pattern[i] != 0 ? shape.window : 0;
    }
    if (global_dim > 0 && layer.window == 0) {
      layer.k_head_dim = layer.v_head_dim = narrow(global_dim);
      layer.kv_heads = global_kv > 0 ? narrow(global_kv) : layer.kv_heads;
    }
    if (swa_kv > 0 && layer.window > 0) {
      layer.kv_heads = narrow(swa_kv);
    }
    if (i < heads.size()) {
      layer.heads = narrow(std::min(heads[i], k_max_heads));
    }
    if (i < kv_list.size()) {
      layer.kv_heads = narrow(std::min(kv_list[i], k_max_heads));
      if (kv_list[i] == 0) { // some conversions write 0 KV heads for a layer without attention
        layer = Layer{};
        layer.mixer = Mixer::none;
      }
    }
    if (i < ratios.size()) {
      layer.compression = narrow(ratios[i]);
      layer.window = shape.window;
      layer.k_is_v = true;
      // Only the finely compressed layers are searched by an index.
      layer.indexer_dim = ratios[i] > 0 && ratios[i] < 64 ? narrow(shape.index_dim) : 0;
    }
  }
}

// The last layers of Gemma 3n and 4 read the cache of an earlier layer of their kind.
void read_shared_caches(const Fields& in, Shape& shape)
{
  const auto shared = in.count_or({"num_kv_shared_layers"}, 0, k_max_layers);
  const auto n = shape.layer_count();
  for (std::int64_t i = std::max<std::int64_t>(n - shared, 0); i < n; ++i) {
    shape.layers[static_cast<std::size_t>(i)].shares_kv = true;
  }
}

void read_indexers(const Fields& in, Shape& shape)
{
  // GLM-5.2 shares one index over several layers; MiniMax M3 has none in its dense-attention layers.
  const auto kinds = in.texts({"indexer_types"});
  const auto sparse = in.object({"sparse_attention_config"}).counts({"sparse_attention_freq"});
  for (std::size_t i = 0; i < shape.layers.size(); ++i) {
    const bool none = (i < kinds.size() && kinds[i] == "shared") || (i < sparse.size() && sparse[i] == 0);
    if (none) {
      shape.layers[i].indexer_dim = 0;
    }
  }
}

} // namespace

void read_mixers(const Fields& in, Shape& shape)
{
  shape.window = in.count_or({"sliding_window", "sliding_window_size", "attention_window_size"}, 0, k_max_positions);
  std::fill(shape.layers.begin(), shape.layers.end(), attention_layer(shape));
  if (!read_named_layers(in, shape,
                         shape.window > 0 ? shape.window : in.count_or({"attention_chunk_size"}, 0, k_max_positions))) {
    read_windows(in, shape, shape.window);
    read_hybrid(in, shape);
  }
  read_layer_shapes(in, shape);
  read_shared_caches(in, shape);
  read_indexers(in, shape);
}

} // namespace hwadvisor::model
