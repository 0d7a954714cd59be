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
    const LocalMachine& machine = *ranked.best().machine;
    const int bought = ranked.placed.machines + question.scenario->spare_machines;
    const std::string what = machine.host_owned ? "the card"
                             : bought > 1       ? fmt::format("{} machines", bought)
                                                : "the machine";
    std::string text = fmt::format("{} {}: {} at {}, written off over {:.4g} months with resale, and {} of power",
                                   money(cost), basis_words(question.basis), what, money(bill.upfront->value()),
                                   question.horizon_months, money(bill.electricity.value_or(Usd(0)).value()));
    return text + (question.scenario->production ? "; space and cooling included." : ".");
  }
  return fmt::format("{} {} at {} an hour from {} ({}, price of {}).", money(cost), basis_words(question.basis),
                     money(bill.per_hour->value()), offer.instance->provider, term_name(bill.term), bill.price_date);
}

// The knee: what a unit of work costs at this pace, whatever the target.
std::string unit_sentence(const Question& question, const Ranked& ranked)
{
  const Bill& bill = ranked.best().offer.bill;
  if (bill.per_million_trained) {
    return fmt::format("At full use {} a million {}.", money(bill.per_million_trained->value()),
                       question.counts_samples ? "images" : "tokens");
  }
  if (bill.per_million_output) {
    std::string text = fmt::format("At full load {} a million output tokens", money(bill.per_million_output->value()));
    if (bill.per_million_input) {
      text += fmt::format(" and {} a million input tokens", money(bill.per_million_input->value()));
    }
    return text + ".";
  }
  return "";
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
  if (std::string unit = unit_sentence(question, ranked); !unit.empty()) {
    reasons.push_back(std::move(unit));
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
  std::string text = fmt::format("Buying and renting are compared over {:.4g} months", question.horizon_months);
  const double runs = question.scenario->runs_per_month;
  if (question.basis == CostBasis::run && runs > 0.0) {
    text += fmt::format(" and {:.4g} runs a month (or {:.4g} hours of use, if they fill them)", runs,
                        question.hours_per_month);
  } else {
    text += fmt::format(" at {:.4g} hours of use a month ({} h)", question.hours_per_month, thousands(hours));
  }
  return text + fmt::format(": a bought machine counts its price less {} resale, and power at {} a kWh.", share(kept),
                            money(parts.usd_per_kwh));
}

namespace {

// Owning costs `fixed` a month however much it is used, renting by use; they meet where the savings of a unit of use
// (an hour, or a run) pay for the machine. Empty: renting is cheaper even in use.
std::optional<double> break_even(const Question& question, const Bill& bought, const Bill& rented)
{
  const double machine_hours = question.hours_per_month * question.horizon_months;
  if (question.basis == CostBasis::run) {
    const double runs = question.scenario->runs_per_month;
    const double power = bought.electricity.value_or(Usd(0)).value();
    const double fixed = (bought.total->value() - power) * runs; // a month, at that many runs
    const double saved = rented.total->value() - power;
    return runs > 0.0 && saved > 0.0 ? std::optional<double>(fixed / saved) : std::nullopt;
  }
  const double power = bought.electricity.value_or(Usd(0)).value() / std::max(1e-9, bought.hours.value_or(0.0));
  const double fixed = (bought.per_hour->value() - power) * machine_hours / question.horizon_months;
  const double saved = rented.per_hour->value() - power;
  return saved > 0.0 ? std::optional<double>(fixed / saved) : std::nullopt;
}

} // namespace

std::string what_would_change(const Question& question, const std::vector<const Ranked*>& lines)
{
  if (lines.size() < 2) {
    return "";
  }
  const Ranked& first = *lines.front();
  const auto other =
      std::find_if(lines.begin() + 1, lines.end(), [&](const Ranked* line) { return line->local() != first.local(); });
  if (other != lines.end()) {
    const Ranked& own = first.local() ? first : **other;
    const Ranked& hired = first.local() ? **other : first;
    const auto use = break_even(question, own.best().offer.bill, hired.best().offer.bill);
    const bool runs = question.basis == CostBasis::run;
    const double now = runs ? question.scenario->runs_per_month : question.hours_per_month;
    const bool crosses = use && (first.local() ? *use < now : *use > now) && (runs || *use <= 744.0);
    if (crosses) {
      return fmt::format("{} {} {} a month (here {:.4g}), {} {} is the cheaper one.", first.local() ? "Below" : "Above",
                         figure(*use), runs ? "runs" : "hours of use", now, first.local() ? "renting" : "buying",
                         words(first.local() ? hired : own));
    }
  }
  const Ranked& second = *lines[1];
  const double gap = std::max(0.0, 1.0 - first.score / second.score);
  if (gap < 0.01) {
    return fmt::format("The second, {}, is as good: what you can get sooner decides.", words(second));
  }
  return fmt::format("The second, {}, comes first if it costs {} less.", words(second), share(gap));
}

} // namespace hwadvisor::advice
