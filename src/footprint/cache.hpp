#pragma once

// The KV cache and the recurrent state, layer by layer.

#include "footprint/weights.hpp"

namespace hwadvisor {

enum class CacheKind : std::uint8_t { full, window, latent, cross, compressed };

// Layers of one device that keep the same thing.
struct CacheGroup {
  CacheKind kind = CacheKind::full;
  std::int64_t layers = 0;
  std::int64_t heads = 0; // KV heads on one device; latent: 1
  std::int64_t k_dim = 0;
  std::int64_t v_dim = 0;  // 0: nothing but K is kept
  std::int64_t index = 0;  // elements of a sparse-attention index key, one for all heads
  std::int64_t tokens = 0; // a stream
  std::int64_t streams = 1;
  bool grows = true; // with the context

  friend bool same_shape(const CacheGroup& a, const CacheGroup& b);
  Bytes bytes_per_token(const NumberFormat& k, const NumberFormat& v) const; // of all its layers
};

struct CacheLayout {
  std::vector<CacheGroup> groups;
  Bytes kv;           // sequences x context
  Bytes kv_host;      // of layers that were not offloaded
  Bytes one_sequence; // that one sequence of the full context takes on one device
  Bytes per_token;    // that grow with every token of one sequence
  Bytes state;        // recurrent, all sequences
  std::int64_t recurrent_layers = 0;
  Bytes state_per_sequence;
  std::int64_t context = 0;    // after padding
  std::int64_t sequences = 0;  // on one device
  std::int64_t full_cells = 0; // llama.cpp: cells of one stream in the full cache, and in the window cache
  std::int64_t window_cells = 0;
  std::int64_t streams = 1; // caches apart: one a sequence, or one for all
  Bytes largest_layer;      // of the attention layers
};

CacheLayout lay_out_cache(const Architecture& architecture, const InferenceJob& job, const EngineRules& rules,
                          const Placement& placement, const WeightShare& share);

Component kv_component(const CacheLayout& layout, const InferenceJob& job, Detail detail);
Component state_component(const CacheLayout& layout, Detail detail);

// Tokens of one forward pass at most.
std::int64_t batched_tokens(const InferenceJob& job, const EngineRules& rules, const Placement& placement);

} // namespace hwadvisor
