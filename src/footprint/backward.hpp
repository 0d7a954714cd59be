#pragma once

// What a training step keeps for the backward pass, block by block.
//
// Counts of bytes a token are those that PyTorch's autograd really holds (saved_tensors_hooks, PyTorch 1.13, exact for
// GPT-2, BERT, ViT, Llama and Qwen2 blocks); they agree with Korthikanti et al. (arXiv 2205.05198), s·b·h·(34 + 5as/h),
// for a GPT block with dropout at 16 bit. Newer PyTorch does not keep the squares of RMSNorm: 4 bytes less a norm.

#include "footprint/states.hpp"

namespace hwadvisor {

struct BlockBytes {
  double per_token = 0.0;        // everything that grows with the tokens
  double scores_per_token = 0.0; // of it: attention scores, which selective checkpointing recomputes
};

struct BackwardShape {
  bool flash_attention = true;
  std::int64_t seq_len = 0;
  std::int64_t tensor = 1; // tensor (and sequence) parallelism
};

// One layer. `recurrent_width`: outputs of its input and inputs of its output projections, for recurrent mixers.
BlockBytes block_bytes(const Layer& layer, std::int64_t hidden, double recurrent_width, const BackwardShape& shape,
                       const Recipe& recipe, const Trainable& trained, bool quantised_base);

struct Backward {
  Interval<Bytes> kept;         // by all layers after the forward pass, checkpointing applied
  Interval<Bytes> live;         // one block being computed again
  Interval<Bytes> logits;       // peak of head and loss
  double per_token_layer = 0.0; // of the widest layer, for the formula
  double logit_bytes = 0.0;
  std::int64_t tokens = 0;
  std::int64_t encoder_tokens = 0; // positions of the encoder, where it has a length of its own; 0: as `tokens`
  std::int64_t vocabulary = 0;
  std::int64_t layers = 0;
  std::int64_t copies = 1; // micro-batches in flight (pipeline)
};

Backward backward_pass(const Workload& workload, const Placement& placement, const Recipe& recipe,
                       const Trainable& trained);

} // namespace hwadvisor
