#pragma once

// The built-in catalog, loaded once, and requests written as keys.

#include "hwadvisor/catalog.hpp"
#include "hwadvisor/request.hpp"

#include "catch.hpp"

#include <initializer_list>
#include <utility>

namespace hwadvisor {

inline const Catalog& catalog()
{
  static const Catalog loaded = [] {
    auto result = Catalog::load();
    REQUIRE(result.ok());
    return *std::move(result);
  }();
  return loaded;
}

inline Request request(std::initializer_list<std::pair<const char*, const char*>> keys)
{
  Request request;
  for (const auto& [key, value] : keys) {
    const Status status = set_request_key(request, key, value);
    INFO(key);
    REQUIRE(status.ok());
  }
  return request;
}

} // namespace hwadvisor
