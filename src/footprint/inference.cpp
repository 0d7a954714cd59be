#include "footprint/assemble.hpp"
#include "footprint/explain.hpp"
#include "footprint/forward.hpp"
#include "footprint/image.hpp"

#include <algorithm>

namespace hwadvisor {

namespace {

Component weights_component(const WeightSummary& weights, const WeightShare& share, const Workload& workload,
                            const EngineRules& rules, const Division& division, Detail detail)
{
  Component component{"weights", {}, Basis::exact};
  const Bytes bytes = share.device + share.towers;
  if (weights.exact) {
    component.bytes = Interval<Bytes>::exactly(bytes);
  } else if (workload.precision.kind == PrecisionKind::quantised) {
    component.bytes = rules.weights_spread.around(bytes);
    component.basis = Basis::derived;
  } else { // parameters x bits: rounded counts and inferred shapes are as good as the count
    component.bytes = Interval<Bytes>::exactly(bytes);
    component.basis = Basis::derived;
  }
  if (detail == Detail::numbers) {
    return component;
  }
  using explain::count;
  using explain::number;
  component.formula = count(weights.parameters) + " parameters x " + number(weights.bits_per_weight / 8.0) + " bytes";
  if (workload.precision.kind == PrecisionKind::gguf || workload.precision.kind == PrecisionKind::quantised) {
    component.formula += " (" + workload.precision.id + ", tensor by tensor)";
  }
  if (division.tensor > 1) {
    component.formula +=
        ", matrices over " + count(division.tensor) + " devices, " + explain::size(share.replicated) + " on each";
  }
  if (division.layers > 1) {
    component.formula += ", " + count(share.layers) + " of " + count(share.layers_total) +
                         " layers on the fullest of " + count(division.layers) + " devices";
  }
  if (share.host > Bytes(0)) {
    component.formula += "; " + explain::size(share.host) + " stays in host memory";
  }
  if (share.towers > Bytes(0)) {
    component.formula += "; " + explain::size(share.towers) + " of it vision or audio towers";
  }
  return component;
}

// What of the components a pool has to leave room for, at one end of their intervals.
struct PoolShares {
  Bytes weights;
  Bytes overhead;
  Bytes activations;
};

PoolShares pool_shares(const Footprint& footprint, const EngineRules& rules, Bytes Interval<Bytes>::*end)
{
  PoolShares out;
  for (const Component& component : footprint.components) {
    if (component.name == "engine_overhead") {
      for (const Component& part : component.parts) {
        // Graphs are captured after the pool is taken; vLLM counts what was added since its context was there.
        const bool outside = part.name == "graphs" || (part.name == "context" && rules.pool_holds_activations &&
                                                       rules.pool == PoolRule::fraction_of_total);
        out.overhead += outside ? Bytes(0) : part.bytes.*end;
      }
    } else if (component.name == "activations") {
      out.activations = component.bytes.*end;
    } else if (component.name != "kv_cache") {
      out.weights += component.bytes.*end;
    }
  }
  return out;
}

Bytes pool_left(Bytes total, double fraction, const EngineRules& rules, const PoolShares& taken)
{
  Bytes pool;
  if (rules.pool == PoolRule::fraction_of_free) {
    pool = (total - taken.weights - taken.overhead - taken.activations) * fraction;
  } else if (rules.pool_holds_activations) {
    pool = total * fraction - taken.weights - taken.overhead - taken.activations;
  } else {
    pool = (total - taken.overhead) * fraction - taken.weights;
  }
  return std::max(pool, Bytes(0));
}

// The pool that an engine fills whatever the job needs, and the tokens it holds.
void fill_pool(Footprint& footprint, const Architecture& architecture, const Placement& placement,
               const InferenceJob& job, const EngineRules& rules, const CacheLayout& layout)
{
  const std::optional<Bytes> total = driver_total(placement);
  if (rules.pool == PoolRule::exact || !total || layout.one_sequence <= Bytes(0)) {
    return;
  }
  const double fraction = job.pool_fraction > 0.0 ? job.pool_fraction : rules.pool_fraction;
  const auto left = [&](Bytes Interval<Bytes>::*taken) {
    return pool_left(*total, fraction, rules, pool_shares(footprint, rules, taken));
  };
  const Interval<Bytes> pool{left(&Interval<Bytes>::high), left(&Interval<Bytes>::likely), left(&Interval<Bytes>::low)};
  // Encoder-decoders: every token of either side takes a slot in as many layers as the configuration's
  // num_hidden_layers, which are the encoder's (vllm/config.py, get_num_attention_layers; Whisper).
  const auto encoder = static_cast<double>(architecture.encoder_layers.size());
  const Bytes sequence = encoder > 0 ? layout.per_token * layout.context *
                                           std::max(1.0, encoder / static_cast<double>(architecture.layers.size()))
                                     : layout.one_sequence;
  const auto tokens = [&](Bytes bytes) {
    const std::int64_t held = Bytes(static_cast<double>(layout.context) * (bytes / sequence)).value();
    return Tokens(held - held % std::max<std::int64_t>(1, rules.kv_block_tokens));
  };
  footprint.kv_pool = pool;
  footprint.kv_capacity = Interval<Tokens>{tokens(pool.low), tokens(pool.likely), tokens(pool.high)};
  const Component* kv = footprint.find("kv_cache");
  const Bytes needed = kv != nullptr ? kv->bytes.likely : Bytes(0);
  const auto shown = [&](Bytes need) { return need - needed + std::max(pool.likely, needed); };
  footprint.device_used = {shown(footprint.per_device.low), shown(footprint.per_device.likely),
                           shown(footprint.per_device.high)};
}

Component host_component(const char* name, Bytes bytes, Basis basis, Detail detail, const char* why)
{
  return {name, Interval<Bytes>::exactly(bytes), basis, detail == Detail::explained ? why : ""};
}

void add_host(Footprint& footprint, const WeightShare& share, const CacheLayout& layout, const ForwardPass& pass,
              Detail detail)
{
  const auto add = [&](const char* name, Bytes bytes, Basis basis, const char* why) {
    if (bytes > Bytes(0)) {
      footprint.host_components.push_back(host_component(name, bytes, basis, detail, why));
    }
  };
  add("weights", share.host, Basis::exact, "token embedding and layers that are not offloaded");
  add("kv_cache", layout.kv_host, Basis::exact, "caches of layers that are not offloaded");
  add("activations", pass.host, Basis::derived, "masks and inputs");
  add("output", pass.host_output, Basis::exact, "logits that are handed out");
}

Footprint estimate_text(const Workload& workload, const Placement& placement, Detail detail,
                        const WeightSummary& weights)
{
  const Architecture& architecture = *workload.model->architecture;
  const EngineRules& rules = workload.engine->rules_at(workload.engine_version);
  const bool on_cpu = runs_on_cpu(workload, placement);
  const Division division = division_of(placement, rules);
  const InferenceJob& job = workload.inference;

  Footprint footprint;
  footprint.components.reserve(6);
  const WeightShare share = share_of(weights, placement, rules, job.gpu_layers, on_cpu);
  const CacheLayout layout = lay_out_cache(architecture, job, rules, placement, share);
  ForwardPass pass = forward_pass(architecture, job, rules, placement, layout, share, on_cpu, detail);

  add_component(footprint, weights_component(weights, share, workload, rules, division, detail));
  if (architecture.causal) {
    add_component(footprint, kv_component(layout, job, detail));
  }
  add_component(footprint, state_component(layout, detail));
  add_component(footprint, std::move(pass.activations));
  add_component(footprint, engine_overhead(rules, workload, placement, true, detail));
  add_host(footprint, share, layout, pass, detail);
  sum_up(footprint);
  footprint.kv_bytes_per_token = layout.per_token;
  fill_pool(footprint, architecture, placement, job, rules, layout);
  return footprint;
}

} // namespace

Result<Footprint> estimate_inference(const Workload& workload, const Placement& placement, Detail detail,
                                     const WeightSummary& weights)
{
  Footprint footprint;
  if (workload.model->architecture && !workload.model->architecture->layers.empty()) {
    if (workload.inference.k_format == nullptr || workload.inference.v_format == nullptr) {
      return Error{ErrorKind::usage, "the number format of the KV cache is not known", "--kv-precision"};
    }
    footprint = estimate_text(workload, placement, detail, weights);
  } else {
    const EngineRules& rules = workload.engine->rules_at(workload.engine_version);
    const WeightShare share = share_of(weights, placement, rules, std::nullopt, true);
    add_component(footprint, weights_component(weights, share, workload, rules, division_of(placement, rules), detail));
    add_component(footprint,
                  image_activations(*workload.model, workload.precision, workload.inference.sequences, detail));
    add_component(footprint, engine_overhead(rules, workload, placement, false, detail));
    sum_up(footprint);
  }
  const std::optional<Bytes>& file = workload.model->checkpoint_bytes;
  footprint.weights_file = workload.precision.as_stored && file ? *file : weights.total;
  if (workload.precision.kind == PrecisionKind::gguf && !workload.precision.as_stored) {
    *footprint.weights_file -= weights.towers; // a file of their own (mmproj)
  }
  add_rule_of_thumb(footprint, workload, weights);
  footprint.allocated = without_context(footprint);
  HWADVISOR_TRY_STATUS(check_size(footprint));
  return footprint;
}

} // namespace hwadvisor
