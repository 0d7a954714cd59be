#include "workload/resolver.hpp"

#include "text/file.hpp"
#include "text/quote.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <sys/stat.h>

namespace hwadvisor::workload {
namespace {

constexpr int k_most_tried = 8; // models of near size that are looked at on each side

enum class PathKind : std::uint8_t { none, file, folder };

PathKind path_kind(const std::string& path)
{
  struct stat info {};
  if (stat(path.c_str(), &info) != 0) {
    return PathKind::none;
  }
  return S_ISDIR(info.st_mode) ? PathKind::folder : PathKind::file;
}

Result<ResolvedModel> from_file(const std::string& path)
{
  for (const std::string_view ending : {".gguf", ".safetensors", ".safetensors.index.json"}) {
    if (path.ends_with(ending)) {
      return Error{
          ErrorKind::usage,
          fmt::format("reading {} files is not supported yet; name the model, or give its config.json", ending), path};
    }
  }
  constexpr std::size_t largest = std::size_t{16} << 20; // the longest real ones are below 100 kB
  HWADVISOR_TRY(text, text::read_file(path, largest));
  return model_from_config(text, path, path);
}

// What an unknown model of that size is shaped like: the nearest plain decoders below and above it.
Result<ResolvedModel> from_size(std::int64_t params, const Catalog& catalog)
{
  std::vector<const ModelSummary*> near;
  for (const ModelSummary& model : catalog.models()) {
    if (model.family == "llm-dense" && model.params_total && *model.params_total > 0) {
      near.push_back(&model);
    }
  }
  const auto distance = [&](const ModelSummary* model) {
    return std::abs(std::log(static_cast<double>(*model->params_total) / static_cast<double>(params)));
  };
  std::stable_sort(near.begin(), near.end(),
                   [&](const ModelSummary* a, const ModelSummary* b) { return distance(a) < distance(b); });
  std::vector<Model> neighbours;
  int smaller = k_most_tried;
  int larger = k_most_tried;
  for (const ModelSummary* summary : near) {
    int& left = *summary->params_total < params ? smaller : larger;
    if (left == 0) {
      continue;
    }
    --left;
    HWADVISOR_TRY(match, catalog.resolve_model(summary->id));
    if (is_plain_decoder(*match.model)) {
      neighbours.push_back(*match.model);
      left = 0;
    }
    if (smaller + larger == 0) {
      break;
    }
  }
  HWADVISOR_TRY(inferred, infer_model(params, neighbours));
  ResolvedModel out;
  out.notes.push_back({"model.inferred", Severity::info, inferred.params_text});
  out.model = std::make_shared<const Model>(std::move(inferred));
  return out;
}

} // namespace

Result<ResolvedModel> resolve_model(const ModelChoice& choice, const Catalog& catalog)
{
  if (choice.empty()) {
    return Error{ErrorKind::usage, "no model is named; give a catalog name, a config.json, or --params 7B"};
  }
  if (choice.params && (!choice.name.empty() || !choice.config_json.empty())) {
    return Error{
        ErrorKind::usage,
        fmt::format("the size alone contradicts a named model ({}); give one of the two", text::quoted(choice.name)),
        "--params"};
  }
  if (choice.params) {
    return from_size(*choice.params, catalog);
  }
  if (!choice.config_json.empty()) {
    return model_from_config(choice.config_json, choice.config_place, "config");
  }
  switch (path_kind(choice.name)) {
  case PathKind::file:
    return from_file(choice.name);
  case PathKind::folder:
    if (const std::string path = choice.name + "/config.json"; path_kind(path) == PathKind::file) {
      return from_file(path);
    }
    break; // a folder may happen to bear a model's name
  case PathKind::none:
    for (const std::string_view ending : {".json", ".gguf", ".safetensors"}) {
      if (choice.name.ends_with(ending)) {
        return from_file(choice.name); // says that it is missing
      }
    }
    break;
  }
  HWADVISOR_TRY(match, catalog.resolve_model(choice.name));
  ResolvedModel out{match.model, match.precision};
  if (!match.note.empty()) {
    out.notes.push_back({"model.name", Severity::info, match.note});
  }
  return out;
}

} // namespace hwadvisor::workload
