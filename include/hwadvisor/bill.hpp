#pragma once

// What the job costs: rent, or purchase with power and resale over a horizon. Unknown prices stay unknown.

#include "hwadvisor/hardware.hpp"
#include "hwadvisor/units.hpp"

#include <optional>
#include <string>
#include <vector>

namespace hwadvisor {

// Prices of what surrounds a device in a machine one builds, and of running it (data/machine-parts.json, whose keys
// are these names; every figure there carries its source and date).
struct MachineParts {
  // Case, board, CPU, power supply and cooling. Smallest first; the first that takes the devices is used.
  struct Platform {
    std::string id;   // "desktop"
    std::string name; // "desktop PC"
    std::int32_t max_devices = 1;
    double max_device_watts = 0.0; // all devices together, what its power supply and cooling carry
    std::int32_t cpu_cores = 0;
    double usd = 0.0;
    double base_watts = 0.0; // of the machine without its devices
  };
  std::vector<Platform> platforms;
  double ram_usd_per_gb = 0.0;
  double storage_usd_per_tb = 0.0;
  double usd_per_kwh = 0.0;
  double colocation_usd_per_kw_month = 0.0; // space and cooling for servers in production, power apart
  double cooling_factor = 1.0;              // power drawn per watt of hardware
  double load_factor = 1.0;                 // mean power under load, as a share of the rated power
  double resale_after_24_months = 0.0;      // share of the purchase price
  double street_over_list = 1.0;            // a list price is a floor: what devices sell for, per dollar of list price
  double age_per_year = 0.0;                // a price may have risen by this share for each year of its age
  std::string prices_as_of;                 // YYYY-MM-DD: the day from which ages count when the request gives none
};

// A machine built around bought devices, or bought whole.
struct LocalMachine {
  std::string platform; // "desktop PC"; empty: bought as a whole (a Mac, a DGX Spark)
  std::int32_t device_count = 1;
  std::int32_t cpu_cores = 0;
  double ram_gb = 0.0;
  double storage_tb = 0.0;
  double power_supply_watts = 0.0;
  Watts power;             // under load, at the wall
  Usd parts_price;         // all but the devices
  bool host_owned = false; // the parts are taken to be there: they are told, not paid
  Usd device_price;        // all devices, as counted
  Usd quoted_price;        // one device, as found; below device_price / count where only a list price is known
  PriceKind price_kind = PriceKind::typical;
  std::string price_date;
};

// The machine for `count` of `device`. Empty: no price, no platform takes them, or the part cannot be bought.
// With `host_owned` a single card goes into a PC that exists.
std::optional<LocalMachine> build_machine(const Device& device, std::int32_t count, const MachineParts& parts,
                                          bool allow_used, bool host_owned = false);

// The price one would pay for a device: typical over lowest over used over list. `counted` is `quoted` times
// street_over_list where only a list price is known. Of several of one kind, the newest.
struct DevicePrice {
  Usd quoted;
  Usd counted;
  PriceKind kind = PriceKind::typical;
  std::string date;
};
std::optional<DevicePrice> device_price(const Device& device, const MachineParts& parts, bool allow_used);

enum class PriceTerm : std::uint8_t { on_demand, spot, reserved_1y, reserved_3y, purchase };
std::string_view term_name(PriceTerm term);

struct Bill {
  std::optional<UsdPerHour> per_hour; // rent of all replicas; or the hourly share of a purchase over the horizon
  std::optional<Usd> total;           // the job: a run, a month, or the horizon
  std::optional<Usd> per_month;       // at the scenario's hours a month
  std::optional<Usd> upfront;         // purchase
  std::optional<Usd> electricity;     // within total
  std::optional<Usd> resale;          // taken off total
  std::optional<double> hours;        // of use that `total` pays for
  std::optional<Usd> per_million_input, per_million_output;
  std::optional<Usd> per_million_trained; // tokens or samples of a training run
  std::optional<Watts> power;
  PriceTerm term = PriceTerm::on_demand;
  std::string price_date;            // empty: undated
  bool price_derived = false;        // computed from a savings percentage, not listed
  std::optional<int> price_age_days; // only when the day of asking is given
  std::string missing;               // why a figure is absent
};

// How the hours of use are counted and what they buy.
struct BillTerms {
  double hours = 0.0;                  // of use that the total pays for
  std::optional<double> running_hours; // of them under power; empty: all
  double hours_per_month = 0.0;        // of use
  double horizon_months = 24.0;        // over which a purchase is written off
  std::int32_t replicas = 1;           // machines alike
  std::int32_t spares = 0;             // bought beside them, without power
  bool colocated = false;              // a purchase pays for space and cooling by its rated power
  std::string as_of;                   // YYYY-MM-DD; empty: ages are not told
};

// A rented instance at one of its prices. Empty: it has no such price.
std::optional<Bill> rent(const Instance& instance, PriceTerm term, const BillTerms& terms);
// A bought machine: its write-off over the horizon's hours of use, power, less resale; `total` is the share of
// `terms.hours`, or with whole_horizon the whole sum.
Bill buy(const LocalMachine& machine, const MachineParts& parts, const BillTerms& terms, bool whole_horizon);

// Days from `date` (YYYY, YYYY-MM or YYYY-MM-DD; a missing part counts from its start) to `as_of`; negative when `date`
// is the later one.
std::optional<int> age_in_days(std::string_view date, std::string_view as_of);

} // namespace hwadvisor
