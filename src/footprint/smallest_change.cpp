#include "footprint/smallest_change.hpp"

#include "footprint/assemble.hpp"
#include "footprint/explain.hpp"
#include "footprint/states.hpp"

#include <algorithm>
#include <array>

namespace hwadvisor {

namespace {

using explain::count;

// Candidates are tried in the order in which they are offered; the first that fits is the answer.
class Search {
public:
  Search(const Workload& workload, const Placement& placement, Bytes usable)
      : m_workload(workload), m_placement(placement), m_usable(usable)
  {
    m_workload.notes.clear();
  }

  const std::optional<Change>& found() const { return m_found; }
  const Workload& workload() const { return m_workload; }
  const Placement& placement() const { return m_placement; }

  using Keys = std::vector<std::pair<std::string, std::string>>;

  void offer(const Workload& workload, const Placement& placement, Keys keys, const std::string& text)
  {
    if (m_found) {
      return;
    }
    const auto estimate = estimate_footprint(workload, placement, Detail::numbers);
    if (!estimate.ok() || judge(*estimate, m_usable) == Verdict::no) {
      return;
    }
    Change change;
    change.keys = std::move(keys);
    change.per_device = estimate->per_device.likely;
    change.text = text + ": " + explain::size(change.per_device) + " a device";
    m_found = std::move(change);
  }

private:
  Workload m_workload;
  Placement m_placement;
  Bytes m_usable;
  std::optional<Change> m_found;
};

// Inference

void try_kv_format(Search& search)
{
  Workload changed = search.workload();
  InferenceJob& job = changed.inference;
  const bool llama_cpp = changed.engine->rules_at(changed.engine_version).activations == ActivationRule::llama_cpp;
  const char* id = llama_cpp ? "q8_0" : "fp8";
  const NumberFormat* smaller = find_format(id);
  if (smaller == nullptr || job.k_format == nullptr || job.k_format->bits_per_weight() <= smaller->bits_per_weight()) {
    return;
  }
  job.k_format = job.v_format = smaller;
  search.offer(changed, search.placement(), {{"kv_precision", id}}, std::string("KV cache in ") + id);
}

void try_context(Search& search)
{
  Workload changed = search.workload();
  constexpr std::int64_t least = 2048; // below, few jobs remain what they were
  for (std::int64_t context = changed.inference.context / 2; context >= least && !search.found(); context /= 2) {
    changed.inference.context = context;
    search.offer(changed, search.placement(), {{"context", std::to_string(context)}},
                 "a context of " + count(context) + " tokens");
  }
}

void try_sequences(Search& search)
{
  Workload changed = search.workload();
  for (std::int64_t sequences = changed.inference.sequences / 2; sequences >= 1 && !search.found(); sequences /= 2) {
    changed.inference.sequences = sequences;
    search.offer(changed, search.placement(), {{"concurrency", std::to_string(sequences)}},
                 count(sequences) + " sequences at once");
  }
}

void try_precisions(Search& search)
{
  constexpr std::array<const char*, 3> served{"fp8", "awq-int4", "nvfp4"};
  constexpr std::array<const char*, 5> gguf{"q8_0", "q6_k", "q5_k_m", "q4_k_m", "q3_k_m"};
  const Workload& asked = search.workload();
  const bool files = asked.engine->rules_at(asked.engine_version).activations == ActivationRule::llama_cpp;
  const auto offer = [&](const char* name) {
    const auto precision = find_precision(name);
    if (!precision.ok() || precision->nominal_bits() >= asked.precision.nominal_bits()) {
      return;
    }
    Workload changed = asked;
    changed.precision = *precision;
    search.offer(changed, search.placement(), {{"precision", name}}, std::string("weights in ") + name);
  };
  if (files) {
    std::for_each(gguf.begin(), gguf.end(), offer);
  } else {
    std::for_each(served.begin(), served.end(), offer);
  }
}

// More of the same device: tensors (or llama.cpp's layers) over 2, 4, 8 of them.
void try_devices(Search& search)
{
  for (const std::int32_t factor : {2, 4, 8}) {
    Placement more = search.placement();
    if (more.instance != nullptr) {
      return; // a rented machine has the devices it has
    }
    more.count *= factor;
    more.tp *= factor;
    search.offer(search.workload(), more, {{"count", std::to_string(more.count)}, {"tp", std::to_string(more.tp)}},
                 count(more.count) + " devices");
  }
}

void try_offload(Search& search)
{
  Workload changed = search.workload();
  if (!changed.engine->rules_at(changed.engine_version).host_token_embedding || !changed.model->architecture) {
    return;
  }
  const auto layers = static_cast<std::int64_t>(changed.model->architecture->layers.size());
  for (std::int64_t kept = layers; kept >= 0 && !search.found(); --kept) {
    changed.inference.gpu_layers = kept;
    search.offer(changed, search.placement(), {{"gpu_layers", std::to_string(kept)}},
                 count(kept) + " of " + count(layers + 1) + " layers on the device, the rest in host memory");
  }
}

// Training

Search::Keys batch_keys(const TrainingJob& job)
{
  return {{"micro_batch", std::to_string(job.micro_batch)}, {"grad_accum", std::to_string(job.grad_accum)}};
}

// Smaller micro-batches with as many more of them: the same global batch.
void try_micro_batch(Search& search, Workload changed, const Search::Keys& with, const std::string& text)
{
  TrainingJob& job = changed.training;
  while (job.micro_batch > 1 && !search.found()) {
    const std::int64_t halves = ceil_div(job.micro_batch, 2);
    job.grad_accum = ceil_div(saturating_mul(job.grad_accum, job.micro_batch), halves);
    job.micro_batch = halves;
    Search::Keys keys = with;
    for (auto& key : batch_keys(job)) {
      keys.push_back(std::move(key));
    }
    search.offer(changed, search.placement(), std::move(keys),
                 text + (text.empty() ? "" : ", ") + "micro-batch " + count(job.micro_batch) + " with " +
                     count(job.grad_accum) + " accumulation steps");
  }
}

// Each lever is kept when the next is tried: together they reach further.
struct Lever {
  Search::Keys keys;
  std::string text;
};

void pull(Search& search, Workload& changed, Lever& so_far, const char* key, const char* value, const char* text)
{
  so_far.keys.emplace_back(key, value);
  so_far.text += (so_far.text.empty() ? "" : ", ") + std::string(text);
  search.offer(changed, search.placement(), so_far.keys, so_far.text);
  try_micro_batch(search, changed, so_far.keys, so_far.text);
}

void try_training(Search& search)
{
  Workload changed = search.workload();
  try_micro_batch(search, changed, {}, "");
  Lever lever;
  if (changed.training.checkpointing != Checkpointing::full) {
    changed.training.checkpointing = Checkpointing::full;
    pull(search, changed, lever, "checkpointing", "full", "full checkpointing");
  }
  const bool text_model = changed.model->architecture && changed.model->architecture->causal;
  if (!changed.training.fused_loss && text_model) {
    changed.training.fused_loss = true;
    pull(search, changed, lever, "fused_loss", "true", "a fused loss");
  }
  if (changed.training.method == Method::full && changed.training.optimizer.find("8bit") == std::string::npos) {
    Workload eight = changed;
    eight.training.optimizer = "adamw_8bit";
    Lever with = lever;
    pull(search, eight, with, "optimizer", "adamw_8bit", "8-bit AdamW");
  }
  // Sharding over the devices that are there
  Placement sharded = search.placement();
  if (sharded.dp > 1 && sharded.sharding != Sharding::zero3) {
    sharded.sharding = Sharding::zero3;
    Search::Keys keys = lever.keys;
    keys.emplace_back("zero", "3");
    search.offer(changed, sharded, std::move(keys),
                 lever.text + (lever.text.empty() ? "" : ", ") + "ZeRO-3 over " + count(sharded.dp) + " devices");
  }
  if (!text_model) {
    return;
  }
  if (changed.training.method == Method::full || changed.training.method == Method::freeze) {
    changed.training.method = Method::lora;
    pull(search, changed, lever, "method", "lora", "LoRA instead of training every weight");
  }
  if (changed.training.method == Method::lora) {
    if (const auto nf4 = find_precision("nf4"); nf4.ok()) {
      changed.training.method = Method::qlora;
      changed.precision = *nf4;
      std::erase_if(lever.keys, [](const auto& key) { return key.first == "method"; });
      lever.keys.emplace_back("precision", "nf4");
      pull(search, changed, lever, "method", "qlora", "QLoRA: the base in 4 bit");
    }
  }
}

void try_more_training_devices(Search& search)
{
  for (const std::int32_t devices : {2, 4, 8, 16, 32, 64}) {
    Placement more = search.placement();
    if (more.instance != nullptr || devices <= more.count) {
      continue;
    }
    more.count = devices;
    more.dp = devices / std::max(1, more.tp * more.pp * more.cp);
    more.sharding = Sharding::zero3;
    search.offer(search.workload(), more, {{"count", std::to_string(devices)}, {"zero", "3"}},
                 "ZeRO-3 over " + count(devices) + " devices");
  }
}

} // namespace

std::optional<Change> smallest_change(const Workload& workload, const Placement& placement, Bytes usable)
{
  Search search(workload, placement, usable);
  if (workload.task == Task::inference) {
    if (workload.model->architecture && workload.model->architecture->causal) {
      try_kv_format(search);
      try_context(search);
      try_sequences(search);
    }
    try_precisions(search);
    try_devices(search);
    try_offload(search);
  } else {
    try_training(search);
    try_more_training_devices(search);
  }
  return search.found();
}

} // namespace hwadvisor
