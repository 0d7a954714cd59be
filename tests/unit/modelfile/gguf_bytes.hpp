#pragma once

// Writes GGUF bytes piece by piece, right or wrong. Format: github.com/ggml-org/ggml docs/gguf.md.

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace gguf_bytes {

template <class T> std::string raw(T value)
{
  std::string out(sizeof value, '\0');
  std::memcpy(out.data(), &value, sizeof value); // tests run on little-endian machines
  return out;
}
inline std::string u32(std::uint32_t value)
{
  return raw(value);
}
inline std::string u64(std::uint64_t value)
{
  return raw(value);
}
inline std::string word(std::string_view value)
{
  return u64(value.size()) + std::string(value);
}

// Metadata pairs.
inline std::string pair(std::string_view key, std::uint32_t value)
{
  return word(key) + u32(4) + u32(value);
}
inline std::string pair(std::string_view key, std::string_view value)
{
  return word(key) + u32(8) + word(value);
}
inline std::string pair(std::string_view key, const char* value)
{
  return pair(key, std::string_view(value));
}
inline std::string pair(std::string_view key, const std::vector<std::int32_t>& values)
{
  std::string out = word(key) + u32(9) + u32(5) + u64(values.size());
  for (const std::int32_t value : values) {
    out += raw(value);
  }
  return out;
}

inline std::string tensor(std::string_view name, const std::vector<std::uint64_t>& sizes, std::uint32_t type,
                          std::uint64_t offset)
{
  std::string out = word(name) + u32(static_cast<std::uint32_t>(sizes.size()));
  for (const std::uint64_t size : sizes) {
    out += u64(size);
  }
  return out + u32(type) + u64(offset);
}

struct File {
  std::uint32_t version = 3;
  std::vector<std::string> pairs;
  std::vector<std::string> tensors;
  std::size_t data = 0; // bytes behind the padded header

  std::string bytes() const
  {
    std::string out = "GGUF" + u32(version) + u64(tensors.size()) + u64(pairs.size());
    for (const auto* list : {&pairs, &tensors}) {
      for (const std::string& part : *list) {
        out += part;
      }
    }
    out.resize((out.size() + 31) / 32 * 32 + data);
    return out;
  }
};

} // namespace gguf_bytes
