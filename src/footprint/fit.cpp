#include "footprint/assemble.hpp"
#include "footprint/cache.hpp"
#include "footprint/smallest_change.hpp"

#include <algorithm>

namespace hwadvisor {

namespace {

// The largest value in steps of `step` up to `most` for which `fits` holds; 0 when not even one step does. `fits` is
// monotone: what fits, fits with less.
template <class Fits> std::int64_t largest(std::int64_t step, std::int64_t most, const Fits& fits)
{
  std::int64_t low = 0;
  std::int64_t high = std::max<std::int64_t>(most / step, 1);
  std::int64_t probe = 1; // doubling first: answers are usually far below the limit
  while (probe < high && fits(probe * step)) {
    low = probe;
    probe = std::min(probe * 2, high);
  }
  if (probe >= high) {
    if (fits(high * step)) {
      return high * step;
    }
  } else {
    high = probe;
  }
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (fits(middle * step) ? low : high) = middle;
  }
  return low * step;
}

constexpr std::int64_t k_context_step = 256;
constexpr std::int64_t k_most_context = std::int64_t{1} << 24;
constexpr std::int64_t k_most_batch = 65'536;

bool has_context(const Workload& workload)
{
  return workload.task == Task::inference && workload.model->architecture &&
         !workload.model->architecture->layers.empty() && workload.model->architecture->causal;
}

} // namespace

Result<Fit> judge_fit(const Workload& workload, const Placement& placement, const Footprint& footprint,
                      const std::vector<MemoryClass>& classes)
{
  if (placement.device == nullptr) {
    return Error{ErrorKind::usage, "a verdict needs hardware", "--on"};
  }
  HWADVISOR_TRY(usable,
                placement.usable ? Result<UsableMemory>(*placement.usable) : usable_memory(*placement.device, classes));
  Fit fit;
  fit.usable = usable;
  fit.capacity = placement.device->memory ? marketed_bytes(*placement.device->memory) : usable.bytes;
  fit.verdict = judge(footprint, usable.bytes);
  fit.headroom = usable.bytes - footprint.per_device.likely;

  const auto weights = summarise_weights(*workload.model, workload.precision);
  Workload trial = workload;
  trial.notes.clear();
  const auto holds = [&] {
    const auto estimate = estimate_footprint(trial, placement, Detail::numbers, *weights);
    return estimate.ok() && judge(*estimate, usable.bytes) != Verdict::no;
  };
  if (has_context(workload)) {
    const std::int64_t positions = workload.model->architecture->max_positions;
    const std::int64_t most = positions > 0 ? positions : k_most_context;
    const std::int64_t step = std::min(k_context_step, most);
    const auto holds_context = [&](std::int64_t context) {
      trial.inference.context = context;
      return holds();
    };
    fit.max_context = most % step != 0 && holds_context(most) ? most : largest(step, most, holds_context);
    trial.inference.context = workload.inference.context;
  }
  std::int64_t& batch = workload.task == Task::inference ? trial.inference.sequences : trial.training.micro_batch;
  fit.max_batch = largest(1, k_most_batch, [&](std::int64_t sequences) {
    batch = sequences;
    return holds();
  });

  if (fit.verdict == Verdict::no) {
    fit.smallest_change = smallest_change(workload, placement, usable.bytes);
  }
  return fit;
}

} // namespace hwadvisor
