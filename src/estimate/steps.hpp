#pragma once

// The steps of estimate() after the verdict.

#include "hwadvisor/estimate.hpp"

namespace hwadvisor::estimating {

// The cost of the placement of `estimate`, whose speed is known where there is one.
Cost cost_of(const Request& request, const Estimate& estimate, const Catalog& catalog);

// The limits of the request that the estimate misses.
std::vector<UnmetLimit> unmet_limits(const Request& request, const Estimate& estimate);

} // namespace hwadvisor::estimating
