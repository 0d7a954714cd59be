// A training step: FLOPs over peak x MFU, and what the link and the optimizer add.

#include "hwadvisor/footprint.hpp"
#include "speed/efficiency.hpp"
#include "speed/estimators.hpp"

#include <algorithm>

namespace hwadvisor::speed {
namespace {

// Recomputing every block adds a forward pass of the blocks, but not of embedding, head and loss: measured +26 %, not
// +33 % (published llm-foundry and torchtitan runs with and without).
constexpr double k_full_recomputation = 1.26;
constexpr double k_selective_recomputation = 1.05;
// 4-bit base weights are expanded at every use: S. Raschka, "Practical Tips for Finetuning LLMs Using LoRA", 2023,
// found 39 % longer runs than with 16-bit base weights.
constexpr double k_qlora_time = 1.39;
// Of the shorter of computing and communicating, this share is not hidden behind the longer.
constexpr double k_not_overlapped = 0.1;
// AdamW reads and writes weight, gradient and two states: 28 bytes a parameter, at about 0.8 of bandwidth.
constexpr double k_optimizer_bytes = 28.0;
constexpr double k_optimizer_bandwidth = 0.8;

double work_factor(const TrainingJob& job)
{
  // Backward costs two forwards: one for the inputs' gradients, one for the weights'. Frozen weights skip the second.
  double factor = job.method == Method::full ? 3.0 : 2.0;
  if (job.checkpointing == Checkpointing::full) {
    factor *= k_full_recomputation;
  } else if (job.checkpointing == Checkpointing::selective) {
    factor *= k_selective_recomputation;
  }
  return job.method == Method::qlora ? factor * k_qlora_time : factor;
}

} // namespace

Speed training_speed(const Work& work, const Workload& workload, const Placement& placement,
                     const std::vector<Efficiency>& efficiencies)
{
  const Device& device = *placement.device;
  const TrainingJob& job = workload.training;
  Speed speed;
  const std::optional<double> peak = matrix_peak(device, workload.precision);
  if (!peak) {
    speed.missing = device.id + ": no peak is known for this precision, so no training speed";
    return speed;
  }
  const Efficiency* row = find_efficiency(efficiencies, "train", device, "");
  if (row == nullptr) {
    speed.missing = "no training efficiency is known for " + device.id;
    return speed;
  }
  const int count = std::max(1, placement.count);
  const std::optional<Link> link = count > 1 ? link_between(placement, count) : std::nullopt;
  const Efficiency* link_row = link ? find_efficiency(efficiencies, "link", device, "", link->kind) : nullptr;
  if (count > 1 && link_row == nullptr) {
    speed.missing = device.id + ": how its devices are joined is not known";
    return speed;
  }
  const auto micro_tokens = static_cast<double>(job.micro_batch * job.seq_len);
  const auto accumulation = static_cast<double>(std::max<std::int64_t>(1, job.grad_accum));
  const double forward = work.linear_flops + work.attention_flops * static_cast<double>(job.seq_len) /
                                                 (workload.model->architecture->causal ? 2.0 : 1.0);
  const auto trainable = static_cast<double>(trainable_parameters(workload));
  const Interval<double> fraction = fraction_at(*row, *peak / 1e12);
  const double ring = static_cast<double>(count - 1) / count;
  double rate[3] = {}, step[3] = {};
  for (int end = 0; end < 3; ++end) {
    const double compute = accumulation * micro_tokens * forward * work_factor(job) / (*peak * end_of(fraction, end));
    double moved = 2.0 * ring * trainable * 2.0; // gradients, 16 bit, all-reduced once a step
    if (placement.sharding == Sharding::zero3) {
      // ZeRO, arXiv:1910.02054, section 7: gather for forward and backward, scatter the gradients. Each micro-step.
      moved = accumulation * ring * (2.0 * work.parameters + trainable) * 2.0;
    }
    double communicate = 0.0;
    if (link_row != nullptr) {
      communicate =
          moved / (link->one_way_bytes * end_of(link_row->fraction, end)) + work.layers * link_row->latency_us * 1e-6;
    }
    double optimizer = 0.0;
    if (device.bandwidth) {
      const double shards = placement.sharding == Sharding::none ? 1.0 : count;
      optimizer = trainable * k_optimizer_bytes / shards / (device.bandwidth->value() * k_optimizer_bandwidth);
    }
    step[end] = std::max(compute, communicate) + k_not_overlapped * std::min(compute, communicate) + optimizer;
    rate[end] = count * accumulation * micro_tokens / step[end];
    if (end == 1) {
      speed.bound = communicate > compute ? "link" : "compute";
      const double model_flops = rate[end] * forward * (job.method == Method::full ? 3.0 : 2.0);
      speed.mfu = model_flops / (count * *peak);
    }
  }
  speed.train_tokens_per_s = rising(rate[0], rate[1], rate[2]);
  const auto seq_len = static_cast<double>(std::max<std::int64_t>(1, job.seq_len));
  speed.samples_per_s = rising(rate[0] / seq_len, rate[1] / seq_len, rate[2] / seq_len);
  speed.step_ms = rising(step[2] * 1e3, step[1] * 1e3, step[0] * 1e3);
  return speed;
}

} // namespace hwadvisor::speed
