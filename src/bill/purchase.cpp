// Owning: what is paid, less what it sells for after the horizon, spread over the hours it is used, and power.
#include "hwadvisor/bill.hpp"

#include <algorithm>
#include <cmath>

namespace hwadvisor {

Bill buy(const LocalMachine& machine, const MachineParts& parts, const BillTerms& terms, bool whole_horizon)
{
  Bill bill;
  bill.term = PriceTerm::purchase;
  bill.price_date = machine.price_date;
  const double parts_price = machine.host_owned ? 0.0 : machine.parts_price.value();
  const int machines = terms.replicas + terms.spares;
  const double price = (machine.device_price.value() + parts_price) * machines;
  bill.upfront = Usd(price);
  bill.power = machine.power * terms.replicas;
  // Value falls by the same share each month: what is known is the share left after 24.
  const double kept = std::pow(std::clamp(parts.resale_after_24_months, 0.0, 1.0), terms.horizon_months / 24.0);
  const double resale = price * kept;
  double fixed = price - resale;
  if (terms.colocated) {
    fixed += machine.power.value() / 1000.0 * machines * parts.colocation_usd_per_kw_month * terms.horizon_months;
  }
  const double use_hours = terms.hours_per_month * terms.horizon_months;
  const double power_per_hour = bill.power->value() / 1000.0 * parts.usd_per_kwh;
  if (use_hours <= 0.0) {
    bill.missing = "no hours of use are given to spread the price over";
    return bill;
  }
  bill.per_hour = UsdPerHour(fixed / use_hours + power_per_hour);
  bill.per_month = *bill.per_hour * hours(terms.hours_per_month);
  bill.hours = whole_horizon ? use_hours : terms.hours;
  const double share = *bill.hours / use_hours; // of the machine's life that this job takes
  bill.electricity = Usd(power_per_hour * (whole_horizon ? use_hours : terms.running_hours.value_or(terms.hours)));
  bill.resale = Usd(resale * share);
  bill.total = Usd(fixed * share) + *bill.electricity;
  if (!terms.as_of.empty()) {
    bill.price_age_days = age_in_days(machine.price_date, terms.as_of);
  }
  return bill;
}

} // namespace hwadvisor
