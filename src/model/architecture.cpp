#include "hwadvisor/model.hpp"

#include <algorithm>

namespace hwadvisor {

namespace {

// The share of a tensor's copies that one token meets.
std::int64_t active_copies(const Architecture& architecture, const Tensor& tensor)
{
  if (tensor.layer < 0 || tensor.copies <= 1 || tensor.encoder) {
    return tensor.copies;
  }
  const auto index = static_cast<std::size_t>(tensor.layer);
  const auto& layers = architecture.layers;
  if (index >= layers.size() || layers[index].experts != tensor.copies) {
    return tensor.copies;
  }
  return layers[index].experts_per_token;
}

} // namespace

CacheElements cache_elements(const Layer& layer, std::int64_t tokens)
{
  CacheElements cache;
  if (layer.shares_kv) {
    return cache;
  }
  if (layer.mixer == Mixer::latent_attention) {
    cache.keys = saturating_mul(tokens, std::int64_t{layer.latent_rank} + layer.rope_dim);
    cache.index = saturating_mul(tokens, layer.indexer_dim);
  } else if (layer.mixer == Mixer::attention) {
    const auto kept = layer.window > 0 ? std::min(tokens, layer.window) : tokens;
    const auto compressed = layer.compression > 0 ? tokens / layer.compression : 0;
    const auto entries = saturating_add(kept, compressed);
    cache.keys = saturating_mul(entries, std::int64_t{layer.kv_heads} * layer.k_head_dim);
    cache.values = layer.k_is_v ? 0 : saturating_mul(entries, std::int64_t{layer.kv_heads} * layer.v_head_dim);
    cache.index = saturating_mul(layer.compression > 0 ? compressed : kept, layer.indexer_dim);
  }
  return cache;
}

std::int64_t Architecture::parameters() const
{
  std::int64_t sum = 0;
  for (const auto& tensor : tensors) {
    sum = saturating_add(sum, tensor.elements());
  }
  return sum;
}

std::int64_t Architecture::active_parameters() const
{
  std::int64_t sum = 0;
  for (const auto& tensor : tensors) {
    // A generated token passes the decoder only: image towers ran before it, and a per-layer table is looked up.
    const bool tower = tensor.role == TensorRole::vision && !layers.empty();
    if (tower || tensor.role == TensorRole::layer_embedding) {
      continue;
    }
    auto used = tensor;
    used.copies = active_copies(*this, tensor);
    sum = saturating_add(sum, used.elements());
  }
  return sum;
}

} // namespace hwadvisor
