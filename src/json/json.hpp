#pragma once

// The one reading layer for JSON. nlohmann_json accepts more than a careful program may: nesting that overflows the
// stack later, duplicate keys (the last wins silently), 2.7 where an integer is meant, -1 as unsigned, integers past
// 64 bits as doubles, text that is not UTF-8. parse() refuses these, and every error says file and JSON pointer.
// No other file calls nlohmann::json::parse.

#include "hwadvisor/result.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace hwadvisor::json {

using Json = nlohmann::ordered_json; // keeps the order of keys, so that output is stable

struct ParseLimits {
  int depth = 64;
  std::size_t bytes = std::size_t{256} << 20;
  std::size_t values = 20'000'000; // objects, arrays and scalars together
  bool allow_non_finite = false;   // bare NaN and Infinity (Python writes them) become null
};

// Parses `text`; `file` only names it in errors. Malformed text is ErrorKind::malformed.
Result<Json> parse(std::string_view text, std::string_view file, const ParseLimits& limits = {});

// Reads and parses a file. A missing or unreadable file is ErrorKind::io. "-" is standard input.
Result<Json> parse_file(const std::string& path, const ParseLimits& limits = {});

// A key as one token of a JSON pointer: "~" and "/" escaped (RFC 6901).
std::string pointer_token(std::string_view key);

// Text of a JSON value; invalid UTF-8 from other sources is replaced, never thrown at.
std::string dump(const Json& value, int indent = -1);

} // namespace hwadvisor::json
