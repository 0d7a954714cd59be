#pragma once

// What llama.cpp's architectures mean that their metadata does not say. One row each; src/models/*.cpp of llama.cpp
// v0.5.0. An architecture that is not listed has plain attention in every layer.

#include <cstdint>
#include <string_view>

namespace hwadvisor::modelfile {

enum class Recurrent : std::uint8_t {
  none,
  where_no_kv_heads, // layers whose head_count_kv is 0
  but_every_nth,     // all layers but every full_attention_interval-th
  all,
  beside_attention // every layer has both
};

struct GgufArchitecture {
  std::string_view name;
  std::string_view model_type; // of a config.json
  std::int32_t full_every = 0; // windows: all layers but every n-th; 0: the metadata has the pattern, or there is none
  bool full_first = false;     // … counted from the first layer of each n
  std::int64_t window = 0;     // where attention.sliding_window is missing
  std::string_view recurrent_layer = {}; // layer type, as in a config.json's layer_types
  Recurrent recurrent = Recurrent::none;
  std::int64_t interval = 4; // full_attention_interval where it is missing
};

// A row of its own for what is not known: its name as model type.
GgufArchitecture gguf_architecture(std::string_view name);
bool is_known_gguf_architecture(std::string_view name);

} // namespace hwadvisor::modelfile
