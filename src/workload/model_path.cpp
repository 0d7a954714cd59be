// A model named by a path: which files it is, and which of them say what.

#include "workload/resolver.hpp"

#include "modelfile/model_file.hpp"
#include "text/file.hpp"
#include "text/grouped.hpp"
#include "text/quote.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include <dirent.h>
#include <sys/stat.h>

namespace hwadvisor::workload {
namespace {

using modelfile::ModelFile;

constexpr std::size_t k_largest_config = std::size_t{16} << 20; // the longest real ones are below 100 kB
constexpr std::size_t k_most_entries = 100'000;

enum class PathKind : std::uint8_t { none, file, folder };

PathKind path_kind(const std::string& path)
{
  struct stat info {};
  if (stat(path.c_str(), &info) != 0) {
    return PathKind::none;
  }
  return S_ISDIR(info.st_mode) ? PathKind::folder : PathKind::file;
}

// The model's files of one folder, sorted.
std::vector<std::string> list_folder(const std::string& path)
{
  std::vector<std::string> names;
  DIR* folder = opendir(path.c_str());
  if (folder == nullptr) {
    return names;
  }
  while (const dirent* entry = readdir(folder)) {
    const std::string_view name = entry->d_name;
    const bool hidden = name.starts_with('.') || name.starts_with("adapter_"); // LoRA adapters are no models
    if (!hidden && (name.ends_with(".gguf") || name.ends_with(".safetensors"))) {
      names.emplace_back(name);
    }
    if (names.size() >= k_most_entries) {
      break;
    }
  }
  closedir(folder);
  std::sort(names.begin(), names.end());
  return names;
}

std::string folder_of(const std::string& path)
{
  const auto slash = path.rfind('/');
  return slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
}

ResolvedModel resolved(ModelFile file)
{
  ResolvedModel out;
  out.precision = file.precision;
  out.stored = true;
  for (const std::string& note : file.notes) {
    out.notes.push_back({"model.file", Severity::info, note});
  }
  for (const std::string& warning : file.warnings) {
    out.notes.push_back({"model.file", Severity::warning, warning});
  }
  out.model = std::make_shared<const Model>(std::move(file.model));
  return out;
}

Result<ResolvedModel> from_gguf(const std::string& path)
{
  HWADVISOR_TRY(file, modelfile::read_gguf_parts(path));
  HWADVISOR_TRY(model, modelfile::model_of_gguf(std::move(file), path));
  return resolved(std::move(model));
}

Result<ResolvedModel> from_config_file(const std::string& path, const std::string& id)
{
  HWADVISOR_TRY(text, text::read_file(path, k_largest_config));
  return model_from_config(text, path, id);
}

// "model-00001-of-00004.safetensors": 4; 1 where the name tells of no others.
int parts_named(std::string_view path)
{
  const auto of = path.rfind("-of-");
  const auto end = path.rfind(".safetensors");
  int parts = 1;
  if (of != std::string_view::npos && end != std::string_view::npos && of + 4 < end) {
    std::from_chars(path.data() + of + 4, path.data() + end, parts);
  }
  return std::max(parts, 1);
}

// Files that hold much less than their configuration describes were cut short, or are not its files.
void compare_sizes(const Model& files, const Architecture& described, std::vector<Note>& notes)
{
  const std::int64_t expected = described.parameters();
  if (files.params_total && expected > 0 && *files.params_total < expected / 10 * 9) {
    notes.push_back({"model.file", Severity::warning,
                     fmt::format("the files hold {} parameters, config.json describes {}: are files missing?",
                                 text::grouped(*files.params_total), text::grouped(expected))});
  }
}

// Tensors of the files; the architecture of the config.json beside them, where there is one.
Result<ResolvedModel> from_safetensors(const std::string& path, const std::string& id)
{
  if (const int parts = parts_named(modelfile::file_name(path)); parts > 1) {
    return Error{ErrorKind::usage,
                 fmt::format("this is one of {} files; name model.safetensors.index.json, which lists them", parts),
                 path};
  }
  HWADVISOR_TRY(files, path.ends_with(".json") ? modelfile::read_safetensors_index(path)
                                               : modelfile::read_safetensors_file(path));
  const std::string config = folder_of(path) + "/config.json";
  if (path_kind(config) != PathKind::file) {
    return resolved(modelfile::model_of_safetensors(files, id, std::nullopt, 0));
  }
  HWADVISOR_TRY(configured, from_config_file(config, id));
  ModelFile model = modelfile::model_of_safetensors(files, id, configured.model->architecture, configured.packed_bits);
  if (!configured.precision.empty()) {
    model.precision = configured.precision;
  } else if (model.precision.empty()) {
    model.precision = configured.model->released_precision;
  }
  model.model.name = configured.model->name == id ? model.model.name : configured.model->name;
  model.model.released_precision = model.precision;
  ResolvedModel out = resolved(std::move(model));
  compare_sizes(*out.model, *configured.model->architecture, out.notes);
  out.stored = files.missing.empty();
  out.no_precision = out.precision.empty() ? configured.no_precision : std::nullopt;
  return out;
}

bool is_projector(const std::string& name)
{
  return name.find("mmproj") != std::string::npos;
}

bool is_later_part(const std::string& name)
{
  return name.find("-of-") != std::string::npos && name.find("-00001-of-") == std::string::npos;
}

// The one GGUF model among `names`; projectors lie beside models.
Result<ResolvedModel> from_gguf_folder(const std::string& folder, std::vector<std::string> names)
{
  const auto all = names.size();
  std::erase_if(names, [](const std::string& name) { return !name.ends_with(".gguf") || is_later_part(name); });
  const auto projectors = std::count_if(names.begin(), names.end(), is_projector);
  if (static_cast<std::size_t>(projectors) < names.size()) {
    std::erase_if(names, is_projector);
  }
  if (names.size() != 1) {
    return Error{ErrorKind::usage,
                 fmt::format("{} of the folder's files are GGUF models; name one of them", names.size()),
                 folder,
                 {names.begin(), names.begin() + std::min<std::ptrdiff_t>(std::ssize(names), 5)}};
  }
  HWADVISOR_TRY(out, from_gguf(folder + "/" + names.front()));
  if (projectors > 0 && all > 1) {
    out.notes.push_back(
        {"model.file", Severity::info, "the folder's mmproj file (image or audio encoder) is left out"});
  }
  return std::move(out);
}

Result<ResolvedModel> from_folder(const std::string& folder)
{
  const auto has = [&](std::string_view name) {
    return path_kind(fmt::format("{}/{}", folder, name)) == PathKind::file;
  };
  if (has("model_index.json")) {
    HWADVISOR_TRY(model, modelfile::model_of_pipeline(folder));
    return resolved(std::move(model));
  }
  if (has("model.safetensors.index.json")) {
    return from_safetensors(folder + "/model.safetensors.index.json", folder);
  }
  auto names = list_folder(folder);
  if (has("model.safetensors")) {
    return from_safetensors(folder + "/model.safetensors", folder);
  }
  const auto tensors =
      std::count_if(names.begin(), names.end(), [](const std::string& name) { return name.ends_with(".safetensors"); });
  if (tensors == 1) {
    const auto one = std::find_if(names.begin(), names.end(),
                                  [](const std::string& name) { return name.ends_with(".safetensors"); });
    return from_safetensors(folder + "/" + *one, folder);
  }
  if (has("config.json")) {
    return from_config_file(folder + "/config.json", folder);
  }
  if (static_cast<std::size_t>(tensors) < names.size()) {
    return from_gguf_folder(folder, std::move(names));
  }
  if (tensors > 1) {
    return Error{ErrorKind::usage,
                 fmt::format("{} safetensors files and no index; name one of them, or add model.safetensors.index.json",
                             tensors),
                 folder};
  }
  return Error{
      ErrorKind::io,
      "nothing to read in this folder; looked for model_index.json, model.safetensors.index.json, *.safetensors, "
      "config.json and *.gguf",
      folder};
}

bool begins_with_gguf(const std::string& path)
{
  const auto source = modelfile::open_file(path);
  char magic[4] = {};
  return source && (*source)->size() >= sizeof magic && (*source)->read(0, magic) &&
         std::string_view(magic, sizeof magic) == "GGUF";
}

} // namespace

bool names_file(const std::string& name)
{
  const PathKind kind = path_kind(name);
  const auto ends = [&](std::string_view ending) { return name.ends_with(ending); };
  return kind == PathKind::file || (kind == PathKind::none && (ends(".json") || ends(".gguf") || ends(".safetensors")));
}

bool is_folder(const std::string& name)
{
  return path_kind(name) == PathKind::folder;
}

Result<ResolvedModel> model_from_path(const std::string& path)
{
  if (is_folder(path)) {
    return from_folder(path);
  }
  if (path.ends_with(".gguf") || begins_with_gguf(path)) {
    return from_gguf(path);
  }
  if (path.ends_with(".safetensors") || path.ends_with(".safetensors.index.json")) {
    return from_safetensors(path, path);
  }
  if (modelfile::file_name(path) == "model_index.json") {
    return from_folder(folder_of(path));
  }
  return from_config_file(path, path);
}

} // namespace hwadvisor::workload
