#pragma once

// Text from outside (flags, files) as it may stand in a one-line message.

#include <string>
#include <string_view>

namespace hwadvisor::text {

// 'text', control characters shown as "?", cut after about 60 bytes.
std::string quoted(std::string_view text);

} // namespace hwadvisor::text
