// What engines, scenarios and efficiencies name must exist.
#include "catalog/check.hpp"
#include "hwadvisor/precision.hpp"
#include "hwadvisor/request.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hwadvisor::catalog {
namespace {

using Strings = std::vector<std::string>;

template <class Exists>
void check_each(Findings& findings, EntryKind kind, const std::string& id, std::string_view what, const Strings& names,
                Exists exists)
{
  for (const std::string& name : names) {
    if (!exists(name)) {
      findings.add(kind, id, "references", fmt::format("there is no {} '{}'", what, name));
    }
  }
}

} // namespace

void check_references(Findings& findings)
{
  const Catalog& catalog = findings.catalog();
  const auto engine = [&](const std::string& name) { return catalog.find_engine(name) != nullptr; };
  const auto device = [&](const std::string& name) { return catalog.find_device(name) != nullptr; };
  const auto any_device = [&](auto accepts) {
    return std::any_of(catalog.devices().begin(), catalog.devices().end(), accepts);
  };
  const auto memory_class = [&](const std::string& name) {
    const auto& all = catalog.memory_classes();
    return std::any_of(all.begin(), all.end(), [&](const MemoryClass& c) { return c.id == name; });
  };
  const auto vendor = [&](const std::string& name) {
    return any_device([&](const Device& d) { return d.vendor == name; });
  };
  const auto market_class = [&](const std::string& name) {
    return any_device([&](const Device& d) { return d.market_class == name; });
  };
  const auto software = [&](const std::string& name) {
    return any_device(
        [&](const Device& d) { return std::find(d.software.begin(), d.software.end(), name) != d.software.end(); });
  };
  const auto precision = [](const std::string& name) { return find_precision(name).ok(); };

  for (const Engine& e : catalog.engines()) {
    check_each(findings, EntryKind::engine, e.id, "device vendor", e.vendors, vendor);
    check_each(findings, EntryKind::engine, e.id, "device software", e.software, software);
  }
  for (const Scenario& s : catalog.scenarios()) {
    check_each(findings, EntryKind::scenario, s.id, "engine", s.preferred_engines, engine);
    check_each(findings, EntryKind::scenario, s.id, "precision", s.precision_ladder, precision);
    check_each(findings, EntryKind::scenario, s.id, "precision", s.training_ladder, precision);
    for (const SoftwareChoice& choice : s.software) {
      check_each(findings, EntryKind::scenario, s.id, "device software", {choice.software}, software);
    }
    for (const auto& [key, value] : s.defaults) {
      Request request;
      const Status set = set_request_key(request, key, value);
      if (!set.ok()) {
        findings.add(EntryKind::scenario, s.id, "references", fmt::format("default {}: {}", key, set.error().message));
      }
    }
  }
  for (const Efficiency& e : catalog.efficiencies()) {
    check_each(findings, EntryKind::efficiency, e.id, "device", e.devices, device);
    check_each(findings, EntryKind::efficiency, e.id, "engine", e.engines, engine);
    check_each(findings, EntryKind::efficiency, e.id, "memory class", e.memory_classes, memory_class);
    check_each(findings, EntryKind::efficiency, e.id, "device vendor", e.vendors, vendor);
    check_each(findings, EntryKind::efficiency, e.id, "device class", e.market_classes, market_class);
  }
}

} // namespace hwadvisor::catalog
