#pragma once

// The bytes of a model's tensors under one precision, by layer and by how engines divide them, and what of them one
// device holds.

#include "hwadvisor/footprint.hpp"

#include <vector>

namespace hwadvisor {

// One layer's bytes, by how tensor parallelism treats them.
struct LayerWeights {
  Bytes divided;    // matrices that every engine cuts: queries, outputs, feed-forward
  Bytes kv;         // K and V projections: cut down to one KV head, then copied
  Bytes experts;    // routed experts: cut, or spread whole over expert-parallel devices
  Bytes replicated; // norms, routers, the low-rank inputs of latent attention
  std::int32_t kv_heads = 0;

  Bytes total() const { return divided + kv + experts + replicated; }
};

struct WeightSummary {
  std::vector<LayerWeights> layers;
  std::vector<LayerWeights> encoder_layers;
  Bytes token_embedding;
  Bytes output_head; // 0 when it is tied to the token embedding
  Bytes towers;      // vision and audio
  Bytes rest;        // position embeddings, last norm, whatever belongs to no layer
  Bytes total;       // of the checkpoint: each tensor once
  Bytes largest_in_layer;
  std::int64_t parameters = 0;
  bool tied = false;
  Bytes attention_inputs;     // projections of Q, K and V
  bool fp8 = false;           // every matrix in 8-bit floats
  bool repacked_head = false; // a tied head is stored once more by llama.cpp's CPU build, in blocks its kernels like
  bool exact = true;          // arithmetic on the tensor table; false: parameters x bits, or scaled to a stated count
  double bits_per_weight = 0.0;
};

// How one device's share of the weights comes about.
struct WeightShare {
  Bytes device;            // text model
  Bytes towers;            // vision and audio towers on the device
  Bytes host;              // llama.cpp: token embedding and layers that were not offloaded
  Bytes replicated;        // of `device`: held on every device of a tensor-parallel group
  std::int64_t layers = 0; // of the (decoder) stack on this device
  std::int64_t layers_total = 0;
  bool holds_output = true;
  Bytes fused_copy; // of the Q, K and V projections, while they are loaded
  // Largest tensors in host memory that batches copy to the device: of a layer, and the output head.
  Bytes streamed_layer;
  Bytes streamed_output;
};

// Largest share of any device. `gpu_layers`: llama.cpp's -ngl; nullopt: all.
WeightShare share_of(const WeightSummary& weights, const Placement& placement, const EngineRules& rules,
                     std::optional<std::int64_t> gpu_layers, bool on_cpu);

// Devices that divide one copy of the model, and how.
struct Division {
  std::int64_t tensor = 1;  // tensors are cut in this many parts
  std::int64_t layers = 1;  // the layers are dealt to this many devices
  std::int64_t experts = 1; // routed experts are spread over this many
  std::int64_t replicas = 1;
};
Division division_of(const Placement& placement, const EngineRules& rules);

} // namespace hwadvisor
