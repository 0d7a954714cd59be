#include "catch.hpp"

#include "hwadvisor/catalog.hpp"

#include <algorithm>

using namespace hwadvisor;

TEST_CASE("the built-in catalog is all there")
{
  const auto catalog = Catalog::load();
  REQUIRE(catalog.ok());
  CHECK(catalog->devices().size() >= 425);
  CHECK(catalog->instances().size() >= 760);
  CHECK(catalog->models().size() >= 370);
  CHECK(catalog->engines().size() >= 15);
  CHECK(catalog->providers().size() >= 30);
  CHECK(catalog->memory_classes().size() >= 15);
}

TEST_CASE("lists are sorted by id, and every entry is found by its id")
{
  const auto catalog = Catalog::load();
  REQUIRE(catalog.ok());
  const auto by_id = [](const auto& a, const auto& b) { return a.id < b.id; };
  CHECK(std::is_sorted(catalog->devices().begin(), catalog->devices().end(), by_id));
  CHECK(std::is_sorted(catalog->instances().begin(), catalog->instances().end(), by_id));
  CHECK(std::is_sorted(catalog->models().begin(), catalog->models().end(), by_id));
  for (const Device& device : catalog->devices()) {
    CHECK(catalog->find_device(device.id) == &device);
  }
  for (const Instance& instance : catalog->instances()) {
    CHECK(catalog->find_instance(instance.id) == &instance);
  }
  CHECK(catalog->find_device("nvidia-h900") == nullptr);
  CHECK(catalog->find_device("") == nullptr);
}

TEST_CASE("a device's facts pass through the pack")
{
  const auto catalog = Catalog::load();
  REQUIRE(catalog.ok());
  const Device* h100 = catalog->find_device("nvidia-h100-sxm-80gb");
  REQUIRE(h100 != nullptr);
  CHECK(h100->vendor == "NVIDIA");
  CHECK(h100->kind == DeviceKind::gpu);
  CHECK(h100->series == "H100");
  CHECK(h100->common_form);
  CHECK(h100->memory == VendorGigabytes(80));
  REQUIRE(h100->bandwidth);
  CHECK(h100->bandwidth->value() == Approx(3.35e12).epsilon(0.01));
  CHECK(h100->peaks.bf16.value_or(0) == Approx(989).epsilon(0.01));
  CHECK(h100->link == "nvlink");
  CHECK(h100->acquisition == Acquisition::system_only);
  CHECK(h100->compute_capability == 9.0);
  CHECK(std::count(h100->software.begin(), h100->software.end(), "cuda") == 1);

  const Device* card = catalog->find_device("nvidia-rtx-4090");
  REQUIRE(card != nullptr);
  REQUIRE(card->pcie_bandwidth); // 4.0 x16
  CHECK(card->pcie_bandwidth->value() == Approx(63.0e9).epsilon(0.01));
  CHECK_FALSE(card->prices.empty());
}

TEST_CASE("an instance's facts pass through the pack")
{
  const auto catalog = Catalog::load();
  REQUIRE(catalog.ok());
  const Instance* p4d = catalog->find_instance("aws/p4d.24xlarge");
  REQUIRE(p4d != nullptr);
  CHECK(p4d->tier == Tier::hyperscaler); // its provider's
  CHECK(p4d->shape == InstanceShape::vm);
  CHECK(p4d->device == "nvidia-a100-sxm-40gb");
  CHECK(p4d->device_count == 8);
  CHECK_FALSE(p4d->device_fraction);
  CHECK(p4d->vcpus == 96);
  CHECK(p4d->memory == gibibytes(1152));
  REQUIRE(p4d->on_demand);
  CHECK(p4d->on_demand->price.value() > 0.0);
  CHECK_FALSE(p4d->on_demand->date.empty());
  REQUIRE(p4d->spot);
  CHECK(p4d->spot->derived);
  CHECK_FALSE(p4d->reserved_1y);
}

TEST_CASE("older rules of an engine take what they leave out from the newer ones")
{
  const auto catalog = Catalog::load();
  REQUIRE(catalog.ok());
  const Engine* vllm = catalog->find_engine("vllm");
  REQUIRE(vllm != nullptr);
  CHECK(vllm->pool == PoolRule::fraction_of_total);
  REQUIRE_FALSE(vllm->older.empty());
  for (const OlderRules& older : vllm->older) {
    CHECK(older.rules.pool == PoolRule::fraction_of_total);
    CHECK(older.rules.context_overhead.likely.value() > 0);
  }
}

TEST_CASE("an entry is shown as it stands in its file, with where that is")
{
  const auto catalog = Catalog::load();
  REQUIRE(catalog.ok());
  const auto text = catalog->entry_json(EntryKind::device, "nvidia-t4");
  REQUIRE(text.ok());
  CHECK(text->find("\"sources\"") != std::string::npos);
  CHECK(catalog->entry_origin(EntryKind::device, "nvidia-t4")
            .starts_with("built-in devices/nvidia-older.json: /devices/"));
  CHECK(catalog->entry_json(EntryKind::model, "meta-llama/Llama-2-7b-hf").ok());
  CHECK(catalog->entry_json(EntryKind::memory_class, "hbm-nvidia").ok());

  const auto missing = catalog->entry_json(EntryKind::device, "nvidia-t5");
  REQUIRE_FALSE(missing.ok());
  CHECK(missing.error().kind == ErrorKind::unknown);
  CHECK(missing.error().message == "there is no device 'nvidia-t5' in the catalog");
  CHECK(catalog->entry_origin(EntryKind::device, "nvidia-t5").empty());
}

TEST_CASE("the data has a version: a date and a digest")
{
  const auto catalog = Catalog::load();
  REQUIRE(catalog.ok());
  const std::string version = catalog->data_version();
  REQUIRE(version.size() == 19); // 2026-11-30+0123abcd
  CHECK(version[10] == '+');
  CHECK(version.substr(0, 4) >= "2026");
}
