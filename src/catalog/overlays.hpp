#pragma once

// Where overlays of the catalog come from.

#include <string>
#include <vector>

namespace hwadvisor::catalog {

// In the order in which they apply: the user's configuration folder if it exists, $HWADVISOR_CATALOG, then `given`.
std::vector<std::string> overlay_paths(const std::vector<std::string>& given);

} // namespace hwadvisor::catalog
