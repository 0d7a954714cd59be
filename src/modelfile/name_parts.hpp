#pragma once

#include <cstdint>
#include <string_view>

namespace hwadvisor::modelfile {

// Takes "12." off the front of `text`; -1: there is no such number, and nothing is taken.
inline std::int32_t take_index(std::string_view& text)
{
  std::int32_t index = 0;
  std::size_t digits = 0;
  while (digits < text.size() && digits < 6 && text[digits] >= '0' && text[digits] <= '9') {
    index = index * 10 + (text[digits] - '0');
    ++digits;
  }
  if (digits == 0 || digits >= text.size() || text[digits] != '.') {
    return -1;
  }
  text.remove_prefix(digits + 1);
  return index;
}

} // namespace hwadvisor::modelfile
