#include "workload/resolver.hpp"

#include "text/grouped.hpp"
#include "text/near.hpp"
#include "text/quote.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hwadvisor::workload {
namespace {

Error usage(std::string message, std::string_view flag)
{
  return Error{ErrorKind::usage, std::move(message), std::string(flag)};
}

// PEFT's other methods, which the format knows and the estimate does not yet.
constexpr std::string_view k_later_methods[] = {
    "adapter",   "adapter_v2",    "dora",          "oft",      "boft",
    "ia3",       "vera",          "lokr",          "loha",     "adalora",
    "ln_tuning", "prompt_tuning", "prefix_tuning", "p_tuning", "trainable_tokens",
    "galore",    "q-galore",      "lisa"};

Status resolve_method(const Request& request, Workload& workload)
{
  TrainingJob& job = workload.training;
  if (!request.method) {
    const bool adapters = request.lora_rank || !request.lora_targets.empty();
    job.method = adapters ? Method::lora : Method::full;
    workload.notes.push_back(default_note("method", fmt::format("method {}", method_name(job.method))));
    return {};
  }
  for (const Method method : {Method::full, Method::lora, Method::qlora, Method::freeze}) {
    if (*request.method == method_name(method)) {
      job.method = method;
      return {};
    }
  }
  if (std::find(std::begin(k_later_methods), std::end(k_later_methods), *request.method) != std::end(k_later_methods)) {
    return usage(
        fmt::format("the method {} is not supported yet; supported: full, lora, qlora, freeze", *request.method),
        "--method");
  }
  Error error =
      usage(fmt::format("{} is not one of full, lora, qlora, freeze", text::quoted(*request.method)), "--method");
  error.candidates = text::near_matches(*request.method, {"full", "lora", "qlora", "freeze"});
  return error;
}

// Samples or tokens of the whole run, where the request says enough.
Status resolve_run(const Request& request, Workload& workload)
{
  TrainingJob& job = workload.training;
  if (request.train_tokens && (request.dataset_rows || request.epochs)) {
    return usage("tokens of the whole run contradict rows and epochs; give one of the two", "--train-tokens");
  }
  if (request.train_tokens) {
    job.train_tokens = request.train_tokens;
  } else if (request.dataset_rows) {
    const double rows = static_cast<double>(*request.dataset_rows) * request.epochs.value_or(1.0);
    const bool tokens = workload.model->architecture.has_value();
    const double total = tokens ? rows * static_cast<double>(job.seq_len) : rows;
    if (!(total < 9e18)) {
      return usage("rows x epochs x sequence length is beyond 64 bits", "--dataset-rows");
    }
    job.train_tokens = static_cast<std::int64_t>(total);
    if (!request.epochs) {
      workload.notes.push_back(default_note("epochs", "1 epoch"));
    }
  } else if (request.epochs) {
    return usage("epochs of how many rows? Give --dataset-rows", "--epochs");
  }
  return {};
}

// A batch of the whole job is micro-batch x accumulation x replicas.
Status resolve_batch(const Request& request, Workload& workload)
{
  TrainingJob& job = workload.training;
  job.grad_accum = request.grad_accum.value_or(1);
  job.micro_batch = request.micro_batch.value_or(1);
  if (request.batch) {
    const std::int64_t model_parallel =
        saturating_mul(saturating_mul(request.tp.value_or(1), request.pp.value_or(1)), request.cp.value_or(1));
    const std::int64_t replicas =
        request.dp ? *request.dp : std::max<std::int64_t>(1, request.count.value_or(1) / model_parallel);
    const std::int64_t step = saturating_mul(replicas, request.micro_batch ? job.micro_batch : job.grad_accum);
    if (*request.batch % step != 0 ||
        (request.micro_batch && request.grad_accum && *request.batch != saturating_mul(step, job.grad_accum))) {
      return usage(
          fmt::format("a batch of {} is not micro-batch x accumulation x {} replicas", *request.batch, replicas),
          "--batch");
    }
    (request.micro_batch ? job.grad_accum : job.micro_batch) = *request.batch / step;
  } else if (!request.micro_batch) {
    workload.notes.push_back(default_note("micro_batch", "micro-batch 1"));
  }
  return {};
}

} // namespace

Status resolve_training(const Request& request, Workload& workload)
{
  TrainingJob& job = workload.training;
  HWADVISOR_TRY_STATUS(resolve_method(request, workload));
  const bool adapters = job.method == Method::lora || job.method == Method::qlora;
  if (!adapters && (request.lora_rank || !request.lora_targets.empty())) {
    return usage(fmt::format("the method {} has no adapters", method_name(job.method)),
                 request.lora_rank ? "--lora-rank" : "--lora-targets");
  }
  job.lora_rank = request.lora_rank.value_or(16);
  if (adapters && !request.lora_rank) {
    workload.notes.push_back(default_note("lora_rank", "LoRA rank 16"));
  }
  for (const std::string& target : request.lora_targets) {
    if (target != "all-linear") { // which is what an empty list means
      job.lora_targets.push_back(target);
    }
  }
  if (adapters && request.lora_targets.empty()) {
    workload.notes.push_back(default_note("lora_targets", "LoRA on all linear layers"));
  }
  job.optimizer = request.optimizer.value_or("adamw");
  if (!request.optimizer) {
    workload.notes.push_back(default_note("optimizer", "optimizer adamw"));
  }
  const bool sequences = workload.model->architecture.has_value();
  if (sequences) {
    const std::int64_t positions = workload.model->architecture->max_positions;
    job.seq_len = request.seq_len ? *request.seq_len : positions > 0 ? std::min<std::int64_t>(2048, positions) : 2048;
    if (!request.seq_len) {
      workload.notes.push_back(
          default_note("seq_len", fmt::format("sequences of {} tokens", text::grouped(job.seq_len))));
    }
  }
  HWADVISOR_TRY_STATUS(resolve_batch(request, workload));
  // Frameworks for fine-tuning language models recompute activations unless told otherwise (TRL: SFTConfig has
  // gradient_checkpointing on; LLaMA-Factory: disable_gradient_checkpointing is off); those for training do not.
  const bool recomputes = workload.task == Task::finetuning && sequences && workload.model->architecture->causal;
  const std::string checkpointing = request.checkpointing.value_or(recomputes ? "full" : "none");
  for (const Checkpointing each : {Checkpointing::none, Checkpointing::selective, Checkpointing::full}) {
    if (checkpointing == checkpointing_name(each)) {
      job.checkpointing = each;
    }
  }
  if (sequences && !request.checkpointing) {
    workload.notes.push_back(
        default_note("checkpointing",
                     recomputes ? "full checkpointing, as frameworks for fine-tuning have it" : "no checkpointing"));
  }
  job.flash_attention =
      request.flash_attention ? *request.flash_attention : request.attention.value_or("flash") != "eager";
  job.fused_loss = request.fused_loss.value_or(false);
  for (const std::string& what : request.offload) {
    if (what == "optimizer") {
      job.offload_optimizer = true;
    } else if (what == "params") {
      job.offload_params = true;
    } else if (what == "activations" || what == "experts" || what == "layers") {
      return usage(fmt::format("offloading {} is not supported yet; supported: optimizer, params", what), "--offload");
    } else {
      return usage(fmt::format("{} is not one of optimizer, params, activations, experts, layers", text::quoted(what)),
                   "--offload");
    }
  }
  if (job.method == Method::full && is_training(workload.task) && request.task == Task::finetuning && !request.method &&
      workload.model->params_total.value_or(0) > 1'000'000'000) {
    workload.notes.push_back(
        {"method.full", Severity::advice,
         "full fine-tuning trains every parameter; --method lora or qlora needs a fraction of the memory"});
  }
  return resolve_run(request, workload);
}

} // namespace hwadvisor::workload
