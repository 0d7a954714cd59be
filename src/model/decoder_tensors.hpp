#pragma once

// The weight tensors of a decoder's layers. Each function adds those of one part of one layer.

#include "model/shape.hpp"
#include "model/tensor_table.hpp"

namespace hwadvisor::model {

void add_attention(const Shape& shape, std::size_t index, TensorTable& table);
void add_latent_attention(const Shape& shape, std::size_t index, TensorTable& table);
void add_recurrent(const Shape& shape, std::size_t index, TensorTable& table);
void add_feed_forward(const Shape& shape, std::size_t index, TensorTable& table);

// Embeddings, all layers, final norm and head. Multi-token-prediction layers go to `draft`.
void add_decoder(const Shape& shape, TensorTable& table, TensorTable& draft);

} // namespace hwadvisor::model
