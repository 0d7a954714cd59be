#include "catch.hpp"
#include "hwadvisor/engine.hpp"

using namespace hwadvisor;

namespace {

Engine engine_with_history()
{
  Engine engine;
  engine.pool_fraction = 0.92;
  engine.older.push_back({"0.8", "2025-03", "V0", {}});
  engine.older.back().rules.pool_fraction = 0.1;
  engine.older.push_back({"0.22", "2026-06", "V1", {}});
  engine.older.back().rules.pool_fraction = 0.9;
  return engine;
}

} // namespace

TEST_CASE("the version of an engine decides its rules", "[footprint]")
{
  const Engine engine = engine_with_history();
  CHECK(engine.rules_at("").pool_fraction == 0.92);
  CHECK(engine.rules_at("latest").pool_fraction == 0.92);
  CHECK(engine.rules_at("0.22").pool_fraction == 0.92);
  CHECK(engine.rules_at("0.22.1").pool_fraction == 0.92);
  CHECK(engine.rules_at("0.9.2").pool_fraction == 0.9); // 9 < 22: numbers, not text
  CHECK(engine.rules_at("v0.6.4.post1").pool_fraction == 0.1);
  CHECK(engine.rules_at("0.8.3 V1").pool_fraction == 0.9);
}

TEST_CASE("build numbers compare as versions", "[footprint]")
{
  Engine engine;
  engine.flash_attention = true;
  engine.older.push_back({"b6325", "2025-08", "", {}});
  engine.older.back().rules.flash_attention = false;
  CHECK(engine.rules_at("b6400").flash_attention);
  CHECK_FALSE(engine.rules_at("b5716 (d27b3ca1)").flash_attention);
}

TEST_CASE("a month decides as a version does, and a generation outlives its number", "[footprint]")
{
  const Engine engine = engine_with_history();
  CHECK(engine.rules_at("2024-06").pool_fraction == 0.1);
  CHECK(engine.rules_at("V1 2025-07").pool_fraction == 0.9);
  CHECK(engine.rules_at("2026-07").pool_fraction == 0.92);
  CHECK(engine.rules_at("2026").pool_fraction == 0.92); // the year's end
  CHECK(engine.rules_at("0.8.1 V0").pool_fraction == 0.1);
  CHECK(engine.rules_at("0.6.6 V1").pool_fraction == 0.9);
}
