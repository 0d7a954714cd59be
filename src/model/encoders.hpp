#pragma once

// Encoders (BERT and kin), encoder-decoders (T5, BART, Whisper) and speech encoders (wav2vec 2.0).

#include "hwadvisor/model.hpp"
#include "model/fields.hpp"

#include <string_view>

namespace hwadvisor::model {

// Fills layers, encoder layers and tensors. False: not a model type of this kind.
bool read_encoder(const Fields& in, std::string_view model_type, Architecture& architecture);

} // namespace hwadvisor::model
