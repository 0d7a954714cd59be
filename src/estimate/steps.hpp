#pragma once

// The steps of estimate() beside bytes and verdict.

#include "hwadvisor/estimate.hpp"

namespace hwadvisor::estimating {

// The cost of the placement of `estimate`, whose speed is known where there is one.
Cost cost_of(const Request& request, const Estimate& estimate, const Catalog& catalog);

// The estimate with the key that `request.solve` names at the largest value that fits, said in a note; where nothing
// fits, the estimate as asked, whose verdict says so. Error: no hardware, or a key that the job does not have.
Result<Estimate> solve(const Request& request, const Catalog& catalog, Detail detail);

// Holds the estimate against the limits of `request`: what it misses goes to `unmet`. Limits that were `asked` and
// cannot be checked, and wishes that an estimate does not look at, are warnings: silence would look like "met".
void check_limits(const Request& request, const Request& asked, Estimate& estimate);

} // namespace hwadvisor::estimating
