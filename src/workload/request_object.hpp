#pragma once

// A request as one JSON object, wherever it stands: in a request file, in a file of measurements.

#include "hwadvisor/request.hpp"
#include "json/reader.hpp"

namespace hwadvisor::workload {

// A fault is kept as ErrorKind::usage, where = file and JSON pointer.
ParsedRequest read_request(const json::Json& value, const json::Place& place);

} // namespace hwadvisor::workload
