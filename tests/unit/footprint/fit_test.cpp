#include "catch.hpp"
#include "unit/footprint/jobs.hpp"

#include <algorithm>

using namespace hwadvisor;

namespace {

Fit fit_of(const Workload& workload, const Placement& placement)
{
  auto fit = judge_fit(workload, placement, footprint_of(workload, placement), {});
  if (!fit.ok()) {
    FAIL(fit.error().message);
  }
  return *fit;
}

} // namespace

TEST_CASE("three verdicts", "[footprint][fit]")
{
  const Interval<Bytes> need{Bytes(8), Bytes(10), Bytes(12)};
  CHECK(verdict_of(need, Bytes(12)) == Verdict::fits);
  CHECK(verdict_of(need, Bytes(11)) == Verdict::tight);
  CHECK(verdict_of(need, Bytes(10)) == Verdict::tight);
  CHECK(verdict_of(need, Bytes(9)) == Verdict::no);
  CHECK(verdict_name(Verdict::tight) == "tight");
}

TEST_CASE("the largest context and batch are the largest that fit", "[footprint][fit]")
{
  const Device device = card(24);
  const Placement placement = on(device);
  Workload workload = inference("meta-llama/Llama-3.1-8B", "bf16", generic_engine(), 4096);
  const Fit fit = fit_of(workload, placement);
  CHECK(fit.verdict == Verdict::fits);
  CHECK_FALSE(fit.smallest_change.has_value());
  const Bytes usable = fit.usable.bytes;
  REQUIRE(fit.max_context.has_value());
  workload.inference.context = *fit.max_context;
  CHECK(footprint_of(workload, placement).per_device.likely <= usable);
  workload.inference.context += 256;
  CHECK(footprint_of(workload, placement).per_device.likely > usable);
  workload.inference.context = 4096;
  REQUIRE(fit.max_batch.has_value());
  workload.inference.sequences = *fit.max_batch;
  CHECK(footprint_of(workload, placement).per_device.likely <= usable);
  workload.inference.sequences += 1;
  CHECK(footprint_of(workload, placement).per_device.likely > usable);
}

TEST_CASE("the largest context ends where the model does", "[footprint][fit]")
{
  const Device device = card(141);
  const Fit fit = fit_of(inference("meta-llama/Llama-3.1-8B", "bf16", generic_engine(), 4096), on(device));
  CHECK(fit.max_context == 131'072);
}

TEST_CASE("the smallest change is the least harmful one that fits", "[footprint][fit]")
{
  const Device device = card(24);
  // 15 GiB of weights and 10 GiB of cache: an 8-bit cache is enough
  const Fit kv = fit_of(inference("meta-llama/Llama-3.1-8B", "bf16", generic_engine(), 81920), on(device));
  CHECK(kv.verdict == Verdict::no);
  REQUIRE(kv.smallest_change.has_value());
  REQUIRE(kv.smallest_change->keys.size() == 1);
  CHECK(kv.smallest_change->keys[0] == std::pair<std::string, std::string>("kv_precision", "fp8"));
  CHECK(kv.smallest_change->per_device <= kv.usable.bytes);
  // 140 GB of weights: no cache helps, nor does fp8; four bits do not either; devices are added
  const Fit devices = fit_of(inference("meta-llama/Llama-3.1-70B", "bf16", generic_engine(), 4096), on(device));
  REQUIRE(devices.smallest_change.has_value());
  CHECK(devices.smallest_change->keys[0].first == "count");
}

TEST_CASE("training falls back on smaller micro-batches first", "[footprint][fit]")
{
  const Device device = card(24);
  Workload workload = training("meta-llama/Llama-2-7b-hf", "bf16-mixed", Method::lora);
  workload.training.micro_batch = 8;
  workload.training.checkpointing = Checkpointing::full;
  const Fit smaller = fit_of(workload, on(device));
  CHECK(smaller.verdict == Verdict::no);
  REQUIRE(smaller.smallest_change.has_value());
  CHECK(smaller.smallest_change->keys[0] == std::pair<std::string, std::string>("micro_batch", "4"));
  CHECK(smaller.smallest_change->keys[1] == std::pair<std::string, std::string>("grad_accum", "2"));
  // Full fine-tuning of 7B needs 16 bytes a parameter: no micro-batch makes that fit
  workload.training.method = Method::full;
  workload.training.micro_batch = 1;
  const Fit method = fit_of(workload, on(device));
  REQUIRE(method.smallest_change.has_value());
  const auto& keys = method.smallest_change->keys;
  CHECK(std::any_of(keys.begin(), keys.end(),
                    [](const auto& key) { return key.first == "method" && key.second == "lora"; }));
}

TEST_CASE("a placement may know its usable memory better than the device", "[footprint][fit]")
{
  const Device device = card(24);
  Placement placement = on(device);
  placement.usable = UsableMemory{gibibytes(10), "asked for"};
  const Fit fit = fit_of(inference("meta-llama/Llama-3.1-8B", "bf16", generic_engine(), 4096), placement);
  CHECK(fit.verdict == Verdict::no);
  CHECK(fit.usable.bytes == gibibytes(10));
}
