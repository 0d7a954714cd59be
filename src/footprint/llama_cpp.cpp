// llama.cpp's compute buffers. Formulas fitted on 1,918 planned loads of 35 model shapes (release in node-llama-cpp
// 3.22.1): 90 % within 5 %. Hybrids are weaker: the scan stages of state-space layers are not modelled.

#include "footprint/explain.hpp"
#include "footprint/forward.hpp"

#include <algorithm>
#include <array>

namespace hwadvisor {

namespace {

// Attention over latent vectors works on this many floats a head and token, whatever the context.
constexpr std::int64_t latent_scratch = 1344;

// ggml-vulkan: maxStorageBufferRange of common drivers; a larger tensor is computed by the CPU.
constexpr Bytes k_vulkan_largest_tensor = Bytes(std::int64_t{4} << 30);

// Where attention is computed, and what it reads there.
struct AttentionBuffers {
  std::int64_t inputs = 0; // mask and indices, bytes a token
  std::int64_t scores = 0; // without flash attention, bytes a token
  bool on_host = false;
};

AttentionBuffers attention_buffers(const ForwardShape& shape, const CacheLayout& layout, const InferenceJob& job,
                                   const EngineRules& rules, std::int64_t u, bool on_cpu)
{
  AttentionBuffers out;
  const std::int64_t mask_cells = layout.full_cells + layout.window_cells;
  if (shape.heads == 0) {
    return out;
  }
  out.inputs = mask_cells * (job.flash_attention ? 2 : 4);
  if (!job.flash_attention) {
    out.scores = saturating_mul(4 * shape.heads, layout.full_cells);
    if (shape.latent_heads == 0 &&
        rules.indexed_cache) { // V is stored transposed: an index an element, for each of the caches
      out.inputs += 8 * shape.value * (layout.window_cells > 0 ? 2 : 1);
    }
  }
  const bool too_large = job.backend == Backend::vulkan && Bytes(u) * out.scores >= k_vulkan_largest_tensor;
  out.on_host = !on_cpu && (!job.kv_offload || too_large);
  return out;
}

struct Stage {
  const char* name;
  Bytes bytes;
};

} // namespace

ComputeBuffers llama_cpp_buffers(const ForwardShape& shape, const CacheLayout& layout, const WeightShare& share,
                                 const InferenceJob& job, const EngineRules& rules, std::int64_t ubatch, bool on_cpu,
                                 Detail detail)
{
  const std::int64_t u = std::min(std::max<std::int64_t>(ubatch, 1), saturating_mul(layout.context, layout.sequences));
  const AttentionBuffers attention = attention_buffers(shape, layout, job, rules, u, on_cpu);
  const std::int64_t inputs = attention.on_host ? 0 : attention.inputs;

  const std::int64_t h = 4 * shape.hidden; // bytes a token, fp32
  const std::int64_t q = 4 * shape.query;
  const std::int64_t k = 4 * shape.key;
  const std::int64_t f = 4 * shape.dense_width;
  const std::int64_t e = 4 * shape.expert_width;
  const std::int64_t experts = shape.experts_per_token;

  // Logits beside the residual and the last norm. A block that wider queries left free takes the norm on a GPU.
  const std::int64_t rows = std::min(u, job.outputs.value_or(u));
  const std::int64_t kept = !on_cpu && (q > h || attention.on_host) ? h : 2 * h;
  Stage output{"output", Bytes(rows) * (4 * shape.logits + kept)};

  // Gate, up and their product; the residual, the norm and what attention left.
  std::int64_t dense = inputs + 3 * f + (on_cpu ? 3 * h + q : q == h ? 2 * h : 2 * h + q);
  if (!rules.indexed_cache) { // the product takes the place of the gate
    dense = inputs + 2 * f + 2 * h;
  } else if (attention.on_host) {
    dense += q + k;
  } else if (!on_cpu && job.flash_attention && layout.streams > 1) {
    dense += h;
  }
  const std::int64_t routed =
      shape.expert_width > 0 ? inputs + experts * h + 3 * experts * e + (on_cpu ? 3 : 2) * h : 0;
  Stage feed_forward{"feed-forward", Bytes(u) * std::max(dense, routed)};

  std::int64_t scores = 0;
  if (attention.on_host) {
    scores = 0;
  } else if (!rules.indexed_cache) {
    // 39 logs of builds b942 to b5775, GPU and CPU: 34 within 5 %. Expanded latent attention is 9 % above.
    scores = inputs + attention.scores + 4 * h + (shape.latent_heads > 0 ? attention.scores / 10 : 0);
  } else if (shape.latent_heads > 0) {
    scores = inputs + attention.scores + 4 * shape.latent_heads * latent_scratch + (on_cpu ? 5 : 2) * h;
  } else if (job.flash_attention || on_cpu) {
    scores = inputs + attention.scores + 3 * h + 2 * q;
  } else {
    scores = inputs + attention.scores + (q == h ? h + 2 * q : 2 * h + 2 * q + 2 * k);
  }
  Stage mixing{"attention", Bytes(u) * scores};
  if (on_cpu && shape.latent_heads > 0 && shape.shared_width > 0 && mixing.bytes < output.bytes) {
    // What the experts left lies below the residual, and logits do not fit there (DeepSeek-V2-Lite).
    output.bytes += Bytes(rows) * (experts + 2) * h;
  }

  // Layers in host memory: a batch copies one weight at a time to the device, and the cache of one layer.
  if (share.streamed_layer > Bytes(0)) {
    feed_forward.bytes = std::max(feed_forward.bytes, share.streamed_layer + Bytes(u) * (routed > 0 ? routed : 3 * f));
    mixing.bytes += attention.on_host ? Bytes(0) : layout.largest_layer;
  }
  if (share.streamed_output > Bytes(0)) { // beside the last layer's down-projection and its input
    output.bytes += share.streamed_output + (routed > 0 ? Bytes(0) : share.streamed_layer + Bytes(u) * f);
  }

  ComputeBuffers buffers;
  const std::array<Stage, 3> stages{output, feed_forward, mixing};
  const Stage& largest =
      *std::max_element(stages.begin(), stages.end(), [](const Stage& a, const Stage& b) { return a.bytes < b.bytes; });
  buffers.device = largest.bytes;
  if (!on_cpu) {
    buffers.host = Bytes(u) * (rules.indexed_cache ? 2 * h + attention.inputs : h + 4 * layout.full_cells);
    if (attention.on_host) { // and copies of a cache that the device keeps
      buffers.host += Bytes(u) * attention.scores + (job.kv_offload ? layout.largest_layer : Bytes(0));
    }
  }
  buffers.output = Bytes(shape.vocabulary + (job.embeddings ? shape.hidden : 0)) * 4 * job.sequences;
  if (detail == Detail::explained) {
    using explain::count;
    buffers.formula = "compute buffer, " + std::string(largest.name) + " stage of " + count(u) + " tokens: ";
    if (&largest == &stages[0]) {
      buffers.formula += count(rows) + " rows x 4 x " + count(shape.logits) + " logits and the residual";
    } else {
      buffers.formula +=
          "mask and indices of " + count(inputs) + " bytes a token, the rest fp32 values of the widest layer";
    }
    if (share.streamed_output > Bytes(0) || share.streamed_layer > Bytes(0)) {
      buffers.formula += "; room to copy weights that are kept in host memory, " +
                         explain::size(std::max(share.streamed_output, share.streamed_layer)) + " at a time";
    }
  }
  return buffers;
}

} // namespace hwadvisor
