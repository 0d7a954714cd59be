#include "modelfile/llamacpp_shape.hpp"

#include "model/fields.hpp"

namespace hwadvisor::modelfile {
namespace {

using json::Json;

// llama_hparams' names (src/llama-hparams.h) and the metadata keys they are read from.
struct Row {
  std::string_view key;
  std::string_view metadata; // under "<arch>."
  std::int64_t most = model::k_max_width;
  bool needed = false;
};
constexpr Row k_rows[] = {
    {"n_layer", "block_count", model::k_max_layers, true},
    {"n_embd", "embedding_length", model::k_max_width, true},
    {"n_head", "attention.head_count", model::k_max_heads, true},
    {"n_ff", "feed_forward_length"},
    {"n_ctx_train", "context_length", model::k_max_positions},
    {"n_embd_head_k", "attention.key_length", model::k_max_heads},
    {"n_embd_head_v", "attention.value_length", model::k_max_heads},
    {"n_rot", "rope.dimension_count", model::k_max_heads},
    {"n_embd_head_k_mla", "attention.key_length_mla", model::k_max_heads},
    {"n_embd_head_v_mla", "attention.value_length_mla", model::k_max_heads},
    {"n_lora_kv", "attention.kv_lora_rank"},
    {"n_lora_q", "attention.q_lora_rank"},
    {"n_swa", "attention.sliding_window", model::k_max_positions},
    {"n_expert", "expert_count", model::k_max_heads},
    {"n_expert_used", "expert_used_count", model::k_max_heads},
    {"n_ff_exp", "expert_feed_forward_length"},
    {"n_ff_shexp", "expert_shared_feed_forward_length"},
    {"n_layer_dense_lead", "leading_dense_block_count", model::k_max_layers},
    {"ssm_d_conv", "ssm.conv_kernel", model::k_max_heads},
    {"ssm_d_inner", "ssm.inner_size"},
    {"ssm_d_state", "ssm.state_size"},
    {"ssm_n_head_or_dt_rank", "ssm.time_step_rank"},
    {"ssm_n_group", "ssm.group_count", model::k_max_heads},
    {"shortconv_l_cache", "shortconv.l_cache", model::k_max_heads},
    {"wkv_head_size", "wkv.head_size", model::k_max_heads},
};

// KV heads a layer: `attention` of `layers` have them, spread evenly. Where they lie changes no size.
Json kv_heads_by_layer(std::int64_t layers, std::int64_t attention, std::int64_t heads)
{
  Json list = Json::array();
  for (std::int64_t i = 0; i < layers; ++i) {
    const bool has = (i + 1) * attention / layers > i * attention / layers;
    list.push_back(has ? heads : 0);
  }
  return list;
}

} // namespace

Result<LlamaCppShape> parse_llamacpp_shape(const Json& object, const json::Place& place)
{
  json::ObjectReader in(object, place, ErrorKind::usage);
  LlamaCppShape out;
  auto& values = out.metadata.values;
  const std::string arch = in.maybe_text("arch").value_or("llama");
  if (arch.empty() || arch.size() > 64) {
    in.fail("arch", "the name of an architecture is expected");
  }
  values["general.architecture"] = arch;
  for (const Row& row : k_rows) {
    const json::IntegerRange range{0, row.most};
    const auto value = row.needed ? std::optional(in.integer(row.key, range)) : in.maybe_integer(row.key, range);
    if (value && (*value > 0 || row.needed)) {
      values[arch + "." + std::string(row.metadata)] = *value;
    }
  }
  const auto kv_heads = in.maybe_integer("n_head_kv", {0, model::k_max_heads});
  const auto attention = in.maybe_integer("n_layer_attn", {0, model::k_max_layers});
  const auto recurrent = in.maybe_integer("n_layer_recurrent", {0, model::k_max_layers});
  out.vocabulary = in.integer("n_vocab", {1, model::k_max_vocabulary});
  out.tied_embeddings = in.maybe_boolean("tied_embeddings");
  out.parameters = in.maybe_integer("n_params", {1, 1'000'000'000'000'000});
  in.ignore("shape_source");
  if (auto fault = in.finish()) {
    return *fault;
  }
  const std::int64_t layers = values[arch + ".block_count"].get<std::int64_t>();
  if (kv_heads && recurrent.value_or(0) > 0 && attention && *attention < layers && layers > 0) {
    values[arch + ".attention.head_count_kv"] = kv_heads_by_layer(layers, *attention, *kv_heads);
  } else if (kv_heads && *kv_heads > 0) {
    values[arch + ".attention.head_count_kv"] = *kv_heads;
  }
  return out;
}

} // namespace hwadvisor::modelfile
