#pragma once

// What the job costs: rent, or purchase with power and resale over a horizon. Unknown prices stay unknown.

#include "hwadvisor/hardware.hpp"
#include "hwadvisor/units.hpp"

#include <optional>
#include <string>
#include <vector>

namespace hwadvisor {

// Prices of what surrounds a device in a machine one builds, and of running it (data/machine-parts.json).
struct MachineParts {
  struct Part {
    std::string id; // "base", "ram-gb", "ssd-tb", "cpu-core" …
    Usd price;
  };
  std::vector<Part> parts;
  double usd_per_kwh = 0.0;
  double cooling_factor = 1.0; // power drawn per watt of hardware
  double resale_after_24_months = 0.0;
};

// A machine built around bought devices.
struct LocalMachine {
  std::int32_t device_count = 1;
  std::int32_t cpu_cores = 0;
  double ram_gb = 0.0;
  double storage_tb = 0.0;
  Watts power;
  Usd parts_price;  // all but the devices
  Usd device_price; // all devices
  PriceKind price_kind = PriceKind::typical;
  std::string price_date;
};

enum class PriceTerm : std::uint8_t { on_demand, spot, reserved_1y, reserved_3y, purchase };
std::string_view term_name(PriceTerm term);

struct Bill {
  std::optional<UsdPerHour> per_hour; // rent; or the hourly share of a purchase over the horizon
  std::optional<Usd> total;           // the job: a run, or the horizon
  std::optional<Usd> upfront;         // purchase
  std::optional<double> hours;        // of use that `total` pays for
  std::optional<Usd> per_million_input, per_million_output;
  std::optional<Watts> power;
  PriceTerm term = PriceTerm::on_demand;
  std::string price_date; // empty: undated
  std::string missing;    // why a figure is absent
};

} // namespace hwadvisor
