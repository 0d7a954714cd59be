#include "model/entry.hpp"

#include "model/config.hpp"

#include <array>
#include <utility>

namespace hwadvisor {

namespace {

using json::IntegerRange;
using json::Json;
using json::ObjectReader;
using json::Place;

constexpr std::array<std::pair<std::string_view, ModelFamily>, 14> k_families{{
    {"llm-dense", ModelFamily::llm_dense},
    {"llm-moe", ModelFamily::llm_moe},
    {"llm-hybrid", ModelFamily::llm_hybrid},
    {"ssm", ModelFamily::ssm},
    {"encoder", ModelFamily::encoder},
    {"embedding", ModelFamily::embedding},
    {"encoder-decoder", ModelFamily::encoder_decoder},
    {"vlm", ModelFamily::vlm},
    {"cnn", ModelFamily::cnn},
    {"vision-transformer", ModelFamily::vision_transformer},
    {"diffusion", ModelFamily::diffusion},
    {"asr", ModelFamily::asr},
    {"classical", ModelFamily::classical},
    {"other", ModelFamily::other},
}};

constexpr std::array<std::pair<std::string_view, ParametersBasis>, 5> k_bases{{
    {"exact", ParametersBasis::exact},
    {"computed", ParametersBasis::computed},
    {"rounded", ParametersBasis::rounded},
    {"inferred", ParametersBasis::inferred},
    {"unknown", ParametersBasis::unknown},
}};

constexpr IntegerRange k_parameters{1, std::int64_t{1} << 60};

template <class Read> void each(ObjectReader& in, std::string_view key, Read read)
{
  const auto* list = in.member(key);
  if (list == nullptr) {
    return;
  }
  if (!list->is_array()) {
    in.fail(key, "expected a list");
    return;
  }
  for (std::size_t i = 0; i < list->size(); ++i) {
    ObjectReader item((*list)[i], in.place().child(key).child(i));
    read(item);
    if (const auto fault = item.finish()) {
      in.fail(key, fault->message);
      return;
    }
  }
}

void read_image_work(ObjectReader& in, Model& model)
{
  const auto* value = in.member("per_image");
  if (value == nullptr) {
    return;
  }
  ObjectReader work(*value, in.place().child("per_image"));
  ImageWork image;
  image.channels = static_cast<std::int32_t>(work.integer("input_channels", {1, 4096}));
  if (const auto* sides = work.member("input_px"); sides != nullptr && sides->is_array() && sides->size() == 2 &&
                                                   (*sides)[0].is_number_unsigned() &&
                                                   (*sides)[1].is_number_unsigned()) {
    image.height_px = static_cast<std::int32_t>((*sides)[0].get<std::uint32_t>() & 0xffffU);
    image.width_px = static_cast<std::int32_t>((*sides)[1].get<std::uint32_t>() & 0xffffU);
  } else {
    work.fail("input_px", "expected the height and the width");
  }
  image.gmacs = work.maybe_number("gmacs", {0.0, 1e9}).value_or(0.0);
  if (const auto bytes = work.maybe_integer("kept_bytes_fp32", k_parameters)) {
    image.kept_for_backward = Bytes(*bytes);
  }
  if (const auto bytes = work.maybe_integer("inference_peak_bytes_fp32", k_parameters)) {
    image.inference_peak = Bytes(*bytes);
  }
  if (const auto megabytes = work.maybe_number("activation_mb_fp32", {0.0, 1e9})) {
    image.activation_elements = *megabytes * 1e6 / 4.0;
  }
  if (const auto fault = work.finish()) {
    in.fail("per_image", fault->message);
  }
  model.image_work = image;
}

void read_lists(ObjectReader& in, Model& model)
{
  each(in, "components", [&](ObjectReader& item) {
    ModelComponent component;
    component.name = item.text("name");
    component.parameters = item.maybe_integer("params", k_parameters);
    component.in_total = item.maybe_boolean("in_total").value_or(true);
    for (const auto* key : {"kind", "dtype", "note"}) {
      item.ignore(key);
    }
    model.components.push_back(std::move(component));
  });
  each(in, "checkpoints", [&](ObjectReader& item) {
    Checkpoint checkpoint;
    checkpoint.id = item.text("id");
    checkpoint.precision = item.maybe_text("dtype").value_or("");
    if (const auto bytes = item.maybe_integer("bytes", k_parameters)) {
      checkpoint.size = Bytes(*bytes);
    }
    model.checkpoints.push_back(std::move(checkpoint));
  });
}

// The denoiser's config of a diffusion model and the classical models' formulas are not token architectures.
bool has_architecture(const Model& model, const Json& config, const Json& entry)
{
  const auto unknown = entry.find("unknown");
  const bool incomplete = unknown != entry.end() && unknown->is_object() && unknown->contains("architecture");
  return model.family != ModelFamily::diffusion && model.family != ModelFamily::classical && !incomplete &&
         model::describes_architecture(config);
}

} // namespace

std::string_view family_name(ModelFamily family)
{
  for (const auto& [name, value] : k_families) {
    if (value == family) {
      return name;
    }
  }
  return "other";
}

std::string_view basis_name(ParametersBasis basis)
{
  for (const auto& [name, value] : k_bases) {
    if (value == basis) {
      return name;
    }
  }
  return "unknown";
}

namespace model {

Result<Model> read_model_entry(const Json& entry, const Place& place)
{
  ObjectReader in(entry, place);
  Model model;
  model.id = in.text("id");
  model.name = in.text("name");
  model.family = in.one_of<ModelFamily>("family", k_families);
  model.task = in.text("task");
  model.params_total = in.maybe_integer("params_total", k_parameters);
  model.params_active = in.maybe_integer("params_active", k_parameters);
  model.params_basis = in.one_of<ParametersBasis>("params_source", k_bases);
  model.params_note = in.maybe_text("params_note").value_or("");
  model.released_precision = in.maybe_text("dtype_released").value_or("");
  model.other_precision = in.maybe_text("dtype_other").value_or("");
  if (const auto bytes = in.maybe_integer("checkpoint_bytes", k_parameters)) {
    model.checkpoint_bytes = Bytes(*bytes);
  }
  read_image_work(in, model);
  read_lists(in, model);
  const auto* config = in.member("config");
  for (const auto* key : {"aliases", "licence", "unknown", "sources", "date", "note"}) {
    in.ignore(key);
  }
  if (auto fault = in.finish()) {
    return std::move(*fault);
  }
  if (!model.params_total) {
    model.params_basis = ParametersBasis::unknown;
  }
  model.params_text = "catalog, " + std::string(basis_name(model.params_basis));
  if (config != nullptr && has_architecture(model, *config, entry)) {
    auto architecture = read_architecture(*config, place.child("config").text());
    if (!architecture) {
      return std::move(architecture).error();
    }
    model.architecture = std::move(*architecture);
  }
  return model;
}

} // namespace model

} // namespace hwadvisor
