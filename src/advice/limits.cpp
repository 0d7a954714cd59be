#include "advice/limits.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hwadvisor::advice {
namespace {

Rejection miss(const Placed& placed, std::string limit, std::string reason, double by, std::string unit)
{
  Rejection rejection;
  rejection.hardware = placed.hardware->name();
  rejection.limit = std::move(limit);
  rejection.reason = std::move(reason);
  rejection.misses_by = by;
  rejection.unit = std::move(unit);
  return rejection;
}

} // namespace

std::optional<double> run_hours(const Question& question, const Placed& placed)
{
  const auto& rate = question.counts_samples ? placed.speed.samples_per_s : placed.speed.train_tokens_per_s;
  if (!question.training() || !rate || rate->likely <= 0.0 || question.run_work <= 0.0) {
    return std::nullopt;
  }
  return question.run_work / (rate->likely * placed.machines) / 3600.0;
}

double setup_hours(const Question& question, const Placed& placed)
{
  return question.training() && !placed.hardware->local ? question.scenario->setup_hours : 0.0;
}

std::optional<Rejection> check_targets(const Question& question, const Placed& placed)
{
  const Request& request = question.request;
  const Speed& speed = placed.speed;
  struct Target {
    const char* limit;
    const char* what;
    const char* unit;
    std::optional<double> asked;
    std::optional<double> got;
    bool at_most;
  };
  const auto likely = [](const std::optional<Interval<double>>& figure) -> std::optional<double> {
    return figure ? std::optional<double>(figure->likely) : std::nullopt;
  };
  const bool many = placed.workload.inference.sequences > 1;
  const auto& rate = question.training() ? speed.train_tokens_per_s
                     : many              ? speed.total_tokens_per_s
                                         : speed.decode_tokens_per_s;
  std::optional<double> requests = likely(speed.requests_per_s);
  if (requests) {
    *requests *= placed.machines;
  }
  // The hours that are paid for are those that the deadline counts.
  std::optional<double> hours = run_hours(question, placed);
  const double setup = setup_hours(question, placed);
  const std::string setup_words = fmt::format("run with {:.4g} h of set-up", setup);
  if (hours) {
    *hours += setup;
  }
  const Target targets[] = {
      {"ttft", "time to first token", "ms", question.training() ? std::nullopt : request.ttft_ms, likely(speed.ttft_ms),
       true},
      {"tpot", "time per output token", "ms", question.training() ? std::nullopt : request.tpot_ms,
       likely(speed.tpot_ms), true},
      {"speed", "speed", "tokens/s", request.min_tokens_per_s, likely(rate), false},
      {"load", "throughput", "requests/s", request.requests_per_s, requests, false},
      {"deadline", hours && setup > 0.0 ? setup_words.c_str() : "run", "h",
       question.training() ? request.deadline_hours : std::nullopt, hours, true},
  };
  std::optional<Rejection> worst;
  double worst_share = 0.0;
  for (const Target& target : targets) {
    if (!target.asked || *target.asked <= 0.0) {
      continue;
    }
    if (!target.got) {
      // A machine without tokens has no token latency: the target does not speak of it.
      const bool tokens = placed.variant->work.has_value();
      if (tokens && !speed.missing.empty()) {
        return miss(placed, target.limit, fmt::format("its {} cannot be told: {}", target.what, speed.missing), 0.0,
                    target.unit);
      }
      continue;
    }
    const double over = target.at_most ? *target.got - *target.asked : *target.asked - *target.got;
    if (over > 0.0 && over / *target.asked > worst_share) {
      worst_share = over / *target.asked;
      worst = miss(placed, target.limit,
                   fmt::format("its {} is about {:.4g} {}, {} {:.4g}", target.what, *target.got, target.unit,
                               target.at_most ? "wanted at most" : "wanted at least", *target.asked),
                   over, target.unit);
    }
  }
  return worst;
}

std::optional<Rejection> check_budgets(const Question& question, const Placed& placed, const Bill& bill)
{
  const Request& request = question.request;
  const bool bought = bill.upfront.has_value();
  struct Limit {
    const char* limit;
    const char* what;
    const char* unit;
    std::optional<double> asked;
    std::optional<double> got;
  };
  const auto value = [](const auto& figure) -> std::optional<double> {
    return figure ? std::optional<double>(figure->value()) : std::nullopt;
  };
  // A one-off sum buys a machine, or pays the rent for all of the run or horizon.
  std::optional<double> one_off = bought ? value(bill.upfront) : value(bill.total);
  if (!bought && question.basis == CostBasis::month && bill.per_month) {
    one_off = bill.per_month->value() * question.horizon_months;
  }
  const Limit limits[] = {
      {"budget", bought ? "the machine costs" : "the rent comes to", "USD", request.budget, one_off},
      {"budget", "an hour costs", "USD/h", request.budget_hourly, value(bill.per_hour)},
      {"budget", "a month costs", "USD/month", request.budget_monthly, value(bill.per_month)},
      {"power", "the machine draws", "W", bought ? request.max_power_w : std::nullopt, value(bill.power)},
  };
  for (const Limit& limit : limits) {
    if (limit.asked && !limit.got) {
      return miss(placed, limit.limit, "its price is not known, so no budget can be held against it", 0.0, limit.unit);
    }
    if (limit.asked && *limit.got > *limit.asked) {
      return miss(placed, limit.limit,
                  fmt::format("{} {:.5g} {}, allowed are {:.5g}", limit.what, *limit.got, limit.unit, *limit.asked),
                  *limit.got - *limit.asked, limit.unit);
    }
  }
  return std::nullopt;
}

} // namespace hwadvisor::advice
