#pragma once

// GGUF metadata as the configuration that src/model reads: the layer list of a GGUF file comes from the same place as
// that of a config.json.

#include "modelfile/gguf.hpp"

namespace hwadvisor::modelfile {

// `metadata` as in a file: general.architecture and the keys under it. `vocabulary` counts where the metadata does not
// say. ErrorKind::malformed: a fact is missing or of the wrong type.
Result<json::Json> config_of_gguf(const GgufMetadata& metadata, std::int64_t vocabulary, const std::string& where);

} // namespace hwadvisor::modelfile
