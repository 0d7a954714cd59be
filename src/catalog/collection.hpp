#pragma once

// Catalog entries read from JSON files: a folder laid out like data/, or one file of it. The built-in catalog is packed
// from such a collection, and an overlay is one.

#include "catalog/readers.hpp"
#include "hwadvisor/catalog.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hwadvisor::catalog {

template <class T> struct Entry {
  T value;
  std::string text;   // the whole entry as compact JSON
  std::string origin; // file and JSON pointer
  std::string date;   // the newest date that it bears
};

template <class T> const std::string& id_of_entry(const T& record)
{
  return record.id;
}
inline const std::string& id_of_entry(const MachineParts&) // one of a kind
{
  static const std::string id = "machine-parts";
  return id;
}

template <class T> const std::string& id_of_entry(const Entry<T>& entry)
{
  return id_of_entry(entry.value);
}

// Of efficiencies the first that admits a case holds: they keep the order of their file, an overlay's new ones first.
// All else is sorted by id.
template <class Record> inline constexpr bool k_keeps_order = false;
template <> inline constexpr bool k_keeps_order<Efficiency> = true;
template <> inline constexpr bool k_keeps_order<Entry<Efficiency>> = true;

// Puts each of `over` in the place of the record with its id, or where it belongs among `records`.
template <class Record> void overlay_records(std::vector<Record>& records, std::vector<Record>&& over)
{
  const auto before = [](const Record& a, const Record& b) { return id_of_entry(a) < id_of_entry(b); };
  std::ptrdiff_t added = 0;
  for (Record& record : over) {
    const auto same = [&](const Record& other) { return id_of_entry(other) == id_of_entry(record); };
    const auto at = k_keeps_order<Record> ? std::find_if(records.begin(), records.end(), same)
                                          : std::lower_bound(records.begin(), records.end(), record, before);
    if (at != records.end() && same(*at)) {
      *at = std::move(record);
    } else {
      records.insert(k_keeps_order<Record> ? records.begin() + added++ : at, std::move(record));
    }
  }
}

struct Collection {
  std::vector<Entry<Device>> devices;
  std::vector<Entry<Instance>> instances;
  std::vector<Entry<ModelSummary>> models;
  std::vector<Entry<Engine>> engines;
  std::vector<Entry<Scenario>> scenarios;
  std::vector<Entry<Provider>> providers;
  std::vector<Entry<MemoryClass>> memory_classes;
  std::vector<Entry<Efficiency>> efficiencies;
  std::vector<Entry<MachineParts>> machine_parts; // one at most
  std::vector<std::string> ignored;               // files of the folder that nothing was read from, a sentence each

  // Calls `visit` with each list of entries, in the order of the pack.
  template <class Visit> void each(Visit visit)
  {
    visit(devices);
    visit(instances);
    visit(models);
    visit(engines);
    visit(scenarios);
    visit(providers);
    visit(memory_classes);
    visit(efficiencies);
    visit(machine_parts);
  }
};

// What an overlay builds on: its instances may be of these providers, and its machine parts change these.
struct Known {
  std::vector<Provider> providers;
  MachineParts machine_parts;
};

// Adds the entries of one JSON document; `file` names it in errors and origins. An id that the collection has already
// is a fault.
Status read_document(std::string_view text, const std::string& file, const Known& known, Collection& collection);

// A folder with any of devices/, instances/, models/, engines/, scenarios/ (their *.json) and providers.json,
// memory-classes.json, efficiency.json, machine-parts.json; or a single file. Entries are sorted by id.
Result<Collection> read_path(const std::string& path, const Known& known);

// Entries of `over` replace those of the same id and add the others.
void merge(Collection& base, Collection&& over);

} // namespace hwadvisor::catalog
