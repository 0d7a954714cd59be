#include "footprint/assemble.hpp"

#include "footprint/explain.hpp"

#include <algorithm>

namespace hwadvisor {

bool runs_on_cpu(const Workload& workload, const Placement& placement)
{
  if (workload.task == Task::inference && workload.inference.backend == Backend::cpu) {
    return true;
  }
  return placement.device != nullptr && placement.device->kind == DeviceKind::cpu;
}

Component engine_overhead(const EngineRules& rules, const Workload& workload, const Placement& placement,
                          bool with_graphs, Detail detail)
{
  const bool explained = detail == Detail::explained;
  Component overhead{"engine_overhead", {}, Basis::calibrated};
  const auto add = [&](const char* name, const Interval<Bytes>& bytes, const char* why) {
    if (bytes.high == Bytes(0)) {
      return;
    }
    overhead.bytes = overhead.bytes + bytes;
    overhead.parts.push_back({name, bytes, Basis::calibrated, explained ? why : ""});
  };
  Interval<Bytes> context = rules.context_overhead;
  const bool on_cpu = runs_on_cpu(workload, placement);
  if (on_cpu) { // no driver context; the process and its libraries remain
    context = {Bytes(0), context.low, context.likely};
  }
  add("context", context, "driver context and libraries of one process");
  if (with_graphs && !on_cpu) {
    add("graphs", rules.graphs, "captured graphs");
  }
  const bool several = placement.count > 1;
  // NCCL's buffers for in-switch reductions (NVLS).
  const bool switched = placement.count / std::max(1, placement.dp) >= 4 && placement.device != nullptr &&
                        placement.device->scale_up_domain >= 8 && rules.non_torch_switched.high > Bytes(0);
  const Interval<Bytes>& collectives = switched ? rules.non_torch_switched : rules.non_torch;
  add("non_torch", several ? rules.workspace + collectives : rules.workspace,
      several ? "workspaces, and buffers of the collectives between devices" : "workspaces of libraries");
  if (explained) {
    for (const Component& part : overhead.parts) {
      overhead.formula += (overhead.formula.empty() ? "" : " + ") + part.name + " " + explain::size(part.bytes.likely);
    }
  }
  return overhead;
}

void add_component(Footprint& footprint, Component component)
{
  if (component.bytes.high > Bytes(0)) {
    footprint.components.push_back(std::move(component));
  }
}

void sum_up(Footprint& footprint)
{
  footprint.per_device = {};
  for (const Component& component : footprint.components) {
    footprint.per_device = footprint.per_device + component.bytes;
  }
  footprint.device_used = footprint.per_device;
  footprint.host = Bytes(0);
  for (const Component& component : footprint.host_components) {
    footprint.host += component.bytes.likely;
  }
}

Interval<Bytes> without_context(const Footprint& footprint)
{
  Interval<Bytes> bytes = footprint.per_device;
  if (const Component* overhead = footprint.find("engine_overhead")) {
    for (const Component& part : overhead->parts) {
      if (part.name == "context") {
        bytes = {bytes.low - part.bytes.low, bytes.likely - part.bytes.likely, bytes.high - part.bytes.high};
      }
    }
  }
  return bytes;
}

void add_rule_of_thumb(Footprint& footprint, const Workload& workload, const WeightSummary& weights)
{
  const auto parameters = static_cast<double>(weights.parameters);
  const auto take = [&](double bytes, std::string_view words) {
    footprint.rule_of_thumb = Bytes(bytes);
    footprint.rule_of_thumb_text = words;
  };
  if (workload.task == Task::inference) {
    take(parameters * workload.precision.nominal_bits() / 8.0 * 1.2, "parameters x bytes x 1.2");
    return;
  }
  // Rajbhandari et al., ZeRO, arXiv 1910.02054, section 3.1: 2 bytes of weights, 2 of gradients, 12 of Adam's states
  // and fp32 weights. What is frozen has weights alone.
  constexpr double trained_bytes = 16.0;
  if (workload.training.method == Method::full) {
    take(parameters * trained_bytes, "16 bytes a parameter, for mixed precision with Adam");
    return;
  }
  const auto trained = static_cast<double>(trainable_parameters(workload));
  const double frozen = workload.training.method == Method::freeze ? std::max(0.0, parameters - trained) : parameters;
  if (workload.training.method == Method::qlora) {
    take(frozen * 0.5 + trained * trained_bytes, "half a byte a frozen parameter and 16 bytes a trained one");
  } else {
    take(frozen * 2.0 + trained * trained_bytes, "2 bytes a frozen parameter and 16 a trained one");
  }
}

Verdict judge(const Footprint& footprint, Bytes usable)
{
  const Component* kv = footprint.find("kv_cache");
  const bool held = !footprint.kv_pool || kv == nullptr || kv->bytes.likely <= footprint.kv_pool->likely;
  return held ? verdict_of(footprint.per_device, usable) : Verdict::no;
}

Status check_size(const Footprint& footprint)
{
  if (footprint.per_device.high.is_saturated() || footprint.per_device.likely.is_saturated()) {
    return Error{ErrorKind::usage, "the memory asked for is beyond 64 bits: ask for a smaller context, batch or model"};
  }
  return {};
}

std::optional<Bytes> driver_total(const Placement& placement)
{
  if (placement.usable) {
    return placement.usable->bytes;
  }
  if (placement.device == nullptr) {
    return std::nullopt;
  }
  if (placement.device->usable_memory) {
    return placement.device->usable_memory;
  }
  if (placement.device->memory) { // drivers show 0.97-1.0 of the marketed size on most cards
    return marketed_bytes(*placement.device->memory) * 0.985;
  }
  return std::nullopt;
}

const Component* Footprint::find(std::string_view name) const
{
  for (const Component& component : components) {
    if (component.name == name) {
      return &component;
    }
  }
  return nullptr;
}

std::string_view basis_name(Basis basis)
{
  switch (basis) {
  case Basis::exact:
    return "exact";
  case Basis::derived:
    return "derived";
  case Basis::calibrated:
    return "calibrated";
  case Basis::assumed:
    return "assumed";
  }
  return "assumed";
}

std::string_view verdict_name(Verdict verdict)
{
  switch (verdict) {
  case Verdict::fits:
    return "fits";
  case Verdict::tight:
    return "tight";
  case Verdict::no:
    return "no";
  }
  return "no";
}

Result<Footprint> estimate_footprint(const Workload& workload, const Placement& placement, Detail detail)
{
  if (!workload.model) {
    return Error{ErrorKind::usage, "no model"};
  }
  return estimate_footprint(workload, placement, detail, *summarise_weights(*workload.model, workload.precision));
}

Result<Footprint> estimate_footprint(const Workload& workload, const Placement& placement, Detail detail,
                                     const WeightSummary& weights)
{
  if (!workload.model || !workload.engine) {
    return Error{ErrorKind::usage, "no model or no engine"};
  }
  if (weights.parameters <= 0) {
    return Error{ErrorKind::usage,
                 "the size of " + workload.model->id + " is not known: name its parameters (--params)"};
  }
  return workload.task == Task::inference ? estimate_inference(workload, placement, detail, weights)
                                          : estimate_training(workload, placement, detail, weights);
}

} // namespace hwadvisor
