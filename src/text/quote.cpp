#include "text/quote.hpp"

namespace hwadvisor::text {

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
  for (const char c : text) {
    out += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
  }
  return out + (cut ? "...'" : "'");
}

} // namespace hwadvisor::text
