#pragma once

// What an inference engine or training framework does with memory, as data (data/engines/*.json): its context, its KV
// layout, its pre-allocation, and where it runs.

#include "hwadvisor/units.hpp"

#include <cstdint>
#include <string>
#include <string_view>
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

// Factors on a likely value between which 80 % of measured values lie. {1, 1}: exact.
struct Spread {
  double low = 1.0;
  double high = 1.0;

  constexpr Interval<Bytes> around(Bytes likely) const { return {likely * low, likely, likely * high}; }
};

// What decides an engine's memory. Plain numbers, so that a copy costs nothing.
struct EngineRules {
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
  Interval<Bytes> workspace;           // what libraries take beside the framework's allocator, on every device
  Interval<Bytes> non_torch;           // collectives' buffers and workspaces, added where several devices work together
  // ActivationRule::profiled: the profile run takes the larger of one pass over max_batched_tokens and of the sampler,
  // which holds this many bytes for each logit of max_sequences sequences.
  double sampler_bytes_per_logit = 0.0;
  double profile_factor = 1.0;        // of that peak: above 1 where what the allocator reserved was counted
  Interval<Bytes> non_torch_switched; // instead of non_torch: four or more devices behind an NVLink switch
  bool pool_holds_activations =
      true; // the budget covers activations and graphs too (vLLM), or they come beside it (SGLang)
  // On cards of at least 70 GiB serving engines take larger defaults; 0: the same.
  std::int64_t max_batched_tokens_large = 0;
  std::int64_t max_sequences_large = 0;
  bool host_token_embedding = false; // llama.cpp keeps the token embedding in host memory
  bool layer_split = false;          // several devices split by layers (llama.cpp) rather than by tensors
  bool uniform_windows = true;       // a model whose every layer has a window keeps it; false: runs with full attention
  bool indexed_cache = true;         // llama.cpp since July 2025: the cache is written by index, and graphs hold those
  bool fuses_queries = false;        // loading holds Q, K, V projections and their fused copy at once
  bool grouped_scores = false;       // heads that share K and V are computed without flash attention
  bool untied_fp8_head = false;      // a tied output head becomes a tensor of its own in fp8 checkpoints
  bool index_cache = true;           // keeps the index keys of sparse attention; false: runs it as full attention
  bool latent_cache = true;          // MLA: keeps the latent vector; false: expands it to K and V of every head
  bool flash_attention = true;       // default; without it the score matrix is part of the activations
  Spread weights_spread;             // quantised weights: packing, padding and kept tensors differ between tools
  Spread activations_spread;
};

// The rules of versions before `before` ("0.8", "b5200"; parts are compared as numbers), which ended on `until`.
struct OlderRules {
  std::string before;
  std::string until = {};      // "2025-04"; empty: not known
  std::string generation = {}; // "V0": versions that name it ("0.8.1 V0") follow it past `before`
  EngineRules rules;
};

// A library that an engine takes the kernels of some formats and optimizers from, and where that library runs.
struct EngineNeed {
  std::string library;               // "bitsandbytes"
  std::vector<std::string> parts;    // ids of precisions and optimizers, or how they begin: "nf4", "adamw_8bit"
  std::vector<std::string> software; // a device must carry one of these
};

struct Engine : EngineRules {        // its own rules are those of the newest version
  std::string id;                    // "vllm"
  std::string name;                  // "vLLM"
  std::string kind;                  // "serving", "local", "framework"
  std::vector<std::string> vendors;  // device vendors it runs on; empty: any
  std::vector<std::string> software; // a device must carry one of these ("cuda", "rocm", "metal"); empty: any
  double compute_capability = 0.0;   // that it needs of NVIDIA devices
  // Weights that it reads: "any", a kind ("plain", "gguf"), or how a precision's id begins ("mlx", "int8"); empty: all
  // but GGUF's and MLX's.
  std::vector<std::string> formats;
  bool expands_formats = false; // whatever the weights are in, it multiplies in a format that the device has
  std::vector<EngineNeed> needs;
  std::vector<OlderRules> older; // oldest first

  // The rules of `version`: a number, a month ("2025-11") or a year, or a number with a generation ("0.8.1 V1"). An
  // empty version, or one without digits, is the newest.
  const EngineRules& rules_at(std::string_view version) const;
};

} // namespace hwadvisor
