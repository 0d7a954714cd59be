#pragma once

// Reading a configuration object: one fact goes by many names, absent is not zero, and a value of the wrong type is an
// error with its place. The first error is kept; after it every look-up yields its fallback, so a reader need not check
// each call.

#include "hwadvisor/result.hpp"
#include "json/json.hpp"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hwadvisor::model {

using json::Json;

using Names = std::initializer_list<std::string_view>;

// Nothing a real model has comes near these; products of a few of them still fit 64 bits where it matters.
constexpr std::int64_t k_max_layers = 4096;
constexpr std::int64_t k_max_heads = 65536;
constexpr std::int64_t k_max_width = std::int64_t{1} << 24;
constexpr std::int64_t k_max_vocabulary = std::int64_t{1} << 28;
constexpr std::int64_t k_max_positions = std::int64_t{1} << 40;

class Fields {
public:
  // `object` must outlive the reader; `pointer` is its JSON pointer, for messages.
  Fields(const Json& object, std::string pointer, std::optional<Error>& error);

  // The first of `names` that is present and not null.
  const Json* find(Names names) const;
  bool has(Names names) const { return find(names) != nullptr; }

  std::optional<std::int64_t> count(Names names, std::int64_t limit = k_max_width) const;
  std::int64_t count_or(Names names, std::int64_t fallback, std::int64_t limit = k_max_width) const;
  // As count, but its absence is an error that names the accepted keys.
  std::int64_t needed(Names names, std::int64_t limit = k_max_width) const;
  bool flag(Names names, bool fallback) const;
  double number(Names names, double fallback) const;
  std::string text(Names names, std::string_view fallback = {}) const;

  // Lists: empty when absent or when the value is not a list. Booleans count as 0 and 1.
  std::vector<std::int64_t> counts(Names names) const;
  std::vector<std::string> texts(Names names) const;

  // A nested object, or an empty one when absent.
  Fields object(Names names) const;

  void fail(std::string message, std::string_view name = {}) const;

private:
  const Json* m_object;
  std::string m_pointer;
  std::optional<Error>* m_error;
};

} // namespace hwadvisor::model
