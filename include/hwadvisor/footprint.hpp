#pragma once

// Bytes of one device (the fullest), component by component. Pure: values in, values out.
//
// Every component states its bytes, its formula with the numbers filled in, and its basis. Components add up to the
// need, to the byte: per_device.likely is the sum of the components' likely values.

#include "hwadvisor/units.hpp"
#include "hwadvisor/workload.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hwadvisor {

enum class Basis : std::uint8_t {
  exact,      // arithmetic on facts
  derived,    // a formula that follows from how the engine works
  calibrated, // fitted on measurements
  assumed     // taken for granted
};
std::string_view basis_name(Basis basis);

struct Component {
  std::string name; // weights, kv_cache, state, activations, logits, gradients, optimizer_states, master_weights,
                    // adapter, communication, engine_overhead, fragmentation, vision, draft
  Interval<Bytes> bytes;
  Basis basis = Basis::exact;
  std::string formula = {}; // empty unless asked for
  std::vector<Component> parts = {};
};

struct Footprint {
  std::vector<Component> components;
  Interval<Bytes> per_device;  // the need: the verdict's figure
  Interval<Bytes> device_used; // what the card will show: more than the need where an engine fills its pool
  std::optional<Interval<Bytes>> allocated;
  std::optional<Interval<Bytes>> reserved;
  std::optional<Interval<Bytes>> kv_pool;      // what an engine that fills its card takes for the cache
  Bytes kv_bytes_per_token;                    // that grow with every token of one sequence, on one device
  std::optional<Interval<Tokens>> kv_capacity; // tokens that the pool holds
  std::optional<Bytes> weights_file;
  Bytes rule_of_thumb;                      // of the whole model, decimal
  std::string_view rule_of_thumb_text = {}; // the rule: "parameters x bytes x 1.2"
  std::vector<Component> host_components;
  Bytes host;

  const Component* find(std::string_view name) const;
};

// Whether component formulas are written out (for people) or left empty (for a search over many placements).
enum class Detail : std::uint8_t { numbers, explained };

// The bytes of a model's tensors under one precision, by layer and by how engines divide them. Counting them is most of
// the work of an estimate: a search counts once for each (model, precision) and passes the summary on.
struct WeightSummary;
std::shared_ptr<const WeightSummary> summarise_weights(const Model& model, const Precision& precision);

// Error: the model has no architecture for this task, or a size beyond 64 bits (ErrorKind::usage).
Result<Footprint> estimate_footprint(const Workload& workload, const Placement& placement, Detail detail);
// `weights` must be of the workload's model and precision.
Result<Footprint> estimate_footprint(const Workload& workload, const Placement& placement, Detail detail,
                                     const WeightSummary& weights);

// Trainable parameters of a training job (LoRA: the adapters).
std::int64_t trainable_parameters(const Workload& workload);

enum class Verdict : std::uint8_t { fits, tight, no };
std::string_view verdict_name(Verdict verdict);

// A change of the request that would make it fit, verified by estimating again.
struct Change {
  std::vector<std::pair<std::string, std::string>> keys; // request keys and their new values
  std::string text;
  Bytes per_device;
};

struct Fit {
  Verdict verdict = Verdict::no;
  Bytes capacity; // marketed
  UsableMemory usable;
  Bytes headroom; // usable - likely; negative when it does not fit
  std::optional<std::int64_t> max_context;
  std::optional<std::int64_t> max_batch; // micro-batch in training
  std::optional<Change> smallest_change; // only when it does not fit
};

constexpr Verdict verdict_of(const Interval<Bytes>& need, Bytes usable)
{
  return need.high <= usable ? Verdict::fits : need.likely <= usable ? Verdict::tight : Verdict::no;
}

// The verdict, and what the largest context and batch are or the smallest change would be.
Result<Fit> judge_fit(const Workload& workload, const Placement& placement, const Footprint& footprint,
                      const std::vector<MemoryClass>& classes);

} // namespace hwadvisor
