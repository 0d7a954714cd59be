#include "hwadvisor/request.hpp"
#include "json/json.hpp"

#include "catch.hpp"

#include <set>

using namespace hwadvisor;

TEST_CASE("the schema of requests has the keys of the table, and no other", "[workload]")
{
  const auto schema = json::parse_file(HWADVISOR_SOURCE_DIR "/data/schema/request.schema.json");
  REQUIRE(schema.ok());
  std::set<std::string> described;
  for (const auto& [name, value] : schema->at("definitions").at("request").at("properties").items()) {
    described.insert(name);
  }
  std::set<std::string> known{"workloads", "model_overrides"};
  for (const RequestKey& key : request_keys()) {
    known.emplace(key.name);
  }
  CHECK(described == known);
}

TEST_CASE("a switch is a boolean in the schema, as it is in a request", "[workload]")
{
  const auto schema = json::parse_file(HWADVISOR_SOURCE_DIR "/data/schema/request.schema.json");
  REQUIRE(schema.ok());
  for (const RequestKey& key : request_keys()) {
    const auto& type = schema->at("definitions").at("request").at("properties").at(std::string(key.name));
    INFO(key.name);
    CHECK((type.contains("type") && type.at("type") == "boolean") == key.value.empty());
  }
}
