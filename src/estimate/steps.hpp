#pragma once

// The steps of estimate() after the verdict.

#include "hwadvisor/estimate.hpp"

namespace hwadvisor::estimating {

// The cost of the placement of `estimate`, whose speed is known where there is one.
Cost cost_of(const Request& request, const Estimate& estimate, const Catalog& catalog);

// Holds the estimate against the limits of `request`: what it misses goes to `unmet`. Limits that were `asked` and
// cannot be checked, and wishes that an estimate does not look at, are warnings: silence would look like "met".
void check_limits(const Request& request, const Request& asked, Estimate& estimate);

} // namespace hwadvisor::estimating
