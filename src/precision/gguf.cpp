#include "precision/gguf.hpp"

#include "precision/formats.hpp"

#include <algorithm>
#include <array>

// The rules are those of llama.cpp release v0.5.0, src/llama-quant.cpp: llama_tensor_get_type_impl (types),
// tensor_type_fallback (rows that do not divide into blocks), tensor_allows_quantization and conversion/base.py (what
// stays fp32). tests/unit/precision/gguf-mix-sizes.csv holds that release's own sizes.

namespace hwadvisor {
namespace {

constexpr std::array k_mixes = {
    GgufMix{"q1_0", "q1_0", "q1_0"},
    GgufMix{"q2_0", "q2_0", "q2_0"},
    GgufMix{"q4_0", "q4_0", "q4_0"},
    GgufMix{"q4_1", "q4_1", "q4_1"},
    GgufMix{"q5_0", "q5_0", "q5_0"},
    GgufMix{"q5_1", "q5_1", "q5_1"},
    GgufMix{"q8_0", "q8_0", "q8_0"},
    GgufMix{"q2_k", "q2_k", "q2_k"},
    GgufMix{"q2_k_s", "q2_k_s", "q2_k"},
    GgufMix{"q3_k_s", "q3_k_s", "q3_k"},
    GgufMix{"q3_k_m", "q3_k_m", "q3_k"},
    GgufMix{"q3_k_l", "q3_k_l", "q3_k"},
    GgufMix{"q4_k_s", "q4_k_s", "q4_k"},
    GgufMix{"q4_k_m", "q4_k_m", "q4_k"},
    GgufMix{"q5_k_s", "q5_k_s", "q5_k"},
    GgufMix{"q5_k_m", "q5_k_m", "q5_k"},
    GgufMix{"q6_k", "q6_k", "q6_k"},
    GgufMix{"iq1_s", "iq1_s", "iq1_s"},
    GgufMix{"iq1_m", "iq1_m", "iq1_m"},
    GgufMix{"iq2_xxs", "iq2_xxs", "iq2_xxs"},
    GgufMix{"iq2_xs", "iq2_xs", "iq2_xs"},
    GgufMix{"iq2_s", "iq2_s", "iq2_xs"},
    GgufMix{"iq2_m", "iq2_m", "iq2_s"},
    GgufMix{"iq3_xxs", "iq3_xxs", "iq3_xxs"},
    GgufMix{"iq3_xs", "iq3_xs", "iq3_s"},
    GgufMix{"iq3_s", "iq3_s", "iq3_s"},
    GgufMix{"iq3_m", "iq3_m", "iq3_s"},
    GgufMix{"iq4_nl", "iq4_nl", "iq4_nl"},
    GgufMix{"iq4_xs", "iq4_xs", "iq4_xs"},
    GgufMix{"tq1_0", "tq1_0", "tq1_0"},
    GgufMix{"tq2_0", "tq2_0", "tq2_0"},
    GgufMix{"mxfp4_moe", "mxfp4_moe", "mxfp4"},
    // Publishers' own: embeddings and head at q8_0 (bartowski's "_L").
    GgufMix{"q2_k_l", "q2_k", "q2_k", "q8_0"},
    GgufMix{"q4_k_l", "q4_k_m", "q4_k", "q8_0"},
    GgufMix{"q5_k_l", "q5_k_m", "q5_k", "q8_0"},
    GgufMix{"q6_k_l", "q6_k", "q6_k", "q8_0"},
    // Unsloth's dynamic files choose per model and tensor; the nearest mix stands in.
    GgufMix{"q2_k_xl", "q2_k", "q2_k", {}, true},
    GgufMix{"q3_k_xl", "q3_k_m", "q3_k", {}, true},
    GgufMix{"q4_k_xl", "q4_k_m", "q4_k", {}, true},
    GgufMix{"q5_k_xl", "q5_k_m", "q5_k", {}, true},
    GgufMix{"q6_k_xl", "q6_k", "q6_k", "q8_0", true},
    GgufMix{"q8_k_xl", "q8_0", "q8_0", "fp16", true},
};

using Type = std::string_view;

bool any_of(std::string_view mix, std::initializer_list<std::string_view> mixes)
{
  return std::find(mixes.begin(), mixes.end(), mix) != mixes.end();
}

// A layer's place among its kind: the rules speak of the first eighth, the last eighth and every third between.
struct Place {
  int index = 0;
  int count = 0;

  bool in_first(int part) const { return index < count / part; }
  bool in_middle() const { return index >= count / 8 && index < 7 * count / 8; }
  bool gets_more_bits() const { return !in_middle() || (index - count / 8) % 3 == 2; }
};

struct Model {
  bool falcon;
  bool eight_experts; // Mixtral 8x7B and its kind
  bool many_experts;
  bool shared_values; // four query heads or more use one value head
  bool seventy_b;
  bool importance_matrix;
};

Model model_of(const TensorContext& context)
{
  const std::string_view type = context.architecture;
  const bool grouped = context.gqa_groups > 1;
  return {.falcon = type == "falcon",
          .eight_experts = context.expert_count == 8,
          .many_experts = context.expert_count >= 4,
          .shared_values = context.gqa_groups >= 4,
          // llama.cpp's model type "70B", by layer count and architecture (src/models/*.cpp of the release)
          .seventy_b = context.layer_count == 80 && grouped &&
                       any_of(type, {"", "llama", "mistral", "qwen2", "nemotron-nas", "deci", "olmo"}),
          .importance_matrix = context.importance_matrix};
}

// The first of equal layers' places in an ascending list; the layer itself where there is no list.
Place place_in(const std::vector<std::int32_t>& layers, std::int32_t layer, int layer_count)
{
  if (layers.empty()) {
    return {layer, layer_count};
  }
  const auto at = std::lower_bound(layers.begin(), layers.end(), layer);
  return {static_cast<int>(at - layers.begin()), static_cast<int>(layers.size())};
}

// llama.cpp counts feed-forward tensors as it meets them but takes the count of all layers for the whole.
Place ffn_place(const Tensor& tensor, const TensorContext& context, bool by_layer)
{
  if (by_layer && context.expert_count > 1) {
    return {tensor.layer, context.layer_count};
  }
  Place place = place_in(context.down_layers, tensor.layer, context.layer_count);
  const bool after_experts = tensor.role == TensorRole::shared_expert_down &&
                             std::count(context.down_layers.begin(), context.down_layers.end(), tensor.layer) > 1;
  place.index += after_experts ? 1 : 0;
  place.count = context.layer_count;
  return place;
}

Type head_type(std::string_view mix, Type base, std::int64_t row, const Model& model)
{
  if (mix == "mxfp4_moe" || model.falcon || row % format(base).block_elements != 0) {
    return "q8_0";
  }
  if (any_of(mix, {"iq1_s", "iq1_m", "iq2_xxs", "iq2_xs", "iq2_s", "iq2_m", "iq3_xxs"})) {
    return "q5_k";
  }
  return base == "q8_0" ? base : "q6_k";
}

Type embedding_type(std::string_view mix, Type base)
{
  if (any_of(mix, {"iq1_s", "iq1_m", "iq2_xxs", "iq2_xs"})) {
    return "q2_k";
  }
  if (any_of(mix, {"iq2_s", "iq2_m", "iq3_xxs"})) {
    return "iq3_s";
  }
  if (any_of(mix, {"tq1_0", "tq2_0", "q2_0"})) {
    return "q4_k";
  }
  return mix == "mxfp4_moe" ? "q8_0" : base;
}

Type value_type(std::string_view mix, Type base, Place place, const Model& model)
{
  Type type = base;
  if (mix == "q2_k") {
    type = model.shared_values ? "q4_k" : "q3_k";
  } else if (any_of(mix, {"q2_k_s", "iq3_xxs", "iq3_xs", "iq3_s"})) {
    type = model.shared_values ? "q4_k" : base;
  } else if (any_of(mix, {"iq4_nl", "iq4_xs"})) {
    type = model.shared_values ? "q5_k" : base;
  } else if (mix == "iq3_m") {
    type = "q4_k";
  } else if (mix == "q3_k_m") {
    type = place.index < 2 ? "q5_k" : "q4_k";
  } else if (mix == "q3_k_l") {
    type = "q5_k";
  } else if (mix == "q4_k_s") {
    type = place.index < 4 ? "q5_k" : base;
  } else if (any_of(mix, {"q4_k_m", "q5_k_m"})) {
    type = place.gets_more_bits() ? "q6_k" : base;
  }
  if (model.seventy_b && (type == "q3_k" || type == "q4_k")) {
    type = "q5_k";
  }
  return model.eight_experts ? "q8_0" : type;
}

Type down_type(std::string_view mix, Type base, Place place, const Model& model)
{
  const bool more = place.gets_more_bits();
  if (mix == "q2_k") {
    return "q3_k";
  }
  if (mix == "q2_k_s") {
    return place.in_first(8) ? "q4_k" : base;
  }
  if (mix == "q3_k_m") {
    return place.in_first(16) ? "q5_k" : !model.falcon || more ? "q4_k" : base;
  }
  if (mix == "q3_k_l") {
    return model.falcon ? "q4_k" : "q5_k";
  }
  if (mix == "q4_k_m") {
    return model.falcon ? (place.in_first(16) ? "q6_k" : more ? "q5_k" : base) : (more ? "q6_k" : base);
  }
  if (mix == "q5_k_m") {
    return more ? "q6_k" : base;
  }
  if (mix == "q4_k_s") {
    return !model.falcon && place.in_first(8) ? "q5_k" : base;
  }
  if (mix == "iq3_m") {
    return place.in_first(8) || (model.eight_experts && more) ? "q4_k" : base;
  }
  if (any_of(mix, {"iq4_nl", "iq4_xs"})) {
    return place.in_first(8) && !model.importance_matrix ? "q5_k" : base;
  }
  if (any_of(mix, {"q4_0", "q5_0"}) && model.importance_matrix && place.in_first(8)) {
    return mix == "q4_0" ? "q4_1" : "q5_1";
  }
  return base;
}

Type attention_output_type(std::string_view mix, Type base, const Model& model)
{
  if (model.falcon) {
    return mix == "q3_k_l" ? "q4_k" : base;
  }
  if (model.eight_experts) {
    return any_of(mix, {"q2_k", "q3_k_s", "q3_k_m", "q4_k_s", "q4_k_m", "iq3_xxs", "iq3_xs", "iq3_s", "iq3_m", "iq4_nl",
                        "iq4_xs"})
               ? "q5_k"
               : base;
  }
  if (mix == "q2_k") {
    return "q3_k";
  }
  if (mix == "iq3_xxs") {
    return "iq3_s";
  }
  if (any_of(mix, {"q3_k_m", "iq3_m"})) {
    return "q4_k";
  }
  return mix == "q3_k_l" ? "q5_k" : base;
}

// The mixes below 2.8 bit have rules of their own.
Type lowest_type(std::string_view mix, Type base, const Tensor& tensor, const TensorContext& context,
                 const Model& model)
{
  const bool upper = any_of(mix, {"iq2_s", "iq2_m"});
  const Type better = upper ? "iq3_s" : "q2_k";
  switch (tensor.role) {
  case TensorRole::attention_v:
  case TensorRole::attention_qkv:
    return model.shared_values || model.many_experts ? "q4_k" : better;
  case TensorRole::attention_k:
    return model.eight_experts ? "q4_k" : base;
  case TensorRole::attention_output:
    if (model.eight_experts) {
      return "q5_k";
    }
    return upper ? "iq3_s" : any_of(mix, {"iq1_s", "iq1_m"}) ? "iq2_xxs" : base;
  case TensorRole::ffn_down:
  case TensorRole::expert_down:
  case TensorRole::shared_expert_down:
    return ffn_place(tensor, context, false).in_first(8) ? better : base;
  default:
    return base;
  }
}

// Architectures whose GGUF files keep query, key and value in one matrix, which is chosen as a value projection is.
// A tensor table may list the three apart.
bool has_fused_attention(std::string_view architecture)
{
  return any_of(architecture, {"phi3", "falcon", "gpt2", "gpt_neox", "gpt_bigcode", "bloom", "mpt", "dbrx", "qwen",
                               "chatglm", "codeshell"});
}

TensorRole role_in_gguf(const Tensor& tensor, const TensorContext& context)
{
  switch (tensor.role) {
  case TensorRole::attention_q:
  case TensorRole::attention_k:
  case TensorRole::attention_v:
    return has_fused_attention(context.architecture) ? TensorRole::attention_qkv : tensor.role;
  default:
    return tensor.role;
  }
}

bool is_expert(TensorRole role)
{
  return role == TensorRole::expert_gate || role == TensorRole::expert_up || role == TensorRole::expert_down;
}

Type mix_type(const GgufMix& mix, const Tensor& tensor, const TensorContext& context)
{
  const Model model = model_of(context);
  const Type base = mix.base;
  const bool embedding = tensor.role == TensorRole::token_embedding;
  if (embedding || tensor.role == TensorRole::output_head) {
    if (!mix.edges.empty()) {
      return mix.edges;
    }
    return embedding && !context.tied_embeddings ? embedding_type(mix.rules, base)
                                                 : head_type(mix.rules, base, tensor.row_elements, model);
  }
  if (mix.rules == "mxfp4_moe") {
    // every three-dimensional tensor: experts, and the expansions of latent attention
    return is_expert(tensor.role) || tensor.role == TensorRole::latent_kv_b ? base : "q8_0";
  }
  if (any_of(mix.rules, {"iq1_s", "iq1_m", "iq2_xxs", "iq2_xs", "iq2_s", "iq2_m"})) {
    return lowest_type(mix.rules, base, tensor, context, model);
  }
  switch (tensor.role) {
  case TensorRole::attention_v:
  case TensorRole::attention_qkv: // counted and chosen as values
    return value_type(mix.rules, base, place_in(context.value_layers, tensor.layer, context.layer_count), model);
  case TensorRole::attention_k:
    if (model.eight_experts) {
      return "q8_0";
    }
    [[fallthrough]];
  case TensorRole::attention_q:
    return mix.rules == "iq3_xs" ? "iq3_xxs" : mix.rules == "iq3_xxs" ? "iq2_s" : base;
  case TensorRole::attention_output:
    return attention_output_type(mix.rules, base, model);
  case TensorRole::ffn_down:
  case TensorRole::expert_down:
  case TensorRole::shared_expert_down:
    return down_type(mix.rules, base, ffn_place(tensor, context, true), model);
  case TensorRole::ffn_gate:
  case TensorRole::ffn_up:
  case TensorRole::expert_gate:
  case TensorRole::expert_up:
  case TensorRole::shared_expert_gate:
  case TensorRole::shared_expert_up:
    return mix.rules == "iq3_xs" && ffn_place(tensor, context, true).in_middle() ? "iq3_xxs" : base;
  default:
    return base;
  }
}

// The type a row takes that does not divide into blocks of the wished one.
Type fitting(Type type, std::int64_t row)
{
  const auto divides = [row](Type t) { return row % format(t).block_elements == 0; };
  if (divides(type)) {
    return type;
  }
  Type next = "fp16";
  if (type == "q4_k") {
    next = "q5_0";
  } else if (type == "q5_k") {
    next = "q5_1";
  } else if (type == "q6_k") {
    next = "q8_0";
  } else if (any_of(type, {"q2_0", "q2_k", "q3_k", "tq1_0", "tq2_0"})) {
    next = "q4_0";
  } else if (type.substr(0, 2) == "iq" && type != "iq4_nl") {
    next = "iq4_nl";
  }
  return divides(next) ? next : "fp16";
}

} // namespace

std::span<const GgufMix> gguf_mixes()
{
  return k_mixes;
}

const NumberFormat& gguf_format(const Precision& precision, const Tensor& tensor, const TensorContext& context)
{
  const bool bare = precision.gguf_mix < 0;
  switch (tensor.role) {
  case TensorRole::vision: // towers come in a file of their own (mmproj), at 16 bit
  case TensorRole::audio:
    return format("fp16");
  case TensorRole::norm:
  case TensorRole::bias:
  case TensorRole::router:
  case TensorRole::recurrent_other:
    return format("fp32");
  case TensorRole::position_embedding:
    if (!bare) {
      return format("fp32");
    }
    break;
  default:
    break;
  }
  if (tensor.rows == 1 || tensor.row_elements == 1) { // a vector
    return format("fp32");
  }
  // gpt-oss is released in MXFP4, and its experts stay so in every GGUF file.
  if (context.architecture == "gpt_oss" && is_expert(tensor.role)) {
    return format("mxfp4");
  }
  Type wished = precision.weights->id;
  if (!bare) {
    Tensor stored = tensor;
    stored.role = role_in_gguf(tensor, context);
    wished = mix_type(k_mixes[static_cast<std::size_t>(precision.gguf_mix)], stored, context);
  }
  return format(fitting(wished, tensor.row_elements));
}

} // namespace hwadvisor
