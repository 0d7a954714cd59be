#include "catch.hpp"
#include "unit/footprint/jobs.hpp"

using namespace hwadvisor;

namespace {

constexpr std::int64_t k_mib = 1 << 20;
constexpr std::int64_t k_gib = 1 << 30;

std::int64_t kv(const Workload& workload, const Placement& placement = {})
{
  return likely(footprint_of(workload, placement), "kv_cache");
}

} // namespace

TEST_CASE("KV cache of plain attention, with its formula", "[footprint][kv]")
{
  const auto footprint = footprint_of(inference("meta-llama/Llama-3.1-8B", "bf16", generic_engine(), 131072));
  const Component* cache = footprint.find("kv_cache");
  REQUIRE(cache != nullptr);
  CHECK(cache->bytes == Interval<Bytes>::exactly(Bytes(17'179'869'184)));
  CHECK(cache->basis == Basis::exact);
  CHECK(cache->formula == "32 layers x 8 KV heads x (128 + 128) x 131,072 tokens x 2 bytes");
  CHECK(footprint.kv_bytes_per_token == Bytes(131'072));
}

TEST_CASE("llama.cpp's cells of sliding-window layers", "[footprint][kv]")
{
  const Engine engine = llama_cpp_engine();
  // gemma-3-27b: 10 global layers at 131,072 cells, 52 at 1,024 + 512: 10.609 GiB
  CHECK(kv(inference("google/gemma-3-27b-it", "q4_k_m", engine, 131072)) == 10'880 * k_mib - 16 * k_mib);
  // gemma3:4b: 2,560 MiB global and 174 MiB local (buffers printed by the engine)
  CHECK(kv(inference("google/gemma-3-4b-it", "q4_k_m", engine, 131072)) == (2560 + 174) * k_mib);
  // gpt-oss-20b: every other layer has a window of 128: 3 GiB and 128 + 512 cells, padded
  CHECK(kv(inference("openai/gpt-oss-20b", "mxfp4", engine, 131072)) == 3 * k_gib + 12 * 768 * 2048);
  // --swa-full, and builds before the window cache
  Workload full = inference("google/gemma-3-4b-it", "q4_k_m", engine, 4096);
  full.inference.swa_full = true;
  CHECK(kv(full) == 544 * k_mib);
}

TEST_CASE("latent attention keeps one vector a token, on every device", "[footprint][kv]")
{
  Workload workload = inference("deepseek-ai/DeepSeek-V3", "fp8", vllm_engine(), 163840);
  CHECK(kv(workload) == 11'513'364'480); // 10.72 GiB
  const Device h200 = card(141);
  Placement eight = on(h200, 8);
  eight.tp = 8;
  CHECK(kv(workload, eight) == 11'513'364'480);
  Engine expanding = generic_engine();
  expanding.latent_cache = false; // K and V of all heads: 128 x (192 + 128) instead of 576, about 70 times as much
  CHECK(kv(inference("deepseek-ai/DeepSeek-V3", "fp8", expanding, 4096)) == std::int64_t{61} * 128 * 320 * 2 * 4096);
}

TEST_CASE("hybrids keep a cache in their attention layers only, and a state", "[footprint][kv]")
{
  CHECK(kv(inference("LiquidAI/LFM2.5-1.2B-Instruct", "q8_0", llama_cpp_engine(), 32768)) == 384 * k_mib);
  CHECK(kv(inference("LiquidAI/LFM2.5-1.2B-Instruct", "q8_0", llama_cpp_engine(), 4096)) == 48 * k_mib);
  CHECK(kv(inference("Qwen/Qwen3.6-27B", "q4_k_m", llama_cpp_engine(), 262144)) == 16 * k_gib);
  const auto four = footprint_of(inference("Qwen/Qwen3.6-27B", "q4_k_m", llama_cpp_engine(), 4096, 4));
  CHECK(likely(four, "state") == 627'572'736); // 598.5 MiB
}

TEST_CASE("KV formats with scales", "[footprint][kv]")
{
  Workload workload = inference("Qwen/Qwen3.6-27B", "q4_k_m", llama_cpp_engine(), 65536);
  workload.inference.k_format = workload.inference.v_format = find_format("q8_0");
  CHECK(kv(workload) == 4 * k_gib * 34 / 64); // 2.125 GiB
}

TEST_CASE("tensor parallelism divides KV heads down to one", "[footprint][kv]")
{
  const Device device = card(80);
  const Workload workload = inference("Qwen/Qwen2.5-7B", "bf16", generic_engine(), 4096); // 4 KV heads
  const std::int64_t whole = kv(workload);
  for (const auto& [tp, parts] : {std::pair{2, 2}, {4, 4}, {8, 4}}) {
    Placement placement = on(device, tp);
    placement.tp = tp;
    CHECK(kv(workload, placement) == whole / parts);
  }
}
