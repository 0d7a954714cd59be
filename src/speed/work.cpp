#include "speed/work.hpp"

#include <algorithm>
#include <cmath>

namespace hwadvisor::speed {
namespace {

bool is_expert(TensorRole role)
{
  return role == TensorRole::expert_gate || role == TensorRole::expert_up || role == TensorRole::expert_down;
}

bool is_embedding(TensorRole role)
{
  return role == TensorRole::token_embedding || role == TensorRole::position_embedding;
}

// Towers run once a request, not once a token.
bool is_tower(TensorRole role)
{
  return role == TensorRole::vision || role == TensorRole::audio;
}

bool is_vector(TensorRole role)
{
  return role == TensorRole::norm || role == TensorRole::bias;
}

double bytes_per_element(const NumberFormat* format)
{
  return format != nullptr ? format->bits_per_weight() / 8.0 : 2.0;
}

void add_cache(Work& work, std::int64_t window, double bytes_per_token)
{
  for (Work::Cache& cache : work.caches) {
    if (cache.window == window) {
      cache.bytes_per_token += bytes_per_token;
      return;
    }
  }
  work.caches.push_back({window, bytes_per_token});
}

void add_layer(Work& work, const Layer& layer, double k_bytes, double v_bytes)
{
  if (layer.mixer == Mixer::attention) {
    const double v_stored = layer.k_is_v ? 0.0 : layer.v_head_dim * v_bytes;
    add_cache(work, layer.window, layer.kv_heads * (layer.k_head_dim * k_bytes + v_stored));
    // Scores and weighted sum: 2 FLOPs for each element of a query and of a value head.
    work.attention_flops += 2.0 * layer.heads * (layer.k_head_dim + layer.v_head_dim);
  } else if (layer.mixer == Mixer::latent_attention) {
    // Absorbed form: every head works on the latent vector itself (DeepSeek-V2, arXiv:2405.04434, section 2.1).
    add_cache(work, layer.window, (layer.latent_rank + layer.rope_dim) * k_bytes);
    work.attention_flops += 2.0 * layer.heads * (2.0 * layer.latent_rank + layer.rope_dim);
  }
  // Recurrent state is fp32; it is read and written back.
  work.state_bytes += 2.0 * 4.0 * static_cast<double>(layer.state_elements);
}

} // namespace

double Work::cache_bytes(std::int64_t context) const
{
  double bytes = state_bytes;
  for (const Cache& cache : caches) {
    const std::int64_t held = cache.window > 0 ? std::min(cache.window, context) : context;
    bytes += cache.bytes_per_token * static_cast<double>(held);
  }
  return bytes;
}

double Work::weight_bytes(double tokens) const
{
  if (experts <= 0) {
    return dense_bytes;
  }
  const double share = static_cast<double>(experts_per_token) / experts;
  return dense_bytes + expert_bytes * (1.0 - std::pow(1.0 - share, tokens));
}

std::optional<Work> measure_work(const Workload& workload)
{
  if (workload.model == nullptr || !workload.model->architecture) {
    return std::nullopt;
  }
  const Architecture& architecture = *workload.model->architecture;
  Work work;
  TensorContext context;
  context.layer_count = static_cast<int>(architecture.layers.size());
  context.tied_embeddings = architecture.tied_embeddings;
  context.architecture = architecture.model_type;
  for (const Layer& layer : architecture.layers) {
    add_layer(work, layer, bytes_per_element(workload.inference.k_format),
              bytes_per_element(workload.inference.v_format));
    if (layer.experts > 0) {
      work.experts = layer.experts;
      work.experts_per_token = layer.experts_per_token;
      context.expert_count = layer.experts;
    }
    if (layer.kv_heads > 0) {
      context.gqa_groups = std::max(1, layer.heads / layer.kv_heads);
    }
  }
  work.layers = static_cast<std::int32_t>(architecture.layers.size());
  work.hidden = architecture.hidden;
  for (const Tensor& tensor : architecture.tensors) {
    const auto elements = static_cast<double>(tensor.elements());
    work.parameters += elements;
    const bool head_of_tied = tensor.role == TensorRole::token_embedding && architecture.tied_embeddings;
    if (is_tower(tensor.role) || (is_embedding(tensor.role) && !head_of_tied)) {
      continue;
    }
    const auto bytes = static_cast<double>(tensor_bytes(workload.precision, tensor, context).value());
    (is_expert(tensor.role) ? work.expert_bytes : work.dense_bytes) += bytes;
    if (!is_vector(tensor.role)) {
      const double share =
          is_expert(tensor.role) && work.experts > 0 ? static_cast<double>(work.experts_per_token) / work.experts : 1.0;
      work.linear_flops += 2.0 * elements * share;
    }
  }
  return work;
}

} // namespace hwadvisor::speed
