# Warnings and sanitizers for our own code, as a target that third-party code never links.
add_library(hwadvisor_warnings INTERFACE)
target_compile_options(hwadvisor_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wcast-align -Woverloaded-virtual
  # g++ 12 warns of overlapping copies inside std::string that cannot happen (GCC bug 105651, mended in 13).
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict>
  $<$<BOOL:${HWADVISOR_WERROR}>:-Werror>)

if(HWADVISOR_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()
