#pragma once

#include "advice/search.hpp"

#include <map>

namespace hwadvisor::advice {

// All rejections counted by limit; and of them the ones worth reading, near misses first, with the smallest change for
// the first that lack memory. `nearest` holds, by hardware name, the placement that missed.
void tell_rejections(std::vector<Rejection> all, const std::map<std::string, Placed>& nearest, const Catalog& catalog,
                     Recommendation& recommendation);

} // namespace hwadvisor::advice
