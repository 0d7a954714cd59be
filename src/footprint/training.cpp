#include "footprint/assemble.hpp"
#include "footprint/backward.hpp"
#include "footprint/explain.hpp"
#include "footprint/image.hpp"

#include <algorithm>

namespace hwadvisor {

namespace {

using explain::count;
using explain::number;

// Everything that decides the states of one device.
struct States {
  Recipe recipe;
  OptimizerState optimizer;
  Trainable trained;
  std::int64_t parameters = 0; // of the whole model
  std::int64_t local = 0;      // of the model on one device, before ZeRO
  std::int64_t local_trained = 0;
  std::int64_t replicas = 1; // data-parallel ranks that ZeRO shards over
  Sharding sharding = Sharding::none;
  bool adapters = false;
  Bytes base;      // frozen base of adapters, on one device, before ZeRO
  Bytes base_kept; // of it: embeddings, head and towers left out of 4 bit
  double base_bytes_per_parameter = 0.0;
  double model_share = 1.0; // of the model on one device: tensor and pipeline parallelism

  std::int64_t shards(Sharding from) const { return sharding >= from ? replicas : 1; }
};

Bytes per_parameter(std::int64_t parameters, double bytes, std::int64_t shards)
{
  return Bytes(static_cast<double>(parameters) * bytes / static_cast<double>(shards));
}

std::string shard_text(std::int64_t shards)
{
  return shards > 1 ? " / " + count(shards) + " ranks" : "";
}

Component state_line(const char* name, std::int64_t parameters, double bytes, std::int64_t shards, const char* what,
                     Basis basis, Detail detail)
{
  Component component{name, Interval<Bytes>::exactly(per_parameter(parameters, bytes, shards)), basis};
  if (detail == Detail::explained) {
    component.formula = count(parameters) + " " + what + " x " + number(bytes) + " bytes" + shard_text(shards);
  }
  return component;
}

void add_states(Footprint& footprint, const Workload& workload, const States& in, Detail detail)
{
  const TrainingJob& job = workload.training;
  const Basis basis = in.trained.exact ? Basis::exact : Basis::derived;
  const Recipe& recipe = in.recipe;
  const bool offload_params = job.offload_params;
  const auto to_host = [&](const char* name, Bytes bytes, const char* why) {
    footprint.host_components.push_back(
        {name, Interval<Bytes>::exactly(bytes), Basis::derived, detail == Detail::explained ? why : ""});
  };

  // Weights
  const std::int64_t frozen = in.local - in.local_trained;
  if (in.adapters) {
    // ZeRO-3 and FSDP shard a frozen base; ZeRO-1 and 2 keep it whole on every rank.
    const std::int64_t shards = in.shards(Sharding::zero3);
    const Bytes base(static_cast<double>(in.base.value()) / static_cast<double>(shards));
    Component weights{"weights", Interval<Bytes>::exactly(offload_params ? Bytes(0) : base),
                      in.base_bytes_per_parameter == 2.0 || in.base_bytes_per_parameter == 4.0 ? Basis::exact
                                                                                               : Basis::derived};
    if (in.base_kept > Bytes(0) && !offload_params) {
      // What is left out of 4 bit stays in 16 bit in some stacks and goes to fp32 in others (PEFT's
      // prepare_model_for_kbit_training); the middle is taken. LitGPT loads Llama-2-7B at 0.68 bytes a parameter.
      const Bytes kept(static_cast<double>(in.base_kept.value()) / static_cast<double>(shards));
      weights.bytes = {base, base + kept * 0.5, base + kept};
    }
    if (detail == Detail::explained) {
      weights.formula = "frozen base: " + count(in.local) + " parameters x " + number(in.base_bytes_per_parameter) +
                        " bytes" + shard_text(shards);
      if (in.base_kept > Bytes(0)) {
        weights.formula += ", embeddings and head at 16 bit or fp32 by stack";
      }
    }
    if (offload_params) {
      to_host("weights", base, "frozen base in host memory");
    }
    add_component(footprint, std::move(weights));
    add_component(footprint, state_line("adapter", in.local_trained, recipe.weights, in.shards(Sharding::zero3),
                                        "adapter parameters", basis, detail));
  } else {
    const std::int64_t shards = in.shards(Sharding::zero3);
    const Bytes trained = per_parameter(in.local_trained, recipe.weights, shards);
    const Bytes rest = per_parameter(frozen, recipe.frozen, shards);
    Component weights{"weights", Interval<Bytes>::exactly(offload_params ? Bytes(0) : trained + rest), basis};
    if (detail == Detail::explained) {
      weights.formula = count(in.local_trained) + " parameters x " + number(recipe.weights) + " bytes";
      if (frozen > 0) {
        weights.formula += " + " + count(frozen) + " frozen x " + number(recipe.frozen) + " bytes";
      }
      weights.formula += shard_text(shards) + std::string("; ") + recipe.text;
    }
    if (offload_params) {
      to_host("weights", trained + rest, "weights in host memory");
    }
    add_component(footprint, std::move(weights));
  }

  // Gradients, in backward consumed one tensor at a time
  Component gradients = state_line("gradients", in.local_trained, recipe.gradients, in.shards(Sharding::zero2),
                                   in.adapters ? "adapter parameters" : "parameters", basis, detail);
  if (in.optimizer.in_backward) {
    gradients.bytes = {gradients.bytes.likely * 0.02, gradients.bytes.likely * 0.05, gradients.bytes.likely * 0.3};
    gradients.basis = Basis::derived;
    if (detail == Detail::explained) {
      gradients.formula += ", a tensor at a time (about 5 %)";
    }
  }
  add_component(footprint, std::move(gradients));

  // Optimizer states and master copies
  double bytes = in.optimizer.moments * recipe.moment + in.optimizer.fixed;
  if (in.optimizer.factored && in.local_trained > 0) {
    bytes +=
        recipe.moment * static_cast<double>(in.trained.factored_elements) / static_cast<double>(in.trained.parameters);
  }
  const std::int64_t shards = in.shards(Sharding::zero1);
  Component states = state_line("optimizer_states", in.local_trained, bytes, shards,
                                workload.training.optimizer.c_str(), basis, detail);
  Component master = state_line("master_weights", in.local_trained, recipe.master, shards, "parameters", basis, detail);
  if (job.offload_optimizer) {
    // DeepSpeed keeps fp32 gradients beside them and buffers half as much again; 21-25 bytes a parameter were seen.
    to_host("optimizer_states",
            (states.bytes.likely + master.bytes.likely + per_parameter(in.local_trained, 4.0, shards)) * 1.5,
            "optimizer states, fp32 copy and fp32 gradients x 1.5 for buffers");
    return;
  }
  if (in.optimizer.paged) {
    states.bytes = {Bytes(0), states.bytes.likely, states.bytes.likely};
    states.basis = Basis::derived;
    if (detail == Detail::explained) {
      states.formula += ", paged: the driver may move them to host memory";
    }
  }
  add_component(footprint, std::move(states));
  add_component(footprint, std::move(master));
}

Bytes likely_of(const Footprint& footprint, std::string_view name)
{
  const Component* component = footprint.find(name);
  return component != nullptr ? component->bytes.likely : Bytes(0);
}

// Largest layer in 16 bit, which ZeRO-3 gathers before it is used.
Bytes largest_layer(const WeightSummary& weights, int element)
{
  Bytes largest;
  for (const LayerWeights& layer : weights.layers) {
    largest = std::max(largest, layer.total());
  }
  largest = std::max(largest, weights.token_embedding);
  const double bytes_per_parameter = weights.bits_per_weight / 8.0;
  return bytes_per_parameter > 0.0 ? largest * (static_cast<double>(element) / bytes_per_parameter) : largest;
}

void add_communication(Footprint& footprint, const Workload& workload, const Placement& placement, const States& in,
                       const WeightSummary& weights, Detail detail)
{
  if (placement.dp <= 1) {
    return;
  }
  Component component{"communication", {}, Basis::derived};
  const bool explained = detail == Detail::explained;
  if (in.sharding == Sharding::none) {
    const Bytes buckets = likely_of(footprint, "gradients"); // DDP's buckets are a second copy unless they are views
    component.bytes = {Bytes(0), buckets, buckets};
    component.formula = explained ? "DistributedDataParallel buckets: a copy of the gradients" : "";
  } else if (in.sharding == Sharding::zero3) {
    const Bytes layer =
        largest_layer(weights, in.adapters && in.base_bytes_per_parameter < 2.0 ? 1 : in.recipe.compute);
    component.bytes = {layer, layer * 2, layer * 4};
    component.formula =
        explained ? "gathered weights: the largest layer and the one fetched ahead, " + explain::size(layer) + " each"
                  : "";
  } else {
    // Reduce and gather buckets of 5e8 elements (DeepSpeed's default), never more than the gradients twice.
    const Bytes limit = per_parameter(in.local_trained, 2.0 * in.recipe.gradients, 1);
    component.bytes = {std::min(gigabytes(0.2), limit), std::min(gigabytes(2), limit), std::min(gigabytes(4), limit)};
    component.formula = explained ? "ZeRO buckets: 2 x 500,000,000 elements x 2 bytes at most" : "";
  }
  static_cast<void>(workload);
  add_component(footprint, std::move(component));
}

std::string kept_formula(const Backward& backward, const Workload& workload)
{
  const TrainingJob& job = workload.training;
  std::string text;
  if (job.checkpointing == Checkpointing::full) {
    text = "inputs of " + count(backward.layers) + " checkpointed layers for " + count(backward.tokens) +
           " tokens, and one block computed again at " + number(backward.per_token_layer) + " bytes a token";
  } else {
    text = count(backward.tokens) + " tokens x " + count(backward.layers) + " layers x up to " +
           count(static_cast<std::int64_t>(backward.per_token_layer)) + " bytes kept for the backward pass";
  }
  if (backward.encoder_tokens > 0) {
    text += ", those of the encoder for its " + count(backward.encoder_tokens) + " positions";
  }
  if (backward.copies > 1) {
    text += " x " + count(backward.copies) + " micro-batches in flight";
  }
  return text;
}

// Activations and the loss over the vocabulary. The peak of the loss and that of a block computed again are apart in
// time: under checkpointing the larger counts, so the block's line is what it exceeds the logits by.
void add_activations(Footprint& footprint, const Workload& workload, const Placement& placement, const States& in,
                     Detail detail)
{
  const bool explained = detail == Detail::explained;
  Component activations{"activations", {}, Basis::derived};
  Component logits{"logits", {}, Basis::derived};
  const Model& model = *workload.model;
  if (model.architecture && !model.architecture->layers.empty()) {
    const Backward backward = backward_pass(workload, placement, in.recipe, in.trained);
    const auto beyond = [](Bytes live, Bytes head) { return std::max(live - head, Bytes(0)); };
    activations.bytes = {backward.kept.low + beyond(backward.live.low, backward.logits.low),
                         backward.kept.likely + beyond(backward.live.likely, backward.logits.likely),
                         backward.kept.high + beyond(backward.live.high, backward.logits.high)};
    logits.bytes = backward.logits;
    if (explained) {
      activations.formula = kept_formula(backward, workload);
      logits.formula = count(backward.tokens) + " tokens x " + count(backward.vocabulary) + " logits x " +
                       number(backward.logit_bytes) + " bytes" + (workload.training.fused_loss ? " (fused loss)" : "");
    }
  } else {
    activations = image_training_activations(model, workload.precision, workload.training.micro_batch, detail);
    if (workload.training.checkpointing == Checkpointing::full) { // a part in four or so remains
      activations.bytes = {activations.bytes.low * 0.15, activations.bytes.likely * 0.3, activations.bytes.high * 0.5};
      activations.basis = Basis::assumed;
    }
  }
  const Interval<Bytes> dynamic = activations.bytes + logits.bytes;

  if (in.recipe.autocast && !in.adapters) { // 16-bit copies of fp32 weights, kept by autocast until the backward pass
    const Bytes copies = per_parameter(in.local_trained, 2.0, in.shards(Sharding::zero3));
    const Bytes one_layer = copies * 0.1;
    activations.bytes = activations.bytes + Interval<Bytes>{one_layer, copies, copies};
    if (explained) {
      activations.formula += " + 16-bit copies of the weights, " + explain::size(copies);
    }
  }
  // The optimizer's step comes after the activations are gone; only what it needs beyond them counts.
  const double step = in.optimizer.step_copies * in.recipe.moment;
  const Bytes temporaries = workload.training.offload_optimizer
                                ? Bytes(0)
                                : per_parameter(in.local_trained, step, in.shards(Sharding::zero1));
  const Bytes beyond = std::max(temporaries - activations.bytes.likely - logits.bytes.likely, Bytes(0));
  if (beyond > Bytes(0)) {
    activations.bytes = {activations.bytes.low, activations.bytes.likely + beyond,
                         std::max(activations.bytes.high, activations.bytes.likely + beyond)};
    if (explained) {
      activations.formula += " + " + explain::size(beyond) + " that the optimizer's step needs beyond them";
    }
  }
  // Gradients appear while activations go: without accumulation the two need not meet.
  if (workload.training.grad_accum <= 1 && !in.adapters) {
    const Bytes meet = std::min(likely_of(footprint, "gradients"), dynamic.low);
    activations.bytes.low = std::max(activations.bytes.low - meet * 0.7, Bytes(0));
  }
  add_component(footprint, std::move(activations));
  add_component(footprint, std::move(logits));
}

// Reserved over allocated memory: 3 % (fixed shapes) to 24 % (ragged batches) in published runs.
void add_fragmentation(Footprint& footprint, Detail detail)
{
  const Bytes dynamic =
      likely_of(footprint, "activations") + likely_of(footprint, "logits") + likely_of(footprint, "gradients");
  Component component{"fragmentation", {dynamic * 0.01, dynamic * 0.05, dynamic * 0.25}, Basis::calibrated};
  if (detail == Detail::explained) {
    component.formula = "what the caching allocator reserves beyond use: 5 % of activations, logits and gradients";
  }
  add_component(footprint, std::move(component));
}

Result<States> states_of(const Workload& workload, const Placement& placement, const WeightSummary& weights)
{
  States in;
  in.sharding = placement.dp > 1 ? placement.sharding : Sharding::none;
  HWADVISOR_TRY(recipe, recipe_of(workload, in.sharding));
  HWADVISOR_TRY(optimizer, optimizer_state(workload.training.optimizer));
  in.recipe = recipe;
  in.optimizer = optimizer;
  in.trained = trainable_of(workload);
  in.parameters = weights.parameters;
  in.replicas = std::max(1, placement.dp);
  in.adapters = in.trained.adapters;

  const WeightShare share =
      share_of(weights, placement, workload.engine->rules_at(workload.engine_version), std::nullopt, true);
  in.model_share = placement.tp > 1 || placement.pp > 1 ? (share.device + share.towers) / weights.total : 1.0;
  const auto local = [&](std::int64_t parameters) {
    return in.model_share == 1.0 ? parameters
                                 : static_cast<std::int64_t>(static_cast<double>(parameters) * in.model_share + 0.5);
  };
  in.local = local(in.parameters);
  in.local_trained = local(in.trained.parameters);
  if (in.adapters) {
    const bool quantised =
        workload.precision.kind == PrecisionKind::quantised || workload.precision.kind == PrecisionKind::gguf;
    const auto take_base = [&](const WeightSummary& base) {
      in.base_bytes_per_parameter = base.total / Bytes(in.parameters);
      in.base = base.total * in.model_share;
      in.base_kept = (base.token_embedding + base.output_head + base.towers) * in.model_share;
    };
    if (quantised) {
      take_base(weights);
    } else if (workload.training.method == Method::qlora) {
      HWADVISOR_TRY(nf4, find_precision("nf4"));
      take_base(*summarise_weights(*workload.model, nf4));
    } else {
      in.base_bytes_per_parameter = in.recipe.frozen;
      in.base = per_parameter(in.local, in.recipe.frozen, 1);
    }
  }
  return in;
}

} // namespace

Result<Footprint> estimate_training(const Workload& workload, const Placement& placement, Detail detail,
                                    const WeightSummary& weights)
{
  HWADVISOR_TRY_STATUS(check_lora_targets(workload.training));
  HWADVISOR_TRY(states, states_of(workload, placement, weights));
  Footprint footprint;
  footprint.components.reserve(10);
  add_states(footprint, workload, states, detail);
  add_communication(footprint, workload, placement, states, weights, detail);
  add_activations(footprint, workload, placement, states, detail);
  add_fragmentation(footprint, detail);
  add_component(footprint, engine_overhead(workload.engine->rules_at(workload.engine_version), workload, placement,
                                           false, detail));
  sum_up(footprint);
  add_rule_of_thumb(footprint, workload, weights);
  const Interval<Bytes> reserved = without_context(footprint);
  footprint.reserved = reserved;
  const Component* fragmentation = footprint.find("fragmentation");
  footprint.allocated = fragmentation == nullptr ? reserved
                                                 : Interval<Bytes>{reserved.low - fragmentation->bytes.low,
                                                                   reserved.likely - fragmentation->bytes.likely,
                                                                   reserved.high - fragmentation->bytes.high};
  HWADVISOR_TRY_STATUS(check_size(footprint));
  return footprint;
}

} // namespace hwadvisor
