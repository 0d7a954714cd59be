# Each dependency comes from the system where it is installed, else from its pinned release. What came from where is
# printed once at the end of the configuration.
include(FetchContent)

set(hwadvisor_dependency_report "")

# hwadvisor_dependency(NAME PACKAGE CHECK_TARGET URL SHA256)
function(hwadvisor_dependency package target url sha256)
  if(TARGET ${target})
    return()
  endif()
  find_package(${package} QUIET)
  if(TARGET ${target})
    set(origin "system ${${package}_VERSION}")
  else()
    string(TOLOWER ${package} name)
    FetchContent_Declare(${name} URL "${url}" URL_HASH SHA256=${sha256})
    FetchContent_MakeAvailable(${name})
    set(origin "fetched ${url}")
  endif()
  set(hwadvisor_dependency_report "${hwadvisor_dependency_report}\n--   ${package}: ${origin}" PARENT_SCOPE)
endfunction()

hwadvisor_dependency(nlohmann_json nlohmann_json::nlohmann_json
  https://github.com/nlohmann/json/releases/download/v3.11.3/json.tar.xz
  d6c65aca6b1ed68e7a182f4757257b107ae403032760ed6ef121c9d55e81757d)
find_package(fmt REQUIRED)
find_package(CLI11 REQUIRED)
find_package(spdlog REQUIRED)
