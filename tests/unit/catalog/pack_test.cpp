#include "catch.hpp"

#include "catalog/embedded_pack.hpp"
#include "catalog/fields.hpp"
#include "catalog/pack.hpp"

using namespace hwadvisor;
using namespace hwadvisor::catalog;

namespace {

template <class T> std::size_t decoded(const Pack& pack, EntryKind kind)
{
  std::vector<T> records;
  Reader in(pack.records(kind));
  in.get(records);
  CHECK(in.at_end());
  return records.size();
}

} // namespace

TEST_CASE("every record of the embedded pack decodes, to the last byte")
{
  const auto pack = Pack::open(embedded_pack());
  REQUIRE(pack.ok());
  CHECK(decoded<Device>(*pack, EntryKind::device) > 0);
  CHECK(decoded<Instance>(*pack, EntryKind::instance) > 0);
  CHECK(decoded<ModelSummary>(*pack, EntryKind::model) > 0);
  CHECK(decoded<Engine>(*pack, EntryKind::engine) > 0);
  CHECK(decoded<Provider>(*pack, EntryKind::provider) > 0);
  CHECK(decoded<MemoryClass>(*pack, EntryKind::memory_class) > 0);
  decoded<Scenario>(*pack, EntryKind::scenario);
  decoded<Efficiency>(*pack, EntryKind::efficiency);
  decoded<MachineParts>(*pack, EntryKind::machine_parts);
}

TEST_CASE("a pack is the same wherever it is made, and tells data sets apart")
{
  Collection collection;
  collection.providers.push_back({Provider{"aws", "Amazon", Tier::hyperscaler, ""}, R"({"id":"aws"})",
                                  "/home/a/data/providers.json: /providers/0", "2026-01-02"});
  const std::string here = write_pack(collection, "/home/a/data/");
  collection.providers[0].origin = "/b/providers.json: /providers/0";
  CHECK(write_pack(collection, "/b/") == here);

  const auto pack = Pack::open(here);
  REQUIRE(pack.ok());
  CHECK(pack->date() == "2026-01-02");
  const auto entry = pack->entry(EntryKind::provider, "aws");
  REQUIRE(entry);
  CHECK(entry->text == R"({"id":"aws"})");
  CHECK(entry->origin == "providers.json: /providers/0");
  CHECK_FALSE(pack->entry(EntryKind::provider, "gcp"));
  CHECK_FALSE(pack->entry(EntryKind::device, "aws"));

  collection.providers[0].text = R"({"id":"aws","name":"x"})";
  const std::string other = write_pack(collection, "/b/");
  CHECK(Pack::open(other)->digest() != pack->digest());
}

TEST_CASE("what is no pack is refused, and a cut one yields nothing")
{
  const auto pack = Pack::open("not a pack at all");
  REQUIRE_FALSE(pack.ok());
  CHECK(pack.error().message == "the packed catalog is damaged or of another version");
  CHECK(pack.error().where == "built-in catalog");

  const std::string_view whole = embedded_pack();
  for (const std::size_t size : {whole.size() / 2, whole.size() / 3, std::size_t{300}, std::size_t{200}}) {
    const auto cut = Pack::open(whole.substr(0, size));
    if (cut.ok()) {
      CHECK_FALSE(cut->entry(EntryKind::machine_parts, "machine-parts"));
    }
  }
}
