#pragma once

// Entries of data/models: the summary that lists and names need, from the JSON of an entry.

#include "catalog/readers.hpp"

namespace hwadvisor::catalog {

Result<ModelSummary> read_model_summary(const Json& value, const Place& place);

} // namespace hwadvisor::catalog
