#pragma once

// Quantisers store several weights in one element, and scales beside them. What a checkpoint's tensors hold in weights,
// and by which quantiser, as far as their names and shapes prove it.

#include "modelfile/safetensors.hpp"

#include <optional>
#include <string>
#include <vector>

namespace hwadvisor::modelfile {

struct Packing {
  // Of each tensor: its logical matrix. Scales, zero points and the like are 0 x 0.
  struct Weights {
    std::int64_t rows = 0;
    std::int64_t row_elements = 0;
  };
  std::vector<Weights> weights;
  std::string precision;     // "awq-int4", "nf4-dq" …; empty: nothing is packed
  std::int64_t unproven = 0; // packed tensors whose width nothing proves: counted as 4 bits
};

// `bits`: of packed weights, where a configuration says it; 0: it does not.
Packing unpack(const std::vector<SafeTensor>& tensors, std::int64_t bits);

} // namespace hwadvisor::modelfile
