#include "catch.hpp"
#include "unit/catalog/temporary_folder.hpp"

#include "hwadvisor/catalog_check.hpp"

#include <algorithm>

using namespace hwadvisor;

namespace {

// The faults of `rule` that an overlay brings, as "id: message".
std::vector<std::string> faults_of(std::string_view rule, const std::string& file, const std::string& content)
{
  const TemporaryFolder folder;
  folder.write(file, content);
  const auto catalog = Catalog::load({folder.path()});
  INFO((catalog.ok() ? "" : catalog.error().message + " " + catalog.error().where));
  REQUIRE(catalog.ok());
  std::vector<std::string> out;
  for (const CatalogFault& fault : check_catalog(*catalog)) {
    if (fault.rule == rule) {
      CHECK(fault.where == catalog->entry_origin(fault.kind, fault.id));
      out.push_back(fault.id + ": " + fault.message);
    }
  }
  return out;
}

std::string device(const std::string& fields)
{
  return R"({"schema": "hwadvisor.devices/1", "devices": [{"id": "acme-x1", "kind": "gpu", "vendor": "Acme",
    "name": "Acme X1", "class": "workstation", "sources": ["x"], )" +
         fields + "}]}";
}

std::string instance(const std::string& fields)
{
  return R"({"schema": "hwadvisor.instances/1", "instances": [{"id": "aws/p9", "provider": "aws", "name": "p9",
    "sources": ["x"], )" +
         fields + "}]}";
}

// What a device owes its reader beside `fields`.
std::string complete(const std::string& fields)
{
  return device(R"("memory": {"marketed_gb": 48, "class": "workstation-gddr", "bandwidth_gb_s": 900},
    "peak_tflops": {"fp16": 200}, "prices": [{"usd": 2500, "kind": "typical", "date": "2026-01-01"}], )" +
                fields);
}

using Faults = std::vector<std::string>;

} // namespace

TEST_CASE("the built-in catalog has no fault and is as large as promised")
{
  const auto catalog = Catalog::load();
  REQUIRE(catalog.ok());
  for (const CatalogFault& fault : check_catalog(*catalog)) {
    FAIL_CHECK(fault.where << ": " << fault.id << ": [" << fault.rule << "] " << fault.message);
  }
  const CatalogCounts counts = count_catalog(*catalog);
  CHECK(counts.devices >= 425);
  CHECK(counts.instances >= 760);
  CHECK(counts.models >= 370);
  CHECK(counts.purchase_prices >= 200);
  CHECK(counts.rental_prices >= 800);
}

TEST_CASE("the example of docs/catalog.md adds a device without a fault")
{
  const auto page = text::read_file(std::string(HWADVISOR_SOURCE_DIR) + "/docs/catalog.md");
  REQUIRE(page.ok());
  const std::string fence = "```json\n";
  const std::size_t start = page->find(fence);
  REQUIRE(start != std::string::npos);
  const std::size_t body = start + fence.size();
  const TemporaryFolder folder;
  folder.write("devices/acme.json", page->substr(body, page->find("```", body) - body));
  const auto catalog = Catalog::load({folder.path()});
  REQUIRE(catalog.ok());
  REQUIRE(catalog->resolve_hardware("2x Acme X1").ok());
  CHECK(catalog->resolve_hardware("2x Acme X1")->device->id == "acme-x1");
  CHECK(check_catalog(*catalog).empty());
}

TEST_CASE("every fault is of a rule that is listed")
{
  const auto rules = catalog_rules();
  for (const CatalogRule& rule : rules) {
    CHECK_FALSE(rule.text.empty());
    CHECK(std::count_if(rules.begin(), rules.end(), [&](const CatalogRule& r) { return r.id == rule.id; }) == 1);
  }
}

TEST_CASE("names are unique")
{
  CHECK(faults_of("names", "devices/a.json", device(R"("aliases": ["RTX-4090", "GeForce RTX 4090"])")) ==
        Faults{"nvidia-rtx-4090: the name 'GeForce RTX 4090' also names acme-x1"});
  CHECK(faults_of("series", "devices/a.json", device(R"("series": "H100", "common_form": true)")) ==
        Faults{"acme-x1: 2 common forms among 4 of the series 'H100'"});
  CHECK(faults_of("series", "devices/a.json", device(R"("aliases": ["A100"])")) ==
        Faults{"acme-x1: a name of this device is the series 'A100' of several or of another"});
}

TEST_CASE("a device says what answers rest on, or why not")
{
  CHECK(faults_of("reasons", "devices/a.json", device(R"("memory": {"marketed_gb": 48, "class": "workstation-gddr"},
    "prices": [], "unknown": {"prices": "none found"})")) ==
        Faults{"acme-x1: memory.bandwidth_gb_s is left out, and no reason is given in 'unknown'",
               "acme-x1: tdp_w is left out, and no reason is given in 'unknown'",
               "acme-x1: peak_tflops.fp16 is not known, and no reason is given"});
  CHECK(faults_of("names", "devices/a.json", device(R"("aliases": ["X1 Pro", "x1-pro"])")) ==
        Faults{"acme-x1: the alias 'x1-pro' repeats another name of the device"});
  CHECK(faults_of("names", "devices/a.json", device(R"("aliases": ["g5.xlarge"])")) ==
        Faults{"acme-x1: the alias 'g5.xlarge' is an instance's name"});
  CHECK(faults_of("prices", "devices/a.json",
                  device(R"("memory": {"marketed_gb": 48, "class": "workstation-gddr"}, "prices": [
    {"usd": 2000, "kind": "used", "memory_gb": 24, "date": "2025-01-01"},
    {"usd": 2500, "kind": "typical", "includes": "complete-machine", "date": "2026-01-01"}])")) ==
        Faults{"acme-x1: a price is for 24 GB, which is none of its sizes",
               "acme-x1: a price includes a complete machine, which the class workstation does not have",
               "acme-x1: prices are to be in the order of their dates, the newest first"});
}

TEST_CASE("a device's figures are plausible")
{
  CHECK(faults_of("ranges", "devices/a.json", device(R"("memory": {"bandwidth_gb_s": 9000}, "tdp_w": 5)")) ==
        Faults{"acme-x1: bandwidth 9000 is outside 100 to 2500 of the class workstation",
               "acme-x1: power 5 is outside 40 to 650 of the class workstation"});
  CHECK(faults_of("peaks", "devices/a.json", device(R"("peak_tflops": {"fp16": 100, "fp8": 50, "fp32": 200})")) ==
        Faults{"acme-x1: fp8 50 is below fp16 100", "acme-x1: fp16 100 is below fp32 200"});
  CHECK(faults_of("peaks", "devices/a.json", device(R"("peak_tflops": {"fp16": 100, "fp8": 600})")) ==
        Faults{"acme-x1: fp8 600 is more than 5 times the 16-bit peak 100: a sparse figure?"});
  CHECK(faults_of("memory", "devices/a.json",
                  device(R"("memory": {"marketed_gb": 48, "usable_gib": 60, "class": "foam"})")) ==
        Faults{"acme-x1: there is no memory class 'foam'", "acme-x1: usable memory is 1.250 of the marketed size"});
  CHECK(faults_of("cpu", "devices/a.json", device(R"("cpu": {"cores": 8, "threads": 4})")) ==
        Faults{"acme-x1: 4 threads of 8 cores"});
  CHECK(faults_of("acquisition", "devices/a.json", device(R"("status": "announced")")) ==
        Faults{"acme-x1: status and acquisition disagree on 'announced'"});
  CHECK(faults_of("prices", "devices/a.json", device(R"("prices": [{"usd": 1, "kind": "used"}])")) ==
        Faults{"acme-x1: 1 USD is no plausible price of a device"});
  const auto dates = faults_of("dates", "devices/a.json", device(R"("released": "2001", "date": "2024-01-01")"));
  REQUIRE(dates.size() == 1);
  CHECK(dates[0].starts_with("acme-x1: released 2001 is not between 2005 and 20"));
}

TEST_CASE("what is not known has a reason")
{
  CHECK(faults_of("reasons", "devices/a.json",
                  complete(R"("tdp_w": null, "released": null, "unknown": {"tdp_w": "secret"})")) ==
        Faults{"acme-x1: released is not known, and no reason is given"});
  CHECK(faults_of("reasons", "devices/a.json", complete(R"("tdp_w": 300, "unknown": {"tdp_w": "secret"})")) ==
        Faults{"acme-x1: a reason is given why tdp_w is not known, but it is"});
}

TEST_CASE("an instance's prices and devices are plausible")
{
  CHECK(faults_of("prices", "instances/a.json", instance(R"("price": {"on_demand": {"usd_per_hour": 1},
      "spot": {"usd_per_hour": 2}})")) == Faults{"aws/p9: spot 2 is above on-demand 1"});
  CHECK(
      faults_of("prices", "instances/a.json", instance(R"("accelerator": {"device": "nvidia-a100-sxm-80gb", "count": 8},
      "price": {"on_demand": {"usd_per_hour": 0.8}})")) ==
      Faults{"aws/p9: 0.100 USD for a device and hour is outside 0.4 to 8"});
  CHECK(
      faults_of("devices", "instances/a.json", instance(R"("accelerator": {"device": "nvidia-a1000", "count": 8})")) ==
      Faults{"aws/p9: there is no device 'nvidia-a1000'"});
  CHECK(faults_of("devices", "instances/a.json", instance(R"("accelerator": {"device": "nvidia-a100-sxm-80gb",
      "memory_gib_each": 40})")) == Faults{"aws/p9: 40 GiB a device, but nvidia-a100-sxm-80gb has 80 GB"});
  CHECK(faults_of("fractions", "instances/a.json",
                  instance(R"("accelerator": {"device": "nvidia-t4", "fraction": 0.5})")) ==
        Faults{"aws/p9: the shape and the fraction of a device go together"});
  CHECK(faults_of("ranges", "instances/a.json", instance(R"("vcpus": 4, "memory_gib": 900)")) ==
        Faults{"aws/p9: 900 GiB for 4 vCPUs"});
  CHECK(faults_of("providers", "providers.json", R"({"schema": "hwadvisor.providers/1", "providers": [
      {"id": "acme", "name": "Acme", "tier": "specialist"}]})") == Faults{"acme: no instance is of this provider"});
}

TEST_CASE("a model's parameters are those of its architecture, or a note says why not")
{
  const std::string head = R"({"schema": "hwadvisor.models/1", "models": [{"id": "acme/Tiny-1B", "name": "Tiny 1B",
    "family": "llm-dense", "task": "text-generation", "params_total": 2000000000, "params_source": "rounded",
    "sources": ["x"], "config": {"model_type": "llama", "hidden_size": 2048, "num_hidden_layers": 16,
    "num_attention_heads": 32, "num_key_value_heads": 8, "intermediate_size": 8192, "vocab_size": 32000,
    "tie_word_embeddings": true})";
  const auto faults = faults_of("parameters", "models/a.json", head + "}]}");
  REQUIRE(faults.size() == 1);
  CHECK(faults[0] == "acme/Tiny-1B: 2000000000 parameters stated, 1038682112 counted from the architecture (-48.1 %)");
  CHECK(faults_of("parameters", "models/a.json", head + R"(, "params_note": "counted twice"}]})").empty());
}

TEST_CASE("what an entry names exists")
{
  CHECK(faults_of("references", "scenarios/a.json", R"({"schema": "hwadvisor.scenarios/1", "scenarios": [
      {"id": "mine", "title": "Mine", "hours_per_month": 1, "preferred_engines": ["vllmm"], "precision_ladder": ["bf17"],
       "defaults": {"context": "long"}}]})")
            .size() == 3);
  CHECK(faults_of("references", "efficiency.json", R"({"schema": "hwadvisor.efficiency/1", "efficiencies": [
      {"id": "mine", "phase": "decode", "fraction": {"low": 0.1, "likely": 0.2, "high": 0.3}, "devices": ["acme-x1"],
       "memory_classes": ["foam"]}]})") ==
        Faults{"mine: there is no device 'acme-x1'", "mine: there is no memory class 'foam'"});
}
