#include "json/reader.hpp"

#include "text/near.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace hwadvisor::json {
namespace {

// Reading a key of something that is not an object finds nothing; the fault was recorded at construction.
const Json k_no_object = Json::object();

std::string shortened(const Json& value)
{
  std::string text = dump(value);
  if (text.size() > 40) {
    text = text.substr(0, 37) + "...";
  }
  return text;
}

std::string range_text(double low, double high)
{
  if (std::isinf(high)) {
    return fmt::format("at least {}", low);
  }
  if (std::isinf(low)) {
    return fmt::format("at most {}", high);
  }
  return fmt::format("from {} to {}", low, high);
}

} // namespace

Place Place::child(std::string_view key) const
{
  return {file, pointer + "/" + pointer_token(key)};
}

Place Place::child(std::size_t index) const
{
  return {file, fmt::format("{}/{}", pointer, index)};
}

std::string Place::text() const
{
  if (file.empty() || pointer.empty()) {
    return file + pointer;
  }
  return file + ": " + pointer;
}

ObjectReader::ObjectReader(const Json& value, Place place, ErrorKind kind)
    : m_value(value.is_object() ? &value : &k_no_object), m_place(std::move(place)), m_kind(kind)
{
  if (!value.is_object()) {
    m_fault = Error{m_kind, fmt::format("an object was expected, not {}", shortened(value)), m_place.text()};
  }
}

const Json* ObjectReader::find(std::string_view key) const
{
  const auto found = m_value->find(std::string(key));
  return found == m_value->end() || found->is_null() ? nullptr : &*found;
}

void ObjectReader::mark(std::string_view key)
{
  m_known.emplace_back(key);
}

void ObjectReader::fail(std::string_view key, std::string message)
{
  if (!m_fault) {
    m_fault = Error{m_kind, std::move(message), m_place.child(key).text()};
  }
}

void ObjectReader::fail(Error fault)
{
  if (!m_fault) {
    m_fault = std::move(fault);
  }
}

const Json* ObjectReader::array(std::string_view key)
{
  const Json* value = member(key);
  if (value != nullptr && !value->is_array()) {
    fail(key, fmt::format("a list was expected, not {}", shortened(*value)));
    return nullptr;
  }
  return value;
}

const Json* ObjectReader::member(std::string_view key)
{
  mark(key);
  return find(key);
}

bool ObjectReader::has(std::string_view key) const
{
  return find(key) != nullptr;
}

std::vector<std::string> ObjectReader::keys() const
{
  std::vector<std::string> out;
  for (const auto& [key, value] : m_value->items()) {
    out.push_back(key);
  }
  return out;
}

std::optional<std::string> ObjectReader::maybe_text(std::string_view key)
{
  const Json* value = member(key);
  if (value == nullptr) {
    return std::nullopt;
  }
  if (!value->is_string()) {
    fail(key, fmt::format("text was expected, not {}", shortened(*value)));
    return std::nullopt;
  }
  return value->get<std::string>();
}

std::optional<bool> ObjectReader::maybe_boolean(std::string_view key)
{
  const Json* value = member(key);
  if (value == nullptr) {
    return std::nullopt;
  }
  if (!value->is_boolean()) {
    fail(key, fmt::format("true or false was expected, not {}", shortened(*value)));
    return std::nullopt;
  }
  return value->get<bool>();
}

std::optional<double> ObjectReader::maybe_number(std::string_view key, NumberRange range)
{
  const Json* value = member(key);
  if (value == nullptr) {
    return std::nullopt;
  }
  if (!value->is_number()) {
    fail(key, fmt::format("a number was expected, not {}", shortened(*value)));
    return std::nullopt;
  }
  const auto number = value->get<double>();
  if (!std::isfinite(number) || number < range.low || number > range.high) {
    fail(key, fmt::format("{} is out of range: {}", shortened(*value), range_text(range.low, range.high)));
    return std::nullopt;
  }
  return number;
}

std::optional<std::int64_t> ObjectReader::maybe_integer(std::string_view key, IntegerRange range)
{
  const Json* value = member(key);
  if (value == nullptr) {
    return std::nullopt;
  }
  const bool whole_float = value->is_number_float() && std::abs(value->get<double>()) < 9e15 &&
                           value->get<double>() == std::floor(value->get<double>());
  if (!value->is_number_integer() && !whole_float) {
    fail(key, fmt::format("a whole number was expected, not {}", shortened(*value)));
    return std::nullopt;
  }
  if (value->is_number_unsigned() &&
      value->get<std::uint64_t>() > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
    fail(key, fmt::format("{} is out of range", shortened(*value)));
    return std::nullopt;
  }
  const auto number = whole_float ? static_cast<std::int64_t>(value->get<double>()) : value->get<std::int64_t>();
  if (number < range.low || number > range.high) {
    fail(key, fmt::format("{} is out of range: from {} to {}", number, range.low, range.high));
    return std::nullopt;
  }
  return number;
}

std::string ObjectReader::text(std::string_view key)
{
  auto value = maybe_text(key);
  if (!value) {
    fail(key, "text is required here");
  }
  return value.value_or("");
}

bool ObjectReader::boolean(std::string_view key)
{
  const auto value = maybe_boolean(key);
  if (!value) {
    fail(key, "true or false is required here");
  }
  return value.value_or(false);
}

double ObjectReader::number(std::string_view key, NumberRange range)
{
  const auto value = maybe_number(key, range);
  if (!value) {
    fail(key, "a number is required here");
  }
  return value.value_or(0.0);
}

std::int64_t ObjectReader::integer(std::string_view key, IntegerRange range)
{
  const auto value = maybe_integer(key, range);
  if (!value) {
    fail(key, "a whole number is required here");
  }
  return value.value_or(0);
}

std::vector<std::string> ObjectReader::texts(std::string_view key)
{
  const Json* value = member(key);
  std::vector<std::string> out;
  if (value == nullptr) {
    return out;
  }
  if (!value->is_array()) {
    fail(key, fmt::format("a list of texts was expected, not {}", shortened(*value)));
    return out;
  }
  for (const Json& element : *value) {
    if (!element.is_string()) {
      fail(key, fmt::format("a list of texts was expected, but it holds {}", shortened(element)));
      return out;
    }
    out.push_back(element.get<std::string>());
  }
  return out;
}

std::vector<double> ObjectReader::numbers(std::string_view key, NumberRange range)
{
  const Json* list = array(key);
  std::vector<double> out;
  for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
    const Json& element = (*list)[i];
    const double number = element.is_number() ? element.get<double>() : std::nan("");
    if (!(number >= range.low && number <= range.high)) {
      fail(key, fmt::format("a list of numbers {} was expected, but it holds {}", range_text(range.low, range.high),
                            shortened(element)));
      return out;
    }
    out.push_back(number);
  }
  return out;
}

std::optional<Error> ObjectReader::finish()
{
  if (m_fault || m_ignore_rest) {
    return m_fault;
  }
  for (const auto& [key, value] : m_value->items()) {
    if (key != "$schema" && std::find(m_known.begin(), m_known.end(), key) == m_known.end()) {
      Error error{m_kind, fmt::format("'{}' is not a known key", key), m_place.child(key).text()};
      error.candidates = text::near_matches(key, m_known);
      return error;
    }
  }
  return std::nullopt;
}

} // namespace hwadvisor::json
