#include "catch.hpp"
#include "hwadvisor/catalog.hpp"
#include "unit/footprint/jobs.hpp"
#include "unit/model/catalog_files.hpp"

using namespace hwadvisor;

TEST_CASE("a bare parameter count weighs exactly what was asked", "[footprint][weights]")
{
  std::vector<Model> neighbours;
  for (const CatalogEntry& entry : catalog_entries()) {
    if (entry.model.family == ModelFamily::llm_dense) {
      neighbours.push_back(entry.model);
    }
  }
  auto model = infer_model(7'000'000'000, neighbours);
  REQUIRE(model.ok());
  Workload workload = inference("meta-llama/Llama-3.1-8B", "fp16", generic_engine(), 4096);
  workload.model = std::make_shared<const Model>(*model);
  const auto footprint = footprint_of(workload);
  CHECK(likely(footprint, "weights") == 14'000'000'000);
  CHECK(footprint.rule_of_thumb == Bytes(16'800'000'000));
  CHECK(footprint.per_device.likely > gigabytes(14.5));
  CHECK(footprint.per_device.likely < gigabytes(18));
}

TEST_CASE("weights over tensor-parallel devices", "[footprint][weights]")
{
  const Device device = card(80);
  const Workload workload = inference("meta-llama/Llama-3.1-70B", "bf16", vllm_engine(), 4096);
  Placement eight = on(device, 8);
  eight.tp = 8;
  // vLLM prints 16.46 GiB a GPU
  CHECK(in_gibibytes(Bytes(likely(footprint_of(workload, eight), "weights"))) == Approx(16.46).epsilon(0.005));
  // Pipeline: the fullest of two stages holds half of the layers and the wider end
  Placement two = on(device, 2);
  two.pp = 2;
  const auto half = likely(footprint_of(workload, two), "weights");
  const auto whole = likely(footprint_of(workload, on(device)), "weights");
  CHECK(half >= whole / 2);
  CHECK(half < whole / 2 + 1'100'000'000);
}

TEST_CASE("llama.cpp keeps the token embedding in host memory", "[footprint][weights]")
{
  const Workload workload = inference("meta-llama/Llama-3.1-8B", "q4_k_m", llama_cpp_engine(), 4096);
  const auto footprint = footprint_of(workload);
  REQUIRE(footprint.host_components.size() >= 1);
  CHECK(footprint.host_components[0].name == "weights");
  // 281.81 MiB of token embedding stay behind (engine log)
  CHECK(static_cast<double>(footprint.host_components[0].bytes.likely.value()) / 1048576.0 ==
        Approx(281.81).epsilon(0.0001));
  CHECK(Bytes(likely(footprint, "weights")) + footprint.host_components[0].bytes.likely == *footprint.weights_file);
}

TEST_CASE("llama.cpp's partial offload counts the output layer first", "[footprint][weights]")
{
  Workload workload = inference("meta-llama/Llama-3.1-8B", "q4_k_m", llama_cpp_engine(), 4096);
  workload.inference.gpu_layers = 0;
  const auto none = footprint_of(workload);
  CHECK(likely(none, "weights") == 0);
  CHECK(likely(none, "kv_cache") == 0);
  workload.inference.gpu_layers = 1; // the output alone
  const auto one = footprint_of(workload);
  CHECK(likely(one, "weights") > 400'000'000);
  CHECK(likely(one, "weights") < 450'000'000);
  CHECK(likely(one, "kv_cache") == 0);
  workload.inference.gpu_layers = 17; // the output and 16 of 32 layers
  const auto half = footprint_of(workload);
  CHECK(likely(half, "kv_cache") == (1 << 28));
  workload.inference.gpu_layers = 99;
  CHECK(likely(footprint_of(workload), "kv_cache") == (1 << 29));
}

TEST_CASE("llama.cpp's compute buffer, as the engine prints it", "[footprint][activations]")
{
  // Llama-3-8B, ubatch 512, 8,192 tokens, all layers on a GPU, logits of all 512 tokens: 266.5 MiB
  Workload workload = inference("meta-llama/Llama-3.1-8B", "q4_k_m", llama_cpp_engine(), 8192);
  CHECK(static_cast<double>(likely(footprint_of(workload), "activations")) / 1048576.0 == Approx(266.5).epsilon(0.002));
  // Without flash attention the scores are kept: 4 x 512 x 32 heads x 8,192 tokens on top
  workload.inference.flash_attention = false;
  CHECK(static_cast<double>(likely(footprint_of(workload), "activations")) / 1048576.0 == Approx(556).epsilon(0.002));
}

TEST_CASE("a serving engine fills its pool", "[footprint][pool]")
{
  // Llama-3.1-8B on an 80 GB card at 0.9: budget less weights, activations and workspaces
  const Device device = card(80);
  const auto footprint = footprint_of(inference("meta-llama/Llama-3.1-8B", "bf16", vllm_engine(), 16000), on(device));
  REQUIRE(footprint.kv_pool.has_value());
  REQUIRE(footprint.kv_capacity.has_value());
  const Bytes budget = gibibytes(80) * 0.9;
  const Bytes workspace = mebibytes(133);
  CHECK(footprint.kv_pool->likely ==
        budget - Bytes(likely(footprint, "weights")) - Bytes(likely(footprint, "activations")) - workspace);
  CHECK(footprint.kv_capacity->likely.value() % 16 == 0);
  CHECK(footprint.kv_capacity->likely.value() <= footprint.kv_pool->likely.value() / 131'072);
  CHECK(footprint.kv_capacity->likely.value() > footprint.kv_pool->likely.value() / 131'072 - 16);
  CHECK(footprint.device_used.likely ==
        footprint.per_device.likely - Bytes(likely(footprint, "kv_cache")) + footprint.kv_pool->likely);
  CHECK_FALSE(footprint_of(inference("meta-llama/Llama-3.1-8B", "bf16", vllm_engine(), 16000)).kv_pool.has_value());
}

TEST_CASE("sizes beyond 64 bits are refused", "[footprint]")
{
  const Workload workload =
      inference("meta-llama/Llama-3.1-8B", "bf16", generic_engine(), std::int64_t{1} << 50, std::int64_t{1} << 20);
  const auto footprint = estimate_footprint(workload, {}, Detail::numbers);
  REQUIRE_FALSE(footprint.ok());
  CHECK(footprint.error().kind == ErrorKind::usage);
}

namespace {

void check_sums(const Workload& workload, const Placement& placement, const WeightSummary& weights)
{
  const auto explained = estimate_footprint(workload, placement, Detail::explained, weights);
  const auto numbers = estimate_footprint(workload, placement, Detail::numbers, weights);
  REQUIRE(explained.ok());
  REQUIRE(numbers.ok());
  CHECK(numbers->per_device == explained->per_device);
  CHECK(numbers->components[0].formula.empty());
  Interval<Bytes> sum;
  for (const Component& component : explained->components) {
    sum = sum + component.bytes;
    const bool sound = component.bytes.low >= Bytes(0) && component.bytes.low <= component.bytes.likely &&
                       component.bytes.likely <= component.bytes.high && !component.formula.empty() &&
                       (component.basis != Basis::exact || component.bytes.low == component.bytes.high);
    INFO(component.name);
    CHECK(sound);
  }
  CHECK(sum == explained->per_device);
}

} // namespace

TEST_CASE("components add up to the need, to the byte, for every model and engine", "[footprint][property]")
{
  const auto catalog = Catalog::load();
  REQUIRE(catalog.ok());
  const Device device = card(24);
  for (const CatalogEntry& entry : catalog_entries()) {
    if (!entry.model.architecture && !entry.model.params_total) {
      continue;
    }
    const auto model = std::make_shared<const Model>(entry.model);
    for (const char* precision : {"bf16", "q4_k_m", "awq-int4"}) {
      Workload workload = inference("meta-llama/Llama-3.1-8B", precision, generic_engine(), 8192, 3);
      workload.model = model;
      const auto weights = summarise_weights(*model, workload.precision);
      for (const Engine& engine : catalog->engines()) {
        INFO(entry.model.id << " " << engine.id << " " << precision);
        workload.engine = std::make_shared<const Engine>(engine);
        for (const std::int32_t count : {1, 2}) {
          Placement placement = on(device, count);
          placement.tp = count;
          check_sums(workload, placement, *weights);
        }
      }
    }
  }
}
