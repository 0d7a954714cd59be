#include "workload/resolver.hpp"

#include "text/near.hpp"
#include "text/quote.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hwadvisor {
namespace workload {
namespace {

constexpr std::string_view k_inference_keys[] = {"kv_precision",
                                                 "context",
                                                 "concurrency",
                                                 "sequences",
                                                 "input_tokens",
                                                 "output_tokens",
                                                 "requests_per_s",
                                                 "gpu_memory_utilization",
                                                 "max_batched_tokens",
                                                 "ubatch",
                                                 "gpu_layers",
                                                 "swa_full",
                                                 "kv_unified",
                                                 "kv_offload",
                                                 "outputs",
                                                 "embeddings",
                                                 "backend",
                                                 "enforce_eager",
                                                 "ttft_ms",
                                                 "tpot_ms"};
constexpr std::string_view k_training_keys[] = {
    "method",     "lora_rank",    "lora_targets", "optimizer",    "micro_batch", "grad_accum", "checkpointing",
    "fused_loss", "train_tokens", "epochs",       "dataset_rows", "zero",        "fsdp"};

// https://ollama.com/library/llama3.1/tags: "8b" is "8b-instruct-q4_K_M", as are the plain tags of its other models.
constexpr std::string_view k_ollama_default = "q4_k_m";

// A tag means ollama's file where its engine could read that: not in training, nor under vLLM. What was released in
// fewer bits (gpt-oss), and encoders, ollama serves as they are.
bool takes_ollama_default(const Workload& workload)
{
  const Model& model = *workload.model;
  const auto released = find_precision(model.released_precision);
  const auto file = find_precision(k_ollama_default);
  return !is_training(workload.task) && model.architecture && model.architecture->causal &&
         (!released.ok() || released->nominal_bits() >= 16.0) && engine_reads(*workload.engine, *file);
}

} // namespace

bool is_training(Task task)
{
  return task != Task::inference;
}

Note default_note(std::string_view key, std::string text)
{
  return {fmt::format("default.{}", key), Severity::info, std::move(text)};
}

Status check_task_keys(const Request& request, const Model* model)
{
  const bool training = is_training(request.task.value_or(Task::inference));
  const auto contradiction = [](const RequestKey& key, std::string_view text) {
    return Error{ErrorKind::usage, std::string(text), flag_of(key)};
  };
  if (training) {
    for (const std::string_view name : k_inference_keys) {
      if (has_request_key(request, name)) {
        return contradiction(*find_request_key(name), name == "context"
                                                          ? "this is for inference; training has --seq-len"
                                                          : "this is for inference, not for training");
      }
    }
    return {};
  }
  for (const std::string_view name : k_training_keys) {
    if (has_request_key(request, name)) {
      return contradiction(*find_request_key(name), "this is for training; add --task training or --task finetuning");
    }
  }
  // Encoders read sequences, and hold no context.
  const bool encoder = model != nullptr && model->architecture && !model->architecture->causal;
  if (request.seq_len && model != nullptr && !encoder) {
    return contradiction(*find_request_key("seq_len"), "this is for training; inference has --context");
  }
  return {};
}

Status resolve_precision(const Request& request, const ResolvedModel& model, Workload& workload)
{
  const bool training = is_training(workload.task);
  std::string name = request.precision.value_or("");
  // A recipe of training is no matter of what 16-bit files hold.
  const auto implied = find_precision(model.precision);
  const bool whole = implied.ok() && implied->nominal_bits() >= 16.0;
  if (name.empty() && !model.precision.empty() && !(training && whole)) {
    name = model.precision;
    workload.precision_named = !whole; // 16 bit leaves the choice of fewer
    workload.notes.push_back(
        default_note("precision", fmt::format("precision {}, as the model's {}", name,
                                              model.stored ? "files hold it" : "name or configuration says")));
  }
  if (name.empty() && model.ollama_tag && takes_ollama_default(workload)) {
    name = k_ollama_default;
    workload.precision_named = true;
    workload.notes.push_back(default_note(
        "precision",
        fmt::format("precision {}, which ollama serves under a tag that names none (--precision {} for "
                    "the weights as released)",
                    name, model.model->released_precision.empty() ? "bf16" : model.model->released_precision)));
  }
  if (name.empty() && model.no_precision) {
    return *model.no_precision;
  }
  if (name.empty() && training) {
    switch (workload.training.method) {
    case Method::full:
      name = "bf16-mixed";
      workload.notes.push_back(default_note("precision", "precision bf16-mixed"));
      break;
    case Method::lora: // PEFT: adapters are cast to fp32 beside a base in 16 bit (autocast_adapter_dtype)
    case Method::freeze:
      name = "bf16-mixed";
      workload.notes.push_back(
          default_note("precision", "precision bf16-mixed (frozen weights in bf16, trained ones in fp32)"));
      break;
    case Method::qlora:
      name = "nf4-dq"; // the method's own: Dettmers et al., arXiv 2305.14314
      workload.notes.push_back(default_note("precision", "precision nf4-dq"));
      break;
    }
  }
  if (name.empty()) {
    const std::string& released = model.model->released_precision;
    name = released.empty() ? "bf16" : released;
    workload.notes.push_back(default_note(
        "precision", fmt::format("precision {}{}", name, released.empty() ? "" : ", as the model was released")));
  }
  auto precision = find_precision(name);
  if (!precision) {
    Error error = precision.error();
    error.message = fmt::format("{} is not a known precision", text::quoted(name));
    error.where = "--precision";
    return error;
  }
  workload.precision = std::move(*precision);
  // Asked in the words of what the files hold, or not asked at all: their tensors stay as they are.
  workload.precision.as_stored = model.stored && (name == model.precision || !request.precision);
  if (!training && workload.precision.kind == PrecisionKind::mixed) {
    return Error{ErrorKind::usage,
                 fmt::format("{} is a training recipe; inference takes fp16, bf16, fp8, int4, ...", text::quoted(name)),
                 "--precision"};
  }
  return {};
}

Status resolve_engine(const Request& request, const Catalog& catalog, Workload& workload)
{
  const bool training = is_training(workload.task);
  const std::string name = request.engine.value_or(training ? "pytorch" : "generic");
  const Engine* engine = catalog.find_engine(name);
  if (engine == nullptr) {
    std::vector<std::string> known;
    for (const Engine& each : catalog.engines()) {
      known.push_back(each.id);
    }
    return Error{ErrorKind::usage, fmt::format("{} is not a known engine", text::quoted(name)), "--engine",
                 text::near_matches(name, known)};
  }
  if (!request.engine) {
    workload.notes.push_back(default_note("engine", fmt::format("engine {}", name)));
  }
  workload.engine_version = request.engine_version.value_or("");
  if (request.enforce_eager.value_or(false)) {
    auto eager = std::make_shared<Engine>(*engine);
    eager->graphs = {};
    for (OlderRules& older : eager->older) {
      older.rules.graphs = {};
    }
    workload.engine = std::move(eager);
  } else {
    workload.engine = std::shared_ptr<const Engine>(std::shared_ptr<void>(), engine); // the catalog's own
  }
  return {};
}

// Activations follow the model's own image size; another one would be a wrong answer.
Status check_image_size(const Request& request, const Model& model)
{
  if (!request.image_height || !request.image_width) {
    return {};
  }
  if (model.image_work && model.image_work->height_px == *request.image_height &&
      model.image_work->width_px == *request.image_width) {
    return {};
  }
  return Error{ErrorKind::usage,
               model.image_work && model.image_work->height_px > 0
                   ? fmt::format("only the model's own image size, {}x{}, is supported yet",
                                 model.image_work->height_px, model.image_work->width_px)
                   : fmt::format("{} is not estimated by image size yet", model.name),
               "--image-size"};
}

} // namespace workload

Result<Workload> resolve(const Request& asked, const Catalog& catalog)
{
  using namespace workload;
  Workload out;
  HWADVISOR_TRY_STATUS(check_task_keys(asked, nullptr));
  HWADVISOR_TRY(model, resolve_model(asked.model, catalog));
  out.model = model.model;
  HWADVISOR_TRY(request, with_scenario_defaults(asked, out.model->architecture.has_value(), catalog, out.notes));
  out.request = std::make_shared<const Request>(request);
  out.task = request.task.value_or(Task::inference);
  if (!request.task) {
    out.notes.push_back(default_note("task", "task inference"));
  }
  out.notes.insert(out.notes.end(), model.notes.begin(), model.notes.end());
  HWADVISOR_TRY_STATUS(check_task_keys(request, out.model.get()));
  HWADVISOR_TRY_STATUS(check_image_size(request, *out.model));
  HWADVISOR_TRY_STATUS(resolve_engine(request, catalog, out));
  if (is_training(out.task)) {
    HWADVISOR_TRY_STATUS(resolve_training(request, out));
    HWADVISOR_TRY_STATUS(resolve_precision(request, model, out));
  } else {
    HWADVISOR_TRY_STATUS(resolve_precision(request, model, out));
    HWADVISOR_TRY_STATUS(resolve_inference(request, out));
    if (!engine_reads(*out.engine, out.precision)) {
      out.notes.push_back({"engine.format", Severity::warning,
                           fmt::format("{} is not known to read {}; the weights are counted all the same",
                                       out.engine->name, out.precision.id)});
    }
  }
  for (const auto& [name, value] : request.carried) {
    out.notes.push_back(
        {"request.carried", Severity::info, fmt::format("{} {} is noted; it changes no figure yet", name, value)});
  }
  return out;
}

} // namespace hwadvisor
