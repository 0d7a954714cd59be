#include "model/config.hpp"

#include "model/decoder_tensors.hpp"
#include "model/encoders.hpp"
#include "model/shape.hpp"
#include "model/towers.hpp"

#include <algorithm>
#include <utility>

namespace hwadvisor::model {

namespace {

// Files without model_type: released T5 configs, and old ones that only name a class.
std::string model_type_of(const Fields& in)
{
  auto type = in.text({"model_type"});
  if (type.empty()) {
    const auto classes = in.texts({"architectures"});
    const auto name = classes.empty() ? std::string() : classes.front();
    if (name.rfind("T5", 0) == 0 || (in.has({"d_kv"}) && in.has({"d_ff"}))) {
      return "t5";
    }
    return "llama";
  }
  if (type == "RefinedWeb" || type == "RefinedWebModel") {
    return "falcon";
  }
  return type;
}

// The type of the text part where it does not say: the outer type's decoder.
std::string text_type_of(const Fields& text, const std::string& outer)
{
  const auto own = text.text({"model_type"});
  if (!own.empty()) {
    return own;
  }
  if (outer == "mllama") {
    return "mllama_text_model";
  }
  if (outer == "llava" || outer == "llava_next") {
    return "llama";
  }
  return outer + "_text";
}

// Embedding models are released as the bare class ("MistralModel"); ChatGLM's class of that form has a head.
bool has_head(const Fields& in, const std::string& type)
{
  const auto classes = in.texts({"architectures"});
  if (classes.empty() || type == "chatglm") {
    return true;
  }
  const std::string_view name = classes.front();
  return !(name.ends_with("Model") && name.find("LMHead") == std::string_view::npos);
}

void copy_shape(const Shape& shape, Architecture& out)
{
  out.hidden = shape.hidden;
  out.vocabulary = shape.vocabulary;
  out.max_positions = shape.max_positions;
  out.tied_embeddings = shape.tied;
  out.layers = shape.layers;
  out.assumptions.insert(out.assumptions.end(), shape.assumptions.begin(), shape.assumptions.end());
}

void read_decoder(const Fields& in, const std::string& outer_type, Architecture& out)
{
  const auto has_text = in.has({"text_config", "thinker_config", "language_config", "llm_config"});
  auto text = has_text ? in.object({"text_config", "thinker_config", "language_config", "llm_config"}) : in;
  if (text.has({"text_config"})) { // Qwen3-Omni: thinker_config.text_config
    text = text.object({"text_config"});
  }
  const auto type = has_text ? text_type_of(text, outer_type) : outer_type;
  auto shape = read_shape(text, type);
  // Only the outer object may say whether the embedding is tied.
  if (has_text && !text.has({"tie_word_embeddings"}) && in.has({"tie_word_embeddings"})) {
    shape.tied = in.flag({"tie_word_embeddings"}, shape.tied);
  }
  shape.head = has_head(in, type);
  copy_shape(shape, out);
  TensorTable table(out.tensors);
  TensorTable draft(out.draft_tensors);
  add_decoder(shape, table, draft);
  table.layer(-1);
  const bool implied = outer_type == "qwen2_vl" || outer_type == "llama4"; // towers of class defaults
  if (in.has({"vision_config"}) || implied) {
    const auto vision = in.object({"vision_config"});
    if (outer_type == "llama4" && !in.has({"vision_config"})) {
      out.assumptions.emplace_back("no vision_config: the vision tower is left out");
    } else if (!add_vision_tower(vision, outer_type, shape.hidden, table)) {
      out.assumptions.emplace_back("the vision tower is of a kind that is not known and is left out");
    }
  }
  if (in.has({"audio_config"})) {
    out.assumptions.emplace_back("the audio tower is left out");
  }
}

} // namespace

bool describes_architecture(const Json& config)
{
  constexpr std::string_view k_signs[] = {"model_type", "hidden_size", "n_embd",
                                          "d_model",    "text_config", "architectures"};
  return config.is_object() && std::any_of(std::begin(k_signs), std::end(k_signs),
                                           [&](std::string_view key) { return config.contains(std::string(key)); });
}

Result<Architecture> read_architecture(const Json& config, const std::string& where)
{
  if (!config.is_object()) {
    return Error{ErrorKind::malformed, "a model configuration is a JSON object", where, {}};
  }
  if (config.empty()) {
    return Error{
        ErrorKind::malformed, "the model configuration is empty; model_type and sizes were expected", where, {}};
  }
  std::optional<Error> error;
  const Fields in(config, where, error);
  Architecture out;
  out.model_type = model_type_of(in);
  TensorTable table(out.tensors);
  if (!read_encoder(in, out.model_type, out) && !add_image_model(in, out.model_type, table)) {
    read_decoder(in, out.model_type, out);
  }
  for (const Layer& layer : out.layers) {
    if (!error && layer.mixer == Mixer::attention &&
        (layer.heads < 1 || layer.kv_heads < 1 || layer.heads % layer.kv_heads != 0)) {
      error = Error{ErrorKind::malformed,
                    "num_attention_heads (" + std::to_string(layer.heads) +
                        ") is not a multiple of num_key_value_heads (" + std::to_string(layer.kv_heads) + ")",
                    where,
                    {}};
    }
  }
  if (error) {
    return std::move(*error);
  }
  if (out.parameters() >= std::int64_t{1} << 60) {
    return Error{ErrorKind::malformed,
                 "the sizes in the configuration multiply to an implausible number of parameters",
                 where,
                 {}};
  }
  return out;
}

} // namespace hwadvisor::model

namespace hwadvisor {

Result<Architecture> read_config(std::string_view text, std::string_view file)
{
  json::ParseLimits limits;
  limits.bytes = std::size_t{64} << 20;
  limits.allow_non_finite = true; // Nemotron-H files hold a bare Infinity
  HWADVISOR_TRY(config, json::parse(text, file, limits));
  return model::read_architecture(config, std::string(file));
}

} // namespace hwadvisor
