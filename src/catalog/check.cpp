#include "catalog/check.hpp"

#include "catalog/name_text.hpp"
#include "catalog/readers.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hwadvisor {
namespace {

constexpr CatalogRule k_rules[] = {
    {"names", "a name (id, name, alias in small letters, digits and dots) names one device or one model"},
    {"series", "a series of several devices has one common form at most, and no device has its bare name"},
    {"ranges", "figures lie within what a device of the class, or a machine of the shape, can have"},
    {"peaks", "dense peaks do not fall from a wide number format to a narrow one, and are not sparse ones"},
    {"memory", "usable memory is 0.6 to 1 of the marketed size; sizes are sorted; the memory class exists"},
    {"cpu", "threads are 1 to 2 times the cores, and the boost clock is not below the base clock"},
    {"acquisition", "what is announced says so in status and acquisition"},
    {"prices", "prices are above 0 and plausible for a device; spot and reserved are not above on-demand"},
    {"dates", "dates are real days, not before the first plausible year and not after the newest check"},
    {"reasons", "what is not known has its reason, and what has a reason is not known"},
    {"devices", "the device of an instance exists and has the memory that the instance states"},
    {"fractions", "a fraction is a share of one device, and only such shapes have one"},
    {"providers", "the provider of an instance exists, and every provider has an instance"},
    {"parameters", "parameters counted from the architecture agree within 2 %, or a note says why not"},
    {"references", "ids that an entry names exist: engines, devices, memory classes, request keys"},
    {"sources", "an entry says where its facts are from"}};

} // namespace

std::span<const CatalogRule> catalog_rules()
{
  return k_rules;
}

std::vector<CatalogFault> check_catalog(const Catalog& catalog)
{
  catalog::Findings findings(catalog);
  catalog::check_devices(findings);
  catalog::check_instances(findings);
  catalog::check_models(findings);
  catalog::check_references(findings);
  return findings.take();
}

CatalogCounts count_catalog(const Catalog& catalog)
{
  CatalogCounts counts{catalog.devices().size(),        catalog.instances().size(),   catalog.models().size(),
                       catalog.engines().size(),        catalog.scenarios().size(),   catalog.providers().size(),
                       catalog.memory_classes().size(), catalog.efficiencies().size()};
  for (const Device& device : catalog.devices()) {
    counts.purchase_prices += device.prices.size();
  }
  for (const Instance& i : catalog.instances()) {
    for (const auto& price : {i.on_demand, i.spot, i.reserved_1y, i.reserved_3y, i.capacity_block}) {
      counts.rental_prices += price ? 1 : 0;
    }
  }
  return counts;
}

namespace catalog {

Findings::Findings(const Catalog& catalog) : m_catalog(&catalog), m_today(catalog.data_version().substr(0, 10))
{
}

void Findings::add(EntryKind kind, const std::string& id, std::string_view rule, std::string message)
{
  m_faults.push_back({kind, id, rule, std::move(message), m_catalog->entry_origin(kind, id)});
}

json::Json Findings::entry(EntryKind kind, const std::string& id)
{
  const auto text = m_catalog->entry_json(kind, id);
  if (text.ok()) {
    auto value = json::parse(*text, id);
    if (value.ok()) {
      return std::move(*value);
    }
  }
  add(kind, id, "sources", "the entry's text cannot be read");
  return json::Json::object();
}

void NameOwners::claim(Findings& findings, EntryKind kind, std::string_view rule, std::string_view name,
                       const std::string& id)
{
  const auto [at, fresh] = m_owners.emplace(compact(name), id);
  if (!fresh && at->second != id) {
    findings.add(kind, id, rule, fmt::format("the name '{}' also names {}", name, at->second));
  }
}

const std::string* NameOwners::find(std::string_view name) const
{
  const auto found = m_owners.find(compact(name));
  return found == m_owners.end() ? nullptr : &found->second;
}

const json::Json* value_at(const json::Json& entry, std::string_view path)
{
  const json::Json* value = &entry;
  while (!path.empty()) {
    const std::size_t dot = std::min(path.find('.'), path.size());
    const auto found = value->is_object() ? value->find(std::string(path.substr(0, dot))) : value->end();
    if (found == value->end()) {
      return nullptr;
    }
    value = &*found;
    path.remove_prefix(std::min(dot + 1, path.size()));
  }
  return value;
}

void check_reasons(Findings& findings, EntryKind kind, const std::string& id, const json::Json& entry,
                   std::span<const std::string_view> paths)
{
  const auto is_unknown = [](const json::Json& value) {
    return value.is_null() || (value.is_array() && value.empty());
  };
  const json::Json* reasons = value_at(entry, "unknown");
  for (const std::string_view path : paths) {
    const json::Json* value = value_at(entry, path);
    if (value != nullptr && is_unknown(*value) && (reasons == nullptr || !reasons->contains(std::string(path)))) {
      findings.add(kind, id, "reasons", fmt::format("{} is not known, and no reason is given", path));
    }
  }
  if (reasons == nullptr || !reasons->is_object()) {
    return;
  }
  for (const auto& [path, reason] : reasons->items()) {
    const json::Json* value = value_at(entry, path);
    if (value != nullptr && !is_unknown(*value)) {
      findings.add(kind, id, "reasons", fmt::format("a reason is given why {} is not known, but it is", path));
    }
  }
}

void check_dates(Findings& findings, EntryKind kind, const std::string& id, const json::Json& entry,
                 std::string_view first)
{
  if (!entry.is_structured()) {
    return;
  }
  for (const auto& [key, value] : entry.items()) {
    if (key == "date" && value.is_string()) {
      const auto& date = value.get_ref<const std::string&>();
      if (date < first.substr(0, date.size()) || date > findings.today().substr(0, date.size())) {
        findings.add(kind, id, "dates",
                     fmt::format("the date {} is not between {} and {}", date, first, findings.today()));
      }
    } else {
      check_dates(findings, kind, id, value, first);
    }
  }
}

} // namespace catalog
} // namespace hwadvisor
