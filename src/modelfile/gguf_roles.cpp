#include "modelfile/roles.hpp"

#include "modelfile/name_parts.hpp"

#include <algorithm>
#include <iterator>

namespace hwadvisor::modelfile {
namespace {

using enum TensorRole;

struct Row {
  std::string_view name; // the part after "blk.N.", without ".weight"
  TensorRole role;
};
constexpr Row k_exact[] = {
    {"token_embd", token_embedding},
    {"token_types", token_embedding},
    {"position_embd", position_embedding},
    {"per_layer_token_embd", layer_embedding},
    {"output", output_head},
    {"attn_q", attention_q},
    {"attn_k", attention_k},
    {"attn_v", attention_v},
    {"attn_qkv", attention_qkv},
    {"attn_output", attention_output},
    {"attn_out", attention_output},
    {"attn_o", attention_output}, // T5
    {"cross_attn_q", attention_q},
    {"cross_attn_k", attention_k},
    {"cross_attn_v", attention_v},
    {"cross_attn_o", attention_output},
    {"attn_gate", attention_q},
    {"attn_q_a", latent_q_a},
    {"attn_q_b", latent_q_b},
    {"attn_kv_a_mqa", latent_kv_a},
    {"attn_kv_b", latent_kv_b},
    {"attn_k_b", latent_kv_b},
    {"attn_v_b", latent_kv_b},
    {"ffn_gate", ffn_gate},
    {"ffn_up", ffn_up},
    {"ffn_down", ffn_down},
    {"ffn_gate_inp", router},
    {"ffn_gate_inp_shexp", router},
    {"exp_probs_b", bias},
    {"ffn_gate_exps", expert_gate},
    {"ffn_up_exps", expert_up},
    {"ffn_gate_up_exps", expert_up},
    {"ffn_down_exps", expert_down},
    {"ffn_gate_shexp", shared_expert_gate},
    {"ffn_up_shexp", shared_expert_up},
    {"ffn_down_shexp", shared_expert_down},
    {"ssm_in", recurrent_in},
    {"ssm_ba", recurrent_in},
    {"ssm_out", recurrent_out},
    {"shortconv.in_proj", recurrent_in},
    {"shortconv.out_proj", recurrent_out},
    {"time_mix_receptance", recurrent_in},
    {"time_mix_key", recurrent_in},
    {"time_mix_value", recurrent_in},
    {"time_mix_gate", recurrent_in},
    {"time_mix_output", recurrent_out},
    {"channel_mix_key", ffn_up},
    {"channel_mix_value", ffn_down},
    {"channel_mix_receptance", recurrent_in},
};
constexpr Row k_starts[] = {
    {"indexer", indexer},           {"ssm_", recurrent_other},         {"shortconv.", recurrent_other},
    {"time_mix_", recurrent_other}, {"channel_mix_", recurrent_other},
};

} // namespace

NamedRole role_in_gguf(std::string_view name)
{
  NamedRole out;
  if ((name.starts_with("v.") || name.starts_with("mm.") || name.starts_with("resampler.")) &&
      !name.starts_with("mm.a.")) {
    out.role = vision;
    return out;
  }
  if (name.starts_with("a.") || name.starts_with("mm.a.")) {
    out.role = audio;
    return out;
  }
  if (name.starts_with("enc.") || name.starts_with("dec.")) { // T5
    out.encoder = name.starts_with("enc.");
    name.remove_prefix(4);
  }
  if (name.starts_with("blk.")) {
    name.remove_prefix(4);
    out.layer = take_index(name);
  }
  if (name.starts_with("nextn.")) {
    out.draft = true;
    name.remove_prefix(6);
  }
  if (name.ends_with(".bias")) {
    out.role = bias;
    return out;
  }
  if (name.find("norm") != std::string_view::npos) {
    out.role = norm;
    return out;
  }
  if (name.ends_with(".weight")) {
    name.remove_suffix(7);
  }
  const auto* exact =
      std::find_if(std::begin(k_exact), std::end(k_exact), [&](const Row& r) { return r.name == name; });
  if (exact != std::end(k_exact)) {
    out.role = exact->role;
    return out;
  }
  const auto* start =
      std::find_if(std::begin(k_starts), std::end(k_starts), [&](const Row& r) { return name.starts_with(r.name); });
  out.role = start != std::end(k_starts) ? start->role : other;
  return out;
}

} // namespace hwadvisor::modelfile
