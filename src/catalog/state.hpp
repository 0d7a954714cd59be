#pragma once

// What a Catalog holds: the pack, what overlays add, and the lists decoded so far.

#include "catalog/collection.hpp"
#include "catalog/fields.hpp"
#include "catalog/pack.hpp"
#include "hwadvisor/catalog.hpp"

#include <algorithm>
#include <cassert>
#include <mutex>
#include <optional>
#include <string_view>
#include <vector>

namespace hwadvisor {

namespace catalog {

// A value made on first use, by whichever thread comes first.
template <class T> class Lazy {
public:
  template <class Make> const T& get(Make make)
  {
    std::call_once(m_once, [&] { m_value.emplace(make()); });
    return *m_value;
  }

private:
  std::once_flag m_once;
  std::optional<T> m_value;
};

// Where an entry stands and its JSON; both empty: there is none.
struct EntryText {
  std::string_view text;
  std::string_view origin; // file: pointer
  bool built_in = false;
};

// The pack's records of a kind with the overlay's on top, sorted by id.
template <class T> std::vector<T> decode(const Pack& pack, EntryKind kind, const std::vector<Entry<T>>& overlay)
{
  std::vector<T> records;
  Reader in(pack.records(kind));
  in.get(records);
  assert(in.at_end()); // the pack is made with the program; a test decodes all of it
  std::vector<T> over;
  for (const Entry<T>& entry : overlay) {
    over.push_back(entry.value);
  }
  overlay_records(records, std::move(over));
  return records;
}

template <class T> const T* find_sorted(const std::vector<T>& records, std::string_view id)
{
  const auto at = std::lower_bound(records.begin(), records.end(), id,
                                   [](const T& record, std::string_view wanted) { return record.id < wanted; });
  return at != records.end() && at->id == id ? &*at : nullptr;
}

} // namespace catalog

struct Catalog::State {
  catalog::Pack pack;
  catalog::Collection overlay;

  catalog::EntryText entry(EntryKind kind, std::string_view id);

  const std::vector<Device>& devices() { return list(m_devices, EntryKind::device, overlay.devices); }
  const std::vector<Instance>& instances() { return list(m_instances, EntryKind::instance, overlay.instances); }
  const std::vector<ModelSummary>& models() { return list(m_models, EntryKind::model, overlay.models); }
  const std::vector<Engine>& engines() { return list(m_engines, EntryKind::engine, overlay.engines); }
  const std::vector<Scenario>& scenarios() { return list(m_scenarios, EntryKind::scenario, overlay.scenarios); }
  const std::vector<Provider>& providers() { return list(m_providers, EntryKind::provider, overlay.providers); }
  const std::vector<MemoryClass>& memory_classes()
  {
    return list(m_memory_classes, EntryKind::memory_class, overlay.memory_classes);
  }
  const std::vector<Efficiency>& efficiencies()
  {
    return list(m_efficiencies, EntryKind::efficiency, overlay.efficiencies);
  }
  const std::vector<MachineParts>& machine_parts()
  {
    return list(m_machine_parts, EntryKind::machine_parts, overlay.machine_parts);
  }

private:
  template <class T>
  const std::vector<T>& list(catalog::Lazy<std::vector<T>>& lazy, EntryKind kind,
                             const std::vector<catalog::Entry<T>>& over)
  {
    return lazy.get([&] { return catalog::decode(pack, kind, over); });
  }

  catalog::Lazy<std::vector<Device>> m_devices;
  catalog::Lazy<std::vector<Instance>> m_instances;
  catalog::Lazy<std::vector<ModelSummary>> m_models;
  catalog::Lazy<std::vector<Engine>> m_engines;
  catalog::Lazy<std::vector<Scenario>> m_scenarios;
  catalog::Lazy<std::vector<Provider>> m_providers;
  catalog::Lazy<std::vector<MemoryClass>> m_memory_classes;
  catalog::Lazy<std::vector<Efficiency>> m_efficiencies;
  catalog::Lazy<std::vector<MachineParts>> m_machine_parts;
};

} // namespace hwadvisor
