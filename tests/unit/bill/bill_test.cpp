#include "catch.hpp"
#include "hwadvisor/bill.hpp"

using namespace hwadvisor;

namespace {

MachineParts parts()
{
  MachineParts parts;
  parts.platforms = {{"small", "desktop PC", 1, 450, 6, 400, 100}, {"large", "workstation", 4, 2600, 16, 2000, 250}};
  parts.ram_usd_per_gb = 10.0;
  parts.storage_usd_per_tb = 100.0;
  parts.usd_per_kwh = 0.2;
  parts.cooling_factor = 1.1;
  parts.load_factor = 0.8;
  parts.resale_after_24_months = 0.5;
  parts.street_over_list = 1.3;
  return parts;
}

Device card(std::vector<PurchasePrice> prices)
{
  Device device;
  device.id = "a-card";
  device.acquisition = Acquisition::card;
  device.memory = VendorGigabytes(24);
  device.tdp = Watts(300);
  device.prices = std::move(prices);
  return device;
}

} // namespace

TEST_CASE("a typical price counts before the lowest, a used one and a list price", "[bill]")
{
  const PurchasePrice list{Usd(1000), PriceKind::list, "2026-01"};
  const PurchasePrice used{Usd(700), PriceKind::used, "2026-02"};
  const PurchasePrice lowest{Usd(1200), PriceKind::lowest, "2026-03"};
  const PurchasePrice typical{Usd(1400), PriceKind::typical, "2026-01"};
  const PurchasePrice undated{Usd(900), PriceKind::typical, ""};

  CHECK(device_price(card({list, used, lowest, typical}), parts(), true)->kind == PriceKind::typical);
  CHECK(device_price(card({list, used, lowest}), parts(), true)->kind == PriceKind::lowest);
  CHECK(device_price(card({list, used}), parts(), true)->kind == PriceKind::used);
  CHECK(device_price(card({list, used}), parts(), false)->kind == PriceKind::list);
  CHECK(device_price(card({undated, list}), parts(), false)->kind == PriceKind::list); // undated comes last
  CHECK_FALSE(device_price(card({}), parts(), true).has_value());
}

TEST_CASE("a list price is a floor: what is counted is above it", "[bill]")
{
  const auto price = device_price(card({{Usd(1000), PriceKind::list, "2026-01"}}), parts(), false);
  CHECK(price->quoted.value() == Approx(1000));
  CHECK(price->counted.value() == Approx(1300));
}

TEST_CASE("what a part cost when it was sold new is no price of a used part", "[bill]")
{
  Device old = card({{Usd(1499), PriceKind::list, "2020-09"}});
  old.acquisition = Acquisition::used_only;
  CHECK_FALSE(device_price(old, parts(), true).has_value());
  CHECK_FALSE(build_machine(old, 1, parts(), true).has_value());
}

TEST_CASE("of several typical prices the newest counts", "[bill]")
{
  const auto price =
      device_price(card({{Usd(3500), PriceKind::typical, "2026-01-24"}, {Usd(2900), PriceKind::typical, "2026-06-22"}}),
                   parts(), false);
  CHECK(price->quoted.value() == Approx(2900));
}

TEST_CASE("a machine is the smallest that carries the devices' number and power", "[bill]")
{
  const Device device = card({{Usd(1000), PriceKind::typical, "2026-01"}});
  const auto one = build_machine(device, 1, parts(), false);
  REQUIRE(one);
  CHECK(one->platform == "desktop PC");
  CHECK(one->ram_gb == 64.0); // twice 24 GB, as sold
  CHECK(one->parts_price.value() == Approx(400 + 640 + 100));
  CHECK(one->power_supply_watts == 550.0); // 400 W x 1.3, in steps of 50

  const auto two = build_machine(device, 2, parts(), false);
  REQUIRE(two);
  CHECK(two->platform == "workstation");
  CHECK(two->device_price.value() == Approx(2000));
  CHECK_FALSE(build_machine(device, 8, parts(), false).has_value());
}

TEST_CASE("a complete machine is bought as it is, and one at a time", "[bill]")
{
  Device spark = card({{Usd(4699), PriceKind::typical, "2026-06"}});
  spark.acquisition = Acquisition::system_only;
  const auto machine = build_machine(spark, 1, parts(), false);
  REQUIRE(machine);
  CHECK(machine->parts_price.value() == 0.0);
  CHECK_FALSE(build_machine(spark, 2, parts(), false).has_value());
}

TEST_CASE("what is only announced or for rent is not built", "[bill]")
{
  for (const Acquisition acquisition : {Acquisition::announced, Acquisition::rent_only, Acquisition::restricted}) {
    Device device = card({{Usd(1000), PriceKind::typical, "2026-01"}});
    device.acquisition = acquisition;
    CHECK_FALSE(build_machine(device, 1, parts(), true).has_value());
  }
}

TEST_CASE("owning costs the price less resale, and power", "[bill]")
{
  const auto machine = build_machine(card({{Usd(860), PriceKind::typical, "2026-01"}}), 1, parts(), false);
  REQUIRE(machine);
  BillTerms terms;
  terms.hours_per_month = 100.0;
  terms.horizon_months = 24.0;
  terms.hours = 24.0;
  const Bill whole = buy(*machine, parts(), terms, true);
  // 860 + 1,140 of parts; half is left after 24 months; 400 W x 0.8 x 1.1 = 352 W over 2,400 h at 0.2 USD/kWh.
  CHECK(whole.upfront->value() == Approx(2000));
  CHECK(whole.resale->value() == Approx(1000));
  CHECK(whole.electricity->value() == Approx(0.352 * 2400 * 0.2));
  CHECK(whole.total->value() == Approx(1000 + 168.96));
  const Bill job = buy(*machine, parts(), terms, false);
  CHECK(job.total->value() == Approx(whole.total->value() * 24.0 / 2400.0));
  CHECK(job.per_hour->value() == Approx(whole.total->value() / 2400.0));

  terms.horizon_months = 12.0; // half of the time keeps sqrt(0.5) of the value
  CHECK(buy(*machine, parts(), terms, true).resale->value() == Approx(2000 * 0.70710678));
  terms.hours_per_month = 0.0;
  CHECK_FALSE(buy(*machine, parts(), terms, true).total.has_value());
}

TEST_CASE("renting costs the hours, and an unknown price is unknown", "[bill]")
{
  Instance instance;
  instance.id = "cloud/one";
  instance.on_demand = RentalPrice{UsdPerHour(2.0), "2026-07-20", false};
  BillTerms terms;
  terms.hours = 10.0;
  terms.hours_per_month = 730.0;
  terms.replicas = 3;
  const auto bill = rent(instance, PriceTerm::on_demand, terms);
  REQUIRE(bill);
  CHECK(bill->per_hour->value() == Approx(6.0));
  CHECK(bill->total->value() == Approx(60.0));
  CHECK(bill->per_month->value() == Approx(4380.0));
  CHECK_FALSE(bill->price_age_days.has_value()); // no day of asking was given
  CHECK_FALSE(rent(instance, PriceTerm::spot, terms).has_value());
  terms.as_of = "2026-07-30";
  CHECK(rent(instance, PriceTerm::on_demand, terms)->price_age_days == 10);
}

TEST_CASE("ages of dates of any length", "[bill]")
{
  CHECK(age_in_days("2026-01-01", "2026-01-31") == 30);
  CHECK(age_in_days("2024-02", "2024-03-01") == 29); // leap year
  CHECK(age_in_days("2025", "2026-01-01") == 365);
  CHECK(age_in_days("2026-12-01", "2026-01-01") == -334); // a price of tomorrow
  CHECK_FALSE(age_in_days("", "2026-01-01").has_value());
  CHECK_FALSE(age_in_days("June 2026", "2026-01-01").has_value());
}
