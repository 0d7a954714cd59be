#include "report/json_parts.hpp"

#include "hwadvisor/version.hpp"

#include <algorithm>
#include <map>

namespace hwadvisor::report {
namespace {

Json bytes_json(const Interval<Bytes>& bytes)
{
  return {{"low", bytes.low.value()}, {"likely", bytes.likely.value()}, {"high", bytes.high.value()}};
}

Json interval_json(const std::optional<Interval<double>>& value)
{
  return value ? Json{{"low", value->low}, {"likely", value->likely}, {"high", value->high}} : Json(nullptr);
}

Json component_json(const Component& component)
{
  Json parts = Json::array();
  for (const Component& part : component.parts) {
    parts.push_back(component_json(part));
  }
  return {{"name", component.name},
          {"bytes", component.bytes.likely.value()},
          {"low", component.bytes.low.value()},
          {"high", component.bytes.high.value()},
          {"formula", text_or_null(component.formula)},
          {"basis", std::string(basis_name(component.basis))},
          {"parts", std::move(parts)}};
}

Json components_json(const std::vector<Component>& components)
{
  Json out = Json::array();
  for (const Component& component : components) {
    out.push_back(component_json(component));
  }
  return out;
}

std::string mixer_name(const Layer& layer)
{
  switch (layer.mixer) {
  case Mixer::attention:
    return layer.window > 0 ? (layer.chunked ? "chunked_attention" : "sliding_attention") : "attention";
  case Mixer::latent_attention:
    return "latent_attention";
  case Mixer::linear_attention:
    return "linear_attention";
  case Mixer::mamba1:
    return "mamba1";
  case Mixer::mamba2:
    return "mamba2";
  case Mixer::rwkv:
    return "rwkv";
  case Mixer::short_conv:
    return "short_conv";
  case Mixer::cross_attention:
    return "cross_attention";
  case Mixer::none:
    return "none";
  }
  return "none";
}

Json architecture_json(const std::optional<Architecture>& architecture)
{
  if (!architecture) {
    return nullptr;
  }
  std::map<std::string, std::int64_t> mixers;
  const Layer* attention = nullptr;
  const Layer* experts = nullptr;
  for (const Layer& layer : architecture->layers) {
    ++mixers[mixer_name(layer)];
    if (attention == nullptr && (layer.heads > 0 || layer.latent_rank > 0)) {
      attention = &layer;
    }
    if (experts == nullptr && layer.experts > 0) {
      experts = &layer;
    }
  }
  Json kinds = Json::object();
  for (const auto& [name, count] : mixers) {
    kinds[name] = count;
  }
  const auto of = [](const Layer* layer, auto member) {
    return layer != nullptr ? Json(layer->*member) : Json(nullptr);
  };
  return {{"model_type", text_or_null(architecture->model_type)},
          {"hidden", architecture->hidden},
          {"layers", static_cast<std::int64_t>(architecture->layers.size())},
          {"encoder_layers", static_cast<std::int64_t>(architecture->encoder_layers.size())},
          {"layer_kinds", std::move(kinds)},
          {"heads", of(attention, &Layer::heads)},
          {"kv_heads", of(attention, &Layer::kv_heads)},
          {"head_dim", of(attention, &Layer::k_head_dim)},
          {"experts", of(experts, &Layer::experts)},
          {"experts_per_token", of(experts, &Layer::experts_per_token)},
          {"vocabulary", architecture->vocabulary},
          {"max_positions", architecture->max_positions > 0 ? Json(architecture->max_positions) : Json(nullptr)},
          {"tied_embeddings", architecture->tied_embeddings}};
}

} // namespace

std::string term_key(PriceTerm term)
{
  std::string out(term_name(term));
  std::replace_if(
      out.begin(), out.end(), [](char c) { return c == '-' || c == ' '; }, '_');
  return out;
}

Json tool_json(const Catalog& catalog)
{
  return {{"version", k_version}, {"data_version", catalog.data_version()}};
}

Json request_object(const Request& request)
{
  auto parsed = json::parse(request_json(request), "request");
  return parsed ? std::move(*parsed) : Json(nullptr);
}

Json model_json(const Model& model)
{
  return {{"id", model.id},
          {"name", model.name},
          {"family", std::string(family_name(model.family))},
          {"params_total", or_null(model.params_total)},
          {"params_active", or_null(model.params_active)},
          {"params_basis", std::string(basis_name(model.params_basis))},
          {"architecture", architecture_json(model.architecture)}};
}

Json memory_json(const Footprint& footprint, std::int32_t device_count)
{
  const auto interval = [](const std::optional<Interval<Bytes>>& bytes) {
    return bytes ? bytes_json(*bytes) : Json(nullptr);
  };
  return {{"per_device_bytes", bytes_json(footprint.per_device)},
          {"device_used_bytes", bytes_json(footprint.device_used)},
          {"allocated_bytes", interval(footprint.allocated)},
          {"reserved_bytes", interval(footprint.reserved)},
          {"components", components_json(footprint.components)},
          {"kv_pool_bytes", footprint.kv_pool ? Json(footprint.kv_pool->likely.value()) : Json(nullptr)},
          {"kv_bytes_per_token", footprint.kv_bytes_per_token.value()},
          {"kv_capacity_tokens", footprint.kv_capacity ? Json(footprint.kv_capacity->likely.value()) : Json(nullptr)},
          {"weights_file_bytes", or_null(footprint.weights_file)},
          {"rule_of_thumb_bytes", footprint.rule_of_thumb.value()},
          {"rule_of_thumb", text_or_null(footprint.rule_of_thumb_text)},
          {"device_count", device_count},
          {"host_bytes", footprint.host.value()},
          {"host_components", components_json(footprint.host_components)}};
}

Json change_json(const std::optional<Change>& change)
{
  if (!change) {
    return nullptr;
  }
  // Values go through the key table, so that a number is a number.
  Request with;
  bool known = true;
  for (const auto& [key, value] : change->keys) {
    known = known && set_request_key(with, key, value).ok();
  }
  Json keys = Json::object();
  if (known) {
    keys = request_object(with);
  } else {
    for (const auto& [key, value] : change->keys) {
      keys[key] = value;
    }
  }
  return {{"change", std::move(keys)}, {"text", change->text}, {"per_device_bytes", change->per_device.value()}};
}

Json fit_json(const Fit& fit, const Placement& placement, const std::optional<std::int64_t>& max_concurrency)
{
  return {{"verdict", std::string(verdict_name(fit.verdict))},
          {"fits", fit.verdict != Verdict::no},
          {"hardware", placement.device != nullptr ? Json(placement.device->id) : Json(nullptr)},
          {"instance", placement.instance != nullptr ? Json(placement.instance->id) : Json(nullptr)},
          {"capacity_bytes", fit.capacity.value()},
          {"usable_bytes", fit.usable.bytes.value()},
          {"usable_basis", fit.usable.basis},
          {"headroom_bytes", fit.headroom.value()},
          {"max_context", or_null(fit.max_context)},
          {"max_batch", or_null(fit.max_batch)},
          {"max_concurrency", or_null(max_concurrency)},
          {"smallest_change", change_json(fit.smallest_change)}};
}

Json speed_json(const Speed* speed, std::string_view why_not)
{
  static const Speed none;
  const Speed& from = speed != nullptr ? *speed : none;
  return {{"decode_tokens_per_s", interval_json(from.decode_tokens_per_s)},
          {"prefill_tokens_per_s", interval_json(from.prefill_tokens_per_s)},
          {"ttft_ms", interval_json(from.ttft_ms)},
          {"tpot_ms", interval_json(from.tpot_ms)},
          {"total_tokens_per_s", interval_json(from.total_tokens_per_s)},
          {"requests_per_s", interval_json(from.requests_per_s)},
          {"train_tokens_per_s", interval_json(from.train_tokens_per_s)},
          {"step_ms", interval_json(from.step_ms)},
          {"samples_per_s", interval_json(from.samples_per_s)},
          {"latency_ms", interval_json(from.latency_ms)},
          {"mfu", from.mfu ? Json{{"low", *from.mfu}, {"likely", *from.mfu}, {"high", *from.mfu}} : Json(nullptr)},
          {"bound", text_or_null(from.bound)},
          {"reason", text_or_null(speed != nullptr ? std::string_view(speed->missing) : why_not)}};
}

Json cost_json(const Bill* bill, std::string_view why_not)
{
  static const Bill none;
  const Bill& from = bill != nullptr ? *bill : none;
  Json out = {{"usd_per_hour", or_null(from.per_hour)},
              {"usd_per_month", or_null(from.per_month)},
              {"usd_per_million_input_tokens", or_null(from.per_million_input)},
              {"usd_per_million_output_tokens", or_null(from.per_million_output)},
              {"usd_per_million_trained", or_null(from.per_million_trained)},
              {"usd_total", or_null(from.total)},
              {"usd_upfront", or_null(from.upfront)},
              {"hours_total", or_null(from.hours)},
              {"watts", or_null(from.power)},
              {"price_date", text_or_null(from.price_date)},
              {"price_kind", from.per_hour ? Json(term_key(from.term)) : Json(nullptr)},
              {"price_derived", from.price_derived},
              {"reason", text_or_null(bill != nullptr ? std::string_view(bill->missing) : why_not)}};
  if (from.price_age_days) {
    out["price_age_days"] = *from.price_age_days;
  }
  return out;
}

Json notes_json(const std::vector<Note>& notes)
{
  Json out = Json::array();
  for (const Note& note : notes) {
    out.push_back({{"rule", note.rule},
                   {"severity", std::string(severity_name(note.severity))},
                   {"text", note.text},
                   {"source", text_or_null(note.source)}});
  }
  return out;
}

} // namespace hwadvisor::report
