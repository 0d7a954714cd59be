#include "catalog_files.hpp"
#include "catch.hpp"

using namespace hwadvisor;

namespace {

struct Cache {
  std::int64_t kv = 0; // elements
  std::int64_t index = 0;
};

Cache cache_of(const std::string& id, std::int64_t tokens)
{
  Cache sum;
  for (const auto& layer : catalog_model(id).architecture->layers) {
    const auto cache = cache_elements(layer, tokens);
    sum.kv += cache.keys + cache.values;
    sum.index += cache.index;
  }
  return sum;
}

// Bytes of the recurrent state of one sequence as llama.cpp allocates it: everything in fp32.
std::int64_t state_bytes(const std::string& id)
{
  std::int64_t elements = 0;
  for (const auto& layer : catalog_model(id).architecture->layers) {
    elements += layer.state_elements + layer.conv_elements;
  }
  return 4 * elements;
}

constexpr std::int64_t k_mib = 1 << 20;
constexpr std::int64_t k_gib = 1 << 30;

} // namespace

TEST_CASE("KV cache of plain attention", "[model][kv]")
{
  CHECK(2 * cache_of("meta-llama/Llama-3.1-8B", 131072).kv == 17'179'869'184);
  // Bytes a token at 16 bit seen in engine logs: Qwen2.5-7B 57,344, OPT-125m 36,864, Qwen3-0.6B 114,688
  CHECK(2 * cache_of("Qwen/Qwen2.5-7B", 1).kv == 57'344);
  CHECK(2 * cache_of("facebook/opt-125m", 1).kv == 36'864);
  CHECK(2 * cache_of("Qwen/Qwen3-0.6B", 1).kv == 114'688);
  // Falcon-7B has one KV head of 64
  CHECK(2 * cache_of("tiiuae/falcon-7b", 1).kv == 2 * 2 * 64 * 32);
}

TEST_CASE("latent attention keeps one vector a token", "[model][kv]")
{
  CHECK(cache_of("deepseek-ai/DeepSeek-V3", 1).kv == 576 * 61);
  CHECK(2 * cache_of("deepseek-ai/DeepSeek-V3", 163840).kv == 11'513'364'480); // 10.72 GiB
  // Sparse attention also stores its index keys: 61 layers x 128
  CHECK(cache_of("deepseek-ai/DeepSeek-V3.2", 1).index == 7808);
  // GLM-5.2 shares one index over four layers: 21 of 78 keep keys
  CHECK(cache_of("zai-org/GLM-5.2", 1).index == 21 * 128);
}

TEST_CASE("windows bound the cache of their layers", "[model][kv]")
{
  // gpt-oss-20b: 12 full layers, 12 with a window of 128; 8 KV heads of 64
  const auto full = 2 * 12 * 131072LL * 2 * 8 * 64;
  CHECK(2 * cache_of("openai/gpt-oss-20b", 131072).kv == full + 2 * 12 * 128 * 2 * 8 * 64);
  CHECK(full == 3 * k_gib);
  // gemma-3-4b: 5 of 34 layers are full; 2,560 MiB of them at 131,072 tokens
  CHECK(2 * (cache_of("google/gemma-3-4b-it", 131072).kv - cache_of("google/gemma-3-4b-it", 1024).kv) ==
        2560 * k_mib - 2 * 5 * 1024LL * 2 * 4 * 256);
  // gemma-4-31b: the full layers' own head width and KV heads, 81,920 bytes a token
  CHECK(2 * (cache_of("google/gemma-4-31B-it", 200001).kv - cache_of("google/gemma-4-31B-it", 200000).kv) == 81'920);
  // gemma-4-E2B: the last 20 layers read the cache of earlier ones; 3 full layers are left
  CHECK(2 * (cache_of("google/gemma-4-E2B-it", 200001).kv - cache_of("google/gemma-4-E2B-it", 200000).kv) == 6'144);
  // Qwen2.5-VL states a window that use_sliding_window switches off
  for (const auto& layer : catalog_model("Qwen/Qwen2.5-VL-7B-Instruct").architecture->layers) {
    CHECK(layer.window == 0);
  }
  for (const auto& layer : catalog_model("meta-llama/Llama-4-Scout-17B-16E-Instruct").architecture->layers) {
    CHECK((layer.window == 0 || layer.chunked));
  }
}

TEST_CASE("compressed attention keeps one entry for several tokens", "[model][kv]")
{
  // DeepSeek V4 Flash: 21 layers at 1/4 with index keys, 20 at 1/128, K used as V; 6,880 bytes a token at 16 bit
  const auto a = cache_of("deepseek-ai/DeepSeek-V4-Flash", 1'048'576);
  const auto b = cache_of("deepseek-ai/DeepSeek-V4-Flash", 2'097'152);
  CHECK(2 * (b.kv - a.kv + b.index - a.index) == 6880LL * 1'048'576);
}

TEST_CASE("hybrids: few layers keep a cache, the others a state", "[model][kv]")
{
  CHECK(2 * cache_of("Qwen/Qwen3.6-27B", 262144).kv == 16 * k_gib);
  CHECK(4 * state_bytes("Qwen/Qwen3.6-27B") == 5985 * k_mib / 10); // 598.5 MiB at four sequences
  CHECK(2 * cache_of("ai21labs/AI21-Jamba-Mini-1.5", 262144).kv == 4096 * k_mib);
  CHECK(state_bytes("ai21labs/AI21-Jamba-Mini-1.5") == 16'625 * k_mib / 1000);
  CHECK(state_bytes("state-spaces/mamba-2.8b-hf") == 2375 * k_mib / 100);
  CHECK(cache_of("state-spaces/mamba-2.8b-hf", 131072).kv == 0);
  CHECK(2 * cache_of("LiquidAI/LFM2.5-1.2B-Instruct", 32768).kv == 384 * k_mib);
  CHECK(state_bytes("LiquidAI/LFM2.5-1.2B-Instruct") == 4LL * 10 * 2 * 2048);
  // Granite 4 H tiny: 4 of 40 layers attend
  CHECK(2 * cache_of("ibm-granite/granite-4.0-h-tiny", 1).kv == 2 * 4 * 2 * 4 * 128);
  // MiniMax-Text-01: 10 of 80 layers; Nemotron 3 Nano: 6 of 52 entries; Kimi K3: 24 of 93 layers keep latents
  CHECK(cache_of("MiniMaxAI/MiniMax-Text-01", 1).kv == 10 * 2 * 8 * 128);
  CHECK(2 * cache_of("nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B-BF16", 1).kv == 6'144);
  CHECK(cache_of("moonshotai/Kimi-K3", 1).kv == 24 * 576);
  // Nemotron-NAS: 49 of 80 layers attend
  CHECK(cache_of("nvidia/Llama-3_3-Nemotron-Super-49B-v1", 1).kv == 49 * 2 * 8 * 128);
}
