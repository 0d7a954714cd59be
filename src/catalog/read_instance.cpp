#include "catalog/readers.hpp"
#include "hardware/names.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hwadvisor::catalog {
namespace {

constexpr json::NumberRange k_positive{1e-9, 1e9};

std::optional<RentalPrice> read_price(ObjectReader& prices, std::string_view term)
{
  RentalPrice price;
  const bool present = prices.object(term, [&](ObjectReader& in) {
    price.price = UsdPerHour(in.number("usd_per_hour", k_positive));
    price.date = read_date(in, "date", 10);
    price.derived = in.maybe_text("basis").value_or("listed") == "derived";
    (void)in.maybe_text("date_range");
    (void)in.maybe_text("source");
    (void)in.maybe_text("source_kind");
  });
  return present ? std::optional(price) : std::nullopt;
}

std::optional<std::int32_t> maybe_count(ObjectReader& in, std::string_view key)
{
  const auto value = in.maybe_integer(key, {1, 10'000'000});
  return value ? std::optional(static_cast<std::int32_t>(*value)) : std::nullopt;
}

void read_accelerator(ObjectReader& in, Instance& instance)
{
  instance.device = in.maybe_text("device").value_or("");
  instance.device_named = in.maybe_text("as_named").value_or(instance.device);
  instance.device_count = maybe_count(in, "count").value_or(1);
  instance.device_fraction = in.maybe_number("fraction", {1e-6, 1.0});
  instance.device_memory_gib = in.maybe_number("memory_gib_each", k_positive);
  instance.device_cores = maybe_count(in, "cores");
  if (instance.device_fraction && instance.device_count != 1) {
    in.fail("count", fmt::format("a fraction is a part of one device, but the count is {}", instance.device_count));
  }
}

} // namespace

Result<Instance> read_instance(const Json& value, const Place& place, std::span<const Provider> providers)
{
  ObjectReader in(value, place);
  Instance instance;
  instance.id = in.text("id");
  instance.provider = in.text("provider");
  instance.name = in.text("name");
  if (!in.failed() && !instance.id.starts_with(instance.provider + "/")) {
    in.fail("id", fmt::format("an instance's id starts with its provider: '{}/…'", instance.provider));
  }
  if (in.has("tier")) {
    instance.tier = in.one_of<Tier>("tier", k_tiers);
  } else {
    in.ignore("tier");
    const auto provider =
        std::find_if(providers.begin(), providers.end(), [&](const Provider& p) { return p.id == instance.provider; });
    if (provider != providers.end()) {
      instance.tier = provider->tier;
    } else if (!in.failed()) {
      in.fail("provider",
              fmt::format("'{}' is not in providers.json: add it, or give the entry a tier", instance.provider));
    }
  }
  if (in.has("shape")) {
    instance.shape = in.one_of<InstanceShape>("shape", k_instance_shapes);
  }
  instance.region = in.maybe_text("region").value_or("");
  instance.vcpus = maybe_count(in, "vcpus");
  if (const auto gib = in.maybe_number("memory_gib", k_positive)) {
    instance.memory = gibibytes(*gib);
  }
  in.object("cpu", [&](ObjectReader& cpu) {
    instance.cpu_model = cpu.maybe_text("model").value_or("");
    instance.cpu_arch = cpu.maybe_text("arch").value_or("");
  });
  in.object("accelerator", [&](ObjectReader& accelerator) { read_accelerator(accelerator, instance); });
  instance.local_storage_gb = in.maybe_number("local_storage_gb", {0, 1e9});
  instance.network_gbps = in.maybe_number("network_gbps", k_positive);
  instance.interconnect = in.maybe_text("interconnect").value_or("");
  instance.nodes = maybe_count(in, "nodes").value_or(1);
  in.object("price", [&](ObjectReader& prices) {
    instance.on_demand = read_price(prices, "on_demand");
    instance.spot = read_price(prices, "spot");
    instance.reserved_1y = read_price(prices, "reserved_1y");
    instance.reserved_3y = read_price(prices, "reserved_3y");
    instance.capacity_block = read_price(prices, "capacity_block");
  });
  read_provenance(in);
  if (auto fault = in.finish()) {
    return *fault;
  }
  return instance;
}

} // namespace hwadvisor::catalog
