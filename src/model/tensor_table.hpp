#pragma once

// Collects the weight tensors of a model, layer by layer.

#include "hwadvisor/tensor.hpp"
#include "model/style.hpp"

#include <cstdint>
#include <vector>

namespace hwadvisor::model {

class TensorTable {
public:
  explicit TensorTable(std::vector<Tensor>& tensors) : m_tensors(&tensors) {}

  // Where the tensors that follow belong. -1: outside the layers.
  void layer(std::int64_t index, bool encoder = false)
  {
    m_layer = static_cast<std::int32_t>(index);
    m_encoder = encoder;
  }

  // A weight of `rows` outputs from `row_elements` inputs; a missing side (0) means the tensor does not exist.
  void matrix(TensorRole role, std::int64_t rows, std::int64_t row_elements, std::int64_t copies = 1)
  {
    if (rows > 0 && row_elements > 0 && copies > 0) {
      m_tensors->push_back({role, m_layer, rows, row_elements, copies, m_encoder});
    }
  }
  void vector(TensorRole role, std::int64_t elements, std::int64_t copies = 1) { matrix(role, 1, elements, copies); }
  void bias(std::int64_t elements, std::int64_t copies = 1) { vector(TensorRole::bias, elements, copies); }
  void norm(Norm kind, std::int64_t width)
  {
    vector(TensorRole::norm, width);
    if (kind == Norm::layer) {
      bias(width);
    }
  }

private:
  std::vector<Tensor>* m_tensors;
  std::int32_t m_layer = -1;
  bool m_encoder = false;
};

} // namespace hwadvisor::model
