#include "hwadvisor/bill.hpp"

namespace hwadvisor {

std::string_view term_name(PriceTerm term)
{
  switch (term) {
  case PriceTerm::on_demand:
    return "on-demand";
  case PriceTerm::spot:
    return "spot";
  case PriceTerm::reserved_1y:
    return "reserved 1 year";
  case PriceTerm::reserved_3y:
    return "reserved 3 years";
  case PriceTerm::purchase:
    return "purchase";
  }
  return "on-demand";
}

std::optional<Bill> rent(const Instance& instance, PriceTerm term, const BillTerms& terms)
{
  const std::optional<RentalPrice>& price = term == PriceTerm::spot          ? instance.spot
                                            : term == PriceTerm::reserved_1y ? instance.reserved_1y
                                            : term == PriceTerm::reserved_3y ? instance.reserved_3y
                                                                             : instance.on_demand;
  if (!price || term == PriceTerm::purchase) {
    return std::nullopt;
  }
  Bill bill;
  bill.per_hour = price->price * terms.replicas;
  bill.hours = terms.hours;
  bill.total = *bill.per_hour * hours(terms.hours);
  bill.per_month = *bill.per_hour * hours(terms.hours_per_month);
  bill.term = term;
  bill.price_date = price->date;
  bill.price_derived = price->derived;
  if (!terms.as_of.empty()) {
    bill.price_age_days = age_in_days(price->date, terms.as_of);
  }
  return bill;
}

} // namespace hwadvisor
