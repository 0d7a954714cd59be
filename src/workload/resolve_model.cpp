#include "workload/resolver.hpp"

#include "text/quote.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace hwadvisor::workload {
namespace {

constexpr int k_most_tried = 8; // models of near size that are looked at on each side

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
    return Error{ErrorKind::usage, "no model is named; give a catalog name, a model's file or folder, or --params 7B"};
  }
  if (choice.params && (!choice.name.empty() || !choice.config_json.empty() || !choice.shape_json.empty())) {
    return Error{
        ErrorKind::usage,
        fmt::format("the size alone contradicts a named model ({}); give one of the two", text::quoted(choice.name)),
        "--params"};
  }
  if (choice.params) {
    return from_size(*choice.params, catalog);
  }
  if (!choice.shape_json.empty()) {
    return model_from_llamacpp_shape(choice.shape_json, choice.config_place);
  }
  if (!choice.config_json.empty()) {
    return model_from_config(choice.config_json, choice.config_place, "config");
  }
  if (choice.is_path || names_file(choice.name)) {
    return model_from_path(choice.name);
  }
  std::optional<Error> unreadable;
  if (is_folder(choice.name)) {
    auto read = model_from_path(choice.name);
    if (read || read.error().kind != ErrorKind::io || choice.name.front() == '.' || choice.name.front() == '/') {
      return read;
    }
    unreadable = read.error(); // a folder may happen to bear a model's name
  }
  auto match = catalog.resolve_model(choice.name);
  if (!match) {
    return unreadable ? std::move(*unreadable) : match.error();
  }
  ResolvedModel out{match->model, match->precision, match->ollama_tag};
  if (!match->note.empty()) {
    out.notes.push_back({"model.name", Severity::info, match->note});
  }
  return out;
}

} // namespace hwadvisor::workload
