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

} // namespace

ComputeBuffers llama_cpp_buffers(const ForwardShape& shape, const CacheLayout& layout, const InferenceJob& job,
                                 std::int64_t ubatch, bool flash_attention, bool on_cpu, Detail detail)
{
  const std::int64_t u = std::min(std::max<std::int64_t>(ubatch, 1), saturating_mul(layout.context, layout.sequences));
  const bool latent = shape.latent_heads > 0;
  const std::int64_t cells = layout.full_cells;
  const std::int64_t mask_cells = cells + layout.window_cells;
  const std::int64_t mask = mask_cells * (flash_attention ? 2 : 4);
  // Without flash attention V is stored transposed: an index an element, for each of the caches.
  const std::int64_t caches = layout.window_cells > 0 ? 2 : 1;
  const std::int64_t index = flash_attention || latent ? 0 : 8 * shape.value * caches;

  const std::int64_t h = 4 * shape.hidden; // floats a token
  const std::int64_t q = 4 * shape.query;
  const std::int64_t k = 4 * shape.key;
  const std::int64_t inputs = mask + index;

  const std::int64_t output = 4 * shape.vocabulary + 2 * h;
  std::int64_t feed_forward = inputs + 3 * 4 * shape.dense_width + (on_cpu ? 4 : 2) * h;
  if (shape.expert_width > 0) {
    const std::int64_t experts = shape.experts_per_token;
    feed_forward =
        std::max(feed_forward, inputs + experts * h + 3 * experts * 4 * shape.expert_width + (on_cpu ? 3 : 2) * h);
  }
  std::int64_t attention = 0;
  const std::int64_t scores = flash_attention ? 0 : saturating_mul(4 * shape.heads, cells);
  if (latent) {
    attention = inputs + scores + 4 * shape.latent_heads * latent_scratch + (on_cpu ? 5 : 2) * h;
  } else if (flash_attention || on_cpu) {
    attention = inputs + scores + 3 * h + 2 * q;
  } else {
    attention = inputs + scores + (q == h ? h + 2 * q : 2 * h + 2 * q + 2 * k);
  }

  ComputeBuffers buffers;
  struct Stage {
    const char* name;
    std::int64_t per_token;
  };
  const std::array<Stage, 3> stages{{{"output", output}, {"feed-forward", feed_forward}, {"attention", attention}}};
  const Stage& largest = *std::max_element(stages.begin(), stages.end(),
                                           [](const Stage& a, const Stage& b) { return a.per_token < b.per_token; });
  buffers.device = Bytes(u) * largest.per_token;
  buffers.stage = largest.name;
  buffers.host = on_cpu ? Bytes(0) : Bytes(u) * (8 * shape.hidden + mask + index);
  buffers.output = Bytes(shape.vocabulary) * 4 * job.sequences;
  if (detail == Detail::explained) {
    using explain::count;
    buffers.formula = "compute buffer, " + std::string(largest.name) + " stage: " + count(u) + " tokens x " +
                      count(largest.per_token) + " bytes";
    if (&largest == &stages[0]) {
      buffers.formula += " (4 x (" + count(shape.vocabulary) + " logits + 2 x " + count(shape.hidden) + "))";
    } else {
      buffers.formula += " (mask and indices " + count(inputs) + ", the rest fp32 values of the widest layer)";
    }
  }
  return buffers;
}

} // namespace hwadvisor
