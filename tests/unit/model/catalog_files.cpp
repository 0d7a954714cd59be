#include "catalog_files.hpp"

#include "catch.hpp"
#include "model/entry.hpp"

#include <algorithm>
#include <filesystem>

using namespace hwadvisor;

const std::vector<CatalogEntry>& catalog_entries()
{
  static const std::vector<CatalogEntry> entries = [] {
    std::vector<CatalogEntry> all;
    for (const auto& item : std::filesystem::directory_iterator(HWADVISOR_SOURCE_DIR "/data/models")) {
      const auto file = item.path().string();
      const auto document = json::parse_file(file);
      INFO(file << ": " << (document.ok() ? "" : document.error().message));
      REQUIRE(document.ok());
      std::size_t index = 0;
      for (const auto& entry : document->at("models")) {
        auto model =
            model::read_model_entry(entry, {item.path().filename().string(), "/models/" + std::to_string(index++)});
        INFO((model.ok() ? "" : model.error().where + ": " + model.error().message));
        REQUIRE(model.ok());
        all.push_back({item.path().filename().string(), entry, std::move(*model)});
      }
    }
    return all;
  }();
  return entries;
}

const Model& catalog_model(const std::string& id)
{
  const auto& entries = catalog_entries();
  const auto found =
      std::find_if(entries.begin(), entries.end(), [&](const CatalogEntry& entry) { return entry.model.id == id; });
  INFO(id);
  REQUIRE(found != entries.end());
  return found->model;
}
