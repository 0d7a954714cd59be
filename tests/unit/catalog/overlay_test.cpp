#include "catch.hpp"
#include "unit/catalog/temporary_folder.hpp"

#include "hwadvisor/catalog.hpp"

#include <cstdlib>

using namespace hwadvisor;

namespace {

constexpr const char* k_card = R"({
  "schema": "hwadvisor.devices/1",
  "devices": [{
    "id": "acme-x1", "kind": "gpu", "vendor": "Acme", "name": "Acme X1 48GB", "series": "X1", "class": "workstation",
    "memory": {"marketed_gb": 48, "class": "workstation-gddr", "bandwidth_gb_s": 900},
    "peak_tflops": {"fp16": 200, "bf16": 200}, "peak_basis": "published", "tdp_w": 300, "software": ["cuda"],
    "prices": [{"usd": 2500, "kind": "typical", "date": "2026-11-01", "source": "https://acme.example/x1"}],
    "sources": ["https://acme.example/x1"], "date": "2026-12-01"
  }]
})";

Error fault_of(const std::string& name, const std::string& content, std::string& path)
{
  const TemporaryFolder folder;
  path = folder.write(name, content);
  const auto catalog = Catalog::load({folder.path()});
  REQUIRE_FALSE(catalog.ok());
  return catalog.error();
}

} // namespace

TEST_CASE("an overlay adds an entry")
{
  const TemporaryFolder folder;
  const std::string file = folder.write("devices/acme.json", k_card);
  const auto plain = Catalog::load();
  const auto catalog = Catalog::load({folder.path()});
  REQUIRE(plain.ok());
  REQUIRE(catalog.ok());
  CHECK(catalog->devices().size() == plain->devices().size() + 1);
  const Device* card = catalog->find_device("acme-x1");
  REQUIRE(card != nullptr);
  CHECK(card->memory == VendorGigabytes(48));
  CHECK(card->acquisition == Acquisition::card);
  CHECK(catalog->entry_origin(EntryKind::device, "acme-x1") == file + ": /devices/0");
  CHECK(catalog->entry_json(EntryKind::device, "acme-x1")->find("\"acme-x1\"") != std::string::npos);
  CHECK(catalog->data_version() != plain->data_version());
  CHECK(catalog->data_version().starts_with("2026-12-01+"));
}

TEST_CASE("an overlay may be a single file, and replaces an entry of the same id")
{
  const TemporaryFolder folder;
  std::string text = k_card;
  text.replace(text.find("acme-x1"), 7, "nvidia-rtx-4090");
  const std::string file = folder.write("mine.json", text);
  const auto plain = Catalog::load();
  const auto catalog = Catalog::load({file});
  REQUIRE(plain.ok());
  REQUIRE(catalog.ok());
  CHECK(catalog->devices().size() == plain->devices().size());
  CHECK(catalog->find_device("nvidia-rtx-4090")->name == "Acme X1 48GB");
}

TEST_CASE("the last of several overlays wins")
{
  const TemporaryFolder first;
  const TemporaryFolder second;
  std::string text = k_card;
  first.write("devices/acme.json", text);
  text.replace(text.find("Acme X1 48GB"), 12, "Acme X1 64GB");
  second.write("devices/acme.json", text);
  CHECK(Catalog::load({first.path(), second.path()})->find_device("acme-x1")->name == "Acme X1 64GB");
  CHECK(Catalog::load({second.path(), first.path()})->find_device("acme-x1")->name == "Acme X1 48GB");
}

TEST_CASE("overlays are also taken from the environment")
{
  const TemporaryFolder folder;
  folder.write("devices/acme.json", k_card);
  setenv("HWADVISOR_CATALOG", folder.path().c_str(), 1);
  const auto from_variable = Catalog::load();
  unsetenv("HWADVISOR_CATALOG");
  REQUIRE(from_variable.ok());
  CHECK(from_variable->find_device("acme-x1") != nullptr);

  const TemporaryFolder configuration;
  configuration.write("hwadvisor/catalog/devices/acme.json", k_card);
  setenv("XDG_CONFIG_HOME", configuration.path().c_str(), 1);
  const auto from_configuration = Catalog::load();
  unsetenv("XDG_CONFIG_HOME");
  REQUIRE(from_configuration.ok());
  CHECK(from_configuration->find_device("acme-x1") != nullptr);
}

TEST_CASE("an instance of an overlay takes the tier of a known provider, or says its own")
{
  const TemporaryFolder folder;
  folder.write("instances/mine.json", R"({"schema": "hwadvisor.instances/1", "instances": [
    {"id": "aws/p9.large", "provider": "aws", "name": "p9.large",
     "accelerator": {"device": "nvidia-t4", "count": 2},
     "price": {"on_demand": {"usd_per_hour": 1.5, "date": "2026-11-30", "source": "quote"}}},
    {"id": "garage/box", "provider": "garage", "name": "box", "tier": "specialist"}]})");
  const auto catalog = Catalog::load({folder.path()});
  REQUIRE(catalog.ok());
  CHECK(catalog->find_instance("aws/p9.large")->tier == Tier::hyperscaler);
  CHECK(catalog->find_instance("aws/p9.large")->device_named == "nvidia-t4");
  CHECK(catalog->find_instance("garage/box")->tier == Tier::specialist);
}

TEST_CASE("a fault in an overlay says what, the file and the place in it")
{
  std::string path;
  const std::string head = R"({"schema": "hwadvisor.devices/1", "devices": [)";
  const std::string start = head + R"({"id": "x", "kind": "gpu", "vendor": "V", "name": "X", "class": "consumer", )";

  Error error = fault_of("devices/a.json", start + R"("memory": {"marketed_gb": -1}}]})", path);
  CHECK(error.kind == ErrorKind::malformed);
  CHECK(error.message == "-1 is out of range: from 1e-09 to 1000000000000");
  CHECK(error.where == path + ": /devices/0/memory/marketed_gb");

  error = fault_of("devices/a.json", start + R"("tpd_w": 300}]})", path);
  CHECK(error.message == "'tpd_w' is not a known key");
  CHECK(error.where == path + ": /devices/0/tpd_w");
  CHECK(error.candidates == std::vector<std::string>{"tdp_w"});

  error = fault_of("devices/a.json",
                   head + R"({"id": "X 1", "kind": "gpu", "vendor": "V", "name": "X", "class": "consumer"}]})", path);
  CHECK(error.message == "'X 1' is not an id: small letters, digits, '-' and '.' only");
  CHECK(error.where == path + ": /devices/0/id");

  error = fault_of("devices/a.json",
                   head + R"({"id": "x", "kind": "gpuu", "vendor": "V", "name": "X", "class": "consumer"}]})", path);
  CHECK(error.message == "'gpuu' is not one of gpu, cpu, tpu, soc, npu, accelerator");
  CHECK(error.where == path + ": /devices/0/kind");

  error =
      fault_of("devices/a.json", head + R"({"id": "x", "kind": "gpu", "vendor": "V", "name": "X", "class": "consumer"},
    {"id": "x", "kind": "gpu", "vendor": "V", "name": "X", "class": "consumer"}]})",
               path);
  CHECK(error.message == "the id 'x' occurs twice, also at " + path + ": /devices/0");
  CHECK(error.where == path + ": /devices/1/id");

  error = fault_of("devices/a.json", start + R"("prices": [{"usd": 5, "kind": "list", "date": "June"}]}]})", path);
  CHECK(error.message == "'June' is not a date like 2026-06 or 2026-06-22");
  CHECK(error.where == path + ": /devices/0/prices/0/date");

  error = fault_of("devices/a.json", R"({"schema": "hwadvisor.device/1", "devices": []})", path);
  CHECK(error.message ==
        "'hwadvisor.device/1' is not a schema of catalog files: hwadvisor.devices/1, hwadvisor.instances/1, "
        "hwadvisor.models/1, hwadvisor.engines/1, hwadvisor.scenarios/1, hwadvisor.providers/1, "
        "hwadvisor.memory-classes/1, hwadvisor.efficiency/1, hwadvisor.machine-parts/1");
  CHECK(error.where == path + ": /schema");

  error = fault_of("devices/a.json", "{\"schema\": ", path);
  CHECK(error.kind == ErrorKind::malformed);
  CHECK(error.where == path + ": /schema");

  error = fault_of("instances/a.json", R"({"schema": "hwadvisor.instances/1", "instances": [
    {"id": "garage/box", "provider": "garage", "name": "box"}]})",
                   path);
  CHECK(error.message == "'garage' is not in providers.json: add it, or give the entry a tier");
  CHECK(error.where == path + ": /instances/0/provider");

  error = fault_of("instances/a.json", R"({"schema": "hwadvisor.instances/1", "instances": [
    {"id": "aws/box", "provider": "aws", "name": "box", "accelerator": {"as_named": "A10", "count": 2, "fraction": 0.5}}]})",
                   path);
  CHECK(error.message == "a fraction is a part of one device, but the count is 2");
  CHECK(error.where == path + ": /instances/0/accelerator/count");
}

TEST_CASE("a missing overlay is an error of its own")
{
  const auto catalog = Catalog::load({"/nowhere/at/all"});
  REQUIRE_FALSE(catalog.ok());
  CHECK(catalog.error().kind == ErrorKind::io);
  CHECK(catalog.error().message == "there is no such catalog folder or file");
  CHECK(catalog.error().where == "/nowhere/at/all");
}

TEST_CASE("efficiencies keep the order of their file, and an overlay's come first")
{
  const TemporaryFolder folder;
  folder.write("efficiency.json", R"({"schema": "hwadvisor.efficiency/1", "efficiencies": [
    {"id": "z.mine", "phase": "decode", "fraction": {"low": 0.5, "likely": 0.6, "high": 0.7}},
    {"id": "a.mine", "phase": "decode", "fraction": {"low": 0.5, "likely": 0.6, "high": 0.7}}]})");
  const auto plain = Catalog::load();
  const auto catalog = Catalog::load({folder.path()});
  REQUIRE(plain.ok());
  REQUIRE(catalog.ok());
  REQUIRE(catalog->efficiencies().size() == plain->efficiencies().size() + 2);
  CHECK(catalog->efficiencies()[0].id == "z.mine");
  CHECK(catalog->efficiencies()[1].id == "a.mine");
  CHECK(catalog->efficiencies()[2].id == plain->efficiencies()[0].id);
}

TEST_CASE("machine parts change figure by figure")
{
  const auto plain = Catalog::load();
  REQUIRE(plain.ok());
  CHECK_FALSE(plain->machine_parts().platforms.empty());
  CHECK(plain->machine_parts().usd_per_kwh > 0.0);
  const TemporaryFolder folder;
  folder.write("machine-parts.json", R"({"schema": "hwadvisor.machine-parts/1", "figures": [
    {"id": "usd_per_kwh", "value": 0.4}]})");
  const auto catalog = Catalog::load({folder.path()});
  REQUIRE(catalog.ok());
  CHECK(catalog->machine_parts().usd_per_kwh == 0.4);
  CHECK(catalog->machine_parts().ram_usd_per_gb == plain->machine_parts().ram_usd_per_gb);
  CHECK(catalog->machine_parts().platforms.size() == plain->machine_parts().platforms.size());
}

TEST_CASE("a model of an overlay is read at once, and found by name")
{
  const std::string entry = R"({"schema": "hwadvisor.models/1", "models": [{"id": "acme/Tiny-1B", "name": "Tiny 1B",
    "aliases": ["tiny:1b"], "family": "llm-dense", "task": "text-generation", "params_total": 1000000000,
    "params_active": 1000000000, "params_source": "rounded", "config": {"model_type": "llama", "hidden_size": HIDDEN,
    "num_hidden_layers": 16, "num_attention_heads": 32, "num_key_value_heads": 8, "intermediate_size": 8192,
    "vocab_size": 32000}, "dtype_released": "bf16"}]})";
  const TemporaryFolder folder;
  std::string good = entry;
  good.replace(good.find("HIDDEN"), 6, "2048");
  folder.write("models/acme.json", good);
  const auto catalog = Catalog::load({folder.path()});
  REQUIRE(catalog.ok());
  const auto match = catalog->resolve_model("tiny:1b");
  REQUIRE(match.ok());
  CHECK(match->model->architecture->layers.size() == 16);

  std::string bad = entry;
  bad.replace(bad.find("HIDDEN"), 6, "-1");
  std::string path;
  const Error error = fault_of("models/acme.json", bad, path);
  CHECK(error.kind == ErrorKind::malformed);
  CHECK(error.where.starts_with(path + ": /models/0/config"));
}

TEST_CASE("files of an overlay that nothing reads are told")
{
  const TemporaryFolder folder;
  const std::string stray = folder.write("acme.json", k_card);
  folder.write("device/acme.json", k_card);
  folder.write("devices/acme.json", k_card);
  const auto catalog = Catalog::load({folder.path()});
  REQUIRE(catalog.ok());
  REQUIRE(catalog->warnings().size() == 2);
  CHECK(catalog->warnings()[0] ==
        stray + ": not read; entries stand in devices/, instances/, models/, engines/, scenarios/, "
                "or in providers.json, memory-classes.json, efficiency.json, machine-parts.json");
  CHECK(catalog->warnings()[1] ==
        folder.path() +
            "/device: not read; the folders of a catalog are devices, instances, models, engines, scenarios");
  CHECK(Catalog::load()->warnings().empty());
}
