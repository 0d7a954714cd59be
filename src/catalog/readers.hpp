#pragma once

// Catalog entries from JSON. The packed catalog and the overlays are read by the same functions. A fault says file and
// JSON pointer (ErrorKind::malformed). What an entry may leave out is unknown or has the default that docs/catalog.md
// names; a key that no reader knows is a fault.

#include "hwadvisor/catalog.hpp"
#include "json/reader.hpp"

#include <span>
#include <string>
#include <string_view>

namespace hwadvisor::catalog {

using json::Json;
using json::ObjectReader;
using json::Place;

Result<Device> read_device(const Json& value, const Place& place);
// An instance that gives no tier has its provider's.
Result<Instance> read_instance(const Json& value, const Place& place, std::span<const Provider> providers);
Result<Provider> read_provider(const Json& value, const Place& place);
Result<MemoryClass> read_memory_class(const Json& value, const Place& place);
Result<Engine> read_engine(const Json& value, const Place& place);
Result<Scenario> read_scenario(const Json& value, const Place& place);
Result<Efficiency> read_efficiency(const Json& value, const Place& place);
// Figures that the entry leaves out stay as `known` has them; platforms, where it has any, replace those of `known`.
Result<MachineParts> read_machine_parts(const Json& value, const Place& place, const MachineParts& known);

// Checks the keys that most entries share: sources, date, note, unknown.
void read_provenance(ObjectReader& in);

// "2026", "2026-06" or "2026-06-22", of the length wanted: 4, 7 or 10, or 0 for any.
bool is_date(std::string_view text, std::size_t length = 0);

// A date under `key`, of that length; missing: empty.
std::string read_date(ObjectReader& in, std::string_view key, std::size_t length = 0);

} // namespace hwadvisor::catalog
