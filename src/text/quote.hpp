#pragma once

// Text from outside (flags, files) as it may stand in a one-line message.

#include <cstddef>
#include <string>
#include <string_view>

namespace hwadvisor::text {

// 'text', control characters shown as "?", bytes that are not UTF-8 as "\xff", cut after about 60 bytes.
std::string quoted(std::string_view text);

// Bytes of the UTF-8 sequence at the start of `text`; 0: it is none.
std::size_t utf8_length(std::string_view text);

} // namespace hwadvisor::text
