#pragma once

// The numbers that GGUF files give tensor types and file types.

#include "hwadvisor/precision.hpp"

#include <cstdint>
#include <string_view>

namespace hwadvisor::modelfile {

struct GgmlType {
  std::uint32_t number = 0;
  std::string_view name;        // "Q4_K"
  const NumberFormat* format{}; // nullptr: whole numbers wider than a byte, which store no weights
  std::int32_t block_elements = 1;
  std::int32_t block_bytes = 1;
};

// nullptr: no type of that number, or one that was withdrawn.
const GgmlType* find_ggml_type(std::uint32_t number);

// The precision that general.file_type stands for ("q4_k_m"); empty: none that is known.
std::string_view precision_of_file_type(std::int64_t file_type);

} // namespace hwadvisor::modelfile
