#include "model/fields.hpp"

#include <utility>

namespace hwadvisor::model {

namespace {

std::string joined(Names names)
{
  std::string text;
  for (const auto name : names) {
    text += text.empty() ? "" : ", ";
    text += name;
  }
  return text;
}

// A whole number from 0 to `limit`, whatever JSON type it is written in.
std::optional<std::int64_t> whole_number(const Json& value, std::int64_t limit)
{
  if (value.is_number_unsigned()) {
    const auto n = value.get<std::uint64_t>();
    return n <= static_cast<std::uint64_t>(limit) ? std::optional(static_cast<std::int64_t>(n)) : std::nullopt;
  }
  if (value.is_number_integer()) {
    const auto n = value.get<std::int64_t>();
    return n >= 0 && n <= limit ? std::optional(n) : std::nullopt;
  }
  if (value.is_number_float()) {
    const auto n = value.get<double>();
    if (n >= 0.0 && n <= static_cast<double>(limit) && n == static_cast<double>(static_cast<std::int64_t>(n))) {
      return static_cast<std::int64_t>(n);
    }
  }
  return std::nullopt;
}

const Json& empty_object()
{
  static const Json object = Json::object();
  return object;
}

} // namespace

Fields::Fields(const Json& object, std::string pointer, std::optional<Error>& error)
    : m_object(object.is_object() ? &object : &empty_object()), m_pointer(std::move(pointer)), m_error(&error)
{
}

void Fields::fail(std::string message, std::string_view name) const
{
  if (!*m_error) {
    auto where = m_pointer;
    if (!name.empty()) {
      where.append("/").append(name);
    }
    *m_error = Error{ErrorKind::malformed, std::move(message), std::move(where), {}};
  }
}

const Json* Fields::find(Names names) const
{
  for (const auto name : names) {
    const auto found = m_object->find(std::string(name));
    if (found != m_object->end() && !found->is_null()) {
      return &*found;
    }
  }
  return nullptr;
}

std::optional<std::int64_t> Fields::count(Names names, std::int64_t limit) const
{
  const auto* value = find(names);
  if (value == nullptr) {
    return std::nullopt;
  }
  // Some families give one number a layer; where a single one is wanted the first stands for all.
  if (value->is_array() && !value->empty() && value->front().is_number()) {
    value = &value->front();
  }
  const auto n = whole_number(*value, limit);
  if (!n) {
    fail("expected a whole number from 0 to " + std::to_string(limit) + " for " + joined(names), *names.begin());
  }
  return n;
}

std::int64_t Fields::count_or(Names names, std::int64_t fallback, std::int64_t limit) const
{
  return count(names, limit).value_or(fallback);
}

std::int64_t Fields::needed(Names names, std::int64_t limit) const
{
  const auto n = count(names, limit);
  if (!n || *n == 0) {
    fail("the configuration lacks a value above 0 under any of: " + joined(names));
    return 1;
  }
  return *n;
}

bool Fields::flag(Names names, bool fallback) const
{
  const auto* value = find(names);
  if (value == nullptr) {
    return fallback;
  }
  if (value->is_boolean()) {
    return value->get<bool>();
  }
  if (value->is_number()) { // 0 and 1 are seen in the wild
    return value->get<double>() != 0.0;
  }
  return value->is_string() ? !value->get_ref<const std::string&>().empty() : fallback;
}

double Fields::number(Names names, double fallback) const
{
  const auto* value = find(names);
  return value != nullptr && value->is_number() ? value->get<double>() : fallback;
}

std::string Fields::text(Names names, std::string_view fallback) const
{
  const auto* value = find(names);
  return value != nullptr && value->is_string() ? value->get<std::string>() : std::string(fallback);
}

std::vector<std::int64_t> Fields::counts(Names names) const
{
  std::vector<std::int64_t> list;
  const auto* value = find(names);
  if (value == nullptr || !value->is_array()) {
    return list;
  }
  for (const auto& item : *value) {
    const auto n =
        item.is_boolean() ? std::optional<std::int64_t>(item.get<bool>() ? 1 : 0) : whole_number(item, k_max_width);
    if (!n) {
      fail("expected a list of whole numbers", *names.begin());
      return {};
    }
    list.push_back(*n);
  }
  return list;
}

std::vector<std::string> Fields::texts(Names names) const
{
  std::vector<std::string> list;
  const auto* value = find(names);
  if (value == nullptr || !value->is_array()) {
    return list;
  }
  for (const auto& item : *value) {
    if (!item.is_string()) {
      fail("expected a list of names", *names.begin());
      return {};
    }
    list.push_back(item.get<std::string>());
  }
  return list;
}

Fields Fields::object(Names names) const
{
  const auto* value = find(names);
  if (value == nullptr) {
    return {empty_object(), m_pointer, *m_error};
  }
  if (!value->is_object()) {
    fail("expected an object", *names.begin());
    return {empty_object(), m_pointer, *m_error};
  }
  return {*value, m_pointer + "/" + std::string(*names.begin()), *m_error};
}

} // namespace hwadvisor::model
