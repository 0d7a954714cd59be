// fmt's function bodies, compiled once: every other source sees declarations only, which makes it three seconds cheaper
// to compile at -O2 than with header-only fmt. Debian ships no static fmt, and the program must need nothing but the C
// library.
#ifndef FMT_HEADER_ONLY
#define FMT_HEADER_ONLY 1
#endif
#include <fmt/format.h>

namespace hwadvisor::text {

// What fmt::format() and fmt::join() call is used here, so that the compiler emits it.
[[gnu::used]] bool (*const k_is_printable)(std::uint32_t) = &fmt::detail::is_printable;

std::string formatted(fmt::string_view format, fmt::format_args arguments)
{
  return fmt::vformat(format, arguments);
}

} // namespace hwadvisor::text
