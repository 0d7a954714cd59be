#pragma once

// Reads the fields of one JSON object with checks, and keeps the first fault (sticky), so that a reader of a record is
// a plain list of its fields:
//
//   ObjectReader in(value, {"data/devices/x.json", "/devices/3"});
//   device.id = in.text("id");
//   device.tdp_w = in.maybe_number("tdp_w", {0, 1e6});
//   if (auto fault = in.finish()) return *fault;      // also refuses keys that nobody read
//
// A missing or null key is a fault for text(), number() …, and "not known" (nullopt) for the maybe_ forms.

#include "json/json.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hwadvisor::json {

// Where a value stands: file and JSON pointer.
struct Place {
  std::string file;
  std::string pointer;

  Place child(std::string_view key) const;
  Place child(std::size_t index) const;
  std::string text() const; // "file: /pointer"
};

struct NumberRange {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
};

struct IntegerRange {
  std::int64_t low = std::numeric_limits<std::int64_t>::min();
  std::int64_t high = std::numeric_limits<std::int64_t>::max();
};

class ObjectReader {
public:
  ObjectReader(const Json& value, Place place, ErrorKind kind = ErrorKind::malformed);

  std::string text(std::string_view key);
  bool boolean(std::string_view key);
  double number(std::string_view key, NumberRange range = {});
  std::int64_t integer(std::string_view key, IntegerRange range = {});

  std::optional<std::string> maybe_text(std::string_view key);
  std::optional<bool> maybe_boolean(std::string_view key);
  std::optional<double> maybe_number(std::string_view key, NumberRange range = {});
  std::optional<std::int64_t> maybe_integer(std::string_view key, IntegerRange range = {});
  std::vector<std::string> texts(std::string_view key); // missing: empty
  std::vector<double> numbers(std::string_view key, NumberRange range = {});

  // The raw member, or nullptr when missing or null. Counts as read.
  const Json* member(std::string_view key);
  bool has(std::string_view key) const;
  std::vector<std::string> keys() const; // in the order of the text
  // An element of a closed list of words, or the fault "'x' is not one of a, b, c".
  template <class Enum, class Names> Enum one_of(std::string_view key, const Names& names)
  {
    const std::string word = text(key);
    for (const auto& [name, value] : names) {
      if (word == name) {
        return value;
      }
    }
    if (m_fault == std::nullopt) {
      std::string accepted;
      for (const auto& [name, value] : names) {
        accepted += accepted.empty() ? "" : ", ";
        accepted += name;
      }
      fail(key, "'" + word + "' is not one of " + accepted);
    }
    return Enum{};
  }

  void ignore(std::string_view key) { mark(key); }
  void ignore_rest() { m_ignore_rest = true; }
  void fail(std::string_view key, std::string message); // keeps the first fault only
  void fail(Error fault);                               // the fault of a nested value
  // Reads the object under `key` with `read(ObjectReader&)`; false when it is missing or null.
  template <class Read> bool object(std::string_view key, Read read)
  {
    const Json* value = member(key);
    if (value == nullptr) {
      return false;
    }
    ObjectReader nested(*value, m_place.child(key), m_kind);
    read(nested);
    if (auto fault = nested.finish()) {
      fail(std::move(*fault));
    }
    return true;
  }
  // The same for each object of the list under `key`, from the first or from the last; a missing list is empty.
  template <class Read> void objects(std::string_view key, Read read)
  {
    const Json* list = array(key);
    for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
      element(key, *list, i, read);
    }
  }
  template <class Read> void objects_backwards(std::string_view key, Read read)
  {
    const Json* list = array(key);
    for (std::size_t i = list == nullptr ? 0 : list->size(); i > 0; --i) {
      element(key, *list, i - 1, read);
    }
  }
  const Place& place() const { return m_place; }
  bool failed() const { return m_fault.has_value(); }

  // The first fault, if any; else a fault for the first key that was never read, naming near ones.
  std::optional<Error> finish();

private:
  const Json* find(std::string_view key) const;
  const Json* array(std::string_view key); // nullptr when missing; not a list: a fault
  template <class Read> void element(std::string_view key, const Json& list, std::size_t index, Read& read)
  {
    ObjectReader nested(list[index], m_place.child(key).child(index), m_kind);
    read(nested);
    if (auto fault = nested.finish()) {
      fail(std::move(*fault));
    }
  }
  void mark(std::string_view key);

  const Json* m_value;
  Place m_place;
  ErrorKind m_kind;
  std::vector<std::string> m_known;
  bool m_ignore_rest = false;
  std::optional<Error> m_fault;
};

} // namespace hwadvisor::json
