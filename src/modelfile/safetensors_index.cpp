#include "modelfile/safetensors.hpp"

#include "text/file.hpp"
#include "text/quote.hpp"
#include "json/reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_set>

#include <sys/stat.h>

namespace hwadvisor::modelfile {
namespace {

constexpr std::size_t k_largest_index = 100'000'000;
constexpr std::size_t k_most_files = 10'000;

bool exists(const std::string& path)
{
  struct stat info {};
  return stat(path.c_str(), &info) == 0;
}

} // namespace

Result<SafeIndex> parse_safetensors_index(std::string_view text, const std::string& file)
{
  json::ParseLimits limits;
  limits.bytes = k_largest_index;
  limits.depth = 16;
  HWADVISOR_TRY(document, json::parse(text, file, limits));
  const auto malformed = [&](std::string message) { return Error{ErrorKind::malformed, std::move(message), file}; };
  const auto map = document.is_object() ? document.find("weight_map") : document.end();
  if (!document.is_object() || map == document.end() || !map->is_object() || map->empty()) {
    return malformed("an index has a weight_map from tensors to files");
  }
  SafeIndex out;
  std::set<std::string> files;
  for (const auto& [tensor, value] : map->items()) {
    if (!value.is_string()) {
      return malformed(fmt::format("weight_map: {} does not name a file", text::quoted(tensor)));
    }
    const auto& name = value.get_ref<const std::string&>();
    if (name.empty() || name.front() == '.' || name.find_first_of("/\\") != std::string::npos ||
        name.find('\0') != std::string::npos) {
      return malformed(fmt::format("weight_map: {} is not the name of a file beside the index", text::quoted(name)));
    }
    files.insert(name);
    if (files.size() > k_most_files) {
      return malformed(fmt::format("weight_map: more than {} files", k_most_files));
    }
  }
  out.files.assign(files.begin(), files.end());
  const auto metadata = document.find("metadata");
  if (metadata != document.end() && metadata->is_object()) {
    json::ObjectReader in(*metadata, {file, "/metadata"});
    out.total_size = in.maybe_integer("total_size", {0, INT64_MAX});
    in.ignore_rest();
    if (auto fault = in.finish()) {
      return *fault;
    }
  }
  return out;
}

Result<SafeTensors> read_safetensors_index(const std::string& path)
{
  HWADVISOR_TRY(text, text::read_file(path, k_largest_index));
  HWADVISOR_TRY(index, parse_safetensors_index(text, path));
  const auto slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "" : path.substr(0, slash + 1);
  SafeTensors out;
  out.total_size = index.total_size;
  for (const std::string& name : index.files) {
    if (!exists(folder + name)) {
      out.missing.push_back(name);
    }
  }
  if (!out.missing.empty()) {
    if (!out.total_size) {
      return Error{ErrorKind::io,
                   fmt::format("{} of its {} files are not beside it ({}), and it does not say total_size",
                               out.missing.size(), index.files.size(), text::quoted(out.missing.front())),
                   path};
    }
    return out;
  }
  std::unordered_set<std::string> names;
  for (const std::string& name : index.files) {
    HWADVISOR_TRY(part, read_safetensors_file(folder + name));
    for (SafeTensor& tensor : part.tensors) {
      if (!names.insert(tensor.name).second) {
        return Error{ErrorKind::malformed,
                     fmt::format("the tensor {} stands in an earlier file too", text::quoted(tensor.name)),
                     folder + name};
      }
      out.tensors.push_back(std::move(tensor));
    }
    out.file_bytes = saturating_add(out.file_bytes, part.file_bytes);
  }
  return out;
}

} // namespace hwadvisor::modelfile
