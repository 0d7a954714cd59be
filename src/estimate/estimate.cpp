#include "hwadvisor/estimate.hpp"

#include "estimate/steps.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hwadvisor {
namespace {

constexpr double k_large_card_gb = 70.0; // from here on serving engines take their larger defaults

Result<Placement> place(const Request& request, const Workload& workload, const Catalog& catalog,
                        std::vector<Note>& notes)
{
  if (request.hardware.size() > 1) {
    return Error{ErrorKind::usage,
                 fmt::format("{} pieces of hardware are named; an estimate is of one", request.hardware.size()),
                 "--on"};
  }
  if (!request.hardware.empty()) {
    HWADVISOR_TRY(placement, resolve_placement(request, request.hardware.front(), workload, catalog, notes));
    if (workload.task == Task::inference && workload.inference.backend == Backend::cpu &&
        placement.device->kind == DeviceKind::gpu) {
      notes.push_back(Note{"engine.backend", Severity::warning,
                           fmt::format("the cpu backend runs in host memory; the {} is not used, and not judged",
                                       placement.device->name)});
      return place_on(request, nullptr, workload, notes);
    }
    return std::move(placement);
  }
  if (!request.device_memory_gb) {
    return place_on(request, nullptr, workload, notes);
  }
  auto card = std::make_shared<Device>();
  card->id = fmt::format("{:g}gb-card", *request.device_memory_gb);
  card->name = fmt::format("a card of {:g} GB", *request.device_memory_gb);
  card->memory = VendorGigabytes(*request.device_memory_gb);
  // Consumer cards end below, data-centre cards begin here; how much of it is usable follows theirs.
  const bool consumer = *request.device_memory_gb < 40.0;
  card->memory_class = consumer ? "geforce-gddr" : "hbm-nvidia";
  notes.push_back(Note{"default.usable_memory", Severity::info,
                       fmt::format("usable memory as of a {} card", consumer ? "GeForce" : "data-centre")});
  HWADVISOR_TRY(placement, place_on(request, card.get(), workload, notes));
  placement.own_device = std::move(card);
  return std::move(placement);
}

// As many sequences as the memory admits, and the engine's own limit.
std::int64_t most_sequences(const Workload& workload, const Placement& placement, const Footprint& footprint,
                            const Fit& fit)
{
  const EngineRules& rules = workload.engine->rules_at(workload.engine_version);
  std::int64_t most = fit.max_batch.value_or(1);
  if (footprint.kv_capacity && workload.inference.context > 0) {
    most = footprint.kv_capacity->likely.value() / workload.inference.context;
  }
  const bool large = placement.device->memory && placement.device->memory->value() >= k_large_card_gb;
  const std::int64_t limit = large && rules.max_sequences_large > 0 ? rules.max_sequences_large : rules.max_sequences;
  if (limit > 0 && rules.pool != PoolRule::exact) { // slots of llama.cpp are as many as one asks for
    most = std::min(most, saturating_mul(limit, placement.dp));
  }
  return most;
}

// Some layers, or the cache, stay in host memory, whose bandwidth then sets the pace.
bool partly_offloaded(const Workload& workload)
{
  if (workload.task == Task::inference && !workload.inference.kv_offload) {
    return true;
  }
  return workload.task == Task::inference && workload.inference.gpu_layers && workload.model->architecture &&
         *workload.inference.gpu_layers < static_cast<std::int64_t>(workload.model->architecture->layers.size()) + 1;
}

Status fit_sequences(const Catalog& catalog, Detail detail, Estimate& out)
{
  out.workload.inference.sequences = 1;
  HWADVISOR_TRY(one, estimate_footprint(out.workload, out.placement, Detail::numbers));
  HWADVISOR_TRY(fit, judge_fit(out.workload, out.placement, one, catalog.memory_classes()));
  out.workload.inference.sequences = std::max<std::int64_t>(1, most_sequences(out.workload, out.placement, one, fit));
  HWADVISOR_TRY(footprint, estimate_footprint(out.workload, out.placement, detail));
  out.footprint = std::move(footprint);
  return {};
}

} // namespace

Result<Estimate> estimate(const Request& asked, const Catalog& catalog, Detail detail)
{
  if (asked.solve) {
    return estimating::solve(asked, catalog, detail);
  }
  Estimate out;
  HWADVISOR_TRY(workload, resolve(asked, catalog));
  out.workload = std::move(workload);
  out.notes = out.workload.notes;
  const Request& request = *out.workload.request;
  HWADVISOR_TRY(placement, place(request, out.workload, catalog, out.notes));
  out.placement = std::move(placement);

  if (request.concurrency_max) {
    if (out.placement.device == nullptr) {
      return Error{ErrorKind::usage, "max depends on the hardware; name it with --on", "--concurrency"};
    }
    HWADVISOR_TRY_STATUS(fit_sequences(catalog, detail, out));
  } else {
    HWADVISOR_TRY(footprint, estimate_footprint(out.workload, out.placement, detail));
    out.footprint = std::move(footprint);
  }
  if (out.placement.device != nullptr) {
    HWADVISOR_TRY(fit, judge_fit(out.workload, out.placement, out.footprint, catalog.memory_classes()));
    out.fit = std::move(fit);
    if (out.workload.task == Task::inference) {
      out.max_concurrency = most_sequences(out.workload, out.placement, out.footprint, *out.fit);
    }
    const bool known_card = out.placement.device->bandwidth.has_value();
    if (out.fit->verdict != Verdict::no && partly_offloaded(out.workload)) {
      out.speed = Speed{};
      out.speed->missing = "layers or cache in host memory: the speed of partial offload is not estimated yet";
    } else if (out.fit->verdict != Verdict::no && known_card) {
      out.speed = estimate_speed(out.workload, out.placement, catalog.efficiencies());
    }
    if (!request.hardware.empty()) {
      out.cost = estimating::cost_of(request, out, catalog);
    }
  }
  estimating::check_limits(request, asked, out);
  out.request = normalised(request, out.workload, out.placement);
  return out;
}

} // namespace hwadvisor
