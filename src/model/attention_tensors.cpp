#include "model/decoder_tensors.hpp"

#include <algorithm>

namespace hwadvisor::model {

namespace {

void add_sinks_and_gate(const Shape& shape, const Layer& layer, std::int64_t value_width, TensorTable& table)
{
  if (shape.style.gate == AttentionGate::per_channel) {
    table.matrix(TensorRole::attention_q, value_width, shape.hidden);
  } else if (shape.style.gate == AttentionGate::per_head) {
    table.matrix(TensorRole::attention_q, layer.heads, shape.hidden);
  }
  const bool windowed_sinks = shape.model_type == "mimo_v2_flash" && layer.window > 0;
  if (shape.style.sinks || windowed_sinks) {
    table.vector(TensorRole::other, layer.heads);
  }
}

// Sparse attention's index: queries from the low-rank query (or the hidden state), one shared key.
// Source: deepseek-ai/DeepSeek-V3.2-Exp inference/model.py, class Indexer.
void add_indexer(const Shape& shape, const Layer& layer, TensorTable& table)
{
  if (layer.indexer_dim == 0) {
    return;
  }
  const auto queries = shape.index_heads * shape.index_dim;
  if (shape.model_type == "minimax_m3") { // index heads and one key beside the main projections, normed a head
    table.matrix(TensorRole::indexer, queries + shape.index_dim, shape.hidden);
    table.norm(Norm::rms, 2 * shape.index_dim);
    return;
  }
  table.matrix(TensorRole::indexer, queries, shape.q_rank);
  table.matrix(TensorRole::indexer, shape.index_heads, shape.hidden); // the heads' weights
  if (layer.compression > 0) {
    table.matrix(TensorRole::indexer, 4 * shape.index_dim, shape.hidden); // overlapping windows: key and gate, twice
    table.norm(Norm::rms, shape.index_dim);
  } else {
    table.matrix(TensorRole::indexer, shape.index_dim, shape.hidden);
    table.norm(Norm::layer, shape.index_dim);
  }
}

// DeepSeek V4: one KV head whose key is its value, low-rank queries, grouped low-rank output, compressors.
// Source: the shapes in the model's config.json; the compressor as in its technical report. Approximate by parts in
// ten thousand (hash-routing tables and the residual streams' small tensors).
void add_compressed_attention(const Shape& shape, const Layer& layer, TensorTable& table)
{
  const auto width = shape.heads * shape.head_dim;
  table.matrix(TensorRole::latent_q_a, shape.q_rank, shape.hidden);
  table.norm(Norm::rms, shape.q_rank);
  table.matrix(TensorRole::latent_q_b, width, shape.q_rank);
  table.matrix(TensorRole::latent_kv_a, shape.head_dim, shape.hidden);
  table.norm(Norm::rms, shape.head_dim);
  const auto groups = std::max<std::int64_t>(shape.output_groups, 1);
  table.matrix(TensorRole::attention_output, groups * shape.output_rank, width / groups);
  table.matrix(TensorRole::attention_output, shape.hidden, groups * shape.output_rank);
  table.vector(TensorRole::other, shape.heads); // sinks
  if (layer.compression > 0) {
    const auto overlap = layer.indexer_dim > 0 ? 2 : 1;
    table.matrix(TensorRole::latent_kv_b, 2 * overlap * shape.head_dim, shape.hidden); // entry and its gate
    table.matrix(TensorRole::other, layer.compression, overlap * shape.head_dim);
    table.norm(Norm::rms, shape.head_dim);
    add_indexer(shape, layer, table);
  }
  const auto streams = shape.residual_streams;
  table.matrix(TensorRole::other, 2 * (2 + streams) * streams, streams * shape.hidden);
}

} // namespace

void add_attention(const Shape& shape, std::size_t index, TensorTable& table)
{
  const auto& layer = shape.layers[index];
  const auto& style = shape.style;
  if (layer.k_is_v && shape.output_rank > 0) {
    add_compressed_attention(shape, layer, table);
    return;
  }
  const auto q = std::int64_t{layer.heads} * layer.k_head_dim;
  const auto k = std::int64_t{layer.kv_heads} * layer.k_head_dim;
  const auto v = std::int64_t{layer.kv_heads} * layer.v_head_dim;
  const auto out = std::int64_t{layer.heads} * layer.v_head_dim;
  const auto q_rows = style.gate == AttentionGate::doubled_q ? 2 * q : q;
  // Gemma 4's full layers use the key projection for the value too.
  const bool value_from_key = shape.value_from_key && layer.window == 0;

  table.matrix(TensorRole::attention_q, q_rows, shape.hidden);
  // Gemma 3n ships the key and value weights of layers that read another's cache; Gemma 4 leaves them out.
  const bool own_projections = !layer.shares_kv || shape.model_type == "gemma3n_text";
  if (own_projections) {
    table.matrix(TensorRole::attention_k, k, shape.hidden);
    if (!value_from_key) {
      table.matrix(TensorRole::attention_v, v, shape.hidden);
    }
  }
  table.matrix(TensorRole::attention_output, shape.hidden, out);
  if (style.qkv_bias) {
    table.bias(q + k + v);
  }
  if (style.output_bias) {
    table.bias(shape.hidden);
  }
  if (style.qk_norm == QkNorm::per_head) {
    table.norm(style.norm == Norm::layer ? Norm::rms : style.norm, layer.k_head_dim);
    if (own_projections) {
      table.norm(Norm::rms, layer.k_head_dim);
    }
  } else if (style.qk_norm == QkNorm::full_width) {
    table.norm(Norm::rms, q);
    table.norm(Norm::rms, k);
  }
  if (layer.mixer == Mixer::cross_attention) { // q and k norms and two scalar gates (transformers modeling_mllama.py)
    table.norm(Norm::rms, 2 * layer.k_head_dim);
    table.vector(TensorRole::other, 2);
  }
  add_indexer(shape, layer, table);
  add_sinks_and_gate(shape, layer, out, table);
}

// DeepSeek-V2 (arXiv:2405.04434), section 2.1; names as in transformers modeling_deepseek_v3.py.
void add_latent_attention(const Shape& shape, std::size_t index, TensorTable& table)
{
  const auto& layer = shape.layers[index];
  const auto q = std::int64_t{layer.heads} * (shape.nope_dim + shape.rope_dim);
  const auto out = std::int64_t{layer.heads} * shape.v_head_dim;
  if (shape.q_rank > 0) {
    table.matrix(TensorRole::latent_q_a, shape.q_rank, shape.hidden);
    table.norm(Norm::rms, shape.q_rank);
    table.matrix(TensorRole::latent_q_b, q, shape.q_rank);
  } else {
    table.matrix(TensorRole::attention_q, q, shape.hidden);
  }
  table.matrix(TensorRole::latent_kv_a, shape.latent_rank + shape.rope_dim, shape.hidden);
  table.norm(Norm::rms, shape.latent_rank);
  table.matrix(TensorRole::latent_kv_b, std::int64_t{layer.heads} * (shape.nope_dim + shape.v_head_dim),
               shape.latent_rank);
  table.matrix(TensorRole::attention_output, shape.hidden, out);
  add_indexer(shape, layer, table);
  add_sinks_and_gate(shape, layer, out, table);
}

} // namespace hwadvisor::model
