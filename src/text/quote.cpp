#include "text/quote.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hwadvisor::text {

// RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF.
std::size_t utf8_length(std::string_view text)
{
  const auto at = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const unsigned first = at(0);
  if (text.empty() || first < 0x80) {
    return text.empty() ? 0 : 1;
  }
  const std::size_t length = first >= 0xc2 && first <= 0xdf ? 2 : first >= 0xe0 && first <= 0xef ? 3 : 4;
  if (first < 0xc2 || first > 0xf4 || text.size() < length) {
    return 0;
  }
  for (std::size_t i = 1; i < length; ++i) {
    if ((at(i) & 0xc0) != 0x80) {
      return 0;
    }
  }
  const bool overlong = (first == 0xe0 && at(1) < 0xa0) || (first == 0xf0 && at(1) < 0x90);
  const bool outside = (first == 0xed && at(1) > 0x9f) || (first == 0xf4 && at(1) > 0x8f);
  return overlong || outside ? 0 : length;
}

std::string quoted(std::string_view text)
{
  constexpr std::size_t longest = 60;
  const bool cut = text.size() > longest;
  if (cut) {
    std::size_t end = longest;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) { // not inside a UTF-8 sequence
      --end;
    }
    text = text.substr(0, end);
  }
  std::string out = "'";
  while (!text.empty()) {
    const auto c = static_cast<unsigned char>(text.front());
    const std::size_t length = utf8_length(text);
    if (length == 0) {
      out += fmt::format("\\x{:02x}", c);
    } else if (c < 0x20 || c == 0x7f) {
      out += '?';
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out + (cut ? "...'" : "'");
}

} // namespace hwadvisor::text
