#pragma once

// Words without regard to case. ASCII alone: names here are, and a locale would change results.

#include <string>
#include <string_view>

namespace hwadvisor::text {

inline std::string lower(std::string_view text)
{
  std::string out(text);
  for (char& c : out) {
    c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return out;
}

} // namespace hwadvisor::text
