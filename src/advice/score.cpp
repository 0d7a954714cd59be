#include "advice/score.hpp"

#include "advice/limits.hpp"
#include "advice/support.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace hwadvisor::advice {
namespace {

// A tight placement ranks as if it cost half as much again: it never stands above one that fits and costs up to 1.5
// times as much.
constexpr double k_tight = 1.5;
// Missing all of the prudent headroom counts as a tenth of the cost; headroom beyond it counts nothing.
constexpr double k_no_headroom = 0.1;
// A run that fits only sharded over several devices needs a distributed set-up that one device spares: start small.
constexpr double k_sharded = 1.1;

BillTerms terms_of(const Question& question, const Placed& placed, bool rented)
{
  const Scenario& scenario = *question.scenario;
  BillTerms terms;
  terms.hours_per_month = question.hours_per_month;
  terms.horizon_months = question.horizon_months;
  terms.replicas = placed.machines;
  terms.spares = rented ? 0 : scenario.spare_machines;
  terms.colocated = scenario.production;
  terms.as_of = question.as_of;
  if (question.basis == CostBasis::run) {
    const double run = run_hours(question, placed).value_or(0.0);
    terms.hours = run + setup_hours(question, placed);
    if (!rented && scenario.runs_per_month > 0.0) {
      // A machine of one's own is shared by the runs of a month: one that is done early stands idle.
      terms.running_hours = run;
      terms.hours = std::max(run, question.hours_per_month / scenario.runs_per_month);
    }
  } else if (question.basis == CostBasis::month) {
    terms.hours = question.hours_per_month;
  } else {
    terms.hours = question.hours_per_month * question.horizon_months;
  }
  return terms;
}

// $/M tokens at the load's own pace. Input and output share the machine's time by what each takes of it.
void add_unit_prices(const Question& question, const Placed& placed, Bill& bill)
{
  if (!bill.per_hour) {
    return;
  }
  const double per_second = bill.per_hour->value() / 3600.0;
  if (question.training()) {
    const auto& rate = question.counts_samples ? placed.speed.samples_per_s : placed.speed.train_tokens_per_s;
    if (rate && rate->likely > 0.0) {
      bill.per_million_trained = Usd(per_second / (rate->likely * placed.machines) * 1e6);
    }
    return;
  }
  const InferenceJob& job = placed.workload.inference;
  if (!placed.speed.total_tokens_per_s || placed.speed.total_tokens_per_s->likely <= 0.0) {
    return;
  }
  const double output_rate = placed.speed.total_tokens_per_s->likely * placed.machines;
  double input_share = 0.0;
  if (placed.speed.prefill_tokens_per_s && placed.speed.tpot_ms && job.output_tokens > 0) {
    const double prompt = static_cast<double>(job.input_tokens) / placed.speed.prefill_tokens_per_s->likely;
    const double per_sequence = static_cast<double>(job.output_tokens) * placed.speed.tpot_ms->likely / 1e3;
    const double sequences =
        static_cast<double>(std::max<std::int64_t>(1, job.sequences)) / std::max(1, placed.placement.dp);
    input_share = std::min(0.95, prompt * sequences / std::max(per_sequence, prompt * sequences));
  }
  bill.per_million_output = Usd(per_second * (1.0 - input_share) / output_rate * 1e6);
  if (job.input_tokens > 0 && job.output_tokens > 0) {
    const double input_rate =
        output_rate * static_cast<double>(job.input_tokens) / static_cast<double>(job.output_tokens);
    bill.per_million_input = Usd(per_second * input_share / input_rate * 1e6);
  }
}

// Serving on spot machines needs a base that stays: one machine on demand, the rest spot.
std::optional<Bill> spot_bill(const Question& question, const Instance& instance, const BillTerms& terms)
{
  auto bill = rent(instance, PriceTerm::spot, terms);
  if (!bill || question.training()) {
    return bill;
  }
  if (terms.replicas < 2) {
    return std::nullopt; // the one that stays is all there is
  }
  BillTerms one = terms;
  one.replicas = 1;
  BillTerms rest = terms;
  rest.replicas = terms.replicas - 1;
  const auto base = rent(instance, PriceTerm::on_demand, one);
  const auto spot = rent(instance, PriceTerm::spot, rest);
  if (!base || !spot) {
    return std::nullopt;
  }
  bill->per_hour = *base->per_hour + *spot->per_hour;
  bill->total = *base->total + *spot->total;
  bill->per_month = *base->per_month + *spot->per_month;
  bill->price_date = std::min(base->price_date, spot->price_date);
  return bill;
}

Rejection unpriced(const Placed& placed, std::string reason)
{
  Rejection rejection;
  rejection.hardware = placed.hardware->name();
  rejection.limit = "price";
  rejection.reason = std::move(reason);
  return rejection;
}

} // namespace

Factors factors_of(const Question& question, const Placed& placed, std::string_view price_date, bool list_price,
                   const MachineParts& parts)
{
  Factors factors;
  factors.verdict = placed.verdict == Verdict::tight ? k_tight : 1.0;
  const double prudent = question.scenario->prudent_headroom;
  if (prudent > 0.0 && placed.usable.bytes > Bytes(0)) {
    const double free = 1.0 - placed.need.likely / placed.usable.bytes;
    factors.headroom = 1.0 + k_no_headroom * std::clamp((prudent - free) / prudent, 0.0, 1.0);
  }
  factors.sharding = placed.placement.sharding == Sharding::none ? 1.0 : k_sharded;
  if (const SoftwareChoice* software = software_of(*placed.hardware->device, *question.scenario)) {
    factors.software = 1.0 + software->surcharge;
  }
  // A list price does not age; what it leaves out is in street_over_list.
  const std::string_view today = question.as_of.empty() ? parts.prices_as_of : question.as_of;
  const auto age = list_price ? std::optional<int>(0) : age_in_days(price_date, today);
  factors.age = 1.0 + parts.age_per_year * std::max(0, age.value_or(0)) / 365.25;
  return factors;
}

std::optional<double> job_cost(const Question& question, const Bill& bill)
{
  const auto& figure = question.basis == CostBasis::month ? bill.per_month : bill.total;
  return figure ? std::optional<double>(figure->value()) : std::nullopt;
}

namespace {

// A bill that the hardware can be had for, before any budget is looked at.
struct Quote {
  Offer offer;
  std::optional<LocalMachine> machine;
};

Result<std::vector<Quote>> quotes_of(const Question& question, const Placed& placed, const Catalog& catalog)
{
  const MachineParts& parts = catalog.machine_parts();
  const Hardware& hardware = *placed.hardware;
  std::vector<Quote> quotes;
  if (hardware.local) {
    auto machine = build_machine(*hardware.device, hardware.count, parts, question.scenario->allow_used,
                                 question.scenario->host_owned);
    if (!machine) {
      const bool has_price = device_price(*hardware.device, parts, question.scenario->allow_used).has_value();
      return Error{ErrorKind::unmet,
                   has_price ? fmt::format("no machine takes {} of them ({:.0f} W)", hardware.count,
                                           hardware.count * hardware.device->tdp.value_or(Watts(0)).value())
                             : std::string("it can be bought, but no current price is known (0 dated prices)")};
    }
    Bill bill = buy(*machine, parts, terms_of(question, placed, false), question.basis == CostBasis::horizon);
    quotes.push_back({{nullptr, placed.machines, std::move(bill)}, std::move(machine)});
  }
  const BillTerms terms = terms_of(question, placed, true);
  for (const Instance* instance : hardware.instances) {
    if (auto bill = rent(*instance, PriceTerm::on_demand, terms)) {
      quotes.push_back({{instance, placed.machines, *std::move(bill)}, std::nullopt});
    }
    if (auto bill = question.request.spot.value_or(false) ? spot_bill(question, *instance, terms) : std::nullopt) {
      quotes.push_back({{instance, placed.machines, *std::move(bill)}, std::nullopt});
    }
  }
  return quotes;
}

} // namespace

std::optional<Rejection> budget_missed(const Question& question, const Placed& placed, const Catalog& catalog)
{
  const auto quotes = quotes_of(question, placed, catalog);
  const bool untold = question.basis == CostBasis::run && !run_hours(question, placed);
  std::optional<Rejection> least;
  for (const Quote& quote : quotes.ok() ? *quotes : std::vector<Quote>()) {
    Bill bill = quote.offer.bill;
    if (untold) {
      bill.total.reset();
    }
    const auto missed = check_budgets(question, placed, bill);
    if (!missed || missed->misses_by <= 0.0) {
      return std::nullopt;
    }
    least = least && least->misses_by <= missed->misses_by ? least : missed;
  }
  return least;
}

Prices price(const Question& question, const Placed& placed, const Catalog& catalog)
{
  Prices prices;
  if (question.basis == CostBasis::run && !run_hours(question, placed)) {
    prices.rejected.push_back(
        unpriced(placed, "the length of its run cannot be told: " +
                             (placed.speed.missing.empty() ? "no work is named" : placed.speed.missing)));
    return prices;
  }
  auto quotes = quotes_of(question, placed, catalog);
  if (!quotes) {
    prices.rejected.push_back(unpriced(placed, quotes.error().message));
    return prices;
  }
  std::optional<Rejection> over_budget;
  for (Quote& quote : *quotes) {
    Offer& offer = quote.offer;
    add_unit_prices(question, placed, offer.bill);
    if (auto missed = check_budgets(question, placed, offer.bill)) {
      over_budget = over_budget && over_budget->misses_by <= missed->misses_by ? over_budget : missed;
      continue;
    }
    const bool list_price = quote.machine && quote.machine->price_kind == PriceKind::list;
    Priced priced{std::move(offer), std::move(quote.machine), std::nullopt};
    const auto cost = job_cost(question, priced.offer.bill);
    if (cost && !priced.offer.bill.price_date.empty()) {
      priced.score =
          *cost * factors_of(question, placed, priced.offer.bill.price_date, list_price, catalog.machine_parts()).all();
    }
    prices.offers.push_back(std::move(priced));
  }
  std::sort(prices.offers.begin(), prices.offers.end(), [](const Priced& a, const Priced& b) {
    const auto key = [](const Priced& p) {
      return std::tuple(p.score ? 0 : 1, p.score.value_or(p.offer.bill.per_hour.value_or(UsdPerHour(0)).value()));
    };
    if (key(a) != key(b)) {
      return key(a) < key(b);
    }
    const auto id = [](const Priced& p) { return p.offer.instance != nullptr ? p.offer.instance->id : std::string(); };
    return std::tuple(id(a), static_cast<int>(a.offer.bill.term)) <
           std::tuple(id(b), static_cast<int>(b.offer.bill.term));
  });
  if (prices.offers.empty()) {
    prices.rejected.push_back(over_budget ? *over_budget : unpriced(placed, "no offer of it has a price"));
  } else if (!prices.offers.front().score) {
    const Bill& bill = prices.offers.front().offer.bill;
    prices.rejected.push_back(
        unpriced(placed, fmt::format("its prices are undated (from {:.2f} USD/h), and undated prices do not rank",
                                     bill.per_hour.value_or(UsdPerHour(0)).value())));
  }
  return prices;
}

} // namespace hwadvisor::advice
