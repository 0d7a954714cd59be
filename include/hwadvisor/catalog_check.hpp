#pragma once

// The integrity rules of the catalog, over every entry, built-in or from an overlay: what the reader of a single entry
// cannot see (names that clash, references, plausible figures). `catalog validate` prints the faults; a test demands
// that the built-in catalog has none.

#include "hwadvisor/catalog.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hwadvisor {

struct CatalogRule {
  std::string_view id;
  std::string_view text; // what is demanded
};

struct CatalogFault {
  EntryKind kind = EntryKind::device;
  std::string id;        // of the entry
  std::string_view rule; // id of the rule
  std::string message;
  std::string where; // file and JSON pointer of the entry
};

struct CatalogCounts {
  std::size_t devices = 0;
  std::size_t instances = 0;
  std::size_t models = 0;
  std::size_t engines = 0;
  std::size_t scenarios = 0;
  std::size_t providers = 0;
  std::size_t memory_classes = 0;
  std::size_t efficiencies = 0;
  std::size_t purchase_prices = 0;
  std::size_t rental_prices = 0;
};

std::span<const CatalogRule> catalog_rules();
std::vector<CatalogFault> check_catalog(const Catalog& catalog);
CatalogCounts count_catalog(const Catalog& catalog);

} // namespace hwadvisor
