#include "validation/metrics.hpp"

#include <algorithm>
#include <iterator>

namespace hwadvisor::validation {
namespace {

Interval<double> in_bytes(const Interval<Bytes>& bytes)
{
  return {static_cast<double>(bytes.low.value()), static_cast<double>(bytes.likely.value()),
          static_cast<double>(bytes.high.value())};
}

Figure exact(std::optional<Bytes> bytes)
{
  return bytes ? Figure(in_bytes(Interval<Bytes>::exactly(*bytes))) : std::nullopt;
}

Figure in_bytes(const std::optional<Interval<Bytes>>& bytes)
{
  return bytes ? Figure(in_bytes(*bytes)) : std::nullopt;
}

// A component that a footprint leaves out is of no bytes.
Figure named(const std::vector<Component>& components, std::string_view name)
{
  Interval<Bytes> sum;
  for (const Component& component : components) {
    sum = component.name == name ? sum + component.bytes : sum;
  }
  return in_bytes(sum);
}

template <std::size_t N> struct Name {
  char text[N];
  constexpr Name(const char (&name)[N]) { std::copy_n(name, N, text); } // NOLINT(google-explicit-constructor)
};

template <Name name> Figure component(const Estimate& estimate)
{
  return named(estimate.footprint.components, name.text);
}

template <Name name> Figure host_component(const Estimate& estimate)
{
  return named(estimate.footprint.host_components, name.text);
}

template <Name name> Figure overhead_part(const Estimate& estimate)
{
  const Component* overhead = estimate.footprint.find("engine_overhead");
  return overhead == nullptr ? std::nullopt : named(overhead->parts, name.text);
}

template <std::optional<Interval<double>> Speed::*member> Figure speed(const Estimate& estimate)
{
  return estimate.speed ? (*estimate.speed).*member : std::nullopt;
}

Figure mfu(const Estimate& estimate)
{
  return estimate.speed && estimate.speed->mfu ? Figure(Interval<double>::exactly(*estimate.speed->mfu)) : std::nullopt;
}

Figure fits(const Estimate& estimate)
{
  return estimate.fit ? Figure(Interval<double>::exactly(estimate.fit->verdict == Verdict::no ? 0.0 : 1.0))
                      : std::nullopt;
}

Figure capacity(const Estimate& estimate)
{
  const auto& tokens = estimate.footprint.kv_capacity;
  return tokens ? Figure({static_cast<double>(tokens->low.value()), static_cast<double>(tokens->likely.value()),
                          static_cast<double>(tokens->high.value())})
                : std::nullopt;
}

constexpr Metric k_metrics[] = {
    {"memory.weights_bytes", component<"weights">},
    {"memory.kv_cache_bytes", component<"kv_cache">},
    {"memory.state_bytes", component<"state">},
    {"memory.activations_bytes", component<"activations">},
    {"memory.output_bytes", host_component<"output">},
    {"memory.host_weights_bytes", host_component<"weights">},
    {"memory.host_activations_bytes", host_component<"activations">},
    {"memory.graph_bytes", overhead_part<"graphs">},
    {"memory.non_torch_bytes", overhead_part<"non_torch">},
    {"memory.kv_pool_bytes", [](const Estimate& e) { return in_bytes(e.footprint.kv_pool); }},
    {"memory.kv_capacity_tokens", capacity},
    {"memory.kv_bytes_per_token", [](const Estimate& e) { return exact(e.footprint.kv_bytes_per_token); }},
    {"memory.weights_file_bytes", [](const Estimate& e) { return exact(e.footprint.weights_file); }},
    {"memory.allocated_bytes", [](const Estimate& e) { return in_bytes(e.footprint.allocated); }},
    {"memory.reserved_bytes", [](const Estimate& e) { return in_bytes(e.footprint.reserved); }},
    {"memory.per_device_bytes", [](const Estimate& e) { return Figure(in_bytes(e.footprint.device_used)); }},
    {"speed.decode_tokens_per_s", speed<&Speed::decode_tokens_per_s>},
    {"speed.prefill_tokens_per_s", speed<&Speed::prefill_tokens_per_s>},
    {"speed.ttft_ms", speed<&Speed::ttft_ms>},
    {"speed.tpot_ms", speed<&Speed::tpot_ms>},
    {"speed.total_tokens_per_s", speed<&Speed::total_tokens_per_s>},
    {"speed.train_tokens_per_s", speed<&Speed::train_tokens_per_s>},
    {"speed.samples_per_s", speed<&Speed::samples_per_s>},
    {"speed.latency_ms", speed<&Speed::latency_ms>},
    {"speed.mfu", mfu},
    {"fit.fits", fits},
};

} // namespace

const Metric* find_metric(std::string_view name)
{
  const auto found =
      std::find_if(std::begin(k_metrics), std::end(k_metrics), [&](const Metric& each) { return each.name == name; });
  return found == std::end(k_metrics) ? nullptr : found;
}

} // namespace hwadvisor::validation
