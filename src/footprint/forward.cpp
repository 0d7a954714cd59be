#include "footprint/forward.hpp"

#include "footprint/explain.hpp"

#include <algorithm>

namespace hwadvisor {

ForwardShape forward_shape(const Architecture& architecture, std::int64_t tensor_parallel)
{
  ForwardShape shape;
  shape.hidden = architecture.hidden;
  shape.vocabulary = architecture.vocabulary;
  shape.logits = architecture.causal ? architecture.vocabulary : 0;
  const auto widen = [](std::int64_t& width, std::int64_t value) { width = std::max(width, value); };
  for (const auto* stack : {&architecture.layers, &architecture.encoder_layers}) {
    for (const Layer& layer : *stack) {
      const std::int64_t tensor = std::max<std::int64_t>(1, tensor_parallel);
      widen(shape.heads, ceil_div(layer.heads, tensor));
      widen(shape.query, ceil_div(static_cast<std::int64_t>(layer.heads) * layer.k_head_dim, tensor));
      const std::int64_t kv_heads =
          layer.kv_heads > 0 ? std::max<std::int64_t>(1, ceil_div(layer.kv_heads, tensor)) : 0;
      widen(shape.key, kv_heads * layer.k_head_dim);
      widen(shape.value, kv_heads * layer.v_head_dim);
      if (layer.experts > 0) {
        widen(shape.expert_width, ceil_div(layer.ffn_width, tensor));
        widen(shape.experts_per_token, layer.experts_per_token);
        widen(shape.shared_width, ceil_div(layer.shared_width, tensor));
      } else {
        widen(shape.dense_width, ceil_div(layer.ffn_width, tensor));
      }
      if (layer.mixer == Mixer::latent_attention) {
        widen(shape.latent_heads, ceil_div(layer.heads, tensor));
      }
      shape.recurrent = shape.recurrent || layer.state_elements > 0;
    }
  }
  return shape;
}

namespace {

// Elements a token that a forward pass holds in its widest layer: gate, up and their product, and about five rows of
// the hidden size (residual, norm, queries, attention output, projection). Checked on transformers 4.51 prefill peaks.
std::int64_t widest_elements(const ForwardShape& shape)
{
  const std::int64_t experts = shape.experts_per_token * (3 * shape.expert_width + 2 * shape.hidden);
  const std::int64_t feed_forward = std::max(3 * shape.dense_width, experts + 3 * shape.shared_width);
  return feed_forward + 5 * shape.hidden;
}

struct Pass {
  Bytes bytes;
  std::int64_t tokens = 0;
  std::int64_t scores = 0; // bytes a token of attention scores without flash attention
};

Pass prefill(const ForwardShape& shape, std::int64_t tokens, std::int64_t context, bool flash_attention)
{
  Pass pass;
  pass.tokens = tokens;
  // 16-bit scores, before and after the softmax, and its fp32 values.
  pass.scores = flash_attention ? 0 : saturating_mul(8 * shape.heads, context);
  pass.bytes = Bytes(tokens) * saturating_add(2 * widest_elements(shape), pass.scores);
  return pass;
}

std::string pass_formula(const ForwardShape& shape, const Pass& pass)
{
  using explain::count;
  std::string text = count(pass.tokens) + " tokens x " + count(widest_elements(shape)) + " elements (";
  if (shape.expert_width > 0 && shape.dense_width * 3 < widest_elements(shape) - 5 * shape.hidden) {
    text += count(shape.experts_per_token) + " experts x (3 x " + count(shape.expert_width) + " + 2 x " +
            count(shape.hidden) + ")";
  } else {
    text += "3 x " + count(shape.dense_width);
  }
  text += " + 5 x " + count(shape.hidden) + ") x 2 bytes";
  if (pass.scores > 0) {
    text += " + attention scores of " + count(pass.scores) + " bytes a token";
  }
  return text;
}

constexpr std::int64_t k_least_pass = 2048;

std::int64_t at_most(std::int64_t value, std::int64_t limit)
{
  return limit > 0 ? std::min(value, limit) : value;
}

} // namespace

ForwardPass forward_pass(const Architecture& architecture, const InferenceJob& job, const EngineRules& rules,
                         const Placement& placement, const CacheLayout& layout, const WeightShare& share, bool on_cpu,
                         Detail detail)
{
  ForwardPass pass;
  const Division division = division_of(placement, rules);
  const ForwardShape shape = forward_shape(architecture, division.tensor);
  const std::int64_t batched = batched_tokens(job, rules, placement);
  const bool explained = detail == Detail::explained;
  Component& out = pass.activations;
  out.name = "activations";
  out.basis = Basis::derived;

  if (rules.activations == ActivationRule::llama_cpp) {
    ComputeBuffers buffers = llama_cpp_buffers(shape, layout, share, job, rules, batched, on_cpu, detail);
    Spread spread = rules.activations_spread;
    if (shape.recurrent) { // the scan stages of state-space layers are not modelled
      spread = {spread.low * 0.95, spread.high * 1.25};
    }
    if (share.streamed_layer > Bytes(0)) { // which tensor is streamed is the weak part
      spread = {spread.low * 0.75, spread.high * 1.2};
    }
    if (division.layers > 1) { // pipeline copies of inputs and masks: up to +19 % in eight logs of several cards
      spread.high *= 1.15;
    }
    out.bytes = spread.around(buffers.device);
    out.basis = Basis::calibrated;
    out.formula = std::move(buffers.formula);
    pass.host = buffers.host;
    pass.host_output = buffers.output;
    return pass;
  }

  const std::int64_t prompt = std::max<std::int64_t>(1, job.input_tokens > 0 ? job.input_tokens : 1);
  if (rules.activations == ActivationRule::profiled) {
    const bool large =
        placement.device != nullptr && placement.device->memory && placement.device->memory->value() >= 70.0;
    const std::int64_t sequences =
        large && rules.max_sequences_large > 0 ? rules.max_sequences_large : rules.max_sequences;
    // Without a limit the whole context is one pass; beyond 32,768 tokens such engines read it in chunks.
    const bool whole = batched <= 0 && layout.context <= 32'768;
    const std::int64_t tokens = batched > 0 ? batched : whole ? std::max(layout.context, k_least_pass) : k_least_pass;
    const Pass run = prefill(shape, tokens, layout.context, true);
    const Bytes sampler =
        Bytes(static_cast<double>(sequences) * static_cast<double>(shape.logits) * rules.sampler_bytes_per_logit);
    out.bytes = rules.activations_spread.around(std::max(run.bytes, sampler) * rules.profile_factor);
    out.basis = Basis::calibrated;
    if (explained) {
      out.formula = "profile run, the larger of a pass over " + pass_formula(shape, run) + " and a sampler of " +
                    explain::count(sequences) + " sequences x " + explain::count(shape.logits) + " logits x " +
                    explain::number(rules.sampler_bytes_per_logit) + " bytes" +
                    (rules.profile_factor > 1.0 ? ", x " + explain::number(rules.profile_factor) + " reserved" : "");
    }
    return pass;
  }

  // One prefill in flight, as long as the context allows (generic), or the prompts of the whole static batch (eager
  // engines, encoders); and the logits it ends with.
  const bool batch_at_once = rules.activations == ActivationRule::eager || !architecture.causal;
  const std::int64_t tokens =
      at_most(batch_at_once ? saturating_mul(prompt, layout.sequences) : layout.context, batched);
  const bool grouped = shape.key < shape.query;
  const Pass run = prefill(shape, tokens, prompt, job.flash_attention && !(rules.grouped_scores && grouped));
  const Bytes logits = architecture.causal ? Bytes(shape.vocabulary) * 4 * layout.sequences : Bytes(0);
  const Bytes loading = share.fused_copy - layout.kv; // before there is a cache
  out.bytes = rules.activations_spread.around(std::max(run.bytes + logits, loading));
  if (explained && loading > run.bytes + logits) {
    out.formula = "while loading, the fused copy of the Q, K and V projections: " + explain::size(share.fused_copy) +
                  " less the cache that comes later";
  } else if (explained) {
    out.formula = pass_formula(shape, run);
    if (logits > Bytes(0)) {
      out.formula += " + " + explain::count(shape.vocabulary) + " logits x 4 bytes x " +
                     explain::count(layout.sequences) + (layout.sequences == 1 ? " sequence" : " sequences");
    }
  }
  return pass;
}

} // namespace hwadvisor
