// Prefill and decode as rooflines, and continuous batching on top of them.
//
// Constants of continuous batching are fits over published serving runs on H100, H200 and B200 (TPOT median error 4 %,
// TTFT 14 %): every decode step carries its share of the other requests' prefill.

#include "speed/efficiency.hpp"
#include "speed/estimators.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace hwadvisor::speed {
namespace {

constexpr double k_prefill_share_in_decode = 0.69;  // of the others' prefill lands in the time per output token
constexpr double k_first_token_floor_s = 0.049;     // HTTP, tokeniser, scheduler
constexpr double k_first_token_per_sequence = 7e-4; // scheduling, per running sequence
constexpr double k_prefill_queue = 0.145;           // share of the other prefills ahead of a new request
constexpr double k_expert_prefill_penalty = 0.35;   // grouped expert products reach 0.18 where dense ones reach 0.51
constexpr double k_compute_share_of_decode = 0.6;   // of peak, for the batched products of a decode step

struct Machine {
  const Efficiency* decode = nullptr;
  const Efficiency* prefill = nullptr;
  const Efficiency* link_row = nullptr;
  double bandwidth = 0.0;
  std::optional<double> peak;
  std::optional<Link> link;
  int tp = 1;
};

// Two all-reduces a layer (Megatron-LM, arXiv:1909.08053), each moving 2 (n-1)/n of its bytes over each link.
double link_seconds(const Machine& machine, const Work& work, double tokens, int end)
{
  if (machine.tp <= 1 || !machine.link || machine.link_row == nullptr) {
    return 0.0;
  }
  const double bytes = tokens * static_cast<double>(work.hidden) * 2.0;
  const double passes = 2.0 * (machine.tp - 1) / machine.tp;
  const double rate = machine.link->one_way_bytes * end_of(machine.link_row->fraction, end);
  return 2.0 * work.layers * (machine.link_row->latency_us * 1e-6 + passes * bytes / rate);
}

double prefill_seconds(const Machine& machine, const Work& work, double tokens, int end)
{
  const double penalty = work.experts > 0 ? k_expert_prefill_penalty : 1.0;
  const double rate = machine.tp * *machine.peak * end_of(machine.prefill->fraction, end);
  // Causal attention: a token meets half of the prompt on average.
  const double flops = tokens * (work.linear_flops / penalty + work.attention_flops * tokens / 2.0);
  const double reads =
      work.weight_bytes(tokens) / (machine.tp * machine.bandwidth * end_of(machine.decode->fraction, end));
  return std::max(flops / rate, reads) + link_seconds(machine, work, tokens, end) +
         machine.prefill->step_overhead_ms * 1e-3;
}

struct Step {
  double seconds = 0.0;
  const char* bound = "memory bandwidth";
};

Step decode_step(const Machine& machine, const Work& work, double sequences, double context, int end)
{
  const double fraction = end_of(machine.decode->fraction, end);
  const double kv_fraction = machine.decode->kv_fraction > 0.0
                                 ? machine.decode->kv_fraction * fraction / machine.decode->fraction.likely
                                 : fraction;
  const double reads = work.weight_bytes(sequences) / (machine.tp * machine.bandwidth * fraction);
  const double cache =
      sequences * work.cache_bytes(static_cast<std::int64_t>(context)) / (machine.tp * machine.bandwidth * kv_fraction);
  double products = 0.0;
  if (machine.peak) {
    products = sequences * (work.linear_flops + work.attention_flops * context) /
               (machine.tp * *machine.peak * k_compute_share_of_decode);
  }
  const double link = link_seconds(machine, work, sequences, end);
  const double overhead = work.layers * machine.decode->layer_overhead_us * 1e-6 +
                          machine.decode->step_overhead_ms * 1e-3 +
                          sequences * machine.decode->sequence_overhead_us * 1e-6;
  Step step;
  step.seconds = std::max(reads, products) + cache + link + overhead;
  if (products > reads + cache) {
    step.bound = "compute";
  } else if (link > reads + cache) {
    step.bound = "link";
  } else if (overhead > reads + cache) {
    step.bound = "launch overhead";
  }
  return step;
}

std::string no_peak(const Device& device, const Precision& precision)
{
  return fmt::format("{}: no {} peak is known, so no prefill and no time to first token", device.id,
                     precision.compute != nullptr ? precision.compute->id : "16-bit");
}

} // namespace

Speed serving_speed(const Work& work, const Workload& workload, const Placement& placement,
                    const std::vector<Efficiency>& efficiencies)
{
  const Device& device = *placement.device;
  const InferenceJob& job = workload.inference;
  const std::string_view engine = workload.engine != nullptr ? std::string_view(workload.engine->id) : "generic";
  Speed speed;
  if (!device.bandwidth) {
    speed.missing = device.id + ": its memory bandwidth is not known";
    return speed;
  }
  Machine machine;
  machine.decode = find_efficiency(efficiencies, "decode", device, engine);
  machine.prefill = find_efficiency(efficiencies, "prefill", device, engine);
  machine.bandwidth = device.bandwidth->value();
  machine.peak = matrix_peak(device, workload.precision);
  // Split by layers, the devices work one after the other: one token is as fast as on one device.
  const bool layers_split = workload.engine != nullptr && workload.engine->layer_split;
  machine.tp = layers_split ? 1 : std::max(1, placement.tp);
  if (machine.tp > 1) {
    machine.link = link_between(placement, machine.tp);
    machine.link_row =
        machine.link ? find_efficiency(efficiencies, "link", device, engine, machine.link->kind) : nullptr;
  }
  if (machine.decode == nullptr || (machine.tp > 1 && (!machine.link || machine.link_row == nullptr))) {
    speed.missing = machine.decode == nullptr ? "no efficiency is known for decoding on " + device.id
                                              : device.id + ": how its devices are joined is not known";
    return speed;
  }
  const int replicas = layers_split ? 1 : std::max(1, placement.dp);
  const auto sequences = static_cast<double>(ceil_div(std::max<std::int64_t>(1, job.sequences), replicas));
  const bool batching = workload.engine == nullptr || workload.engine->kind == "serving";
  const bool prefills = machine.peak && machine.prefill != nullptr && job.input_tokens > 0;
  const double context = static_cast<double>(job.input_tokens) + static_cast<double>(job.output_tokens) / 2.0;
  double tpot[3] = {}, ttft[3] = {}, prompt[3] = {};
  for (int end = 0; end < 3; ++end) {
    const Step step = decode_step(machine, work, sequences, context, end);
    prompt[end] = prefills ? prefill_seconds(machine, work, static_cast<double>(job.input_tokens), end) : 0.0;
    tpot[end] = step.seconds;
    if (end == 1) {
      speed.bound = step.bound;
    }
    const bool shared = batching && sequences > 1.0 && job.output_tokens > 0;
    if (shared) {
      tpot[end] += k_prefill_share_in_decode * (sequences - 1.0) * prompt[end] / static_cast<double>(job.output_tokens);
    }
    ttft[end] = shared ? k_first_token_floor_s + k_first_token_per_sequence * sequences + 2.0 * step.seconds +
                             prompt[end] * (1.0 + k_prefill_queue * (sequences - 1.0) / 2.0)
                       : prompt[end] + step.seconds;
  }
  if (prefills) {
    speed.ttft_ms = rising(ttft[2] * 1e3, ttft[1] * 1e3, ttft[0] * 1e3);
    const auto tokens = static_cast<double>(job.input_tokens);
    speed.prefill_tokens_per_s = rising(tokens / prompt[0], tokens / prompt[1], tokens / prompt[2]);
  } else if (job.input_tokens > 0) {
    speed.missing = no_peak(device, workload.precision);
  }
  const bool causal = workload.model->architecture->causal;
  if (causal && job.output_tokens > 0) {
    speed.tpot_ms = rising(tpot[2] * 1e3, tpot[1] * 1e3, tpot[0] * 1e3);
    speed.decode_tokens_per_s = rising(1.0 / tpot[0], 1.0 / tpot[1], 1.0 / tpot[2]);
    const double all = sequences * replicas;
    speed.total_tokens_per_s = rising(all / tpot[0], all / tpot[1], all / tpot[2]);
    const auto rate = [&](int end) {
      return all / (ttft[end] + tpot[end] * static_cast<double>(std::max<std::int64_t>(1, job.output_tokens)));
    };
    speed.requests_per_s = rising(rate(0), rate(1), rate(2));
  } else if (!causal && prefills) {
    // An encoder reads its input once; a batch is one pass.
    const double batch = sequences;
    const auto pass = [&](int end) {
      return prefill_seconds(machine, work, batch * static_cast<double>(job.input_tokens), end);
    };
    speed.latency_ms = rising(pass(2) * 1e3, pass(1) * 1e3, pass(0) * 1e3);
    speed.samples_per_s = rising(batch * replicas / pass(0), batch * replicas / pass(1), batch * replicas / pass(2));
    speed.ttft_ms.reset();
    speed.bound = "compute";
  }
  return speed;
}

} // namespace hwadvisor::speed
