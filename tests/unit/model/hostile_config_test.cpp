#include "catalog_files.hpp"
#include "catch.hpp"

#include <set>

using namespace hwadvisor;

namespace {

// Puts each of a few odd values in place of each member of `config` (nested objects too) and calls `visit`.
template <class Visit> void with_each_value_replaced(json::Json& root, json::Json& object, Visit visit)
{
  static const json::Json odd[] = {nullptr,
                                   -1,
                                   0,
                                   1,
                                   2.7,
                                   65536,
                                   16'777'216,
                                   4'611'686'018'427'387'904,
                                   1e300,
                                   true,
                                   "x",
                                   json::Json::array(),
                                   json::Json::array({0, 1, 2}),
                                   json::Json::array({"x"}),
                                   json::Json::object()};
  for (auto& [key, value] : object.items()) {
    if (value.is_object()) {
      with_each_value_replaced(root, value, visit);
    }
    const auto kept = value;
    for (const auto& other : odd) {
      value = other;
      visit(root);
    }
    value = kept;
  }
}

} // namespace

TEST_CASE("no value of a configuration crashes the reader", "[model][hostile]")
{
  std::set<std::string> seen; // one entry a model type
  std::size_t accepted = 0;
  std::size_t refused = 0;
  for (const auto& entry : catalog_entries()) {
    if (!entry.model.architecture || !seen.insert(entry.model.architecture->model_type).second) {
      continue;
    }
    auto config = entry.json.at("config");
    with_each_value_replaced(config, config, [&](const json::Json& changed) {
      const auto architecture = read_config(json::dump(changed), "config.json");
      if (architecture.ok()) {
        ++accepted;
        if (architecture->parameters() < 0 || architecture->active_parameters() > architecture->parameters()) {
          FAIL(json::dump(changed));
        }
      } else {
        ++refused;
        if (architecture.error().kind != ErrorKind::malformed || architecture.error().message.empty()) {
          FAIL(json::dump(changed));
        }
      }
    });
  }
  CHECK(accepted > 1000);
  CHECK(refused > 1000);
}
