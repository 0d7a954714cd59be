#pragma once

// The entries of data/models, for tests.

#include "hwadvisor/model.hpp"
#include "json/json.hpp"

#include <string>
#include <vector>

struct CatalogEntry {
  std::string file;
  hwadvisor::json::Json json;
  hwadvisor::Model model;
};

// All entries, read once. Fails the running test when a file or an entry cannot be read.
const std::vector<CatalogEntry>& catalog_entries();
const hwadvisor::Model& catalog_model(const std::string& id);
