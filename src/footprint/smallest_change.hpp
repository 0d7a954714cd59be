#pragma once

// The change of a request that does least harm and makes it fit, verified by estimating again.

#include "hwadvisor/footprint.hpp"

namespace hwadvisor {

std::optional<Change> smallest_change(const Workload& workload, const Placement& placement, Bytes usable);

} // namespace hwadvisor
