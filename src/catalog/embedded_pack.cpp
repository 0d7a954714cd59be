// The packed catalog as bytes of this program. HWADVISOR_PACK_FILE is set by cmake/EmbedCatalog.cmake, which also makes
// this file depend on it.
#include "catalog/embedded_pack.hpp"

#include <cstddef>

#if defined(__APPLE__)
#define HWADVISOR_PACK_SECTION ".const_data\n"
#define HWADVISOR_PACK_SYMBOL "_hwadvisor_pack"
#else
#define HWADVISOR_PACK_SECTION ".section .rodata\n"
#define HWADVISOR_PACK_SYMBOL "hwadvisor_pack"
#endif

__asm__(HWADVISOR_PACK_SECTION ".balign 16\n"
                               ".globl " HWADVISOR_PACK_SYMBOL "_begin\n" HWADVISOR_PACK_SYMBOL "_begin:\n"
                               ".incbin \"" HWADVISOR_PACK_FILE "\"\n"
                               ".globl " HWADVISOR_PACK_SYMBOL "_end\n" HWADVISOR_PACK_SYMBOL "_end:\n"
                               ".byte 0\n"
                               ".text\n");

extern "C" {
extern const char hwadvisor_pack_begin[]; // NOLINT(readability-identifier-naming)
extern const char hwadvisor_pack_end[];
}

namespace hwadvisor::catalog {

std::string_view embedded_pack()
{
  return {hwadvisor_pack_begin, static_cast<std::size_t>(hwadvisor_pack_end - hwadvisor_pack_begin)};
}

} // namespace hwadvisor::catalog
