#pragma once

// Writes safetensors bytes: header and zeros. Format: github.com/huggingface/safetensors README.md.

#include "gguf_bytes.hpp"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

namespace safetensors_bytes {

inline std::string raw(std::string_view header, std::size_t data)
{
  return gguf_bytes::u64(header.size()) + std::string(header) + std::string(data, '\0');
}

struct Entry {
  std::string name;
  std::string type;
  std::vector<std::int64_t> shape;
  std::int64_t bytes;
};

inline std::string file(const std::vector<Entry>& entries)
{
  std::string header = "{";
  std::int64_t at = 0;
  for (const Entry& entry : entries) {
    std::string shape;
    for (const std::int64_t size : entry.shape) {
      shape += (shape.empty() ? "" : ",") + std::to_string(size);
    }
    header += fmt::format(R"({}"{}":{{"dtype":"{}","shape":[{}],"data_offsets":[{},{}]}})", at == 0 ? "" : ",",
                          entry.name, entry.type, shape, at, at + entry.bytes);
    at += entry.bytes;
  }
  return raw(header + "}", static_cast<std::size_t>(at));
}

} // namespace safetensors_bytes
