#include "estimate/steps.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hwadvisor::estimating {
namespace {

// Machines that hold just this hardware and have a dated price, on demand or spot, the cheapest; ties go to the smaller
// id.
const Instance* cheapest_rent(const Placement& placement, bool spot, const Catalog& catalog)
{
  const auto price_of = [spot](const Instance& instance) { return spot ? instance.spot : instance.on_demand; };
  const Instance* best = nullptr;
  for (const Instance& instance : catalog.instances()) {
    const bool same = placement.own_device == nullptr && instance.device == placement.device->id &&
                      instance.device_count == placement.count && !instance.device_fraction;
    const auto price = price_of(instance);
    if (!same || !price || price->date.empty() || instance.tier == Tier::marketplace) {
      continue;
    }
    if (best == nullptr || price->price < price_of(*best)->price) {
      best = &instance;
    }
  }
  return best;
}

void price_tokens(const Speed& speed, Bill& bill)
{
  const auto per_million = [&](const std::optional<Interval<double>>& per_second) -> std::optional<Usd> {
    if (!per_second || !(per_second->likely > 0.0)) {
      return std::nullopt;
    }
    return Usd(bill.per_hour->value() / 3600.0 / per_second->likely * 1e6);
  };
  if (!bill.per_hour) {
    return;
  }
  bill.per_million_input = per_million(speed.prefill_tokens_per_s);
  bill.per_million_output =
      per_million(speed.total_tokens_per_s ? speed.total_tokens_per_s : speed.decode_tokens_per_s);
  bill.per_million_trained = per_million(speed.train_tokens_per_s ? speed.train_tokens_per_s : speed.samples_per_s);
}

// Hours of the run that the request describes.
std::optional<double> run_hours(const Estimate& estimate)
{
  const auto& total = estimate.workload.training.train_tokens;
  if (estimate.workload.task == Task::inference || !total || !estimate.speed) {
    return std::nullopt;
  }
  const auto& rate =
      estimate.speed->train_tokens_per_s ? estimate.speed->train_tokens_per_s : estimate.speed->samples_per_s;
  if (!rate || !(rate->likely > 0.0)) {
    return std::nullopt;
  }
  return static_cast<double>(*total) / rate->likely / 3600.0;
}

} // namespace

Cost cost_of(const Request& request, const Estimate& estimate, const Catalog& catalog)
{
  const Placement& placement = estimate.placement;
  const Scenario* scenario = request.scenario ? catalog.find_scenario(*request.scenario) : nullptr;
  BillTerms terms;
  terms.hours = run_hours(estimate).value_or(0.0);
  terms.hours_per_month = request.hours_per_month.value_or(scenario != nullptr ? scenario->hours_per_month : 0.0);
  terms.horizon_months = request.horizon_months.value_or(scenario != nullptr ? scenario->horizon_months : 24.0);
  terms.replicas = std::max(1, placement.nodes);
  terms.as_of = request.as_of.value_or("");

  const bool spot = request.spot.value_or(false);
  Cost cost;
  cost.instance = placement.instance != nullptr ? placement.instance : cheapest_rent(placement, spot, catalog);
  const bool allow_used = scenario == nullptr || scenario->allow_used;
  if (placement.instance == nullptr && placement.device->kind != DeviceKind::cpu) { // a CPU is no card in a machine
    cost.machine = build_machine(*placement.device, placement.count, catalog.machine_parts(), allow_used);
  }
  if (cost.instance != nullptr) {
    if (placement.instance == nullptr) {
      terms.replicas = 1;
    }
    const PriceTerm term = spot ? PriceTerm::spot : PriceTerm::on_demand;
    if (auto bill = rent(*cost.instance, term, terms)) {
      cost.bill = std::move(*bill);
    } else {
      cost.bill.missing = std::string("no ") + (term == PriceTerm::spot ? "spot" : "on-demand") +
                          " price is known of " + cost.instance->id;
      cost.instance = placement.instance;
    }
  } else if (cost.machine && terms.hours_per_month > 0.0) {
    cost.bill = buy(*cost.machine, catalog.machine_parts(), terms, false);
  } else {
    cost.bill.missing = fmt::format("no dated {}rent of just this hardware is known", spot ? "spot " : "");
  }
  if (!cost.bill.per_hour || terms.hours <= 0.0) {
    cost.bill.total.reset();
  }
  cost.bill.hours = terms.hours > 0.0 ? std::optional(terms.hours) : std::nullopt;
  if (cost.machine) {
    cost.bill.upfront = cost.machine->device_price + cost.machine->parts_price;
    cost.bill.power = cost.machine->power;
  } else if (!cost.bill.power && placement.device->tdp) {
    cost.bill.power = *placement.device->tdp * placement.count;
  }
  if (estimate.speed) {
    price_tokens(*estimate.speed, cost.bill);
  }
  return cost;
}

} // namespace hwadvisor::estimating
