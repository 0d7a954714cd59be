#pragma once

// safetensors files: a length (8 bytes, little-endian), that many bytes of JSON, then the data, which is never read.
// Format and limits: github.com/huggingface/safetensors README.md and safetensors/src/tensor.rs.

#include "hwadvisor/precision.hpp"
#include "modelfile/bytes.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hwadvisor::modelfile {

struct SafeType {
  std::string_view name; // "BF16"
  std::int32_t bits = 0;
  const NumberFormat* format = nullptr; // nullptr: no format that weights go by
};

struct SafeTensor {
  std::string name;
  const SafeType* type = nullptr;
  std::vector<std::int64_t> shape;
  std::int64_t elements = 0;
  std::int64_t bytes = 0;
};

// One file, or all files of an index.
struct SafeTensors {
  std::vector<SafeTensor> tensors;
  std::int64_t file_bytes = 0;            // of the files that were read
  std::optional<std::int64_t> total_size; // what an index says of the tensors' bytes
  std::vector<std::string> missing;       // files of an index that are not there
};

// `file` names it in errors. ErrorKind::malformed: what the reference implementation refuses too.
Result<SafeTensors> read_safetensors(const ByteSource& source, const std::string& file);
Result<SafeTensors> read_safetensors_file(const std::string& path);

// An index ("model.safetensors.index.json"): the headers of its files where they lie beside it.
struct SafeIndex {
  std::vector<std::string> files; // in order, each once
  std::optional<std::int64_t> total_size;
};
Result<SafeIndex> parse_safetensors_index(std::string_view text, const std::string& file);
Result<SafeTensors> read_safetensors_index(const std::string& path);

} // namespace hwadvisor::modelfile
