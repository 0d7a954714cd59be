#include "model/shape.hpp"

#include <algorithm>

namespace hwadvisor::model {

namespace {

// What the class of a model type takes for an absent key, where released files rely on it.
struct ClassDefaults {
  std::string_view model_type;
  std::int64_t hidden = 0, layers = 0, heads = 0, kv_heads = 0, head_dim = 0, ffn = 0, vocabulary = 0;
};
constexpr ClassDefaults k_defaults[] = {
    // LLaVA 1.5 leaves out all but the vocabulary (transformers configuration_llama.py)
    {"llama", 4096, 32, 32, 0, 0, 11008, 32000},
    {"mistral", 4096, 32, 32, 8, 0, 14336, 32000},
    // Gemma 3 4B leaves out heads and vocabulary (transformers configuration_gemma3.py)
    {"gemma3_text", 2304, 26, 8, 4, 256, 9216, 262208},
    {"gemma2", 2304, 26, 8, 4, 256, 9216, 256000},
    {"gemma", 3072, 28, 16, 16, 256, 24576, 256000},
    {"gpt2", 768, 12, 12, 0, 0, 0, 50257},
    {"apertus", 4096, 32, 32, 0, 0, 14336, 131072},
};

ClassDefaults defaults_of(std::string_view model_type)
{
  for (const auto& row : k_defaults) {
    if (row.model_type == model_type) {
      return row;
    }
  }
  return {};
}

std::int64_t size_of(const Fields& in, Names names, std::int64_t fallback, std::int64_t limit)
{
  const auto given = in.count(names, limit);
  if (given && *given == 0) {
    in.fail("0 is not a size", *names.begin());
  }
  return given && *given > 0 ? *given : fallback > 0 ? fallback : in.needed(names, limit);
}

// KV heads; the old names differ in what they mean, not only in spelling.
std::int64_t read_kv_heads(const Fields& in, const Shape& shape, std::int64_t fallback)
{
  if (shape.model_type == "falcon" || shape.model_type == "RefinedWeb" || shape.model_type == "RefinedWebModel") {
    // With multi_query and the old decoder there is one KV head, whatever num_kv_heads says in some copies.
    if (!in.flag({"new_decoder_architecture"}, false)) {
      return in.flag({"multi_query"}, true) ? 1 : shape.heads;
    }
    return in.count_or({"num_kv_heads", "num_key_value_heads", "n_head_kv"}, shape.heads, k_max_heads);
  }
  if (shape.model_type == "gpt_bigcode") {
    return in.flag({"multi_query"}, true) ? 1 : shape.heads;
  }
  if (in.has({"multi_query_group_num"})) {
    return in.flag({"multi_query_attention"}, true) ? in.count_or({"multi_query_group_num"}, shape.heads, k_max_heads)
                                                    : shape.heads;
  }
  const auto nested = in.object({"attn_config"}).count({"kv_n_heads"}, k_max_heads);
  return in.count({"num_key_value_heads", "num_kv_heads", "n_head_kv", "n_kv_heads", "num_query_groups"}, k_max_heads)
      .value_or(nested.value_or(fallback > 0 ? fallback : shape.heads));
}

void read_style(const Fields& in, Shape& shape)
{
  bool known = false;
  auto& style = shape.style;
  style = style_of(shape.model_type, known);
  if (!known) {
    shape.assumptions.push_back("model type '" + shape.model_type +
                                "' is not known: counted as a Llama-like decoder (RMS norms, gated feed-forward)");
  }
  if (shape.model_type == "falcon") {
    const bool biases = in.flag({"bias"}, false);
    style.qkv_bias = style.output_bias = style.ffn_bias = biases;
    // Two norms: the new decoder's pair, or the sequential block of Falcon-RW.
    if (in.flag({"new_decoder_architecture"}, false) || !in.flag({"parallel_attn"}, true)) {
      style.norms_per_layer = in.count_or({"num_ln_in_parallel_attn"}, 2, 2) == 1 ? 1 : 2;
    }
  } else if (shape.model_type == "mpt" && !in.flag({"no_bias"}, true)) {
    style.norm = Norm::layer;
    style.qkv_bias = style.output_bias = style.ffn_bias = true;
  } else if (shape.model_type == "stablelm") {
    style.qkv_bias = in.flag({"use_qkv_bias"}, false);
    if (in.flag({"use_parallel_residual"}, false)) {
      style.norms_per_layer = 1;
    }
  } else if (shape.model_type == "starcoder2") {
    style.qkv_bias = style.output_bias = style.ffn_bias = in.flag({"use_bias"}, true);
  } else if (shape.model_type == "chatglm") {
    style.qkv_bias = in.flag({"add_qkv_bias", "add_bias_linear", "attention_bias"}, true);
  } else if (shape.model_type == "grok-1" || shape.model_type == "nemotron_h" || shape.model_type == "phi") {
    // their configs' bias keys speak of other layers
  } else {
    const bool biased = in.flag({"attention_bias", "qkv_bias"}, style.qkv_bias);
    // Llama and its near kin bias all four projections; the others only q, k and v.
    if (shape.model_type == "llama" || shape.model_type == "granite") {
      style.output_bias = biased;
    }
    style.qkv_bias = biased;
    style.ffn_bias = in.flag({"mlp_bias"}, style.ffn_bias);
  }
  const bool qk_norm = in.flag({"use_qk_norm", "qk_layernorm"}, style.qk_norm != QkNorm::none);
  if (shape.model_type == "llama4_text" || shape.model_type == "llama4") {
    style.qk_norm = QkNorm::none; // an L2 norm without weights
  } else if (!qk_norm) {
    style.qk_norm = QkNorm::none;
  } else if (style.qk_norm == QkNorm::none) {
    style.qk_norm = shape.model_type == "cohere" ? QkNorm::full_width : QkNorm::per_head;
  }
}

void read_latent_attention(const Fields& in, Shape& shape)
{
  shape.latent_rank = in.count_or({"kv_lora_rank"}, 0);
  shape.q_rank = in.count_or({"q_lora_rank"}, 0);
  shape.rope_dim = in.count_or({"qk_rope_head_dim"}, 0, k_max_heads);
  shape.nope_dim = in.count_or({"qk_nope_head_dim"}, 0, k_max_heads);
  shape.index_heads = in.count_or({"index_n_heads"}, 0, k_max_heads);
  shape.index_dim = in.count_or({"index_head_dim"}, 0, k_max_heads);
  const auto sparse = in.object({"sparse_attention_config"});
  if (sparse.flag({"use_sparse_attention"}, false)) {
    shape.index_heads = sparse.count_or({"sparse_num_index_heads"}, 0, k_max_heads);
    shape.index_dim = sparse.count_or({"sparse_index_dim"}, 0, k_max_heads);
  }
  shape.output_rank = in.count_or({"o_lora_rank"}, 0);
  shape.output_groups = in.count_or({"o_groups"}, 0, k_max_heads);
  shape.residual_streams = in.count_or({"hc_mult"}, 0, k_max_heads);
}

void read_recurrent_sizes(const Fields& in, Shape& shape)
{
  const auto kda = in.object({"linear_attn_config"});
  shape.linear_v_heads =
      in.count({"linear_num_value_heads"}, k_max_heads).value_or(kda.count_or({"num_heads"}, 0, k_max_heads));
  shape.linear_k_heads = in.count_or({"linear_num_key_heads"}, shape.linear_v_heads, k_max_heads);
  shape.linear_k_dim =
      in.count({"linear_key_head_dim"}, k_max_heads).value_or(kda.count_or({"head_dim"}, 0, k_max_heads));
  shape.linear_v_dim = in.count_or({"linear_value_head_dim"}, shape.linear_k_dim, k_max_heads);
  shape.conv_kernel = in.count({"linear_conv_kernel_dim", "mamba_d_conv", "conv_kernel", "conv_L_cache"}, k_max_heads)
                          .value_or(kda.count_or({"short_conv_kernel_size"}, 4, k_max_heads));

  shape.ssm_state = in.count_or({"mamba_d_state", "ssm_state_size", "state_size"}, 16);
  shape.ssm_heads = in.count_or({"mamba_n_heads", "mamba_num_heads"}, 0, k_max_heads);
  shape.ssm_groups = in.count_or({"mamba_n_groups", "n_groups"}, 1, k_max_heads);
  const auto expand = in.count_or({"mamba_expand", "expand"}, 2, 64);
  const auto ssm_head_dim = in.count_or({"mamba_d_head", "mamba_head_dim", "head_dim"}, 64, k_max_heads);
  // nemotron_h states heads and their width, and an `expand` that need not agree with them
  shape.ssm_inner = shape.ssm_heads > 0 ? shape.ssm_heads * ssm_head_dim : expand * shape.hidden;
  if (shape.model_type == "mamba" || shape.model_type == "falcon_mamba") {
    shape.ssm_inner = in.count_or({"intermediate_size", "d_inner"}, expand * shape.hidden);
  } else if (shape.model_type == "mamba2") {
    shape.ssm_state = in.count_or({"state_size"}, 128);
    shape.ssm_heads =
        in.count_or({"num_heads"}, shape.ssm_inner / std::max<std::int64_t>(ssm_head_dim, 1), k_max_heads);
    shape.ssm_inner = shape.ssm_heads * ssm_head_dim;
  }
  shape.ssm_rank = in.count_or({"mamba_dt_rank", "time_step_rank"}, ceil_div(shape.hidden, 16));
  shape.recurrent_width = in.count_or({"attention_hidden_size"}, shape.hidden);
  shape.wkv_head_size = in.count_or({"head_size"}, 0, k_max_heads);
  shape.token_shifts = in.count_or({"token_shift_count"}, 2, 64);
}

} // namespace

Shape read_shape(const Fields& in, const std::string& model_type)
{
  Shape shape;
  shape.model_type = model_type;
  const auto defaults = defaults_of(shape.model_type);
  read_style(in, shape);

  shape.hidden = size_of(in, {"hidden_size", "n_embd", "n_embed", "d_model", "dim"}, defaults.hidden, k_max_width);
  const auto letters = in.text({"hybrid_override_pattern"});
  const auto blocks = in.texts({"layers_block_type"});
  const auto named =
      !letters.empty() ? static_cast<std::int64_t>(letters.size()) : static_cast<std::int64_t>(blocks.size());
  auto layers = in.count({"num_hidden_layers", "n_layer", "n_layers", "num_layers", "depth"}, k_max_layers);
  if (!layers || *layers == 0) {
    layers = named > 0             ? named
             : defaults.layers > 0 ? defaults.layers
                                   : in.needed({"num_hidden_layers", "n_layer", "num_layers"}, k_max_layers);
  }
  if (named > k_max_layers || (named > 0 && named != *layers)) {
    in.fail("the layer pattern has " + std::to_string(named) + " layers, the configuration " + std::to_string(*layers));
    return shape;
  }
  shape.layers.resize(static_cast<std::size_t>(std::clamp<std::int64_t>(*layers, 0, k_max_layers)));
  shape.vocabulary = size_of(in, {"vocab_size", "padded_vocab_size", "n_vocab"}, defaults.vocabulary, k_max_vocabulary);
  shape.embedding_width = in.count_or({"word_embed_proj_dim"}, shape.hidden);
  shape.tied = in.flag({"tie_word_embeddings", "tie_embeddings"}, shape.style.tied);
  shape.max_positions = in.count_or({"max_position_embeddings", "n_positions", "max_seq_len", "seq_length", "n_ctx",
                                     "model_max_length", "context_length"},
                                    0, k_max_positions);

  const bool attention_free = shape.model_type == "mamba" || shape.model_type == "mamba2" ||
                              shape.model_type == "falcon_mamba" || shape.model_type.starts_with("rwkv");
  if (!attention_free) {
    shape.heads = size_of(in, {"num_attention_heads", "n_head", "n_heads", "num_heads"}, defaults.heads, k_max_heads);
    shape.kv_heads = read_kv_heads(in, shape, defaults.kv_heads);
    shape.head_dim = in.count_or({"head_dim", "attention_head_dim", "kv_channels", "d_kv"}, 0, k_max_heads);
    if (shape.head_dim == 0) {
      shape.head_dim =
          defaults.head_dim > 0 ? defaults.head_dim : std::max<std::int64_t>(shape.hidden / shape.heads, 1);
    }
  }
  read_latent_attention(in, shape);
  if (shape.latent_rank > 0) {
    if (shape.rope_dim + shape.nope_dim == 0) {
      in.fail("latent attention without qk_rope_head_dim and qk_nope_head_dim");
    }
    shape.head_dim = shape.nope_dim + shape.rope_dim; // head_dim in such files means several things
  }
  shape.v_head_dim = in.count_or({"v_head_dim"}, shape.head_dim, k_max_heads);
  read_recurrent_sizes(in, shape);
  shape.value_from_key = in.flag({"attention_k_eq_v"}, false);
  shape.layer_embedding_width = in.count_or({"hidden_size_per_layer_input"}, 0);
  shape.layer_embedding_vocabulary = in.count_or({"vocab_size_per_layer_input"}, shape.vocabulary, k_max_vocabulary);
  shape.altup_streams = in.count_or({"altup_num_inputs"}, 0, 64);
  shape.laurel_rank = in.count_or({"laurel_rank"}, 0);
  shape.draft_layers = in.count_or({"num_nextn_predict_layers", "mtp_num_hidden_layers"}, 0, 64);

  shape.ffn = in.count_or({"intermediate_size", "n_inner", "ffn_hidden_size", "ffn_dim", "d_ff", "ffn_hidden_dim"},
                          defaults.ffn);
  read_mixers(in, shape);
  read_feed_forward(in, shape);
  return shape;
}

} // namespace hwadvisor::model
