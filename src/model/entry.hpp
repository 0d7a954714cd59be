#pragma once

// An entry of data/models as a Model. The catalog floor finds entries and resolves names; what an entry says is read
// here.

#include "hwadvisor/model.hpp"
#include "json/json.hpp"
#include "json/reader.hpp"

namespace hwadvisor::model {

// Reads one entry, its architecture included. Unknown keys and bad values are ErrorKind::malformed.
Result<Model> read_model_entry(const json::Json& entry, const json::Place& place);

} // namespace hwadvisor::model
