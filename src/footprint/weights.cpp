#include "footprint/weights.hpp"

#include <algorithm>
#include <utility>

namespace hwadvisor {

namespace {

enum class Cut { divided, kv, experts, replicated };

// What tensor-parallel engines cut (Megatron-LM, arXiv 1909.08053; vLLM's column- and row-parallel layers). The
// down-projections of latent attention and sparse-attention indexers are held whole by every device.
Cut cut_of(TensorRole role)
{
  switch (role) {
  case TensorRole::attention_k:
  case TensorRole::attention_v:
    return Cut::kv;
  case TensorRole::expert_gate:
  case TensorRole::expert_up:
  case TensorRole::expert_down:
    return Cut::experts;
  case TensorRole::latent_q_a:
  case TensorRole::latent_kv_a:
  case TensorRole::indexer:
  case TensorRole::router:
  case TensorRole::norm:
  case TensorRole::bias:
    return Cut::replicated;
  default:
    return Cut::divided;
  }
}

void add_to_layer(LayerWeights& layer, Cut cut, Bytes bytes)
{
  switch (cut) {
  case Cut::divided:
    layer.divided += bytes;
    return;
  case Cut::kv:
    layer.kv += bytes;
    return;
  case Cut::experts:
    layer.experts += bytes;
    return;
  case Cut::replicated:
    layer.replicated += bytes;
    return;
  }
}

LayerWeights* layer_of(std::vector<LayerWeights>& layers, std::int32_t index)
{
  if (index < 0) {
    return nullptr;
  }
  const auto at = static_cast<std::size_t>(index);
  return at < layers.size() ? &layers[at] : nullptr;
}

TensorContext context_of(const Architecture& architecture)
{
  TensorContext context;
  context.layer_count = static_cast<int>(architecture.layers.size());
  for (const Layer& layer : architecture.layers) {
    context.expert_count = std::max(context.expert_count, static_cast<int>(layer.experts));
    if (layer.kv_heads > 0 && context.gqa_groups == 1) {
      context.gqa_groups = std::max(1, layer.heads / layer.kv_heads);
    }
  }
  context.architecture = architecture.model_type;
  return complete_context(std::move(context), architecture.tensors);
}

void count_tensor(WeightSummary& summary, const Tensor& tensor, Bytes bytes)
{
  summary.total += bytes;
  switch (tensor.role) {
  case TensorRole::token_embedding:
    summary.token_embedding += bytes;
    return;
  case TensorRole::output_head:
    summary.output_head += bytes;
    return;
  case TensorRole::vision:
  case TensorRole::audio:
    summary.towers += bytes;
    return;
  default:
    break;
  }
  LayerWeights* layer = layer_of(tensor.encoder ? summary.encoder_layers : summary.layers, tensor.layer);
  if (layer == nullptr) {
    summary.rest += bytes;
    return;
  }
  add_to_layer(*layer, cut_of(tensor.role), bytes);
  summary.largest_in_layer = std::max(summary.largest_in_layer, bytes);
}

// `bytes` x `wanted` / `have`, rounded; extended precision keeps whole bytes exact up to 2^64.
Bytes scaled(Bytes bytes, std::int64_t wanted, std::int64_t have)
{
  const long double factor = static_cast<long double>(wanted) / static_cast<long double>(have);
  return Bytes(static_cast<std::int64_t>(static_cast<long double>(bytes.value()) * factor + 0.5L));
}

// An inferred architecture has about the parameters that were asked for; the answer should have exactly them.
void scale_to(WeightSummary& summary, std::int64_t wanted)
{
  const std::int64_t have = summary.parameters;
  const Bytes total = scaled(summary.total, wanted, have);
  Bytes left = total;
  const auto scale = [&](Bytes& bytes) {
    bytes = scaled(bytes, wanted, have);
    left -= bytes;
  };
  for (auto* stack : {&summary.layers, &summary.encoder_layers}) {
    for (LayerWeights& layer : *stack) {
      scale(layer.divided);
      scale(layer.kv);
      scale(layer.experts);
      scale(layer.replicated);
    }
  }
  scale(summary.token_embedding);
  scale(summary.output_head);
  scale(summary.towers);
  summary.rest = left; // with the rounding errors: the parts add up
  summary.total = total;
  summary.parameters = wanted;
  summary.exact = false;
}

// Quantised pipelines (diffusion) quantise their largest part, the denoiser; text encoders and decoders stay at 16 bit.
// What that adds to parameters x bits.
Bytes kept_components(const Model& model, const Precision& precision)
{
  if (precision.kind != PrecisionKind::quantised && precision.kind != PrecisionKind::gguf) {
    return {};
  }
  std::int64_t largest = 0;
  std::int64_t all = 0;
  for (const ModelComponent& component : model.components) {
    if (component.in_total) {
      largest = std::max(largest, component.parameters.value_or(0));
      all = saturating_add(all, component.parameters.value_or(0));
    }
  }
  const double more = 2.0 - precision.nominal_bits() / 8.0;
  return more > 0.0 ? Bytes(static_cast<double>(all - largest) * more) : Bytes(0);
}

// What the components' files hold, where all of them were read.
std::optional<Bytes> stored_components(const Model& model, const Precision& precision)
{
  if (!precision.as_stored || model.components.empty()) {
    return std::nullopt;
  }
  Bytes sum;
  for (const ModelComponent& component : model.components) {
    if (component.in_total && !component.size) {
      return std::nullopt;
    }
    sum += component.in_total ? *component.size : Bytes(0);
  }
  return sum;
}

// `bytes` divided over `parts`, the fullest part.
Bytes part_of(Bytes bytes, std::int64_t parts)
{
  return Bytes(ceil_div(bytes.value(), parts));
}

struct DeviceLayer {
  Bytes all;
  Bytes replicated;
};

DeviceLayer device_layer(const LayerWeights& layer, const Division& division)
{
  const std::int64_t kv_parts =
      layer.kv_heads > 0 ? std::min<std::int64_t>(division.tensor, layer.kv_heads) : division.tensor;
  return {part_of(layer.divided, division.tensor) + part_of(layer.kv, kv_parts) +
              part_of(layer.experts, std::max(division.experts, division.tensor)) + layer.replicated,
          layer.replicated};
}

} // namespace

std::shared_ptr<const WeightSummary> summarise_weights(const Model& model, const Precision& precision)
{
  auto summary = std::make_shared<WeightSummary>();
  if (!model.architecture || model.architecture->tensors.empty()) {
    summary->parameters = model.params_total.value_or(0);
    summary->bits_per_weight = precision.nominal_bits();
    const auto stored = stored_components(model, precision);
    summary->total =
        stored ? *stored
               : storage_bytes(*precision.weights, 1, summary->parameters) + kept_components(model, precision);
    summary->rest = summary->total;
    summary->exact = stored.has_value();
    return summary;
  }
  const Architecture& architecture = *model.architecture;
  summary->layers.resize(architecture.layers.size());
  summary->encoder_layers.resize(architecture.encoder_layers.size());
  for (std::size_t i = 0; i < architecture.layers.size(); ++i) {
    summary->layers[i].kv_heads = architecture.layers[i].kv_heads;
  }
  for (std::size_t i = 0; i < architecture.encoder_layers.size(); ++i) {
    summary->encoder_layers[i].kv_heads = architecture.encoder_layers[i].kv_heads;
  }
  const TensorContext context = context_of(architecture);
  for (const Tensor& tensor : architecture.tensors) {
    const NumberFormat& format = format_of(precision, tensor, context);
    if (tensor.role == TensorRole::token_embedding) { // formats that llama.cpp repacks on x86-64
      summary->repacked_head =
          format.id == "q4_0" || format.id == "q4_k" || format.id == "iq4_nl" || format.id == "q2_k";
    }
    const Bytes bytes = tensor_bytes(precision, tensor, context);
    count_tensor(*summary, tensor, bytes);
    if (tensor.role == TensorRole::attention_q || tensor.role == TensorRole::attention_k ||
        tensor.role == TensorRole::attention_v || tensor.role == TensorRole::attention_qkv) {
      summary->attention_inputs += bytes;
    }
    summary->parameters = saturating_add(summary->parameters, tensor.elements());
  }
  summary->tied = architecture.tied_embeddings;
  summary->fp8 = precision.weights->id.starts_with("fp8");
  summary->exact = precision.kind != PrecisionKind::quantised || precision.as_stored;
  if (model.params_total && model.params_basis == ParametersBasis::inferred && summary->parameters > 0) {
    scale_to(*summary, *model.params_total);
  }
  if (summary->parameters > 0) {
    summary->bits_per_weight =
        8.0 * static_cast<double>(summary->total.value()) / static_cast<double>(summary->parameters);
  }
  return summary;
}

Division division_of(const Placement& placement, const EngineRules& rules)
{
  Division division;
  division.replicas = std::max(1, placement.dp);
  if (rules.layer_split) {
    division.layers = std::max(1, placement.count / std::max(1, placement.dp));
    return division;
  }
  division.tensor = std::max(1, placement.tp);
  division.layers = std::max(1, placement.pp);
  division.experts = std::max(1, placement.ep);
  return division;
}

WeightShare share_of(const WeightSummary& weights, const Placement& placement, const EngineRules& rules,
                     std::optional<std::int64_t> gpu_layers, bool on_cpu)
{
  const Division division = division_of(placement, rules);
  WeightShare share;
  share.layers_total = static_cast<std::int64_t>(weights.layers.size());
  const std::int64_t all = share.layers_total;

  // llama.cpp counts the output layer first: N of -ngl are the output and the last N - 1 layers.
  std::int64_t offloaded = all;
  bool output_offloaded = true;
  if (rules.host_token_embedding && gpu_layers && *gpu_layers <= all && !on_cpu) {
    output_offloaded = *gpu_layers > 0;
    offloaded = std::max<std::int64_t>(0, *gpu_layers - 1);
  }
  const std::int64_t first = all - offloaded;
  share.layers = ceil_div(offloaded, division.layers);

  // The fullest stage: the layers are dealt in order; the last stage also holds the output.
  Bytes fullest;
  Bytes fullest_replicated;
  for (std::int64_t stage = 0; stage < division.layers; ++stage) {
    Bytes bytes;
    Bytes replicated;
    const std::int64_t from = first + offloaded * stage / division.layers;
    const std::int64_t to = first + offloaded * (stage + 1) / division.layers;
    for (std::int64_t i = from; i < to; ++i) {
      const DeviceLayer layer = device_layer(weights.layers[static_cast<std::size_t>(i)], division);
      bytes += layer.all;
      replicated += layer.replicated;
    }
    const bool last = stage + 1 == division.layers;
    const bool input_here = stage == 0 && !(rules.host_token_embedding && !on_cpu);
    if (stage == 0) {
      for (const LayerWeights& layer : weights.encoder_layers) {
        bytes += device_layer(layer, division).all;
      }
    }
    if (input_here) {
      bytes += part_of(weights.token_embedding, division.tensor);
    }
    if (last && output_offloaded) {
      // A tied head is the token embedding; a device that holds no embedding, or llama.cpp's repacked copy, has its
      // own.
      const bool stored_twice =
          (rules.host_token_embedding && on_cpu && weights.repacked_head) || (rules.untied_fp8_head && weights.fp8);
      const bool own_copy = weights.tied && (!input_here || stored_twice);
      bytes += part_of(own_copy ? weights.token_embedding : weights.output_head, division.tensor) + weights.rest;
      replicated += weights.rest;
    }
    if (bytes > fullest) {
      fullest = bytes;
      fullest_replicated = replicated;
    }
  }
  share.device = fullest;
  share.replicated = fullest_replicated;
  share.towers = rules.host_token_embedding ? Bytes(0) : part_of(weights.towers, division.tensor);
  share.holds_output = output_offloaded;
  share.fused_copy = rules.fuses_queries ? part_of(weights.attention_inputs, division.tensor) : Bytes(0);

  if (rules.host_token_embedding && !on_cpu) {
    share.host = weights.token_embedding;
    for (std::int64_t i = 0; i < first; ++i) {
      share.host += weights.layers[static_cast<std::size_t>(i)].total();
    }
    if (!output_offloaded) {
      share.host += weights.output_head + weights.rest;
      share.streamed_output = weights.tied ? weights.token_embedding : weights.output_head;
    }
    if (first > 0) {
      share.streamed_layer = weights.largest_in_layer;
    }
  }
  return share;
}

} // namespace hwadvisor
