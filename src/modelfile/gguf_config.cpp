#include "modelfile/gguf_config.hpp"

#include "model/fields.hpp"
#include "modelfile/gguf_architectures.hpp"
#include "text/quote.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hwadvisor::modelfile {
namespace {

using json::Json;
using model::Fields;

// Reads the keys under "<architecture>." and writes those of a config.json. The first fault is kept in `in`.
class Translation {
public:
  Translation(const Fields& in, const GgufArchitecture& architecture, std::int64_t vocabulary)
      : m_in(in), m_row(architecture), m_vocabulary(vocabulary)
  {
  }

  Json run()
  {
    const std::int64_t blocks = m_in.needed({"block_count"}, model::k_max_layers);
    const std::int64_t draft = std::min(m_in.count_or({"nextn_predict_layers"}, 0, 64), blocks - 1);
    m_layers = static_cast<std::size_t>(std::max<std::int64_t>(blocks - draft, 1));
    m_kv_heads = m_in.counts({"attention.head_count_kv"});
    m_ffn = m_in.counts({"feed_forward_length"});
    m_out["model_type"] = m_row.model_type;
    m_out["hidden_size"] = m_in.needed({"embedding_length"});
    m_out["num_hidden_layers"] = m_layers;
    m_out["vocab_size"] = m_in.count_or({"vocab_size"}, m_vocabulary, model::k_max_vocabulary);
    copy("max_position_embeddings", {"context_length"}, model::k_max_positions);
    if (m_row.model_type == "t5") {
      encoder_decoder();
      return std::move(m_out);
    }
    if (draft > 0) {
      m_out["num_nextn_predict_layers"] = draft;
    }
    heads();
    latent_attention();
    feed_forward();
    recurrent();
    layer_types();
    return std::move(m_out);
  }

private:
  using Names = model::Names;

  void copy(const char* to, Names from, std::int64_t limit = model::k_max_width)
  {
    if (const auto value = m_in.count(from, limit)) {
      m_out[to] = *value;
    }
  }
  // One number, or one a layer.
  void copy_each(const char* to, Names from)
  {
    if (const Json* value = m_in.find(from)) {
      m_out[to] = *value;
    }
  }

  void encoder_decoder()
  {
    m_out["num_layers"] = m_layers;
    m_out["num_decoder_layers"] = m_in.count_or({"decoder_block_count"}, static_cast<std::int64_t>(m_layers));
    copy("num_heads", {"attention.head_count"}, model::k_max_heads);
    copy("d_kv", {"attention.key_length"}, model::k_max_heads);
    copy("d_ff", {"feed_forward_length"});
    m_out["feed_forward_proj"] = "gated-gelu";
  }

  void heads()
  {
    // Layers without attention have 0 heads in a list; elsewhere a number stands for all.
    const auto list = m_in.counts({"attention.head_count"});
    const auto most = list.empty() ? m_in.count_or({"attention.head_count"}, 0, model::k_max_heads)
                                   : *std::max_element(list.begin(), list.end());
    if (most == 0) {
      return;
    }
    m_out["num_attention_heads"] = most;
    if (!list.empty()) {
      m_out["num_attention_heads_per_layer"] = list;
    }
    if (m_row.model_type == "falcon") { // whose own keys say otherwise
      m_out["new_decoder_architecture"] = true;
    } else if (m_row.model_type == "gpt_bigcode") {
      m_out["multi_query"] = m_in.count_or({"attention.head_count_kv"}, most, model::k_max_heads) == 1;
    }
    copy_each("num_key_value_heads", {"attention.head_count_kv"});
    const auto windowed = m_in.count({"attention.key_length_swa"}, model::k_max_heads);
    const auto full = m_in.count({"attention.key_length"}, model::k_max_heads);
    if (windowed && full && *windowed != *full) { // Gemma 4
      m_out["head_dim"] = *windowed;
      m_out["global_head_dim"] = *full;
    } else {
      copy("head_dim", {"attention.key_length"}, model::k_max_heads);
      copy("v_head_dim", {"attention.value_length"}, model::k_max_heads);
    }
    copy("num_kv_shared_layers", {"attention.shared_kv_layers"}, model::k_max_layers);
  }

  // Files from before llama.cpp kept the latent vectors lack these two keys: it caches whole keys and values for them.
  void latent_attention()
  {
    copy("index_n_heads", {"attention.indexer.head_count"}, model::k_max_heads);
    copy("index_head_dim", {"attention.indexer.key_length"}, model::k_max_heads);
    copy_each("compress_ratios", {"attention.compress_ratios"});
    copy("o_lora_rank", {"attention.output_lora_rank"});
    copy("o_groups", {"attention.output_group_count"}, model::k_max_heads);
    copy("q_lora_rank", {"attention.q_lora_rank"});
    const auto key = m_in.count_or({"attention.key_length_mla"}, 0, model::k_max_heads);
    const auto value = m_in.count_or({"attention.value_length_mla"}, 0, model::k_max_heads);
    if (key == 0 || value == 0) {
      return;
    }
    const auto rope = std::min(m_in.count_or({"rope.dimension_count"}, 0, model::k_max_heads), key);
    copy("kv_lora_rank", {"attention.kv_lora_rank"});
    m_out["qk_rope_head_dim"] = rope;
    m_out["qk_nope_head_dim"] = key - rope;
    m_out["v_head_dim"] = value;
  }

  void feed_forward()
  {
    copy_each("intermediate_size", {"feed_forward_length"});
    copy("num_experts", {"expert_count"}, model::k_max_heads);
    copy("num_experts_per_tok", {"expert_used_count"}, model::k_max_heads);
    copy("moe_intermediate_size", {"expert_feed_forward_length"});
    copy("shared_expert_intermediate_size", {"expert_shared_feed_forward_length"});
    copy("n_shared_experts", {"expert_shared_count"}, model::k_max_heads);
    copy("first_k_dense_replace", {"leading_dense_block_count"}, model::k_max_layers);
    copy("decoder_sparse_step", {"interleave_moe_layer_step", "moe_every_n_layers"}, model::k_max_layers);
    copy("moe_latent_size", {"moe_latent_size", "expert_latent_length"});
  }

  void recurrent()
  {
    const auto inner = m_in.count_or({"ssm.inner_size"}, 0);
    const auto rank = m_in.count_or({"ssm.time_step_rank"}, 0);
    const auto kernel = m_in.count_or({"ssm.conv_kernel"}, 0, model::k_max_heads);
    const auto state = m_in.count_or({"ssm.state_size"}, 0);
    const auto groups = m_in.count_or({"ssm.group_count"}, 0, model::k_max_heads);
    const auto kda = m_in.count_or({"kda.head_dim"}, 0, model::k_max_heads);
    const auto& kind = m_row.recurrent_layer;
    if (kind == "conv") {
      copy("conv_L_cache", {"shortconv.l_cache"}, model::k_max_heads);
    } else if (kind == "rwkv") {
      m_out["head_size"] = m_in.needed({"wkv.head_size"}, model::k_max_heads);
      m_out["token_shift_count"] = m_in.count_or({"token_shift_count"}, 2, 64);
    } else if (kda > 0) {
      m_out["linear_attn_config"] = Json{{"num_heads", m_in.count_or({"attention.head_count"}, 0, model::k_max_heads)},
                                         {"head_dim", kda},
                                         {"short_conv_kernel_size", kernel > 0 ? kernel : 4}};
    } else if (kind == "linear_attention") {
      m_out["linear_num_value_heads"] = rank;
      m_out["linear_num_key_heads"] = groups;
      m_out["linear_key_head_dim"] = state;
      m_out["linear_value_head_dim"] = rank > 0 ? inner / rank : 0;
      m_out["linear_conv_kernel_dim"] = kernel;
    } else if (kind == "mamba" || kind == "hybrid") {
      m_out["mamba_d_conv"] = kernel;
      m_out["mamba_d_state"] = m_out["state_size"] = state;
      if (groups > 0 && rank > 0) { // Mamba-2: the rank counts heads
        m_out["mamba_n_groups"] = groups;
        m_out["mamba_n_heads"] = m_out["num_heads"] = rank;
        m_out["mamba_d_head"] = inner / rank;
      } else {
        m_out["mamba_dt_rank"] = rank;
        m_out["mamba_expand"] = inner / std::max<std::int64_t>(m_out["hidden_size"].get<std::int64_t>(), 1);
      }
      if (m_row.recurrent == Recurrent::all) {
        m_out["intermediate_size"] = inner;
      }
    }
  }

  bool is_recurrent(std::size_t layer) const
  {
    switch (m_row.recurrent) {
    case Recurrent::none:
    case Recurrent::beside_attention:
      return false;
    case Recurrent::all:
      return true;
    case Recurrent::where_no_kv_heads:
      return layer < m_kv_heads.size() && m_kv_heads[layer] == 0;
    case Recurrent::but_every_nth: {
      if (!m_recurrent_list.empty()) {
        return layer < m_recurrent_list.size() && m_recurrent_list[layer] != 0;
      }
      const auto interval = static_cast<std::size_t>(
          std::max<std::int64_t>(m_in.count_or({"full_attention_interval"}, m_row.interval, model::k_max_layers), 1));
      return (layer + 1) % interval != 0;
    }
    }
    return false;
  }

  bool is_windowed(std::size_t layer, std::int64_t full_every) const
  {
    if (!m_pattern.empty()) {
      return layer < m_pattern.size() && m_pattern[layer] != 0;
    }
    if (m_row.recurrent_layer == "conv") { // LFM2 with windows has them in every attention layer
      return true;
    }
    const auto every = static_cast<std::size_t>(full_every);
    return every > 0 && layer % every != (m_row.full_first ? 0 : every - 1);
  }

  void layer_types()
  {
    m_recurrent_list = m_in.counts({"attention.recurrent_layers"});
    m_pattern = m_in.counts({"attention.sliding_window_pattern"});
    auto window = m_in.count_or({"attention.sliding_window"}, m_row.window, model::k_max_positions);
    if (m_row.name == "exaone4" && m_layers != 64) { // llama.cpp gives windows to the 32B model alone
      window = 0;
    }
    auto full_every = std::int64_t{m_row.full_every};
    if (m_pattern.empty() && full_every > 0) {
      full_every = m_in.count_or({"attention.sliding_window_pattern"}, full_every, model::k_max_layers);
    }
    if (window > 0) {
      m_out["sliding_window"] = window;
    }
    const bool split = m_row.model_type == "nemotron_h"; // a layer is a mixer or a feed-forward
    Json types = Json::array();
    for (std::size_t i = 0; i < m_layers; ++i) {
      if (split && i < m_ffn.size() && m_ffn[i] > 0) {
        types.push_back(m_out.contains("num_experts") ? "moe" : "mlp");
      } else if (m_row.recurrent == Recurrent::beside_attention || is_recurrent(i)) {
        types.push_back(m_row.recurrent_layer);
      } else if (window > 0 && is_windowed(i, full_every)) {
        types.push_back(m_row.name == "llama4" ? "chunked_attention" : "sliding_attention");
      } else {
        types.push_back("full_attention");
      }
    }
    m_out[split ? "layers_block_type" : "layer_types"] = std::move(types);
  }

  const Fields& m_in;
  const GgufArchitecture& m_row;
  std::int64_t m_vocabulary;
  std::size_t m_layers = 0;
  std::vector<std::int64_t> m_kv_heads, m_ffn, m_recurrent_list, m_pattern;
  Json m_out = Json::object();
};

} // namespace

Result<Json> config_of_gguf(const GgufMetadata& metadata, std::int64_t vocabulary, const std::string& where)
{
  const std::string name = metadata.text("general.architecture");
  if (name.empty()) {
    return Error{ErrorKind::malformed, "general.architecture is missing: this file does not say what model it holds",
                 where};
  }
  constexpr std::string_view accepted = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
  if (name.size() > 64 || name.find_first_not_of(accepted) != std::string::npos) {
    return Error{ErrorKind::malformed, fmt::format("general.architecture is {}, which is no name", text::quoted(name)),
                 where};
  }
  const auto row = gguf_architecture(name);
  const std::string prefix = name + ".";
  Json keys = Json::object();
  for (auto at = metadata.values.lower_bound(prefix); at != metadata.values.end() && at->first.starts_with(prefix);
       ++at) {
    keys[at->first.substr(prefix.size())] = at->second;
  }
  std::optional<Error> error;
  const Fields in(keys, "", error);
  Json config = Translation(in, row, vocabulary).run();
  if (error) {
    // "/attention.head_count" of the fault is a key of the metadata.
    const std::string_view key = std::string_view(error->where).substr(error->where.empty() ? 0 : 1);
    return Error{ErrorKind::malformed,
                 key.empty() ? error->message : fmt::format("{}{}: {}", prefix, key, error->message), where};
  }
  return config;
}

} // namespace hwadvisor::modelfile
