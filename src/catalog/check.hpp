#pragma once

// The parts of check_catalog(), one function a kind of entry.

#include "hwadvisor/catalog_check.hpp"
#include "json/json.hpp"

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hwadvisor::catalog {

class Findings {
public:
  explicit Findings(const Catalog& catalog);

  const Catalog& catalog() const { return *m_catalog; }
  // The newest date of the data stands for today: whether the catalog is sound does not depend on a clock.
  const std::string& today() const { return m_today; }
  void add(EntryKind kind, const std::string& id, std::string_view rule, std::string message);
  std::vector<CatalogFault> take() { return std::move(m_faults); }

  // The entry's JSON; an empty object when it cannot be read, which is a fault of its own.
  json::Json entry(EntryKind kind, const std::string& id);

private:
  const Catalog* m_catalog;
  std::string m_today;
  std::vector<CatalogFault> m_faults;
};

// Names in compact form and whose they are. A name of two owners is a fault of `rule`.
class NameOwners {
public:
  void claim(Findings& findings, EntryKind kind, std::string_view rule, std::string_view name, const std::string& id);
  // The owner, or nullptr.
  const std::string* find(std::string_view name) const;

private:
  std::map<std::string, std::string> m_owners;
};

// "memory.marketed_gb" in `entry`; nullptr where there is no such key.
const json::Json* value_at(const json::Json& entry, std::string_view path);

// Every one of `paths` that is null or [] must have a reason in "unknown", and what has a reason must be unknown.
void check_reasons(Findings& findings, EntryKind kind, const std::string& id, const json::Json& entry,
                   std::span<const std::string_view> paths);

// Every "date" in `entry` lies between `first` and today.
void check_dates(Findings& findings, EntryKind kind, const std::string& id, const json::Json& entry,
                 std::string_view first);

void check_devices(Findings& findings);
void check_instances(Findings& findings);
void check_models(Findings& findings);
void check_references(Findings& findings);

} // namespace hwadvisor::catalog
