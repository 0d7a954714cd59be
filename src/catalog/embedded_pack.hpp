#pragma once

#include <string_view>

namespace hwadvisor::catalog {

// The packed catalog inside this program. The program that makes the pack has an empty one.
std::string_view embedded_pack();

} // namespace hwadvisor::catalog
