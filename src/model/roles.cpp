#include "hwadvisor/tensor.hpp"

namespace hwadvisor {

std::string_view role_name(TensorRole role)
{
  switch (role) {
  case TensorRole::token_embedding:
    return "token_embedding";
  case TensorRole::layer_embedding:
    return "layer_embedding";
  case TensorRole::position_embedding:
    return "position_embedding";
  case TensorRole::output_head:
    return "output_head";
  case TensorRole::attention_q:
    return "attention_q";
  case TensorRole::attention_k:
    return "attention_k";
  case TensorRole::attention_v:
    return "attention_v";
  case TensorRole::attention_qkv:
    return "attention_qkv";
  case TensorRole::attention_output:
    return "attention_output";
  case TensorRole::latent_q_a:
    return "latent_q_a";
  case TensorRole::latent_q_b:
    return "latent_q_b";
  case TensorRole::latent_kv_a:
    return "latent_kv_a";
  case TensorRole::latent_kv_b:
    return "latent_kv_b";
  case TensorRole::indexer:
    return "indexer";
  case TensorRole::ffn_gate:
    return "ffn_gate";
  case TensorRole::ffn_up:
    return "ffn_up";
  case TensorRole::ffn_down:
    return "ffn_down";
  case TensorRole::router:
    return "router";
  case TensorRole::expert_gate:
    return "expert_gate";
  case TensorRole::expert_up:
    return "expert_up";
  case TensorRole::expert_down:
    return "expert_down";
  case TensorRole::shared_expert_gate:
    return "shared_expert_gate";
  case TensorRole::shared_expert_up:
    return "shared_expert_up";
  case TensorRole::shared_expert_down:
    return "shared_expert_down";
  case TensorRole::recurrent_in:
    return "recurrent_in";
  case TensorRole::recurrent_out:
    return "recurrent_out";
  case TensorRole::recurrent_other:
    return "recurrent_other";
  case TensorRole::norm:
    return "norm";
  case TensorRole::bias:
    return "bias";
  case TensorRole::vision:
    return "vision";
  case TensorRole::audio:
    return "audio";
  case TensorRole::convolution:
    return "convolution";
  case TensorRole::other:
    return "other";
  }
  return "other";
}

} // namespace hwadvisor
