#include "cli/commands.hpp"

#include "catalog/overlays.hpp"
#include "cli/listing.hpp"
#include "cli/log.hpp"
#include "hwadvisor/catalog_check.hpp"
#include "text/lower.hpp"
#include "text/near.hpp"
#include "text/quote.hpp"
#include "workload/number_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include <sys/stat.h>

namespace hwadvisor::cli {
namespace {

using report::Grid;

constexpr std::string_view k_lists[] = {"devices", "instances", "models", "engines", "scenarios", "providers"};

bool same(std::string_view a, std::string_view b)
{
  return text::lower(a) == text::lower(b);
}

Error usage(std::string message, std::string where = {}, std::vector<std::string> candidates = {})
{
  return Error{ErrorKind::usage, std::move(message), std::move(where), std::move(candidates)};
}

// "device" and "devices" name the same list; empty: none.
std::string list_named(std::string_view word)
{
  for (const std::string_view list : k_lists) {
    if (word == list || word == list.substr(0, list.size() - 1)) {
      return std::string(list);
    }
  }
  return {};
}

std::optional<DeviceKind> device_kind(std::string_view word)
{
  for (const DeviceKind kind :
       {DeviceKind::gpu, DeviceKind::cpu, DeviceKind::tpu, DeviceKind::soc, DeviceKind::npu, DeviceKind::accelerator}) {
    if (word == kind_name(kind)) {
      return kind;
    }
  }
  return std::nullopt;
}

struct Filters {
  std::string list = "devices";
  std::optional<DeviceKind> kind;
  std::string vendor, family, provider, device, search;
  double min_memory_gb = 0.0;

  bool found(std::string_view id, std::string_view name) const
  {
    return search.empty() || text::lower(id).find(search) != std::string::npos ||
           text::lower(name).find(search) != std::string::npos;
  }
};

Result<Filters> read_filters(const Arguments& arguments)
{
  Filters out;
  if (arguments.words.size() > 1) {
    out.list = list_named(arguments.words[1]);
    if (out.list.empty()) {
      std::vector<std::string> known(std::begin(k_lists), std::end(k_lists));
      return usage(fmt::format("{} cannot be listed", text::quoted(arguments.words[1])), "", std::move(known));
    }
  }
  if (arguments.has("--kind")) {
    const std::string word = arguments.value("--kind");
    out.kind = device_kind(word);
    const std::string list = list_named(word);
    if (!out.kind && list.empty()) {
      return usage(fmt::format("{} is not one of gpu, cpu, tpu, soc, npu, accelerator", text::quoted(word)), "--kind");
    }
    if (!list.empty()) {
      out.list = list;
    }
  }
  out.vendor = arguments.value("--vendor");
  out.family = arguments.value("--family");
  out.provider = arguments.value("--provider");
  out.device = arguments.value("--device");
  out.search = text::lower(arguments.value("--search"));
  if (arguments.has("--min-memory")) {
    auto gb = workload::parse_vendor_gb(arguments.value("--min-memory"));
    if (!gb) {
      Error error = gb.error();
      error.where = "--min-memory";
      return error;
    }
    out.min_memory_gb = *gb;
  }
  // A filter that the list does not have would silently do nothing.
  const auto only_for = [&](std::string_view flag, std::initializer_list<std::string_view> lists) -> Status {
    if (arguments.has(flag) && std::find(lists.begin(), lists.end(), out.list) == lists.end()) {
      return usage(fmt::format("{} have no such filter", out.list), std::string(flag));
    }
    return {};
  };
  HWADVISOR_TRY_STATUS(only_for("--vendor", {"devices"}));
  HWADVISOR_TRY_STATUS(only_for("--min-memory", {"devices"}));
  HWADVISOR_TRY_STATUS(only_for("--family", {"models", "devices"}));
  HWADVISOR_TRY_STATUS(only_for("--provider", {"instances"}));
  HWADVISOR_TRY_STATUS(only_for("--device", {"instances"}));
  if (out.kind && out.list != "devices") {
    return usage(fmt::format("{} have no such filter", out.list), "--kind");
  }
  return out;
}

template <class T> std::string number(const std::optional<T>& value)
{
  return value ? fmt::format("{:g}", static_cast<double>(value->value())) : std::string();
}

Grid list_devices(const Catalog& catalog, const Filters& filters)
{
  Grid grid;
  grid.columns = {{"id"}, {"kind"}, {"vendor"}, {"memory_gb", true}, {"gb_per_s", true}, {"acquisition"}};
  for (const Device& device : catalog.devices()) {
    const bool kept =
        (!filters.kind || device.kind == *filters.kind) &&
        (filters.vendor.empty() || same(device.vendor, filters.vendor)) &&
        (filters.family.empty() || same(device.architecture, filters.family) || same(device.series, filters.family)) &&
        (filters.min_memory_gb <= 0.0 || (device.memory && device.memory->value() >= filters.min_memory_gb)) &&
        filters.found(device.id, device.name);
    if (kept) {
      const std::string bandwidth = device.bandwidth ? fmt::format("{:.4g}", device.bandwidth->value() / 1e9) : "";
      grid.rows.push_back({device.id, std::string(kind_name(device.kind)), device.vendor, number(device.memory),
                           bandwidth, std::string(acquisition_name(device.acquisition))});
    }
  }
  return grid;
}

Grid list_instances(const Catalog& catalog, const Filters& filters)
{
  Grid grid;
  grid.columns = {{"id"}, {"device"}, {"count", true}, {"usd_per_hour", true}, {"price_date"}, {"region"}};
  for (const Instance& instance : catalog.instances()) {
    const bool kept = (filters.provider.empty() || same(instance.provider, filters.provider)) &&
                      (filters.device.empty() || same(instance.device, filters.device)) &&
                      filters.found(instance.id, instance.device_named);
    if (kept) {
      const auto& price = instance.on_demand;
      grid.rows.push_back({instance.id, instance.device.empty() ? instance.device_named : instance.device,
                           fmt::format("{}", instance.device_count),
                           price ? fmt::format("{:g}", price->price.value()) : "", price ? price->date : "",
                           instance.region});
    }
  }
  return grid;
}

Grid list_models(const Catalog& catalog, const Filters& filters)
{
  Grid grid;
  grid.columns = {{"id"}, {"family"}, {"parameters", true}, {"task"}};
  for (const ModelSummary& model : catalog.models()) {
    if ((filters.family.empty() || same(model.family, filters.family)) && filters.found(model.id, model.name)) {
      grid.rows.push_back(
          {model.id, model.family, model.params_total ? fmt::format("{}", *model.params_total) : "", model.task});
    }
  }
  return grid;
}

template <class List, class Text>
Grid list_named_entries(const List& list, const Filters& filters, std::string title, Text text)
{
  Grid grid;
  grid.columns = {{"id"}, {std::move(title)}};
  for (const auto& entry : list) {
    if (filters.found(entry.id, text(entry))) {
      grid.rows.push_back({entry.id, text(entry)});
    }
  }
  return grid;
}

Result<int> list(Session& session)
{
  HWADVISOR_TRY(filters, read_filters(session.arguments()));
  HWADVISOR_TRY(catalog, session.catalog());
  Grid grid;
  if (filters.list == "devices") {
    grid = list_devices(*catalog, filters);
  } else if (filters.list == "instances") {
    grid = list_instances(*catalog, filters);
  } else if (filters.list == "models") {
    grid = list_models(*catalog, filters);
  } else if (filters.list == "engines") {
    grid = list_named_entries(catalog->engines(), filters, "name", [](const Engine& e) { return e.name; });
  } else if (filters.list == "scenarios") {
    grid = list_named_entries(catalog->scenarios(), filters, "title", [](const Scenario& s) { return s.title; });
  } else {
    grid = list_named_entries(catalog->providers(), filters, "name", [](const Provider& p) { return p.name; });
  }
  if (grid.rows.empty()) {
    log_note("nothing matches");
  }
  HWADVISOR_TRY_STATUS(session.write(write_listing(grid, session.style())));
  return 0;
}

// The entry that a name means: an exact id of any kind first, then names as people write them.
Result<std::pair<EntryKind, std::string>> entry_of(const Catalog& catalog, const std::string& name)
{
  for (const EntryKind kind : {EntryKind::device, EntryKind::instance, EntryKind::model, EntryKind::engine,
                               EntryKind::scenario, EntryKind::provider, EntryKind::memory_class}) {
    if (!catalog.entry_origin(kind, name).empty()) {
      return std::pair(kind, name);
    }
  }
  const auto hardware = catalog.resolve_hardware(name);
  if (hardware) {
    return hardware->instance != nullptr ? std::pair(EntryKind::instance, hardware->instance->id)
                                         : std::pair(EntryKind::device, hardware->device->id);
  }
  const auto model = catalog.resolve_model(name);
  if (model) {
    return std::pair(EntryKind::model, model->model->id);
  }
  // A name that fits several devices or several models says more than one that fits nothing.
  const auto is_ambiguous = [](const Error& error) { return error.message.find("say which") != std::string::npos; };
  if (is_ambiguous(hardware.error()) || is_ambiguous(model.error())) {
    return is_ambiguous(hardware.error()) ? hardware.error() : model.error();
  }
  Error error{ErrorKind::unknown,
              fmt::format("{} is no device, instance, model, engine, scenario or provider", text::quoted(name)), "",
              hardware.error().candidates};
  error.candidates.insert(error.candidates.end(), model.error().candidates.begin(), model.error().candidates.end());
  return error;
}

Result<int> show(Session& session)
{
  const Arguments& arguments = session.arguments();
  if (arguments.words.size() < 2) {
    return usage("which entry? Give an id or a name");
  }
  HWADVISOR_TRY(catalog, session.catalog());
  HWADVISOR_TRY(entry, entry_of(*catalog, arguments.words[1]));
  HWADVISOR_TRY(text, catalog->entry_json(entry.first, entry.second));
  log_note(fmt::format("{} {} from {}", kind_name(entry.first), entry.second,
                       catalog->entry_origin(entry.first, entry.second)));
  HWADVISOR_TRY_STATUS(session.write(text + (text.ends_with('\n') ? "" : "\n")));
  return 0;
}

Grid listed(const std::vector<CatalogFault>& faults)
{
  Grid grid;
  grid.columns = {{"entry"}, {"rule"}, {"fault"}, {"where"}};
  for (const CatalogFault& fault : faults) {
    grid.rows.push_back({fault.id, std::string(fault.rule), fault.message, fault.where});
  }
  return grid;
}

Grid listed(const CatalogCounts& counts)
{
  Grid grid;
  grid.columns = {{"entries"}, {"count", true}};
  const auto row = [&](const char* name, std::size_t count) { grid.rows.push_back({name, fmt::format("{}", count)}); };
  row("devices", counts.devices);
  row("instances", counts.instances);
  row("models", counts.models);
  row("engines", counts.engines);
  row("scenarios", counts.scenarios);
  row("providers", counts.providers);
  row("memory classes", counts.memory_classes);
  row("efficiencies", counts.efficiencies);
  row("purchase prices", counts.purchase_prices);
  row("rental prices", counts.rental_prices);
  row("faults", 0);
  return grid;
}

// The faults of every entry, or the counts where there is none.
Result<int> validate(Session& session)
{
  if (session.arguments().words.size() > 1) {
    return usage("overlays to validate are given by --catalog DIR");
  }
  HWADVISOR_TRY(catalog, session.catalog());
  const std::vector<CatalogFault> faults = check_catalog(*catalog);
  const Grid grid = faults.empty() ? listed(count_catalog(*catalog)) : listed(faults);
  HWADVISOR_TRY_STATUS(session.write(write_listing(grid, session.style())));
  return faults.empty() ? 0 : exit_code(ErrorKind::malformed);
}

Result<int> path(Session& session)
{
  Grid grid;
  grid.columns = {{"path"}, {"state"}};
  grid.rows.push_back({"built-in", "in the program"});
  for (const std::string& each : catalog::overlay_paths(session.arguments().values("--catalog"))) {
    struct stat info {};
    grid.rows.push_back({each, stat(each.c_str(), &info) == 0 ? "present" : "missing"});
  }
  HWADVISOR_TRY_STATUS(session.write(write_listing(grid, session.style())));
  return 0;
}

} // namespace

Result<int> run_catalog(Session& session)
{
  constexpr std::pair<std::string_view, Result<int> (*)(Session&)> actions[] = {
      {"list", &list}, {"show", &show}, {"validate", &validate}, {"path", &path}};
  const auto& words = session.arguments().words;
  const std::string action = words.empty() ? "" : words[0];
  for (const auto& [name, run] : actions) {
    if (name == action) {
      return run(session);
    }
  }
  if (action.empty()) {
    return usage("what of the catalog? list, show, validate or path");
  }
  return usage(fmt::format("{} is not one of list, show, validate, path", text::quoted(action)));
}

Result<int> run_scenarios(Session& session)
{
  const auto& words = session.arguments().words;
  HWADVISOR_TRY(catalog, session.catalog());
  if (words.empty() || (words.size() == 1 && words[0] == "list")) {
    const Grid grid = list_named_entries(catalog->scenarios(), {}, "title", [](const Scenario& s) { return s.title; });
    HWADVISOR_TRY_STATUS(session.write(write_listing(grid, session.style())));
    return 0;
  }
  if (words[0] != "show" || words.size() < 2) {
    return usage("scenarios are listed by 'list' and shown by 'show NAME'");
  }
  if (catalog->find_scenario(words[1]) == nullptr) {
    std::vector<std::string> known;
    for (const Scenario& scenario : catalog->scenarios()) {
      known.push_back(scenario.id);
    }
    return Error{ErrorKind::unknown, fmt::format("{} is not a known scenario", text::quoted(words[1])), "",
                 std::move(known)};
  }
  HWADVISOR_TRY(text, catalog->entry_json(EntryKind::scenario, words[1]));
  HWADVISOR_TRY_STATUS(session.write(text + "\n"));
  return 0;
}

} // namespace hwadvisor::cli
