#pragma once

// What inference and training estimates share: adding components up, an engine's overhead, the rule of thumb.

#include "footprint/weights.hpp"

namespace hwadvisor {

// True where the host's own memory is the device: CPUs, and an engine's CPU backend.
bool runs_on_cpu(const Workload& workload, const Placement& placement);

// Context, graphs and collectives' buffers of one process on one device.
Component engine_overhead(const EngineRules& rules, const Workload& workload, const Placement& placement,
                          bool with_graphs, Detail detail);

// Adds `component` unless it is empty.
void add_component(Footprint& footprint, Component component);

// per_device from the components; device_used the same until a pool says otherwise.
void sum_up(Footprint& footprint);

// What a framework's allocator counts: the need without the driver's context.
Interval<Bytes> without_context(const Footprint& footprint);

// The folklore beside the estimate, of the whole model, decimal, with its words.
void add_rule_of_thumb(Footprint& footprint, const Workload& workload, const WeightSummary& weights);

// The verdict on `usable` bytes of one device. An engine whose pool ends below the card's memory serves what its pool
// holds, not what the card would.
Verdict judge(const Footprint& footprint, Bytes usable);

// A size beyond 64 bits is an error, never a figure.
Status check_size(const Footprint& footprint);

// Memory of one device that a pool's fraction is taken of: the driver's total.
std::optional<Bytes> driver_total(const Placement& placement);

Result<Footprint> estimate_inference(const Workload& workload, const Placement& placement, Detail detail,
                                     const WeightSummary& weights);
Result<Footprint> estimate_training(const Workload& workload, const Placement& placement, Detail detail,
                                    const WeightSummary& weights);

} // namespace hwadvisor
