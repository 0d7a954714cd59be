#include "modelfile/gguf.hpp"

#include "text/quote.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

namespace hwadvisor::modelfile {
namespace {

constexpr std::int64_t k_most_parts = 9999;

Result<GgufFile> read_one(const std::string& path)
{
  HWADVISOR_TRY(source, open_file(path));
  return read_gguf(*source, path);
}

// llama.cpp's llama_split_path: "%s-%05d-of-%05d.gguf".
std::string part_path(std::string_view stem, std::int64_t part, std::int64_t count)
{
  return fmt::format("{}-{:05}-of-{:05}.gguf", stem, part, count);
}

Error part_fault(const std::string& path, std::string message)
{
  return Error{ErrorKind::malformed, std::move(message), path};
}

Status check_part(const GgufFile& part, std::int64_t index, std::int64_t count, const std::string& path)
{
  if (part.metadata.integer("split.count") != count || part.metadata.integer("split.no") != index) {
    return part_fault(path, fmt::format("this is not part {} of {}, as its name says: split.no and split.count differ",
                                        index + 1, count));
  }
  return {};
}

} // namespace

Result<GgufFile> read_gguf_parts(const std::string& path)
{
  HWADVISOR_TRY(given, read_one(path));
  const std::int64_t count = given.metadata.integer("split.count").value_or(1);
  if (count <= 1) {
    return std::move(given);
  }
  if (count > k_most_parts) {
    return part_fault(path, fmt::format("split.count is {}; at most {} parts are read", count, k_most_parts));
  }
  const std::int64_t index = given.metadata.integer("split.no").value_or(count);
  const std::string ending = part_path("", index + 1, count);
  if (index >= count || !path.ends_with(ending)) {
    return part_fault(path, fmt::format("this is part {} of {}, but its name does not end in {}, so the other parts "
                                        "cannot be found",
                                        index + 1, count, text::quoted(ending)));
  }
  const std::string stem = path.substr(0, path.size() - ending.size());
  GgufFile all;
  std::unordered_set<std::string> names;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::string part_name = part_path(stem, i + 1, count);
    GgufFile part;
    if (i == index) {
      part = std::move(given);
    } else {
      auto read = read_one(part_name);
      if (!read) {
        Error error = read.error();
        if (error.kind == ErrorKind::io) {
          error.message = fmt::format("part {} of {} is missing: {}", i + 1, count, error.message);
        }
        return error;
      }
      part = std::move(*read);
    }
    HWADVISOR_TRY_STATUS(check_part(part, i, count, part_name));
    for (GgufTensor& tensor : part.tensors) {
      if (!names.insert(tensor.name).second) {
        return part_fault(part_name,
                          fmt::format("the tensor {} stands in an earlier part too", text::quoted(tensor.name)));
      }
      all.tensors.push_back(std::move(tensor));
    }
    all.file_bytes = saturating_add(all.file_bytes, part.file_bytes);
    if (i == 0) {
      all.version = part.version;
      all.metadata = std::move(part.metadata);
    }
  }
  const auto expected = all.metadata.integer("split.tensors.count");
  if (expected && *expected != static_cast<std::int64_t>(all.tensors.size())) {
    return part_fault(path, fmt::format("the {} parts hold {} tensors; split.tensors.count says {}", count,
                                        all.tensors.size(), *expected));
  }
  return all;
}

} // namespace hwadvisor::modelfile
