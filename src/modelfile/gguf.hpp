#pragma once

// GGUF files, versions 2 and 3, little-endian: header, metadata and tensor table. Tensor data is never read.
//
//   "GGUF" version:u32 tensors:u64 pairs:u64
//   pair    key:string type:u32 value               string: length:u64 bytes; list: type:u32 count:u64 values
//   tensor  name:string dimensions:u32 size:u64 … type:u32 offset:u64
//   padding to the alignment, then the data, to which the offsets count
//
// Format: github.com/ggml-org/ggml docs/gguf.md; what is accepted: ggml/src/gguf.cpp of llama.cpp v0.5.0.

#include "modelfile/bytes.hpp"
#include "modelfile/ggml_types.hpp"
#include "json/json.hpp"

#include <array>
#include <functional>
#include <map>
#include <optional>

namespace hwadvisor::modelfile {

// Scalars, short texts and short lists of numbers. Of long texts and long lists (vocabularies) only the size is kept.
struct GgufMetadata {
  std::map<std::string, json::Json, std::less<>> values;
  std::map<std::string, std::uint64_t, std::less<>> list_sizes; // of every list

  const json::Json* find(std::string_view key) const;
  std::optional<std::int64_t> integer(std::string_view key) const; // empty: missing, negative or no whole number
  std::string text(std::string_view key) const;
};

struct GgufTensor {
  std::string name;
  std::array<std::int64_t, 4> sizes{1, 1, 1, 1}; // the row length first
  const GgmlType* type = nullptr;
  std::uint64_t offset = 0;
  std::int64_t bytes = 0;

  std::int64_t elements() const { return sizes[0] * sizes[1] * sizes[2] * sizes[3]; } // checked when it was read
};

struct GgufFile {
  std::uint32_t version = 0;
  GgufMetadata metadata;
  std::vector<GgufTensor> tensors;
  std::int64_t file_bytes = 0;
};

// `file` names it in errors. ErrorKind::malformed: anything that llama.cpp would refuse, or that lies outside the file.
Result<GgufFile> read_gguf(const ByteSource& source, const std::string& file);

// The file at `path`, or all parts of the model of which it is one ("…-00001-of-00003.gguf"): metadata of the first,
// tensors and sizes of all.
Result<GgufFile> read_gguf_parts(const std::string& path);

} // namespace hwadvisor::modelfile
