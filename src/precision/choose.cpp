#include "precision/formats.hpp"
#include "precision/gguf.hpp"

#include <algorithm>

namespace hwadvisor {
namespace {

// Weights that a quantiser treats as linear layers.
bool is_linear(TensorRole role)
{
  switch (role) {
  case TensorRole::attention_q:
  case TensorRole::attention_k:
  case TensorRole::attention_v:
  case TensorRole::attention_qkv:
  case TensorRole::attention_output:
  case TensorRole::latent_q_a:
  case TensorRole::latent_q_b:
  case TensorRole::latent_kv_a:
  case TensorRole::latent_kv_b:
  case TensorRole::indexer:
  case TensorRole::ffn_gate:
  case TensorRole::ffn_up:
  case TensorRole::ffn_down:
  case TensorRole::expert_gate:
  case TensorRole::expert_up:
  case TensorRole::expert_down:
  case TensorRole::shared_expert_gate:
  case TensorRole::shared_expert_up:
  case TensorRole::shared_expert_down:
  case TensorRole::recurrent_in:
  case TensorRole::recurrent_out:
    return true;
  default:
    return false;
  }
}

bool is_routed_expert(TensorRole role)
{
  return role == TensorRole::expert_gate || role == TensorRole::expert_up || role == TensorRole::expert_down;
}

bool has_latent_attention(const TensorContext& context)
{
  return context.architecture.substr(0, 8) == "deepseek" || context.architecture.substr(0, 4) == "kimi";
}

bool nvfp4_leaves_alone(TensorRole role, const TensorContext& context)
{
  switch (role) {
  case TensorRole::latent_q_a:
  case TensorRole::latent_q_b:
  case TensorRole::latent_kv_a:
  case TensorRole::latent_kv_b:
  case TensorRole::indexer:
  case TensorRole::recurrent_in:
  case TensorRole::recurrent_out:
    return true;
  case TensorRole::attention_q:
  case TensorRole::attention_output:
    return has_latent_attention(context);
  default:
    return false;
  }
}

// DeepSeek's own fp8 files carry a scale for each tile of 128 x 128.
const NumberFormat& bulk_format(const Precision& precision, const TensorContext& context)
{
  if (precision.weights->id == "fp8" && has_latent_attention(context)) {
    return format("fp8-block");
  }
  return *precision.weights;
}

const NumberFormat& quantised_format(const Precision& precision, const Tensor& tensor, const TensorContext& context)
{
  const NumberFormat& bulk = bulk_format(precision, context);
  const auto where_it_fits = [&](const NumberFormat& wished) -> const NumberFormat& {
    return wished.packed || tensor.row_elements % wished.block_elements == 0 ? wished : *precision.kept;
  };
  const TensorRole role = tensor.role;
  switch (precision.rule) {
  case QuantRule::linears:
    break;
  case QuantRule::experts_of_gpt_oss:
    if (context.architecture == "gpt_oss") {
      return is_routed_expert(role) ? where_it_fits(bulk) : *precision.kept;
    }
    break;
  case QuantRule::nvfp4:
    if (nvfp4_leaves_alone(role, context)) {
      return *precision.kept;
    }
    break;
  case QuantRule::with_embeddings:
    if (role == TensorRole::token_embedding || role == TensorRole::output_head) {
      return where_it_fits(bulk);
    }
    if (role == TensorRole::router && bulk.id.substr(0, 3) == "mlx") {
      return where_it_fits(format("mlx-8bit"));
    }
    break;
  case QuantRule::head_in_6_bit:
    if (role == TensorRole::output_head) {
      return bits_per_weight_format(bulk.bits_per_weight() > 6.0 ? 800 : 600);
    }
    break;
  }
  return is_linear(role) ? where_it_fits(bulk) : *precision.kept;
}

} // namespace

TensorContext complete_context(TensorContext context, const std::vector<Tensor>& tensors)
{
  bool has_head = false;
  std::int32_t last_layer = -1;
  std::int64_t most_experts = 0;
  context.value_layers.clear();
  context.down_layers.clear();
  for (const Tensor& tensor : tensors) {
    last_layer = std::max(last_layer, tensor.layer);
    switch (tensor.role) {
    case TensorRole::output_head:
      has_head = true;
      break;
    case TensorRole::attention_v:
    case TensorRole::attention_qkv:
      context.value_layers.push_back(tensor.layer);
      break;
    case TensorRole::expert_down:
      most_experts = std::max(most_experts, tensor.copies);
      [[fallthrough]];
    case TensorRole::ffn_down:
    case TensorRole::shared_expert_down:
      context.down_layers.push_back(tensor.layer);
      break;
    default:
      break;
    }
  }
  std::sort(context.value_layers.begin(), context.value_layers.end());
  std::sort(context.down_layers.begin(), context.down_layers.end());
  context.tied_embeddings = !has_head;
  if (context.layer_count == 0) {
    context.layer_count = last_layer + 1;
  }
  if (context.expert_count == 0) {
    context.expert_count = static_cast<int>(std::min<std::int64_t>(most_experts, 1 << 20));
  }
  return context;
}

const NumberFormat& format_of(const Precision& precision, const Tensor& tensor, const TensorContext& context)
{
  if (precision.as_stored && tensor.stored != nullptr) {
    return *tensor.stored;
  }
  switch (precision.kind) {
  case PrecisionKind::quantised:
    return quantised_format(precision, tensor, context);
  case PrecisionKind::gguf:
    return gguf_format(precision, tensor, context);
  case PrecisionKind::plain:
  case PrecisionKind::mixed:
    break;
  }
  return *precision.weights;
}

Bytes tensor_bytes(const Precision& precision, const Tensor& tensor, const TensorContext& context)
{
  return precision.as_stored && tensor.stored_bytes >= 0 ? Bytes(tensor.stored_bytes)
                                                         : storage_bytes(format_of(precision, tensor, context), tensor);
}

Bytes tensor_table_bytes(const Precision& precision, const std::vector<Tensor>& tensors, const TensorContext& context)
{
  const TensorContext complete = complete_context(context, tensors);
  Bytes total;
  for (const Tensor& tensor : tensors) {
    total += tensor_bytes(precision, tensor, complete);
  }
  return total;
}

} // namespace hwadvisor
