#pragma once

// Vision towers and the projectors that join them to a text decoder. All tensors have role `vision`, biases and norms
// included: quantisers leave a tower as it is.

#include "model/fields.hpp"
#include "model/tensor_table.hpp"

#include <cstdint>
#include <string_view>

namespace hwadvisor::model {

// Adds the tower that `vision` describes, for a multimodal model of type `model_type` whose decoder is `text_hidden`
// wide. False when the tower is of a kind that is not known.
bool add_vision_tower(const Fields& vision, std::string_view model_type, std::int64_t text_hidden, TensorTable& table);

// Image models that stand alone: ViT, DINOv2, SigLIP, CLIP, Swin, ConvNeXt, SAM. False: not one of these.
bool add_image_model(const Fields& in, std::string_view model_type, TensorTable& table);

// The parts both share.
struct VitShape {
  std::int64_t hidden = 0, layers = 0, ffn = 0, patch = 0, image = 0, channels = 3;
};
VitShape read_vit(const Fields& in);
// A pre-norm transformer block with biases everywhere: two norms, attention, two-matrix feed-forward.
void add_vit_block(TensorRole role, std::int64_t hidden, std::int64_t ffn, TensorTable& table);
void add_linear(TensorRole role, std::int64_t rows, std::int64_t row_elements, bool bias, TensorTable& table);
void add_clip_vision(const VitShape& vit, TensorTable& table);
void add_siglip_vision(const VitShape& vit, bool pooling_head, TensorTable& table);

} // namespace hwadvisor::model
