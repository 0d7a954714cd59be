#include "workload/resolver.hpp"

#include "model/config.hpp"
#include "text/quote.hpp"
#include "json/reader.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hwadvisor::workload {
namespace {

using json::Json;

ModelFamily family_of(const Architecture& architecture)
{
  const auto& layers = architecture.layers;
  const auto any = [&](auto test) { return std::any_of(layers.begin(), layers.end(), test); };
  const bool attention =
      any([](const Layer& l) { return l.mixer == Mixer::attention || l.mixer == Mixer::latent_attention; });
  const bool recurrent = any([](const Layer& l) { return l.state_elements > 0 || l.conv_elements > 0; });
  const bool experts = any([](const Layer& l) { return l.experts > 0; });
  const bool tower = std::any_of(architecture.tensors.begin(), architecture.tensors.end(),
                                 [](const Tensor& t) { return t.role == TensorRole::vision; });
  if (!architecture.encoder_layers.empty()) {
    return ModelFamily::encoder_decoder;
  }
  if (!architecture.causal) {
    return ModelFamily::encoder;
  }
  if (recurrent) {
    return attention ? ModelFamily::llm_hybrid : ModelFamily::ssm;
  }
  if (tower) {
    return ModelFamily::vlm;
  }
  return experts ? ModelFamily::llm_moe : ModelFamily::llm_dense;
}

std::string member_text(const Json& object, const char* key)
{
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

// "torch_dtype": "bfloat16" (newer files: "dtype"), here or in the text part of a multimodal configuration.
std::string released_precision(const Json& config)
{
  std::vector<const Json*> places{&config};
  if (const auto text = config.find("text_config"); text != config.end() && text->is_object()) {
    places.push_back(&*text);
  }
  for (const Json* place : places) {
    for (const char* key : {"torch_dtype", "dtype"}) {
      const std::string word = member_text(*place, key);
      if (word == "bfloat16") {
        return "bf16";
      }
      if (word == "float16") {
        return "fp16";
      }
      if (word == "float32") {
        return "fp32";
      }
    }
  }
  return {};
}

// The precision that "quantization_config" stands for. Its keys: Hugging Face transformers,
// utils/quantization_config.py.
Result<std::string> quantised_precision(const Json& config, const std::string& place)
{
  const auto found = config.find("quantization_config");
  if (found == config.end() || !found->is_object()) {
    return std::string();
  }
  const Json& quantised = *found;
  const std::string method = member_text(quantised, "quant_method");
  const auto bits_key = quantised.find("bits");
  const bool has_bits = bits_key != quantised.end() && bits_key->is_number_integer();
  const auto bits = has_bits ? bits_key->get<std::int64_t>() : 4;
  const auto flag = [&](const char* key) {
    const auto at = quantised.find(key);
    return at != quantised.end() && at->is_boolean() && at->get<bool>();
  };
  if (method == "awq" || method == "gptq" || method == "hqq") {
    return fmt::format("{}-int{}", method, bits);
  }
  if (method == "fp8" || method == "fbgemm_fp8") {
    return std::string("fp8");
  }
  if (method == "mxfp4") {
    return std::string("mxfp4");
  }
  if (method == "bitsandbytes") {
    if (flag("load_in_8bit")) {
      return std::string("bnb-int8");
    }
    const std::string type = member_text(quantised, "bnb_4bit_quant_type");
    return std::string(type == "fp4" ? "fp4" : flag("bnb_4bit_use_double_quant") ? "nf4-dq" : "nf4");
  }
  return Error{ErrorKind::usage,
               fmt::format("the quantisation method {} of this configuration is not known here; give --precision",
                           text::quoted(method)),
               place};
}

} // namespace

Result<ResolvedModel> model_from_config(std::string_view text, const std::string& place, const std::string& id)
{
  const json::ParseLimits limits{.allow_non_finite = true};
  HWADVISOR_TRY(config, json::parse(text, place, limits));
  if (!config.is_object()) {
    return Error{ErrorKind::malformed, "a configuration is a JSON object", place};
  }
  // "file: /pointer" in errors, also where the configuration is the whole file.
  const bool whole_file = place.find(": /") == std::string::npos;
  auto read = model::read_architecture(config, whole_file ? place + ": " : place);
  if (!read) {
    Error error = read.error();
    if (error.where.ends_with(": ")) {
      error.where.resize(error.where.size() - 2);
    }
    return error;
  }
  Architecture& architecture = *read;
  auto model = std::make_shared<Model>();
  model->id = id;
  const std::string name = member_text(config, "_name_or_path");
  model->name = name.empty() ? id : name;
  model->family = family_of(architecture);
  model->task = "text-generation";
  model->params_total = architecture.parameters();
  model->params_active = architecture.active_parameters();
  model->params_basis = ParametersBasis::computed;
  model->params_text = "computed from the configuration";
  model->released_precision = released_precision(config);

  ResolvedModel out;
  for (const std::string& assumption : architecture.assumptions) {
    out.notes.push_back({"model.assumption", Severity::info, assumption});
  }
  model->architecture = std::move(architecture);
  const auto quantised = quantised_precision(config, place);
  if (quantised) {
    out.precision = *quantised;
  } else {
    out.no_precision = quantised.error();
  }
  out.model = std::move(model);
  return out;
}

} // namespace hwadvisor::workload
