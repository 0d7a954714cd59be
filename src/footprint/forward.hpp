#pragma once

// Memory of a forward pass beyond weights and caches, by the engine's rule.

#include "footprint/cache.hpp"

namespace hwadvisor {

// The widest layer's elements a token, one device.
struct ForwardShape {
  std::int64_t hidden = 0;
  std::int64_t heads = 0;
  std::int64_t query = 0; // heads x head dimension
  std::int64_t key = 0;   // KV heads x head dimension
  std::int64_t value = 0;
  std::int64_t dense_width = 0;
  std::int64_t expert_width = 0;
  std::int64_t experts_per_token = 0;
  std::int64_t shared_width = 0;
  std::int64_t latent_heads = 0; // heads of latent attention; 0: none
  std::int64_t vocabulary = 0;
  std::int64_t logits = 0; // a token: the vocabulary; 0 of encoders, which have no head
  bool recurrent = false;
};

ForwardShape forward_shape(const Architecture& architecture, std::int64_t tensor_parallel);

// llama.cpp's compute buffers: the largest of three stages.
struct ComputeBuffers {
  Bytes device;
  Bytes host;
  Bytes output; // logits of the tokens that are asked for, host
  std::string formula;
};
ComputeBuffers llama_cpp_buffers(const ForwardShape& shape, const CacheLayout& layout, const WeightShare& share,
                                 const InferenceJob& job, const EngineRules& rules, std::int64_t ubatch, bool on_cpu,
                                 Detail detail);

struct ForwardPass {
  Component activations;
  Bytes host;
  Bytes host_output;
};

ForwardPass forward_pass(const Architecture& architecture, const InferenceJob& job, const EngineRules& rules,
                         const Placement& placement, const CacheLayout& layout, const WeightShare& share, bool on_cpu,
                         Detail detail);

} // namespace hwadvisor
