#pragma once

// Which figure of an estimate a measured key is compared with.

#include "hwadvisor/estimate.hpp"

#include <optional>
#include <string_view>

namespace hwadvisor::validation {

using Figure = std::optional<Interval<double>>;

struct Metric {
  std::string_view name; // "memory.kv_cache_bytes"
  Figure (*figure)(const Estimate& estimate);
};

const Metric* find_metric(std::string_view name); // nullptr: no such key

} // namespace hwadvisor::validation
