#pragma once

// What an inference engine or training framework does with memory, as data (data/engines/*.json): its context, its KV
// layout, its pre-allocation, and where it runs.

#include "hwadvisor/units.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace hwadvisor {

// How an engine takes memory for its KV cache.
enum class PoolRule : std::uint8_t {
  exact,             // what the job's context needs, allocated as needed or up front
  fraction_of_total, // vLLM: utilisation x the card's total, the rest after weights becomes the pool
  fraction_of_free   // TensorRT-LLM: fraction x what is free after the weights
};

// What a sliding-window layer keeps.
enum class WindowRule : std::uint8_t {
  window, // min(context, window)
  full,   // the whole context, window or not
  padded  // llama.cpp: pad256(min(context, window x sequences + ubatch))
};

// How the memory of a forward pass beyond weights and KV is estimated.
enum class ActivationRule : std::uint8_t {
  generic,   // one prefill in flight: the widest layer's activations, and logits of the last token
  llama_cpp, // the compute buffer: largest of output, feed-forward and attention stage
  profiled,  // vLLM, SGLang: what a profile run of max_batched_tokens takes
  eager      // transformers: one layer in flight over the whole prompt
};

struct Engine {
  std::string id;                    // "vllm"
  std::string name;                  // "vLLM"
  std::string kind;                  // "serving", "local", "framework"
  std::vector<std::string> vendors;  // device vendors it runs on; empty: any
  std::vector<std::string> software; // a device must carry one of these ("cuda", "rocm", "metal"); empty: any
  PoolRule pool = PoolRule::exact;
  double pool_fraction = 0.0; // default of gpu_memory_utilization
  WindowRule window = WindowRule::window;
  ActivationRule activations = ActivationRule::generic;
  std::int64_t kv_block_tokens = 1;    // the cache grows in blocks of this many tokens
  std::int64_t context_padding = 1;    // the context is rounded up to a multiple
  std::int64_t max_batched_tokens = 0; // default; 0: the whole prompt at once
  std::int64_t max_sequences = 0;      // default limit of concurrent sequences; 0: none
  Interval<Bytes> context_overhead;    // driver context and libraries, one process on one device
  Interval<Bytes> graphs;              // captured CUDA graphs and the like
  bool host_token_embedding = false;   // llama.cpp keeps the token embedding in host memory
  bool layer_split = false;            // several devices split by layers (llama.cpp) rather than by tensors
};

} // namespace hwadvisor
