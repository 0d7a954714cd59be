#include "catalog/overlays.hpp"

#include <cstdlib>
#include <filesystem>

namespace hwadvisor::catalog {
namespace {

std::string variable(const char* name)
{
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

} // namespace

std::vector<std::string> overlay_paths(const std::vector<std::string>& given)
{
  std::vector<std::string> paths;
  std::string configuration = variable("XDG_CONFIG_HOME");
  if (configuration.empty() && !variable("HOME").empty()) {
    configuration = variable("HOME") + "/.config";
  }
  if (!configuration.empty()) {
    const std::string folder = configuration + "/hwadvisor/catalog";
    std::error_code ignored;
    if (std::filesystem::is_directory(folder, ignored)) {
      paths.push_back(folder);
    }
  }
  const std::string list = variable("HWADVISOR_CATALOG");
  for (std::size_t start = 0; start < list.size();) {
    const std::size_t end = std::min(list.find(':', start), list.size());
    if (end > start) {
      paths.push_back(list.substr(start, end - start));
    }
    start = end + 1;
  }
  paths.insert(paths.end(), given.begin(), given.end());
  return paths;
}

} // namespace hwadvisor::catalog
