#include "catalog/collection.hpp"

#include "catalog/model_entry.hpp"
#include "text/file.hpp"
#include "text/near.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>

namespace hwadvisor::catalog {
namespace {

std::string newest_date(const Json& value)
{
  std::string newest;
  if (value.is_structured()) {
    for (const auto& [key, member] : value.items()) {
      std::string date;
      if (key == "date" && member.is_string() && is_date(member.get_ref<const std::string&>(), 10)) {
        date = member.get<std::string>();
      } else {
        date = newest_date(member);
      }
      newest = std::max(newest, date);
    }
  }
  return newest;
}

const std::string& id_of(const Json& value)
{
  static const std::string none;
  const auto found = value.is_object() ? value.find("id") : value.end();
  return found != value.end() && found->is_string() ? found->get_ref<const std::string&>() : none;
}

template <class T, class Read>
Status add_entry(const Json& value, const Place& place, std::vector<Entry<T>>& entries, Read read)
{
  HWADVISOR_TRY(record, read(value, place));
  const std::string& id = id_of(value);
  for (const Entry<T>& other : entries) {
    if (!id.empty() && id_of_entry(other.value) == id) {
      return Error{ErrorKind::malformed, fmt::format("the id '{}' occurs twice, also at {}", id, other.origin),
                   place.child("id").text()};
    }
  }
  entries.push_back({std::move(record), json::dump(value), place.text(), newest_date(value)});
  return {};
}

template <class T, class Read>
Status add_list(const Json& document, const std::string& file, const std::string& key, std::vector<Entry<T>>& entries,
                Read read)
{
  ObjectReader in(document, {file, ""});
  (void)in.text("schema");
  const Json* list = in.member(key);
  if (list == nullptr || !list->is_array()) {
    in.fail(key, "a list of entries is required here");
  }
  if (auto fault = in.finish()) {
    return *fault;
  }
  for (std::size_t i = 0; i < list->size(); ++i) {
    HWADVISOR_TRY_STATUS(add_entry((*list)[i], in.place().child(key).child(i), entries, read));
  }
  return {};
}

constexpr std::string_view k_schemas[] = {
    "hwadvisor.devices/1",        "hwadvisor.instances/1",  "hwadvisor.models/1",
    "hwadvisor.engines/1",        "hwadvisor.scenarios/1",  "hwadvisor.providers/1",
    "hwadvisor.memory-classes/1", "hwadvisor.efficiency/1", "hwadvisor.machine-parts/1"};

Error unknown_schema(const std::string& schema, const std::string& file)
{
  const std::vector<std::string> known(std::begin(k_schemas), std::end(k_schemas));
  return Error{ErrorKind::malformed,
               fmt::format("'{}' is not a schema of catalog files: {}", schema, fmt::join(known, ", ")),
               file + ": /schema"};
}

template <class Record> void sort_by_id(std::vector<Record>& entries)
{
  if (!k_keeps_order<Record>) {
    std::sort(entries.begin(), entries.end(),
              [](const Record& a, const Record& b) { return id_of_entry(a) < id_of_entry(b); });
  }
}

constexpr std::string_view k_tables[] = {"providers.json", "memory-classes.json", "efficiency.json",
                                         "machine-parts.json"};
constexpr std::string_view k_parts[] = {"devices", "instances", "models", "engines", "scenarios"};

// The *.json files of a catalog folder: the tables first, since instances look up their providers.
std::vector<std::string> files_of(const std::filesystem::path& folder)
{
  namespace fs = std::filesystem;
  std::vector<std::string> files;
  std::error_code ignored;
  for (const std::string_view table : k_tables) {
    if (fs::is_regular_file(folder / table, ignored)) {
      files.push_back((folder / table).string());
    }
  }
  for (const std::string_view part : k_parts) {
    std::vector<std::string> found;
    for (const auto& entry : fs::directory_iterator(folder / part, ignored)) {
      if (entry.path().extension() == ".json") {
        found.push_back(entry.path().string());
      }
    }
    std::sort(found.begin(), found.end());
    files.insert(files.end(), found.begin(), found.end());
  }
  return files;
}

// JSON files where no catalog file is looked for: beside the tables under another name, or in a folder of another name.
std::vector<std::string> stray_files(const std::filesystem::path& folder)
{
  namespace fs = std::filesystem;
  const auto is_json = [](const fs::directory_entry& entry) { return entry.path().extension() == ".json"; };
  const auto is_one_of = [](std::string_view name, const auto& names) {
    return std::find(std::begin(names), std::end(names), name) != std::end(names);
  };
  std::vector<std::string> out;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    if (is_json(entry) && !is_one_of(name, k_tables)) {
      out.push_back(fmt::format("{}: not read; entries stand in {}/, or in {}", entry.path().string(),
                                fmt::join(k_parts, "/, "), fmt::join(k_tables, ", ")));
    } else if (entry.is_directory(ignored) && name != "schema" && !is_one_of(name, k_parts)) {
      const fs::directory_iterator inside(entry.path(), ignored);
      if (std::any_of(begin(inside), end(inside), is_json)) {
        out.push_back(fmt::format("{}: not read; the folders of a catalog are {}", entry.path().string(),
                                  fmt::join(k_parts, ", ")));
      }
    }
  }
  std::sort(out.begin(), out.end());
  return out;
}

} // namespace

Status read_document(std::string_view text, const std::string& file, const Known& known, Collection& collection)
{
  HWADVISOR_TRY(document, json::parse(text, file));
  ObjectReader head(document, {file, ""});
  const std::string schema = head.text("schema");
  head.ignore_rest();
  if (auto fault = head.finish()) {
    return *fault;
  }
  if (schema == "hwadvisor.devices/1") {
    return add_list(document, file, "devices", collection.devices, read_device);
  }
  if (schema == "hwadvisor.instances/1") {
    std::vector<Provider> providers = known.providers;
    for (const auto& entry : collection.providers) {
      providers.insert(providers.begin(), entry.value); // an overlay's own come first
    }
    return add_list(document, file, "instances", collection.instances,
                    [&](const Json& value, const Place& place) { return read_instance(value, place, providers); });
  }
  if (schema == "hwadvisor.models/1") {
    return add_list(document, file, "models", collection.models, read_model_summary);
  }
  if (schema == "hwadvisor.engines/1") {
    return add_list(document, file, "engines", collection.engines, read_engine);
  }
  if (schema == "hwadvisor.scenarios/1") {
    return add_list(document, file, "scenarios", collection.scenarios, read_scenario);
  }
  if (schema == "hwadvisor.providers/1") {
    return add_list(document, file, "providers", collection.providers, read_provider);
  }
  if (schema == "hwadvisor.memory-classes/1") {
    return add_list(document, file, "classes", collection.memory_classes, read_memory_class);
  }
  if (schema == "hwadvisor.efficiency/1") {
    return add_list(document, file, "efficiencies", collection.efficiencies, read_efficiency);
  }
  if (schema == "hwadvisor.machine-parts/1") {
    if (!collection.machine_parts.empty()) {
      return Error{ErrorKind::malformed, "machine parts were read already, from " + collection.machine_parts[0].origin,
                   file};
    }
    return add_entry(document, {file, ""}, collection.machine_parts, [&](const Json& value, const Place& place) {
      return read_machine_parts(value, place, known.machine_parts);
    });
  }
  return unknown_schema(schema, file);
}

Result<Collection> read_path(const std::string& path, const Known& known)
{
  std::error_code ignored;
  const std::filesystem::path root(path);
  const bool is_folder = std::filesystem::is_directory(root, ignored);
  if (!is_folder && !std::filesystem::exists(root, ignored)) {
    return Error{ErrorKind::io, "there is no such catalog folder or file", path};
  }
  Collection collection;
  for (const std::string& file : is_folder ? files_of(root) : std::vector<std::string>{path}) {
    HWADVISOR_TRY(text, text::read_file(file));
    HWADVISOR_TRY_STATUS(read_document(text, file, known, collection));
  }
  collection.each([](auto& entries) { sort_by_id(entries); });
  if (is_folder) {
    collection.ignored = stray_files(root);
  }
  return collection;
}

void merge(Collection& base, Collection&& over)
{
  overlay_records(base.devices, std::move(over.devices));
  overlay_records(base.instances, std::move(over.instances));
  overlay_records(base.models, std::move(over.models));
  overlay_records(base.engines, std::move(over.engines));
  overlay_records(base.scenarios, std::move(over.scenarios));
  overlay_records(base.providers, std::move(over.providers));
  overlay_records(base.memory_classes, std::move(over.memory_classes));
  overlay_records(base.efficiencies, std::move(over.efficiencies));
  overlay_records(base.machine_parts, std::move(over.machine_parts));
  std::move(over.ignored.begin(), over.ignored.end(), std::back_inserter(base.ignored));
}

} // namespace hwadvisor::catalog
