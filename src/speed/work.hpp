#pragma once

// What one token asks of the hardware: bytes that must be read and operations that must be done. It depends on the
// model, its precision and the cache formats alone, so a search measures it once and places it many times.

#include "hwadvisor/workload.hpp"

namespace hwadvisor::speed {

struct Work {
  // Weights read in every forward pass, whatever the batch: all but routed experts and the embedding table.
  double dense_bytes = 0.0;
  double expert_bytes = 0.0; // of all routed experts
  std::int32_t experts = 0;  // of a layer; 0: dense
  std::int32_t experts_per_token = 0;
  std::int32_t layers = 0;
  std::int64_t hidden = 0;
  double parameters = 0.0; // of the whole model

  double linear_flops = 0.0;    // of one token's matrix products, 2 a multiply-accumulate
  double attention_flops = 0.0; // of one token with one earlier token, over all layers with attention

  // Cache reads of one sequence in one decode step: for each token held, in layers of one window.
  struct Cache {
    std::int64_t window = 0; // 0: the whole context
    double bytes_per_token = 0.0;
  };
  std::vector<Cache> caches;
  double state_bytes = 0.0; // of one sequence, read and written each step

  double cache_bytes(std::int64_t context) const; // read for one sequence that holds `context` tokens
  // Bytes of the weights that a batch of `tokens` touches: of E experts with k for a token, E (1 - (1 - k/E)^tokens)
  // are expected to be distinct when routing is even.
  double weight_bytes(double tokens) const;
};

// Empty when the model has no architecture.
std::optional<Work> measure_work(const Workload& workload);

} // namespace hwadvisor::speed
