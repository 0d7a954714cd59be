#pragma once

// A Hugging Face config.json object, or the config of a catalog entry, to an architecture.

#include "hwadvisor/model.hpp"
#include "json/json.hpp"

#include <string>

namespace hwadvisor::model {

// Where `config` stands (file and JSON pointer) only goes into messages. ErrorKind::malformed: a value is missing,
// of the wrong type or out of range.
Result<Architecture> read_architecture(const json::Json& config, const std::string& where);

// What kind of model its layers and tensors make it.
ModelFamily family_of(const Architecture& architecture);

// True when the object describes an architecture at all (the catalog's CNN entries do not).
bool describes_architecture(const json::Json& config);

} // namespace hwadvisor::model
