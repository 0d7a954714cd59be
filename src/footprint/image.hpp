#pragma once

// Activations of models that see images rather than tokens: CNNs, vision transformers, diffusion.

#include "hwadvisor/footprint.hpp"

namespace hwadvisor {

// Inference, `batch` images at once.
Component image_activations(const Model& model, const Precision& precision, std::int64_t batch, Detail detail);

// What a training step of `batch` images keeps for the backward pass.
Component image_training_activations(const Model& model, const Precision& precision, std::int64_t batch, Detail detail);

} // namespace hwadvisor
