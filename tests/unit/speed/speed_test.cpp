#include "hwadvisor/speed.hpp"

#include "catch.hpp"
#include "speed/work.hpp"
#include "unit/speed/cases.hpp"

using namespace hwadvisor;
using namespace speed_cases;

namespace {

Placement on(const Device& device, std::int32_t count = 1)
{
  Placement placement;
  placement.device = &device;
  placement.count = count;
  placement.tp = count;
  return placement;
}

} // namespace

TEST_CASE("decoding reads all weights and the cache once a token", "[speed]")
{
  const Device d = gpu();
  const Speed speed = estimate_speed(serving(model()), on(d), ideal());
  // 2e9 bytes of weights; 10 heads x (100 + 100) x 2 bytes x 1,050 tokens of cache; at 1e12 bytes/s.
  const double seconds = 2e9 / 1e12 + 4000.0 * 1050.0 / 1e12;
  CHECK(speed.tpot_ms->likely == Approx(seconds * 1e3));
  CHECK(speed.decode_tokens_per_s->likely == Approx(1.0 / seconds));
  CHECK(speed.decode_tokens_per_s->low < speed.decode_tokens_per_s->likely);
  CHECK(speed.bound == "memory bandwidth");
}

TEST_CASE("a prompt is bound by arithmetic, or by reading the weights when it is short", "[speed]")
{
  const Device d = gpu();
  Workload workload = serving(model());
  workload.inference.input_tokens = 100'000;
  // 2e9 FLOPs a token, and 2 x 10 x 200 FLOPs with half of the 100,000 tokens before it; at 1e14 FLOP/s.
  const double flops = 1e5 * (2e9 + 4000.0 * 5e4);
  CHECK(estimate_speed(workload, on(d), ideal()).prefill_tokens_per_s->likely == Approx(1e5 / (flops / 1e14)));
  workload.inference.input_tokens = 1;
  CHECK(estimate_speed(workload, on(d), ideal()).prefill_tokens_per_s->likely == Approx(1.0 / 2e-3));
}

TEST_CASE("a batch shares the weights, and its members wait for each other's prompts", "[speed]")
{
  const Device d = gpu();
  Workload workload = serving(model());
  const double alone = estimate_speed(workload, on(d), ideal()).tpot_ms->likely;
  workload.inference.sequences = 16;
  const Speed batch = estimate_speed(workload, on(d), ideal());
  CHECK(batch.tpot_ms->likely > alone);
  CHECK(batch.total_tokens_per_s->likely > 4.0 * 1e3 / alone);
  CHECK(batch.ttft_ms->likely > estimate_speed(serving(model()), on(d), ideal()).ttft_ms->likely);
}

TEST_CASE("a batch touches the distinct experts it is expected to", "[speed]")
{
  Workload workload = serving(model(100, 1));
  const auto work = speed::measure_work(workload);
  REQUIRE(work);
  CHECK(work->expert_bytes == Approx(2e9));
  CHECK(work->weight_bytes(1) == Approx(2e7));
  CHECK(work->weight_bytes(100) == Approx(2e9 * (1.0 - std::pow(0.99, 100))));
  CHECK(work->weight_bytes(1e6) == Approx(2e9));
  CHECK(work->linear_flops == Approx(2e7)); // of one expert in a hundred
}

TEST_CASE("tensor parallelism divides reads and pays for its link", "[speed]")
{
  const Device d = gpu();
  const Workload workload = serving(model());
  const double one = estimate_speed(workload, on(d), ideal()).tpot_ms->likely;
  CHECK(estimate_speed(workload, on(d, 2), ideal()).tpot_ms->likely == Approx(one / 2.0).epsilon(0.01));
  auto slow = ideal();
  slow.back().latency_us = 1000.0;
  CHECK(estimate_speed(workload, on(d, 2), slow).tpot_ms->likely == Approx(one / 2.0 + 2.0).epsilon(0.01));
}

TEST_CASE("what is not known has no speed, and says why", "[speed]")
{
  Device d = gpu();
  d.peaks = {};
  const Speed no_peak = estimate_speed(serving(model()), on(d), ideal());
  CHECK(no_peak.tpot_ms.has_value());
  CHECK_FALSE(no_peak.ttft_ms.has_value());
  CHECK(no_peak.missing == "gpu: no bf16 peak is known, so no prefill and no time to first token");

  Device dark = gpu();
  dark.bandwidth.reset();
  CHECK(estimate_speed(serving(model()), on(dark), ideal()).missing == "gpu: its memory bandwidth is not known");
  CHECK(estimate_speed(serving(model()), Placement{}, ideal()).missing == "no hardware is named");
}

TEST_CASE("images: the slower of arithmetic and memory, up to what a loader feeds", "[speed]")
{
  const Device d = gpu();
  Model cnn;
  cnn.image_work.emplace();
  cnn.image_work->gmacs = 4.0;
  Workload workload;
  workload.model = std::make_shared<const Model>(cnn);
  workload.task = Task::training;
  workload.precision = *find_precision("fp16-mixed");
  auto rows = ideal();
  // 2 x 4e9 x 3 FLOPs an image at 1e14 FLOP/s.
  CHECK(estimate_speed(workload, on(d), rows).samples_per_s->likely == Approx(1e14 / 24e9));
  rows[3].bytes_per_mac = 1.0; // 4e9 bytes an image at 1e12 bytes/s
  const Speed bound = estimate_speed(workload, on(d), rows);
  CHECK(bound.samples_per_s->likely == Approx(250.0));
  CHECK(bound.bound == "memory bandwidth");
  rows[3].cap_per_second = 100.0;
  CHECK(estimate_speed(workload, on(d), rows).bound == "input");
  CHECK(estimate_speed(workload, on(d), rows).samples_per_s->likely == Approx(100.0));
}
