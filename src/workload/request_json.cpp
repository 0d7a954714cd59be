// Requests as JSON: the keys of the key table, and the forms a model can take. Values go through the same setters as
// the text of flags, so "8k" and 8192 mean the same in both.

#include "workload/request_object.hpp"

#include "text/near.hpp"
#include "text/quote.hpp"
#include "workload/key_special.hpp"
#include "json/reader.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hwadvisor {
namespace {

using json::Json;
using json::Place;

constexpr std::size_t k_most_requests = 100'000;

Error fault(const Place& place, std::string message)
{
  return Error{ErrorKind::usage, std::move(message), place.text()};
}

// The text that a flag would carry; nullopt: not a scalar.
std::optional<std::string> scalar_text(const Json& value)
{
  if (value.is_string()) {
    return value.get<std::string>();
  }
  if (value.is_boolean() || value.is_number()) {
    return json::dump(value);
  }
  return std::nullopt;
}

// Keys that stand for whole structures and whose floors are not built.
constexpr std::string_view k_structures[] = {"workloads", "model_overrides"};

std::string shortened(const Json& value)
{
  const std::string text = json::dump(value);
  return text.size() > 40 ? text.substr(0, 37) + "..." : text;
}

bool is_list(const RequestKey& key)
{
  return key.value == "LIST" || key.name == "hardware";
}

// Words, names, dates: keys whose value no number can be.
bool is_word(const RequestKey& key)
{
  return key.value == "NAME" || key.value == "WORD" || key.value == "DATE" || key.value == "DURATION" ||
         key.value == "CODE" || is_list(key);
}

// What is expected of a key's value, where this one is of another type; empty: its type is right.
std::string_view expected(const RequestKey& key, const Json& value)
{
  if (key.value == "JSON" || (key.name == "fsdp" && value.is_boolean())) {
    return "";
  }
  if (key.value.empty()) {
    return value.is_boolean() ? "" : "true or false is expected";
  }
  if (key.value == "on|off") {
    return value.is_boolean() || value.is_string() ? "" : "true, false, \"on\" or \"off\" is expected";
  }
  if (is_list(key)) {
    return value.is_string() || value.is_array() ? "" : "a text or a list of texts is expected";
  }
  if (is_word(key)) {
    return value.is_string() ? "" : "a text is expected";
  }
  return value.is_number() || value.is_string() ? "" : "a number or a text is expected";
}

Status read_list(Request& request, const RequestKey& key, const Json& list, const Place& place)
{
  std::string joined;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (!list[i].is_string()) {
      return fault(place.child(i), "a list of texts is expected");
    }
    names.push_back(list[i].get<std::string>());
    joined += joined.empty() ? "" : ",";
    joined += names.back();
  }
  if (names.empty()) {
    return {}; // the same as not given
  }
  if (key.name == "hardware") {
    request.hardware = std::move(names); // names of devices may hold commas
    return {};
  }
  Status status = set_request_key(request, key.name, joined);
  return status ? Status{} : fault(place, status.error().message);
}

Status read_key(Request& request, std::string_view name, const Json& value, const Place& place);

Status read_model(Request& request, const Json& value, const Place& place)
{
  if (value.is_string()) {
    Status status = workload::set_model(request, value.get<std::string>());
    return status ? Status{} : fault(place, status.error().message);
  }
  json::ObjectReader in(value, place, ErrorKind::usage);
  const Json* config = in.member("config");
  const Json* params = in.member("params");
  const auto path = in.maybe_text("path");
  const Json* shape = in.member("llamacpp_shape");
  if (auto error = in.finish()) {
    return *error;
  }
  if ((config != nullptr) + (params != nullptr) + path.has_value() + (shape != nullptr) != 1) {
    return fault(place, "a model is a name, or an object with one of config, params, path, llamacpp_shape");
  }
  request.model = ModelChoice{};
  if (config != nullptr) {
    if (!config->is_object()) {
      return fault(place.child("config"), "an object is expected: the content of a config.json");
    }
    request.model.config_json = json::dump(*config);
    request.model.config_place = place.child("config").text();
  } else if (shape != nullptr) {
    request.model.shape_json = json::dump(*shape);
    request.model.config_place = place.child("llamacpp_shape").text();
  } else if (params != nullptr) {
    return read_key(request, "params", *params, place.child("params"));
  } else {
    if (path->empty()) {
      return fault(place.child("path"), "a file or a folder is expected, not an empty text");
    }
    request.model.name = *path;
    request.model.is_path = true;
  }
  return {};
}

Status read_key(Request& request, std::string_view name, const Json& value, const Place& place)
{
  if (name == "model") {
    return read_model(request, value, place);
  }
  if (std::find(std::begin(k_structures), std::end(k_structures), name) != std::end(k_structures)) {
    return fault(place, "not supported yet");
  }
  const RequestKey* key = find_request_key(name);
  if (key == nullptr) {
    std::vector<std::string> known;
    for (const RequestKey& each : request_keys()) {
      known.emplace_back(each.name);
    }
    return Error{ErrorKind::usage, fmt::format("{} is not a known key", text::quoted(name)), place.text(),
                 text::near_matches(name, known)};
  }
  if (const std::string_view what = expected(*key, value); !what.empty()) {
    return fault(place, fmt::format("{}, not {}", what, shortened(value)));
  }
  if (value.is_array()) {
    return read_list(request, *key, value, place);
  }
  const auto text = scalar_text(value);
  Status status = set_request_key(request, name, text.value_or(json::dump(value)));
  return status ? Status{} : fault(place, status.error().message);
}

Json to_json(const RequestValue& value)
{
  return std::visit([](const auto& held) { return Json(held); }, value);
}

} // namespace

namespace workload {

ParsedRequest read_request(const Json& value, const Place& place)
{
  if (!value.is_object()) {
    return {std::nullopt, fault(place, "a request is an object of keys")};
  }
  ParsedRequest out{Request{}, std::nullopt};
  for (const auto& [name, member] : value.items()) {
    if (member.is_null() || name == "$schema" || name.ends_with("_as_named")) {
      continue;
    }
    if (Status status = read_key(*out.request, name, member, place.child(name)); !status) {
      return {std::nullopt, status.error()};
    }
  }
  return out;
}

} // namespace workload

Result<RequestFile> parse_request_file(std::string_view json_text, std::string_view file)
{
  HWADVISOR_TRY(document, json::parse(json_text, file));
  const Place place{std::string(file), ""};
  RequestFile out;
  if (document.is_object()) {
    out.requests.push_back(workload::read_request(document, place));
    return out;
  }
  if (!document.is_array() || document.empty() || document.size() > k_most_requests) {
    return Error{ErrorKind::malformed,
                 fmt::format("a request or an array of 1 to {} requests is expected", k_most_requests), place.file};
  }
  out.batch = true;
  for (std::size_t i = 0; i < document.size(); ++i) {
    out.requests.push_back(workload::read_request(document[i], place.child(i)));
  }
  return out;
}

Result<std::vector<Request>> parse_requests(std::string_view json_text, std::string_view file)
{
  HWADVISOR_TRY(parsed, parse_request_file(json_text, file));
  std::vector<Request> out;
  for (ParsedRequest& each : parsed.requests) {
    if (each.error) {
      return std::move(*each.error);
    }
    out.push_back(std::move(*each.request));
  }
  return out;
}

std::string request_json(const Request& request)
{
  Json out = Json::object();
  for (const RequestKey& key : request_keys()) {
    const ModelChoice& model = request.model;
    if (key.name == "model" && !(model.config_json.empty() && model.shape_json.empty())) {
      // Parsed before, when it came in; text that is no JSON is repeated as text.
      const std::string& text = model.config_json.empty() ? model.shape_json : model.config_json;
      auto object = json::parse(text, "");
      out["model"] =
          Json{{model.config_json.empty() ? "llamacpp_shape" : "config", object ? std::move(*object) : Json(text)}};
    } else if (key.name == "model" && model.is_path) {
      out["model"] = Json{{"path", model.name}};
    } else if (key.name == "params" && request.model.params) {
      out["model"] = Json{{"params", *request.model.params}};
    } else if (key.name == "hardware" && request.hardware.size() == 1) {
      out["hardware"] = request.hardware.front();
    } else if (key.get != nullptr) {
      if (const auto value = key.get(request)) {
        out[std::string(key.name)] = to_json(*value);
      }
    } else {
      for (const auto& [name, value] : request.carried) {
        if (name == key.name) {
          out[name] = value;
        }
      }
    }
  }
  return json::dump(out);
}

} // namespace hwadvisor
