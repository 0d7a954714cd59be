#include "modelfile/name_parts.hpp"
#include "modelfile/roles.hpp"

#include <algorithm>
#include <iterator>

namespace hwadvisor::modelfile {
namespace {

using enum TensorRole;

struct Row {
  std::string_view module; // the name before ".weight"
  TensorRole role;
};
// Modules whose names mean one thing wherever they stand. Names: transformers modeling_*.py.
constexpr Row k_modules[] = {
    {"embed_tokens", token_embedding},
    {"wte", token_embedding},
    {"word_embeddings", token_embedding},
    {"tok_embeddings", token_embedding},
    {"token_type_embeddings", token_embedding},
    {"shared", token_embedding}, // T5
    {"embed_tokens_per_layer", layer_embedding},
    {"wpe", position_embedding},
    {"position_embeddings", position_embedding},
    {"embed_positions", position_embedding},
    {"lm_head", output_head},
    {"embed_out", output_head},
    {"q_proj", attention_q},
    {"k_proj", attention_k},
    {"v_proj", attention_v},
    {"query", attention_q},
    {"key", attention_k},
    {"value", attention_v},
    {"qkv_proj", attention_qkv},
    {"query_key_value", attention_qkv},
    {"c_attn", attention_qkv},
    {"Wqkv", attention_qkv},
    {"W_pack", attention_qkv},
    {"qkv", attention_qkv},
    {"o_proj", attention_output},
    {"q_a_proj", latent_q_a},
    {"q_b_proj", latent_q_b},
    {"kv_a_proj_with_mqa", latent_kv_a},
    {"kv_b_proj", latent_kv_b},
    {"gate_proj", ffn_gate},
    {"up_proj", ffn_up},
    {"down_proj", ffn_down},
    {"gate_up_proj", ffn_up},
    {"w1", ffn_gate},
    {"w3", ffn_up},
    {"w2", ffn_down},
    {"wi_0", ffn_gate},
    {"wi_1", ffn_up},
    {"wi", ffn_up},
    {"wo", ffn_down},
    {"fc1", ffn_up},
    {"fc2", ffn_down},
    {"c_fc", ffn_up},
    {"dense_h_to_4h", ffn_up},
    {"dense_4h_to_h", ffn_down},
    {"gate", router},
    {"router", router},
    {"shared_expert_gate", router},
};

bool contains(std::string_view text, std::string_view part)
{
  return text.find(part) != std::string_view::npos;
}

// The layer's number: what follows the first of these words.
std::int32_t layer_of(std::string_view name)
{
  for (const std::string_view word : {"layers.", "layer.", "blocks.", "block.", "h."}) {
    for (auto at = name.find(word); at != std::string_view::npos; at = name.find(word, at + 1)) {
      if (at > 0 && name[at - 1] != '.') {
        continue;
      }
      auto rest = name.substr(at + word.size());
      if (const auto index = take_index(rest); index >= 0) {
        return index;
      }
    }
  }
  return -1;
}

TensorRole as_expert(TensorRole role, bool shared)
{
  switch (role) {
  case ffn_gate:
    return shared ? shared_expert_gate : expert_gate;
  case ffn_up:
    return shared ? shared_expert_up : expert_up;
  case ffn_down:
    return shared ? shared_expert_down : expert_down;
  default:
    return role;
  }
}

bool is_recurrent(std::string_view name)
{
  return contains(name, "linear_attn.") || contains(name, "mamba.") || contains(name, "mixer.") ||
         contains(name, ".conv.") || contains(name, "ssm");
}

// Modules that mean one thing in an attention block and another in a feed-forward.
TensorRole by_block(std::string_view module, std::string_view name)
{
  if (is_recurrent(name)) {
    return module.starts_with("in_proj") ? recurrent_in : module == "out_proj" ? recurrent_out : recurrent_other;
  }
  const bool attention = contains(name, "attn") || contains(name, "attention");
  if (module == "out_proj" || module == "c_proj" || module == "dense" || module == "proj") {
    const bool feed_forward =
        contains(name, "mlp.") || contains(name, "intermediate.") || contains(name, "output.dense");
    return attention                              ? attention_output
           : module == "c_proj" && feed_forward   ? ffn_down
           : contains(name, "intermediate.dense") ? ffn_up
           : contains(name, "output.dense")       ? ffn_down
                                                  : other;
  }
  return contains(name, "indexer.") ? indexer : other;
}

} // namespace

NamedRole role_in_checkpoint(std::string_view name)
{
  NamedRole out;
  for (const std::string_view part : {"visual.", "vision_tower.", "vision_model.", "vision_encoder.",
                                      "multi_modal_projector.", "mm_projector.", "image_newline", "patch_merger."}) {
    if (contains(name, part)) {
      out.role = vision;
      return out;
    }
  }
  if (contains(name, "audio_tower.") || contains(name, "audio_encoder.")) {
    out.role = audio;
    return out;
  }
  out.draft = name.starts_with("mtp.") || contains(name, ".mtp.");
  out.encoder = name.starts_with("encoder.") || name.starts_with("model.encoder.");
  out.layer = layer_of(name);
  const auto dot = name.rfind('.');
  const std::string_view last = name.substr(dot == std::string_view::npos ? 0 : dot + 1);
  std::string_view module = name.substr(0, dot == std::string_view::npos ? name.size() : dot);
  // Fused experts carry the module's name themselves: "mlp.experts.gate_up_proj".
  if (const auto before = module.rfind('.'); last != "weight" && last != "bias" && contains(name, "experts.")) {
    module = last;
  } else if (before != std::string_view::npos) {
    module.remove_prefix(before + 1);
  }
  for (const std::string_view ending : {"_blocks", "_bias"}) {
    if (module.ends_with(ending)) {
      module.remove_suffix(ending.size());
    }
  }
  if (last == "bias" || last.ends_with("_bias")) {
    out.role = bias;
  } else if (contains(module, "norm") || module.starts_with("ln_") || module == "LayerNorm") {
    out.role = norm;
  } else if (contains(name, "indexer.")) {
    out.role = indexer;
  } else {
    const auto* row =
        std::find_if(std::begin(k_modules), std::end(k_modules), [&](const Row& r) { return r.module == module; });
    out.role = row != std::end(k_modules) && !is_recurrent(name) ? row->role : by_block(module, name);
    if (row == std::end(k_modules) && out.role == other && module == "output" && out.layer < 0) {
      out.role = output_head;
    }
    if (contains(name, "shared_expert") && out.role != router) {
      out.role = as_expert(out.role, true);
    } else if (contains(name, "experts.")) {
      out.role = as_expert(out.role, false);
    }
  }
  return out;
}

} // namespace hwadvisor::modelfile
