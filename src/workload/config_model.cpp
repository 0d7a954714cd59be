#include "workload/resolver.hpp"

#include "model/config.hpp"
#include "modelfile/gguf_config.hpp"
#include "modelfile/llamacpp_shape.hpp"
#include "text/quote.hpp"
#include "json/reader.hpp"

#include <fmt/format.h>

namespace hwadvisor::workload {
namespace {

using json::Json;

std::string member_text(const Json& object, const char* key)
{
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

// "torch_dtype": "bfloat16" (newer files: "dtype"), here or in the text part of a multimodal configuration; empty:
// none.
std::string stated_dtype(const Json& config)
{
  std::vector<const Json*> places{&config};
  if (const auto text = config.find("text_config"); text != config.end() && text->is_object()) {
    places.push_back(&*text);
  }
  for (const Json* place : places) {
    for (const char* key : {"torch_dtype", "dtype"}) {
      if (std::string word = member_text(*place, key); !word.empty() && word != "auto") {
        return word;
      }
    }
  }
  return {};
}

// Empty: not known.
std::string precision_of_dtype(std::string_view word)
{
  constexpr std::string_view prefix = "torch.";
  if (word.starts_with(prefix)) {
    word.remove_prefix(prefix.size());
  }
  return word == "bfloat16"                                 ? "bf16"
         : word == "float16" || word == "half"              ? "fp16"
         : word == "float32" || word == "float"             ? "fp32"
         : word.starts_with("float8_e4m3") || word == "fp8" ? "fp8"
                                                            : "";
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

// Bits of packed weights: "quantization_config" of AutoGPTQ and AutoAWQ, of compressed-tensors, and MLX's
// "quantization".
std::int64_t packed_bits(const Json& config)
{
  const auto bits_in = [](const Json& object, const char* key) {
    const auto found = object.find(key);
    const bool whole = found != object.end() && found->is_number_integer();
    const auto bits = whole ? found->get<std::int64_t>() : 0;
    return bits >= 1 && bits <= 16 ? bits : 0;
  };
  for (const char* place : {"quantization_config", "quantization"}) {
    const auto found = config.find(place);
    if (found == config.end() || !found->is_object()) {
      continue;
    }
    if (const auto bits = bits_in(*found, "bits"); bits > 0) {
      return bits;
    }
    const auto groups = found->find("config_groups");
    if (groups == found->end() || !groups->is_object()) {
      continue;
    }
    for (const auto& [name, group] : groups->items()) {
      const auto weights = group.is_object() ? group.find("weights") : group.end();
      if (group.is_object() && weights != group.end() && weights->is_object()) {
        return bits_in(*weights, "num_bits");
      }
    }
  }
  return 0;
}

// The model of an architecture that was computed, not read from tensors.
Model computed_model(Architecture architecture, const std::string& id)
{
  Model model;
  model.id = id;
  model.name = id;
  model.family = model::family_of(architecture);
  model.task = "text-generation";
  model.params_total = architecture.parameters();
  model.params_active = architecture.active_parameters();
  model.params_basis = ParametersBasis::computed;
  model.architecture = std::move(architecture);
  return model;
}

void note_assumptions(const Architecture& architecture, ResolvedModel& out)
{
  for (const std::string& assumption : architecture.assumptions) {
    out.notes.push_back({"model.assumption", Severity::info, assumption});
  }
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
  ResolvedModel out;
  note_assumptions(*read, out);
  out.packed_bits = packed_bits(config);
  Model model = computed_model(std::move(*read), id);
  const std::string name = member_text(config, "_name_or_path");
  model.name = name.empty() ? id : name;
  model.params_text = "computed from the configuration";
  const std::string dtype = stated_dtype(config);
  model.released_precision = precision_of_dtype(dtype);
  if (!dtype.empty() && model.released_precision.empty()) {
    out.notes.push_back({"model.dtype", Severity::warning,
                         fmt::format("the type {} of this configuration is not known here; bf16 is taken unless "
                                     "--precision says otherwise",
                                     text::quoted(dtype))});
  }
  const auto quantised = quantised_precision(config, place);
  if (quantised) {
    out.precision = *quantised;
  } else {
    out.no_precision = quantised.error();
  }
  out.model = std::make_shared<const Model>(std::move(model));
  return out;
}

Result<ResolvedModel> model_from_llamacpp_shape(std::string_view text, const std::string& place)
{
  HWADVISOR_TRY(object, json::parse(text, place));
  // "file: /pointer", as the place was written when the request was read.
  const auto cut = place.find(": /");
  const json::Place at =
      cut == std::string::npos ? json::Place{place, ""} : json::Place{place.substr(0, cut), place.substr(cut + 2)};
  HWADVISOR_TRY(shape, modelfile::parse_llamacpp_shape(object, at));
  HWADVISOR_TRY(config, modelfile::config_of_gguf(shape.metadata, shape.vocabulary, place));
  if (shape.tied_embeddings) {
    config["tie_word_embeddings"] = *shape.tied_embeddings;
  }
  auto architecture = model::read_architecture(config, place);
  if (!architecture) {
    return Error{ErrorKind::usage, architecture.error().message, place};
  }
  ResolvedModel out;
  note_assumptions(*architecture, out);
  Model model = computed_model(std::move(*architecture), "llamacpp_shape");
  model.name = shape.metadata.text("general.architecture") + " of llama.cpp's sizes";
  model.params_text = "computed from the sizes";
  if (shape.parameters) {
    model.params_total = shape.parameters;
    model.params_text = "as stated";
  }
  out.model = std::make_shared<const Model>(std::move(model));
  return out;
}

} // namespace hwadvisor::workload
