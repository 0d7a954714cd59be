# Each dependency comes from the system where it is installed, else from its pinned release (fetched by hash). What
# came from where is printed at the end. FIND_PACKAGE_ARGS would need CMake 3.24; Ubuntu 22.04 has 3.22.
include(FetchContent)

set(hwadvisor_dependency_report "")

# hwadvisor_dependency(PACKAGE TARGET URL SHA256): makes sure that TARGET exists.
macro(hwadvisor_dependency package target url sha256)
  if(NOT TARGET ${target})
    find_package(${package} QUIET)
  endif()
  if(TARGET ${target})
    string(APPEND hwadvisor_dependency_report "\n--   ${package} ${${package}_VERSION} (system)")
  else()
    string(TOLOWER ${package} hwadvisor_name)
    FetchContent_Declare(${hwadvisor_name} URL "${url}" URL_HASH SHA256=${sha256})
    FetchContent_MakeAvailable(${hwadvisor_name})
    string(APPEND hwadvisor_dependency_report "\n--   ${package} (fetched: ${url})")
  endif()
endmacro()

# Libraries that are fetched must not run their own tests or install their own files.
set(JSON_BuildTests OFF CACHE INTERNAL "")
set(CLI11_BUILD_TESTS OFF CACHE INTERNAL "")
set(CLI11_BUILD_EXAMPLES OFF CACHE INTERNAL "")
set(SPDLOG_FMT_EXTERNAL_HO ON CACHE INTERNAL "")
set(CATCH_INSTALL_DOCS OFF CACHE INTERNAL "")
set(CATCH_INSTALL_EXTRAS OFF CACHE INTERNAL "")

hwadvisor_dependency(nlohmann_json nlohmann_json::nlohmann_json
  https://github.com/nlohmann/json/releases/download/v3.11.3/json.tar.xz
  d6c65aca6b1ed68e7a182f4757257b107ae403032760ed6ef121c9d55e81757d)
hwadvisor_dependency(fmt fmt::fmt-header-only
  https://github.com/fmtlib/fmt/archive/refs/tags/10.2.1.tar.gz
  1250e4cc58bf06ee631567523f48848dc4596133e163f02615c97f78bab6c811)
hwadvisor_dependency(CLI11 CLI11::CLI11
  https://github.com/CLIUtils/CLI11/archive/refs/tags/v2.4.2.tar.gz
  f2d893a65c3b1324c50d4e682c0cdc021dd0477ae2c048544f39eed6654b699a)
hwadvisor_dependency(spdlog spdlog::spdlog_header_only
  https://github.com/gabime/spdlog/archive/refs/tags/v1.13.0.tar.gz
  534f2ee1a4dcbeb22249856edfb2be76a1cf4f708a20b0ac2ed090ee24cfdbc9)
if(HWADVISOR_BUILD_TESTS)
  hwadvisor_dependency(Catch2 Catch2::Catch2
    https://github.com/catchorg/Catch2/archive/refs/tags/v3.5.2.tar.gz
    269543a49eb76f40b3f93ff231d4c24c27a7e16c90e47d2e45bcc564de470c6e)
  # Catch2 2 (Debian 12) and 3 (elsewhere, and fetched) differ in their headers: tests/catch.hpp.
  if(Catch2_VERSION AND Catch2_VERSION VERSION_LESS 3)
    set(hwadvisor_catch_version 2)
  else()
    set(hwadvisor_catch_version 3)
  endif()
endif()

message(STATUS "Dependencies:${hwadvisor_dependency_report}")

# fmt's declarations; its bodies are compiled once, in src/text/fmt.cpp.
add_library(hwadvisor_fmt INTERFACE)
target_include_directories(hwadvisor_fmt SYSTEM INTERFACE
  $<TARGET_PROPERTY:fmt::fmt-header-only,INTERFACE_INCLUDE_DIRECTORIES>)
