#pragma once

// The steps of resolve(), each for one part of the workload.

#include "hwadvisor/catalog.hpp"
#include "hwadvisor/workload.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace hwadvisor::workload {

// A default that was taken, for the notes: "default.context".
Note default_note(std::string_view key, std::string text);

struct ResolvedModel {
  std::shared_ptr<const Model> model;
  std::string precision = {};             // implied by its name or its configuration; empty: none
  std::optional<Error> no_precision = {}; // its configuration implies one that is not known here
  std::vector<Note> notes = {};
};

Result<ResolvedModel> resolve_model(const ModelChoice& choice, const Catalog& catalog);

// A model from the text of a Hugging Face configuration. `id` is how the request named it.
Result<ResolvedModel> model_from_config(std::string_view text, const std::string& place, const std::string& id);

Status resolve_precision(const Request& request, const ResolvedModel& model, Workload& workload);
Status resolve_engine(const Request& request, const Catalog& catalog, Workload& workload);
Status resolve_inference(const Request& request, Workload& workload);
Status resolve_training(const Request& request, Workload& workload);

// Keys of the other task are contradictions: "--micro-batch is for training".
Status check_task_keys(const Request& request, const Model* model);

bool is_training(Task task);

} // namespace hwadvisor::workload
