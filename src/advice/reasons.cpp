#include "advice/reasons.hpp"

#include "advice/limits.hpp"
#include "advice/wording.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace hwadvisor::advice {
namespace {

std::string words(const Ranked& ranked)
{
  return hardware_words(*ranked.placed.hardware->device, ranked.placed.hardware->count, ranked.placed.machines);
}

std::string fit_sentence(const Ranked& ranked)
{
  const Placed& placed = ranked.placed;
  const double need = in_gibibytes(placed.need.likely);
  const double usable = in_gibibytes(placed.usable.bytes);
  return fmt::format("Needs {:.1f} of {:.1f} GiB a device at {} ({} free).", need, usable, placed.workload.precision.id,
                     share(std::max(0.0, 1.0 - need / usable)));
}

std::string speed_sentence(const Question& question, const Ranked& ranked)
{
  const Placed& placed = ranked.placed;
  const Speed& speed = placed.speed;
  if (const auto hours = run_hours(question, placed)) {
    const auto& rate = question.counts_samples ? speed.samples_per_s : speed.train_tokens_per_s;
    return fmt::format("A run takes about {} at {} {}/s.", duration(*hours), figure(rate->likely * placed.machines),
                       question.counts_samples ? "images" : "tokens");
  }
  if (speed.total_tokens_per_s && speed.tpot_ms) {
    const std::int64_t at_once = std::max<std::int64_t>(1, placed.variant->workload.inference.sequences);
    std::string text = fmt::format("About {} tokens/s", figure(speed.total_tokens_per_s->likely * placed.machines));
    if (at_once > 1) {
      text += fmt::format(" for {} requests at once", at_once);
    }
    text += fmt::format(", {} ms a token", figure(speed.tpot_ms->likely));
    if (speed.ttft_ms) {
      text += fmt::format(", the first after {} ms", figure(speed.ttft_ms->likely));
    }
    return text + ".";
  }
  if (speed.samples_per_s) {
    return fmt::format("About {} samples/s.", figure(speed.samples_per_s->likely * placed.machines));
  }
  return "";
}

std::string cost_sentence(const Question& question, const Ranked& ranked)
{
  const Offer& offer = ranked.best().offer;
  const Bill& bill = offer.bill;
  const double cost = job_cost(question, bill).value_or(0.0);
  if (offer.instance == nullptr) {
    return fmt::format("{} {}: {} for the machine, less {} of resale, with {} of power.", money(cost),
                       basis_words(question.basis), money(bill.upfront->value()),
                       money(bill.resale.value_or(Usd(0)).value()), money(bill.electricity.value_or(Usd(0)).value()));
  }
  return fmt::format("{} {} at {} an hour from {} ({}, price of {}).", money(cost), basis_words(question.basis),
                     money(bill.per_hour->value()), offer.instance->provider, term_name(bill.term), bill.price_date);
}

std::string beats_sentence(const Ranked& ranked, const Ranked& next)
{
  const double over = next.score / ranked.score - 1.0;
  if (over < 0.01) {
    return fmt::format("Costs the same as {} within 1 %.", words(next));
  }
  return fmt::format("Counted {} cheaper than the next, {}.", share(1.0 - ranked.score / next.score), words(next));
}

} // namespace

std::vector<std::string> reasons_for(const Question& question, const Ranked& ranked, const Ranked* next)
{
  std::vector<std::string> reasons{cost_sentence(question, ranked), fit_sentence(ranked)};
  if (std::string speed = speed_sentence(question, ranked); !speed.empty()) {
    reasons.push_back(std::move(speed));
  }
  if (next != nullptr && next->score >= ranked.score) {
    reasons.push_back(beats_sentence(ranked, *next));
  }
  return reasons;
}

std::string horizon_text(const Question& question, const MachineParts& parts)
{
  const double hours = question.hours_per_month * question.horizon_months;
  const double kept = std::pow(parts.resale_after_24_months, question.horizon_months / 24.0);
  return fmt::format(
      "Buying and renting are compared over {:.4g} months at {:.4g} hours of use a month ({} h): a bought "
      "machine counts its price less {} resale, spread over these hours, and power at {} a kWh.",
      question.horizon_months, question.hours_per_month, thousands(hours), share(kept), money(parts.usd_per_kwh));
}

std::string what_would_change(const Question& question, const std::vector<const Ranked*>& lines,
                              const MachineParts& parts)
{
  if (lines.size() < 2) {
    return "";
  }
  const Ranked& first = *lines.front();
  const auto other =
      std::find_if(lines.begin() + 1, lines.end(), [&](const Ranked* line) { return line->local() != first.local(); });
  if (other != lines.end()) {
    // Owning costs `fixed` however much it is used, renting only by the hour; the two meet at `hours` a month.
    const Ranked& own = first.local() ? first : **other;
    const Ranked& hired = first.local() ? **other : first;
    const Bill& bought = own.best().offer.bill;
    const Bill& rented = hired.best().offer.bill;
    const double use = question.hours_per_month * question.horizon_months;
    const double kept = std::pow(parts.resale_after_24_months, question.horizon_months / 24.0);
    const double fixed = bought.upfront->value() * (1.0 - kept);
    const double power = bought.per_hour->value() - fixed / use;
    // Hours count for what they do: a run of the same work takes each its own time.
    double pace = 1.0;
    if (question.basis == CostBasis::run) {
      pace = rented.hours.value_or(1.0) / std::max(1e-9, bought.hours.value_or(1.0));
    }
    const double saved = rented.per_hour->value() * pace - power;
    const double hours = saved > 0.0 ? fixed / saved / question.horizon_months : 0.0;
    if (hours > 0.0 && hours <= 744.0) {
      return fmt::format("{} {:.0f} hours of use a month (here {:.4g}), {} {} becomes the cheaper one.",
                         first.local() ? "Below" : "Above", hours, question.hours_per_month,
                         first.local() ? "renting" : "buying", words(first.local() ? hired : own));
    }
  }
  const Ranked& second = *lines[1];
  return fmt::format("{} comes first if its price falls by {}.", words(second),
                     share(1.0 - first.score / second.score));
}

} // namespace hwadvisor::advice
