#include "footprint/states.hpp"

#include "text/lower.hpp"

#include <algorithm>
#include <array>

namespace hwadvisor {

namespace {

Recipe plain_recipe(double bytes)
{
  Recipe recipe;
  recipe.weights = recipe.gradients = recipe.moment = recipe.frozen = bytes;
  recipe.compute = recipe.residual = bytes >= 4.0 ? 4 : 2;
  recipe.text = bytes >= 4.0 ? "fp32 weights, gradients and optimizer states"
                             : "16-bit weights, gradients and optimizer states, no fp32 copy";
  return recipe;
}

// Mixed precision keeps what the optimizer changes in fp32. PyTorch's autocast holds fp32 weights and casts them for
// each use; ZeRO (arXiv 1910.02054, section 3.1) holds 16-bit weights and gradients with an fp32 copy beside the
// moments. Both are 16 bytes a parameter with Adam, but they shard differently.
Recipe mixed_recipe(Sharding sharding)
{
  Recipe recipe;
  recipe.compute = 2;
  recipe.frozen = 2.0; // frameworks load in 16 bit and raise to fp32 what they train
  if (sharding == Sharding::none) {
    recipe.autocast = true;
    recipe.text = "fp32 weights, gradients and optimizer states, cast to 16 bit for each use";
    return recipe;
  }
  recipe.weights = recipe.gradients = 2.0;
  recipe.master = 4.0;
  recipe.residual = 2;
  recipe.text = "16-bit weights and gradients, fp32 master copy and optimizer states";
  return recipe;
}

bool is_quantised(const Precision& precision)
{
  return precision.kind == PrecisionKind::quantised || precision.kind == PrecisionKind::gguf;
}

} // namespace

Result<Recipe> recipe_of(const Workload& workload, Sharding sharding)
{
  const Precision& precision = workload.precision;
  const Method method = workload.training.method;
  const bool adapters = method == Method::lora || method == Method::qlora;
  if (is_quantised(precision) && !adapters) {
    return Error{ErrorKind::usage,
                 "weights in " + precision.id + " cannot be trained: use method qlora, or bf16-mixed, bf16 or fp32",
                 "--precision"};
  }
  Recipe recipe = precision.kind == PrecisionKind::mixed ? mixed_recipe(sharding)
                  : is_quantised(precision)              ? plain_recipe(4.0)
                                                         : plain_recipe(precision.weights->bits_per_weight() / 8.0);
  if (adapters && (precision.kind == PrecisionKind::mixed || is_quantised(precision))) {
    // PEFT keeps adapters in fp32 beside a 16- or 4-bit base, whatever shards them.
    recipe = plain_recipe(4.0);
    recipe.frozen = 2.0;
    recipe.compute = recipe.residual = 2;
    recipe.text = "adapters, their gradients and optimizer states in fp32";
  }
  return recipe;
}

namespace {

struct NamedOptimizer {
  std::string_view name;
  OptimizerState state;
};

// Moments measured with PyTorch 1.13 (torch.optim keeps them in the parameter's type); 8- and 4-bit states with one
// fp32 scale a block of 256 (bitsandbytes), 128 (torchao 4-bit). Copies: foreach steps hold one moment once more.
constexpr std::array<NamedOptimizer, 22> k_optimizers{{
    {"adamw", {2.0, 0.0, 1.0}},
    {"adam", {2.0, 0.0, 1.0}},
    {"sgd", {}},
    {"sgd_momentum", {1.0, 0.0, 0.0}},
    {"adamw_8bit", {0.0, 2.03, 0.0}},
    {"adam_8bit", {0.0, 2.03, 0.0}},
    {"adamw_4bit", {0.0, 1.06, 0.0}},
    {"adamw_fp8", {0.0, 2.03, 0.0}},
    {"paged_adamw", {2.0, 0.0, 0.0, false, true}},
    {"paged_adamw_8bit", {0.0, 2.03, 0.0, false, true}},
    {"adafactor", {0.0, 0.0, 0.0, true}},
    {"lion", {1.0, 0.0, 0.0}},
    {"lion_8bit", {0.0, 1.02, 0.0}},
    {"paged_lion_8bit", {0.0, 1.02, 0.0, false, true}},
    {"muon", {1.0, 0.0, 0.0}},
    {"adagrad", {1.0, 0.0, 1.0}},
    {"rmsprop", {1.0, 0.0, 1.0}},
    {"nadam", {2.0, 0.0, 1.0}},
    {"radam", {2.0, 0.0, 1.0}},
    {"adadelta", {2.0, 0.0, 1.0}},
    {"lamb", {2.0, 0.0, 1.0}},
    {"none", {}},
}};

constexpr std::string_view k_in_backward = "+in_backward";

} // namespace

Result<OptimizerState> optimizer_state(std::string_view name)
{
  std::string_view base = name;
  const bool in_backward = base.ends_with(k_in_backward);
  if (in_backward) {
    base.remove_suffix(k_in_backward.size());
  }
  for (const NamedOptimizer& known : k_optimizers) {
    if (known.name == base) {
      OptimizerState state = known.state;
      state.in_backward = in_backward;
      return state;
    }
  }
  std::string names;
  for (const NamedOptimizer& known : k_optimizers) {
    names += (names.empty() ? "" : ", ") + std::string(known.name);
  }
  return Error{ErrorKind::usage, "'" + std::string(name) + "' is not an optimizer that is known: " + names,
               "--optimizer"};
}

namespace {

// Words of LoRA targets: letters of papers ("q"), module names of common models ("q_proj", "query", "c_attn"), groups.
struct TargetWord {
  std::string_view word;
  TensorRole role;
};
constexpr std::array<TargetWord, 35> k_targets{{
    {"q", TensorRole::attention_q},
    {"q_proj", TensorRole::attention_q},
    {"query", TensorRole::attention_q},
    {"wq", TensorRole::attention_q},
    {"k", TensorRole::attention_k},
    {"k_proj", TensorRole::attention_k},
    {"key", TensorRole::attention_k},
    {"wk", TensorRole::attention_k},
    {"v", TensorRole::attention_v},
    {"v_proj", TensorRole::attention_v},
    {"value", TensorRole::attention_v},
    {"wv", TensorRole::attention_v},
    {"qkv", TensorRole::attention_qkv},
    {"query_key_value", TensorRole::attention_qkv},
    {"c_attn", TensorRole::attention_qkv},
    {"qkv_proj", TensorRole::attention_qkv},
    {"o", TensorRole::attention_output},
    {"o_proj", TensorRole::attention_output},
    {"out_proj", TensorRole::attention_output},
    {"dense", TensorRole::attention_output},
    {"projection", TensorRole::attention_output},
    {"c_proj", TensorRole::attention_output}, // GPT-2 and Qwen 1 name both so
    {"c_proj", TensorRole::ffn_down},
    {"up", TensorRole::ffn_up},
    {"up_proj", TensorRole::ffn_up},
    {"w3", TensorRole::ffn_up},
    {"fc1", TensorRole::ffn_up},
    {"gate", TensorRole::ffn_gate},
    {"gate_proj", TensorRole::ffn_gate},
    {"w1", TensorRole::ffn_gate},
    {"down", TensorRole::ffn_down},
    {"down_proj", TensorRole::ffn_down},
    {"w2", TensorRole::ffn_down},
    {"head", TensorRole::output_head},
    {"lm_head", TensorRole::output_head},
}};

constexpr std::uint64_t bit(TensorRole role)
{
  return std::uint64_t{1} << static_cast<unsigned>(role);
}

constexpr std::uint64_t k_attention_bits = bit(TensorRole::attention_q) | bit(TensorRole::attention_k) |
                                           bit(TensorRole::attention_v) | bit(TensorRole::attention_qkv);
constexpr std::uint64_t k_feed_forward_in = bit(TensorRole::ffn_gate) | bit(TensorRole::ffn_up) |
                                            bit(TensorRole::expert_gate) | bit(TensorRole::expert_up) |
                                            bit(TensorRole::shared_expert_gate) | bit(TensorRole::shared_expert_up);
constexpr std::uint64_t k_down_bits =
    bit(TensorRole::ffn_down) | bit(TensorRole::expert_down) | bit(TensorRole::shared_expert_down);
constexpr std::uint64_t k_latent_bits = bit(TensorRole::latent_q_a) | bit(TensorRole::latent_q_b) |
                                        bit(TensorRole::latent_kv_a) | bit(TensorRole::latent_kv_b);
constexpr std::uint64_t k_all_linear = k_attention_bits | bit(TensorRole::attention_output) | k_feed_forward_in |
                                       k_down_bits | k_latent_bits | bit(TensorRole::recurrent_in) |
                                       bit(TensorRole::recurrent_out);

// An expert's matrices follow the word of the dense ones.
std::uint64_t with_experts(TensorRole role)
{
  switch (role) {
  case TensorRole::ffn_gate:
    return bit(role) | bit(TensorRole::expert_gate) | bit(TensorRole::shared_expert_gate);
  case TensorRole::ffn_up:
    return bit(role) | bit(TensorRole::expert_up) | bit(TensorRole::shared_expert_up);
  case TensorRole::ffn_down:
    return bit(role) | bit(TensorRole::expert_down) | bit(TensorRole::shared_expert_down);
  default:
    return bit(role);
  }
}

std::uint64_t target_bits(const std::vector<std::string>& targets)
{
  std::uint64_t bits = 0;
  for (const std::string& named : targets) {
    const std::string target = text::lower(named);
    if (target == "w2" && std::find(targets.begin(), targets.end(), "c_proj") != targets.end()) {
      bits |= with_experts(TensorRole::ffn_up); // Qwen 1: w1 and w2 stand before the product, c_proj behind it
      continue;
    }
    if (target == "attention") {
      bits |= k_attention_bits | bit(TensorRole::attention_output);
    } else if (target == "mlp") {
      bits |= k_feed_forward_in | k_down_bits;
    } else if (target == "all-linear" || target == "default") {
      bits |= k_all_linear;
    }
    for (const TargetWord& known : k_targets) {
      if (known.word == target) {
        bits |= with_experts(known.role);
      }
    }
  }
  if ((bits & k_attention_bits) != 0) { // where queries, keys and values are one matrix, it is adapted as one
    bits |= bit(TensorRole::attention_qkv);
  }
  return bits != 0 ? bits : k_all_linear;
}

Trainable adapters_of(const Architecture& architecture, const TrainingJob& job)
{
  Trainable trained;
  trained.adapters = true;
  const std::uint64_t bits = target_bits(job.lora_targets);
  for (const Tensor& tensor : architecture.tensors) {
    if ((bits & bit(tensor.role)) != 0) { // A: rank x inputs, B: outputs x rank (arXiv 2106.09685)
      const std::int64_t edge = saturating_mul(tensor.rows + tensor.row_elements, tensor.copies);
      trained.parameters = saturating_add(trained.parameters, saturating_mul(job.lora_rank, edge));
    }
  }
  trained.factored_elements = trained.parameters;
  trained.attention_input = (bits & (k_attention_bits | k_latent_bits)) != 0;
  trained.attention_output = (bits & bit(TensorRole::attention_output)) != 0;
  trained.feed_forward_input = (bits & k_feed_forward_in) != 0;
  trained.down_input = (bits & k_down_bits) != 0;
  return trained;
}

// The last two layers, as LLaMA-Factory's freeze tuning does by default; models without layers: their classifier,
// about 8 % of a ResNet-50.
Trainable last_layers_of(const Model& model, std::int64_t parameters)
{
  Trainable trained;
  trained.exact = false;
  if (!model.architecture || model.architecture->layers.size() < 3) {
    trained.parameters = static_cast<std::int64_t>(0.08 * static_cast<double>(parameters));
    return trained;
  }
  const auto first = static_cast<std::int32_t>(model.architecture->layers.size()) - 2;
  for (const Tensor& tensor : model.architecture->tensors) {
    if (!tensor.encoder && tensor.layer >= first) {
      trained.parameters = saturating_add(trained.parameters, tensor.elements());
    }
  }
  return trained;
}

std::int64_t parameters_of(const Model& model)
{
  if (model.architecture && !model.architecture->tensors.empty() && model.params_basis != ParametersBasis::inferred) {
    std::int64_t parameters = 0;
    for (const Tensor& tensor : model.architecture->tensors) {
      parameters = saturating_add(parameters, tensor.elements());
    }
    return parameters;
  }
  return model.params_total.value_or(0);
}

// What full training trains. Of a diffusion pipeline it is the denoiser: text encoders and VAE are frozen (diffusers,
// train_text_to_image_sdxl.py: requires_grad_(False)).
std::int64_t trained_whole(const Model& model)
{
  const std::int64_t all = parameters_of(model);
  return model.family == ModelFamily::diffusion ? std::min(all, model.params_active.value_or(all)) : all;
}

} // namespace

Trainable trainable_of(const Workload& workload)
{
  const Model& model = *workload.model;
  const bool has_tensors = model.architecture && !model.architecture->tensors.empty();
  switch (workload.training.method) {
  case Method::lora:
  case Method::qlora: {
    Trainable trained;
    if (has_tensors) {
      trained = adapters_of(*model.architecture, workload.training);
    }
    if (trained.parameters == 0) { // no linear layers known: rank 16 on all of them is about 0.6 % of common models
      trained.adapters = true;
      trained.exact = false;
      trained.parameters = static_cast<std::int64_t>(static_cast<double>(trained_whole(model)) * 0.0004 *
                                                     static_cast<double>(workload.training.lora_rank));
    }
    return trained;
  }
  case Method::freeze:
    return last_layers_of(model, parameters_of(model));
  case Method::full:
    break;
  }
  Trainable trained;
  trained.parameters = trained_whole(model);
  if (has_tensors) {
    for (const Tensor& tensor : model.architecture->tensors) {
      trained.factored_elements += saturating_mul(tensor.rows + tensor.row_elements, tensor.copies);
    }
  }
  return trained;
}

std::int64_t trainable_parameters(const Workload& workload)
{
  return trainable_of(workload).parameters;
}

Status check_lora_targets(const TrainingJob& job)
{
  for (const std::string& named : job.lora_targets) {
    const std::string target = text::lower(named);
    const bool known =
        target == "attention" || target == "mlp" || target == "all-linear" || target == "default" ||
        std::any_of(k_targets.begin(), k_targets.end(), [&](const TargetWord& word) { return word.word == target; });
    if (!known) {
      return Error{ErrorKind::usage,
                   "'" + named +
                       "' is not a known target; accepted: q, k, v, o, qkv, gate, up, down, attention, mlp, head, "
                       "all-linear, and modules as published (q_proj, query_key_value, w1, lm_head)",
                   "--lora-targets"};
    }
  }
  return {};
}

} // namespace hwadvisor
