#include "workload/resolver.hpp"

namespace hwadvisor {
namespace {

using workload::is_training;

void fill_inference(const Request& asked, const Workload& workload, Request& out)
{
  const InferenceJob& job = workload.inference;
  const EngineRules& rules = workload.engine->rules_at(workload.engine_version);
  const bool tokens = workload.model->architecture.has_value();
  if (tokens) {
    // llama.cpp's slots divided what was asked; the request keeps the whole.
    out.context = asked.sequences && asked.context ? asked.context : std::optional(job.context);
    out.seq_len.reset();
    out.input_tokens = job.input_tokens;
    out.output_tokens = job.output_tokens;
    out.kv_precision = job.k_format == job.v_format
                           ? std::string(job.k_format->id)
                           : std::string(job.k_format->id) + "/" + std::string(job.v_format->id);
    out.flash_attention = job.flash_attention;
  }
  if (!asked.batch && !asked.concurrency && !asked.sequences && !asked.concurrency_max) {
    out.batch = job.sequences;
  }
  if (rules.pool != PoolRule::exact) {
    out.gpu_memory_utilization = job.pool_fraction > 0.0 ? job.pool_fraction : rules.pool_fraction;
  }
}

void fill_training(const Workload& workload, const Placement& placement, Request& out)
{
  const TrainingJob& job = workload.training;
  out.method = std::string(method_name(job.method));
  if (job.method == Method::lora || job.method == Method::qlora) {
    out.lora_rank = job.lora_rank;
    out.lora_targets = job.lora_targets.empty() ? std::vector<std::string>{"all-linear"} : job.lora_targets;
  }
  out.optimizer = job.optimizer;
  out.micro_batch = job.micro_batch;
  out.grad_accum = job.grad_accum;
  out.checkpointing = std::string(checkpointing_name(job.checkpointing));
  if (workload.model->architecture) {
    out.seq_len = job.seq_len;
    out.flash_attention = job.flash_attention;
  }
  out.fused_loss = job.fused_loss;
  if (!out.fsdp && !out.zero) {
    out.zero = static_cast<std::int64_t>(placement.sharding);
  }
}

} // namespace

Request normalised(const Request& request, const Workload& workload, const Placement& placement)
{
  Request out = request;
  out.task = workload.task;
  out.precision = workload.precision.id;
  out.engine = workload.engine->id;
  if (!request.model.name.empty()) {
    out.model.name = workload.model->id;
  }
  if (is_training(workload.task)) {
    fill_training(workload, placement, out);
  } else {
    fill_inference(request, workload, out);
  }
  out.count = placement.count;
  out.tp = placement.tp;
  out.pp = placement.pp;
  out.dp = placement.dp;
  out.cp = placement.cp;
  out.ep = placement.ep;
  if (placement.instance != nullptr) {
    out.hardware = {placement.instance->id};
  } else if (placement.device != nullptr && !request.hardware.empty()) {
    out.hardware = {placement.device->id};
    if (placement.own_device != nullptr && placement.device->memory) { // one of its sizes, or its host's memory
      out.device_memory_gb = placement.device->memory->value();
    }
  }
  return out;
}

} // namespace hwadvisor
