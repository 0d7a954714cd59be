#include "model/decoder_tensors.hpp"

namespace hwadvisor::model {

namespace {

void add_dense(const Shape& shape, const Layer& layer, TensorTable& table)
{
  const auto width = layer.ffn_width;
  if (layer.gated) {
    table.matrix(TensorRole::ffn_gate, width, shape.hidden);
  }
  table.matrix(TensorRole::ffn_up, width, shape.hidden);
  table.matrix(TensorRole::ffn_down, shape.hidden, width);
  if (shape.style.ffn_bias) {
    table.bias((layer.gated ? 2 : 1) * width + shape.hidden);
  }
}

void add_experts(const Shape& shape, const Layer& layer, TensorTable& table)
{
  const auto width = shape.latent_width > 0 ? shape.latent_width : shape.hidden;
  const std::int64_t experts = layer.experts;
  const auto routed = experts + shape.zero_experts;
  table.matrix(TensorRole::router, routed, shape.hidden);
  if (shape.style.router_bias) {
    table.bias(routed);
  }
  if (shape.latent_width > 0) { // into and out of the experts' space
    table.matrix(TensorRole::shared_expert_up, width, shape.hidden);
    table.matrix(TensorRole::shared_expert_down, shape.hidden, width);
    if (shape.model_type == "kimi_linear") {
      table.norm(Norm::rms, width);
    }
  }
  if (layer.gated) {
    table.matrix(TensorRole::expert_gate, layer.ffn_width, width, experts);
  }
  table.matrix(TensorRole::expert_up, layer.ffn_width, width, experts);
  table.matrix(TensorRole::expert_down, width, layer.ffn_width, experts);
  if (shape.style.expert_bias) {
    table.bias((layer.gated ? 2 : 1) * layer.ffn_width + width, experts);
  }
  if (layer.shared_width > 0) {
    if (layer.gated) {
      table.matrix(TensorRole::shared_expert_gate, layer.shared_width, shape.hidden);
    }
    table.matrix(TensorRole::shared_expert_up, layer.shared_width, shape.hidden);
    table.matrix(TensorRole::shared_expert_down, shape.hidden, layer.shared_width);
    if (shape.style.shared_expert_gate) {
      table.vector(TensorRole::router, shape.hidden);
    }
  }
  if (shape.model_type == "gemma4_text") { // three more norms around the two branches, router scales
    table.norm(Norm::rms, 3 * shape.hidden);
    table.vector(TensorRole::router, shape.hidden + experts);
  }
}

// Gemma 3n: alternating updates of parallel streams and a learned low-rank residual (transformers modeling_gemma3n.py).
void add_altup_and_laurel(const Shape& shape, TensorTable& table)
{
  const auto streams = shape.altup_streams;
  table.matrix(TensorRole::other, streams, streams);
  table.matrix(TensorRole::other, streams * streams, streams);
  table.matrix(TensorRole::router, streams, shape.hidden);
  table.norm(Norm::rms, 2 * shape.hidden);
  table.matrix(TensorRole::other, shape.laurel_rank, shape.hidden);
  table.matrix(TensorRole::other, shape.hidden, shape.laurel_rank);
  table.norm(Norm::rms, shape.hidden);
}

void add_layer(const Shape& shape, std::size_t i, TensorTable& table)
{
  const auto& layer = shape.layers[i];
  switch (layer.mixer) {
  case Mixer::attention:
  case Mixer::cross_attention:
    add_attention(shape, i, table);
    if (layer.state_elements > 0) {
      add_recurrent(shape, i, table);
    }
    break;
  case Mixer::latent_attention:
    add_latent_attention(shape, i, table);
    break;
  case Mixer::none:
    break;
  default:
    add_recurrent(shape, i, table);
  }
  add_feed_forward(shape, i, table);

  auto norms = shape.style.norms_per_layer;
  if (shape.model_type == "nemotron-nas") { // a norm leaves with its block
    norms = (layer.mixer == Mixer::none ? 0 : 1) + (layer.ffn_width == 0 ? 0 : 1);
  }
  for (std::int32_t n = 0; n < norms; ++n) {
    table.norm(shape.style.norm, shape.hidden);
  }
  if (shape.layer_embedding_width > 0) { // gate, projection and norm of the per-layer embedding
    table.matrix(TensorRole::ffn_gate, shape.layer_embedding_width, shape.hidden);
    table.matrix(TensorRole::ffn_down, shape.hidden, shape.layer_embedding_width);
    table.norm(Norm::rms, shape.hidden);
  }
  if (shape.model_type == "gemma4_text") {
    table.vector(TensorRole::other, 1); // the layer's scalar
  }
  if (shape.altup_streams > 0) {
    add_altup_and_laurel(shape, table);
  }
}

// A DeepSeek-style prediction layer: two norms, a projection of [embedding, hidden], a whole layer, a norm.
// Source: deepseek-ai/DeepSeek-V3 README_WEIGHTS.md; embedding and head are shared with the main model.
void add_draft_layers(const Shape& shape, TensorTable& draft)
{
  if (shape.layers.empty()) {
    return;
  }
  // The prediction layer is shaped like the last attention layer.
  auto last = shape.layers.size() - 1;
  while (last > 0 && shape.layers[last].mixer != Mixer::attention &&
         shape.layers[last].mixer != Mixer::latent_attention) {
    --last;
  }
  // Nemotron-H splits attention and experts into two layers.
  auto experts = shape.layers.size() - 1;
  while (experts > 0 && shape.layers[experts].experts == 0) {
    --experts;
  }
  for (std::int64_t n = 0; n < shape.draft_layers; ++n) {
    draft.layer(n);
    draft.norm(Norm::rms, 2 * shape.hidden);
    draft.matrix(TensorRole::other, shape.hidden, 2 * shape.hidden);
    add_layer(shape, last, draft);
    if (shape.layers[last].ffn_width == 0 && shape.layers[experts].experts > 0) {
      add_layer(shape, experts, draft);
    }
    draft.norm(Norm::rms, shape.hidden);
  }
}

} // namespace

void add_feed_forward(const Shape& shape, std::size_t index, TensorTable& table)
{
  const auto& layer = shape.layers[index];
  if (layer.ffn_width == 0) {
    return;
  }
  if (layer.experts > 0) {
    add_experts(shape, layer, table);
  } else {
    add_dense(shape, layer, table);
  }
}

void add_decoder(const Shape& shape, TensorTable& table, TensorTable& draft)
{
  const auto& style = shape.style;
  table.layer(-1);
  // Llama 3.2 Vision has eight more rows for its special tokens in the embedding than in the head.
  const auto extra_rows = shape.model_type == "mllama_text_model" ? 8 : 0;
  table.matrix(TensorRole::token_embedding, shape.vocabulary + extra_rows, shape.embedding_width);
  if (style.position_offset >= 0) {
    table.matrix(TensorRole::position_embedding, shape.max_positions + style.position_offset, shape.hidden);
  }
  if (style.embedding_norm) {
    table.norm(style.norm, shape.hidden);
  }
  if (shape.embedding_width != shape.hidden) {
    table.matrix(TensorRole::other, shape.hidden, shape.embedding_width, 2); // in and out
  }
  if (shape.layer_embedding_width > 0) {
    const auto width = shape.layer_count() * shape.layer_embedding_width;
    table.matrix(TensorRole::layer_embedding, shape.layer_embedding_vocabulary, width);
    table.matrix(TensorRole::other, width, shape.hidden);
    table.norm(Norm::rms, shape.layer_embedding_width);
  }
  if (shape.altup_streams > 1) { // into and out of the parallel streams
    table.matrix(TensorRole::other, shape.hidden, shape.hidden, 2 * (shape.altup_streams - 1));
  }
  for (std::size_t i = 0; i < shape.layers.size(); ++i) {
    table.layer(static_cast<std::int64_t>(i));
    add_layer(shape, i, table);
  }
  table.layer(-1);
  const bool post_norm = shape.model_type == "opt" && shape.embedding_width != shape.hidden; // OPT-350m
  if (!post_norm) {
    table.norm(style.norm, shape.hidden);
  }
  if (shape.head && !shape.tied) {
    table.matrix(TensorRole::output_head, shape.vocabulary, shape.embedding_width);
  }
  if (shape.head && style.head_bias) {
    table.bias(shape.vocabulary);
  }
  add_draft_layers(shape, draft);
}

} // namespace hwadvisor::model
