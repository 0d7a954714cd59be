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
  bool ollama_tag = false;                // named as in ollama's library, without a precision: "llama3.1:8b"
  std::optional<Error> no_precision = {}; // its configuration implies one that is not known here
  bool stored = false;                    // `precision` is what its files hold: tensors keep their formats
  std::int64_t packed_bits = 0;           // of packed weights, where its configuration says it
  std::vector<Note> notes = {};
};

Result<ResolvedModel> resolve_model(const ModelChoice& choice, const Catalog& catalog);

// A model from the text of a Hugging Face configuration. `id` is how the request named it.
Result<ResolvedModel> model_from_config(std::string_view text, const std::string& place, const std::string& id);

// A model from its file or folder; `path` is how the request named it. ErrorKind::io: missing, or nothing to read
// there.
Result<ResolvedModel> model_from_path(const std::string& path);
bool names_file(const std::string& name); // is one, or can only be meant as one
bool is_folder(const std::string& name);

// A model from llama.cpp's names for its sizes, as JSON text.
Result<ResolvedModel> model_from_llamacpp_shape(std::string_view text, const std::string& place);

Status resolve_precision(const Request& request, const ResolvedModel& model, Workload& workload);
Status resolve_engine(const Request& request, const Catalog& catalog, Workload& workload);
Status resolve_inference(const Request& request, Workload& workload);
Status resolve_training(const Request& request, Workload& workload);

// Error: ErrorKind::unknown, with the known ones.
Result<const Scenario*> find_scenario(const std::string& id, const Catalog& catalog);

// The request with the keys that its scenario sets, it leaves open and the job has a use for (`tokens`: the model works
// on tokens, not on images); which ones is a note. Unchanged without a scenario.
Result<Request> with_scenario_defaults(const Request& request, bool tokens, const Catalog& catalog,
                                       std::vector<Note>& notes);

// Keys of the other task are contradictions: "--micro-batch is for training".
Status check_task_keys(const Request& request, const Model* model);

bool is_training(Task task);

} // namespace hwadvisor::workload
