#include "workload/resolver.hpp"

#include "text/grouped.hpp"
#include "text/near.hpp"
#include "text/quote.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hwadvisor::workload {
namespace {

constexpr std::int64_t k_usual_context = 4096;
constexpr std::int64_t k_usual_input = 512;
constexpr std::int64_t k_usual_output = 128;

Error contradiction(std::string message, std::string_view flag)
{
  return Error{ErrorKind::usage, std::move(message), std::string(flag)};
}

Result<const NumberFormat*> cache_format(std::string_view name)
{
  if (const NumberFormat* format = find_format(name)) {
    return format;
  }
  std::vector<std::string> known;
  for (const NumberFormat* each : all_formats()) {
    known.emplace_back(each->id);
  }
  return Error{ErrorKind::usage, fmt::format("{} is not a known number format", text::quoted(name)), "--kv-precision",
               text::near_matches(name, known)};
}

// "q8_0" for both, or "q8_0/f16" for K and V.
Status resolve_cache_formats(const Request& request, Workload& workload)
{
  InferenceJob& job = workload.inference;
  if (!request.kv_precision) {
    // 16 bit whatever the weights: engines quantise the cache only when told to.
    const NumberFormat* compute = workload.precision.compute;
    const bool sixteen = compute != nullptr && compute->block_elements == 1 && compute->block_bytes == 2;
    job.k_format = job.v_format = sixteen ? compute : &format("fp16");
    workload.notes.push_back(default_note("kv_precision", fmt::format("KV cache {}", job.k_format->id)));
    return {};
  }
  const std::string_view text = *request.kv_precision;
  const auto slash = text.find('/');
  HWADVISOR_TRY(k, cache_format(text.substr(0, slash)));
  job.k_format = job.v_format = k;
  if (slash != std::string_view::npos) {
    HWADVISOR_TRY(v, cache_format(text.substr(slash + 1)));
    job.v_format = v;
  }
  return {};
}

Status resolve_lengths(const Request& request, Workload& workload)
{
  InferenceJob& job = workload.inference;
  const Model& model = *workload.model;
  const std::int64_t positions = model.architecture ? model.architecture->max_positions : 0;
  const auto asked_context = request.context ? request.context : request.seq_len;
  const std::int64_t asked = saturating_add(request.input_tokens.value_or(0), request.output_tokens.value_or(0));

  if (asked_context) {
    job.context = *asked_context;
    if (asked > job.context) {
      return contradiction(fmt::format("{} input and output tokens do not fit a context of {}", text::grouped(asked),
                                       text::grouped(job.context)),
                           "--context");
    }
  } else {
    job.context = positions > 0 ? std::min(k_usual_context, positions) : k_usual_context;
    job.context = std::max(job.context, asked);
    workload.notes.push_back(default_note("context", fmt::format("context {} tokens", text::grouped(job.context))));
  }
  // What is not said of a request fits what is.
  if (request.output_tokens) {
    job.output_tokens = *request.output_tokens;
  } else {
    const std::int64_t room = std::max<std::int64_t>(0, job.context - request.input_tokens.value_or(0));
    job.output_tokens = std::min(k_usual_output, request.input_tokens ? room : room / 2);
  }
  if (request.input_tokens) {
    job.input_tokens = *request.input_tokens;
  } else {
    job.input_tokens = std::min(k_usual_input, std::max<std::int64_t>(0, job.context - job.output_tokens));
  }
  const bool generates = model.architecture && model.architecture->causal;
  if (generates && !request.input_tokens) {
    workload.notes.push_back(
        default_note("input_tokens", fmt::format("{} input tokens", text::grouped(job.input_tokens))));
  }
  if (generates && !request.output_tokens) {
    workload.notes.push_back(
        default_note("output_tokens", fmt::format("{} output tokens", text::grouped(job.output_tokens))));
  }
  if (positions > 0 && job.context > positions) {
    workload.notes.push_back({"context.beyond_model", Severity::warning,
                              fmt::format("the context of {} tokens is beyond the {} positions the model was made for",
                                          text::grouped(job.context), text::grouped(positions))});
  }
  return {};
}

Status resolve_sequences(const Request& request, Workload& workload)
{
  InferenceJob& job = workload.inference;
  if (request.batch && request.concurrency && *request.batch != *request.concurrency) {
    return contradiction(
        fmt::format("a batch of {} contradicts a concurrency of {}", *request.batch, *request.concurrency), "--batch");
  }
  const bool shared_context = workload.engine->id == "llama.cpp" && request.sequences.has_value();
  const auto load = request.concurrency ? request.concurrency : request.batch;
  if (shared_context) {
    // llama.cpp divides the context it was given among its slots (llama-context.cpp: n_ctx / n_seq_max).
    job.sequences = *request.sequences;
    job.context = std::max<std::int64_t>(1, job.context / job.sequences);
    if (job.sequences > 1) {
      workload.notes.push_back(
          {"engine.slots", Severity::info,
           fmt::format("{} slots share the context: {} tokens each", job.sequences, text::grouped(job.context))});
    }
  } else if (request.sequences && load && *request.sequences != *load) {
    return contradiction(fmt::format("{} sequences contradict a concurrency of {}", *request.sequences, *load),
                         "--sequences");
  } else if (request.sequences) {
    job.sequences = *request.sequences;
  } else if (load) {
    job.sequences = *load;
  } else {
    job.sequences = 1;
    if (!request.concurrency_max) {
      workload.notes.push_back(default_note("batch", "batch 1"));
    }
  }
  return {};
}

// Settings that only llama.cpp and what is built on it have.
Status resolve_llama_cpp(const Request& request, const EngineRules& rules, Workload& workload)
{
  InferenceJob& job = workload.inference;
  if (rules.activations != ActivationRule::llama_cpp) {
    for (const std::string_view key : {"kv_offload", "outputs", "embeddings"}) {
      if (has_request_key(request, key)) {
        return contradiction(fmt::format("{} has no such setting; llama.cpp has", workload.engine->name),
                             flag_of(*find_request_key(key)));
      }
    }
  }
  job.kv_offload = request.kv_offload.value_or(true);
  job.outputs = request.outputs;
  job.embeddings = request.embeddings.value_or(false);
  for (int i = 0; request.backend && i <= static_cast<int>(Backend::opencl); ++i) {
    if (*request.backend == backend_name(static_cast<Backend>(i))) {
      job.backend = static_cast<Backend>(i);
    }
  }
  return {};
}

} // namespace

Status resolve_inference(const Request& request, Workload& workload)
{
  InferenceJob& job = workload.inference;
  const EngineRules& rules = workload.engine->rules_at(workload.engine_version);
  HWADVISOR_TRY_STATUS(resolve_cache_formats(request, workload));
  HWADVISOR_TRY_STATUS(resolve_lengths(request, workload));
  HWADVISOR_TRY_STATUS(resolve_sequences(request, workload));

  if (request.attention && request.flash_attention && (*request.attention == "eager") == *request.flash_attention) {
    return contradiction(fmt::format("attention {} contradicts --flash-attention", *request.attention), "--attention");
  }
  job.flash_attention = request.flash_attention ? *request.flash_attention
                        : request.attention     ? *request.attention != "eager"
                                                : rules.flash_attention;
  // Unset means the engine's own rule, which may depend on the card.
  job.batched_tokens = 0;
  if (rules.activations == ActivationRule::llama_cpp) {
    job.batched_tokens = request.ubatch.value_or(0);
    if (request.max_batched_tokens) { // the physical batch is never larger than the logical one
      const std::int64_t physical = job.batched_tokens > 0 ? job.batched_tokens : rules.max_batched_tokens;
      job.batched_tokens = physical > 0 ? std::min(physical, *request.max_batched_tokens) : *request.max_batched_tokens;
    }
  } else if (request.ubatch) {
    return contradiction(fmt::format("{} has no physical batch; it has --max-batched-tokens", workload.engine->id),
                         "--ubatch");
  } else {
    job.batched_tokens = request.max_batched_tokens.value_or(0);
  }
  if (request.gpu_memory_utilization) {
    if (rules.pool == PoolRule::exact) {
      return contradiction(fmt::format("the engine {} takes no share of the card", workload.engine->id),
                           "--gpu-memory-utilization");
    }
    job.pool_fraction = *request.gpu_memory_utilization;
  }
  if (!request.offload.empty()) {
    return contradiction("offloading in inference is not supported yet; llama.cpp has --gpu-layers", "--offload");
  }
  if (request.gpu_layers && !workload.engine->layer_split) {
    return contradiction(
        fmt::format("{} does not split a model between GPU and host by layers; llama.cpp does", workload.engine->name),
        "--gpu-layers");
  }
  job.gpu_layers = request.gpu_layers;
  job.swa_full = request.swa_full.value_or(false);
  job.kv_unified = request.kv_unified.value_or(false);
  HWADVISOR_TRY_STATUS(resolve_llama_cpp(request, rules, workload));
  job.requests_per_s = request.requests_per_s;
  return {};
}

} // namespace hwadvisor::workload
