#include "advice/search.hpp"

#include "advice/limits.hpp"
#include "advice/support.hpp"
#include "footprint/assemble.hpp"
#include "speed/estimators.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hwadvisor::advice {
namespace {

// Loads are spread over at most this many machines; beyond it, another class of hardware is the answer.
constexpr std::int32_t k_most_machines = 32;

// How one machine may be divided for the job.
struct Division {
  std::int32_t tp = 1, pp = 1, dp = 1;
  Sharding sharding = Sharding::none;
};

// Tensor parallelism divides attention heads, so it must divide their number.
bool divides_heads(const Workload& workload, std::int32_t tp)
{
  if (!workload.model->architecture) {
    return tp == 1;
  }
  const auto& layers = workload.model->architecture->layers;
  return std::all_of(layers.begin(), layers.end(),
                     [tp](const Layer& layer) { return layer.heads == 0 || layer.heads % tp == 0; });
}

std::vector<Division> training_divisions(const Question& question, std::int32_t count)
{
  const Request& request = question.request;
  std::vector<Division> divisions;
  const bool asked = request.zero.has_value() || request.fsdp.has_value();
  if (!asked || request.zero.value_or(-1) == 0) {
    divisions.push_back({1, 1, count, Sharding::none});
  }
  if (count > 1 && (!asked || request.zero.value_or(3) == 3)) {
    divisions.push_back({1, 1, count, Sharding::zero3});
  }
  if (asked && request.zero && *request.zero > 0 && *request.zero < 3) {
    divisions.push_back({1, 1, count, *request.zero == 1 ? Sharding::zero1 : Sharding::zero2});
  }
  return divisions;
}

std::vector<Division> serving_divisions(const Question& question, const Workload& workload, std::int32_t count)
{
  const Request& request = question.request;
  if (workload.engine->layer_split) {
    return {{1, count, 1, Sharding::none}}; // by layers over all devices
  }
  std::vector<Division> divisions;
  for (std::int32_t tp = 1; tp <= count; ++tp) {
    const bool asked = !request.tp || *request.tp == tp;
    if (asked && count % tp == 0 && divides_heads(workload, tp)) {
      divisions.push_back({tp, 1, count / tp, Sharding::none});
    }
  }
  return divisions;
}

class Search {
public:
  Search(const Question& question, const Hardware& hardware, const Catalog& catalog)
      : m_question(question), m_hardware(hardware), m_catalog(catalog)
  {
  }

  SearchResult run();

private:
  bool try_variant(const Variant& variant);
  std::optional<Placed> best_division(const Variant& variant, std::int32_t machines);
  std::optional<Placed> try_division(const Variant& variant, const Division& division, std::int32_t machines);
  void keep_nearest(const Placed& placed);
  void reject(const Veto& veto);
  void reject_memory();

  const Question& m_question;
  const Hardware& m_hardware;
  const Catalog& m_catalog;
  UsableMemory m_usable;
  std::vector<Division> m_divisions; // of the variant at hand
  SearchResult m_result;
  std::optional<Rejection> m_too_slow;
  std::optional<Placed> m_slow; // what m_too_slow is said of
  std::optional<Placed> m_tight;
};

void Search::reject(const Veto& veto)
{
  Rejection rejection;
  rejection.hardware = m_hardware.name();
  rejection.limit = veto.limit;
  rejection.reason = veto.reason;
  rejection.misses_by = veto.misses_by;
  rejection.unit = veto.unit;
  m_result.rejected.push_back(std::move(rejection));
}

void Search::keep_nearest(const Placed& placed)
{
  if (placed.verdict == Verdict::no && (!m_result.nearest || placed.need.likely < m_result.nearest->need.likely)) {
    m_result.nearest = placed;
  }
}

std::optional<Placed> Search::try_division(const Variant& variant, const Division& division, std::int32_t machines)
{
  Placed placed;
  placed.hardware = &m_hardware;
  placed.variant = &variant;
  placed.workload = variant.workload;
  placed.machines = machines;
  placed.usable = m_usable;
  Placement& placement = placed.placement;
  placement.device = m_hardware.device;
  placement.usable = m_usable;
  placement.instance = m_hardware.sample();
  placement.count = m_hardware.count;
  placement.tp = division.tp;
  placement.pp = division.pp;
  placement.dp = division.dp;
  placement.sharding = division.sharding;
  InferenceJob& job = placed.workload.inference;
  job.sequences = ceil_div(std::max<std::int64_t>(1, job.sequences), machines);

  ++m_result.placements;
  auto footprint = estimate_footprint(replica_workload(placed), replica_placement(placed), Detail::numbers);
  if (!footprint.ok()) {
    if (m_result.rejected.empty()) {
      reject(Veto{"model", footprint.error().message});
    }
    return std::nullopt;
  }
  placed.footprint = *std::move(footprint);
  placed.need = placed.footprint.per_device;
  placed.verdict = judge(placed.footprint, m_usable.bytes);
  if (placed.verdict != Verdict::no) {
    placed.speed = speed::placed_speed(variant.work, placed.workload, placement, m_catalog.efficiencies());
  }
  return placed;
}

// The best division for that many machines: fits before tight, then what does more, as a machine costs the same however
// it is divided.
std::optional<Placed> Search::best_division(const Variant& variant, std::int32_t machines)
{
  const auto work_rate = [](const Placed& p) {
    return p.speed.total_tokens_per_s   ? p.speed.total_tokens_per_s->likely
           : p.speed.train_tokens_per_s ? p.speed.train_tokens_per_s->likely
           : p.speed.samples_per_s      ? p.speed.samples_per_s->likely
                                        : 0.0;
  };
  std::optional<Placed> best;
  for (const Division& division : m_divisions) {
    std::optional<Placed> placed = try_division(variant, division, machines);
    if (!placed) {
      continue;
    }
    keep_nearest(*placed);
    if (placed->verdict == Verdict::no) {
      continue;
    }
    if (auto missed = check_targets(m_question, *placed)) {
      if (!m_too_slow || missed->misses_by < m_too_slow->misses_by) {
        m_too_slow = std::move(missed);
        m_slow = *placed;
      }
      continue;
    }
    if (!best || placed->verdict < best->verdict ||
        (placed->verdict == best->verdict && work_rate(*placed) > work_rate(*best))) {
      best = std::move(placed);
    }
  }
  return best;
}

// Tries one engine and precision over all divisions, with the fewest machines that carry the load. True: placed.
bool Search::try_variant(const Variant& variant)
{
  const Workload& workload = variant.workload;
  m_divisions = m_question.training() ? training_divisions(m_question, m_hardware.count)
                                      : serving_divisions(m_question, workload, m_hardware.count);
  const bool spreads =
      !m_question.training() && (workload.inference.sequences > 1 || m_question.request.requests_per_s);
  if (spreads && !best_division(variant, k_most_machines)) {
    return false; // what fails at the smallest load fails at every other
  }
  for (std::int32_t machines = 1; machines <= (spreads ? k_most_machines : 1); machines *= 2) {
    std::optional<Placed> best = best_division(variant, machines);
    if (best && best->verdict == Verdict::fits) {
      m_result.placed = std::move(best);
      return true;
    }
    if (best && !m_tight) {
      m_tight = std::move(best); // more machines hold fewer sequences each, and may fit
    }
  }
  return false;
}

void Search::reject_memory()
{
  const Placed& nearest = *m_result.nearest;
  Rejection rejection;
  rejection.hardware = m_hardware.name();
  rejection.limit = "memory";
  const double need = in_gibibytes(nearest.need.likely);
  const double usable = in_gibibytes(m_usable.bytes);
  if (need > usable) {
    rejection.reason =
        fmt::format("needs {:.1f} GiB a device at {}, usable are {:.1f}", need, nearest.workload.precision.id, usable);
    rejection.misses_by = need - usable;
  } else { // there is room on the card, and not in the pool that the engine keeps to
    const double pool = in_gibibytes(nearest.footprint.kv_pool ? nearest.footprint.kv_pool->likely : Bytes(0));
    const Component* kv = nearest.footprint.find("kv_cache");
    const double cache = kv != nullptr ? in_gibibytes(kv->bytes.likely) : 0.0;
    rejection.reason = fmt::format("a KV cache of {:.1f} GiB a device at {}, the engine's pool holds {:.1f}", cache,
                                   nearest.workload.precision.id, pool);
    rejection.misses_by = cache - pool;
  }
  rejection.unit = "GiB";
  m_result.rejected.push_back(std::move(rejection));
}

SearchResult Search::run()
{
  const auto usable = usable_memory(*m_hardware.device, m_catalog.memory_classes());
  if (!usable.ok()) {
    reject(Veto{"memory", usable.error().message});
    return std::move(m_result);
  }
  m_usable = *usable;
  std::optional<Veto> first_veto;
  for (const Variant& variant : m_question.variants) {
    if (const auto veto = check_job(*m_hardware.device, variant.workload)) {
      first_veto = first_veto ? first_veto : veto;
      continue;
    }
    if (try_variant(variant)) {
      return std::move(m_result);
    }
  }
  if (m_tight) {
    m_result.placed = std::move(m_tight);
  } else if (m_too_slow) {
    m_result.rejected.push_back(*m_too_slow);
    m_result.nearest = std::move(m_slow);
  } else if (m_result.nearest && m_result.rejected.empty()) {
    reject_memory();
  } else if (m_result.rejected.empty()) {
    reject(first_veto ? *first_veto : Veto{"engine", "no engine of the scenario places this model on it"});
  }
  return std::move(m_result);
}

} // namespace

Workload replica_workload(const Placed& placed)
{
  Workload replica = placed.workload;
  if (replica.task == Task::inference) {
    replica.inference.sequences = ceil_div(replica.inference.sequences, std::max(1, placed.placement.dp));
  }
  return replica;
}

Placement replica_placement(const Placed& placed)
{
  Placement replica = placed.placement;
  if (placed.workload.task == Task::inference) {
    replica.dp = 1;
    replica.count = replica.tp * replica.pp;
  }
  return replica;
}

SearchResult place(const Question& question, const Hardware& hardware, const Catalog& catalog)
{
  return Search(question, hardware, catalog).run();
}

} // namespace hwadvisor::advice
