#include "catch.hpp"
#include "hwadvisor/model.hpp"
#include "hwadvisor/precision.hpp"
#include "unit/model/catalog_files.hpp"

#include <algorithm>

using namespace hwadvisor;

namespace {

struct Measured {
  const char* model; // of the catalog
  const char* precision;
  double bytes;
  double tolerance; // relative
};

Bytes weights_of(const Measured& row)
{
  const Architecture& architecture = *catalog_model(row.model).architecture;
  std::vector<Tensor> tensors;
  std::copy_if(architecture.tensors.begin(), architecture.tensors.end(), std::back_inserter(tensors),
               [](const Tensor& tensor) { return tensor.role != TensorRole::vision; }); // a file of its own
  TensorContext context{.layer_count = static_cast<int>(architecture.layers.size()),
                        .architecture = architecture.model_type};
  const auto layer = std::find_if(architecture.layers.begin(), architecture.layers.end(),
                                  [](const Layer& l) { return l.kv_heads > 0; });
  if (layer != architecture.layers.end()) {
    context.gqa_groups = layer->heads / layer->kv_heads;
  }
  return tensor_table_bytes(*find_precision(row.precision), tensors, context);
}

constexpr double k_gib = 1073741824.0;

} // namespace

TEST_CASE("bare GGUF types: weight buffers that llama.cpp itself plans, all layers on one device")
{
  // Release v0.5.0 on files of true shapes, buffer sizes as it prints them (to 0.01 MiB); the sum of both sides where
  // the head is a tensor of its own.
  const Measured rows[] = {
      {"Qwen/Qwen2-0.5B", "q4_k", 326809682, 5e-5},
      {"Qwen/Qwen2-7B", "q4_k", 4284932423, 5e-5},
      {"Qwen/Qwen3-0.6B", "q4_k", 335502377, 5e-5},
      {"Qwen/Qwen3-8B", "q4_k", 4608344720, 5e-5},
      {"Qwen/Qwen3-32B", "q4_k", 18431019582, 5e-5},
      {"Qwen/Qwen3-30B-A3B", "q4_k", 17218299494, 5e-5},
      {"Qwen/Qwen3-Next-80B-A3B-Instruct", "q4_k", 44994983363, 5e-5},
      {"deepseek-ai/DeepSeek-V2-Lite", "q4_k", 9453174784, 5e-4}, // its transposed K expansion: docs/precision.md
      {"deepseek-ai/DeepSeek-V3", "q4_k", 377885693051, 5e-4},
      {"google/gemma-2-9b", "q4_k", 5200538501, 5e-5},
      {"google/gemma-3-1b-it", "q4_k", 658149212, 5e-5},
      {"google/gemma-3-4b-it", "q4_k", 2183816806, 1e-4},
      {"google/gemma-3-27b-it", "q4_k", 15197221683, 5e-5},
      {"meta-llama/Llama-2-7b-hf", "q4_k", 3791273329, 5e-5},
      {"meta-llama/Llama-3.1-8B", "q4_k", 4517936497, 5e-5},
      {"meta-llama/Llama-3.1-405B", "q4_k", 228306777539, 5e-5},
      {"meta-llama/Llama-3.2-1B", "q4_k", 695373660, 5e-5},
      {"microsoft/Phi-3.5-mini-instruct", "q4_k", 2150042174, 5e-5},
      {"mistralai/Mixtral-8x7B-v0.1", "q4_k", 26274839921, 5e-5},
      {"nvidia/Nemotron-H-56B-Base-8K", "q4_k", 31707994522, 5e-5},
      {"openai/gpt-oss-20b", "q8_0", 12096550994, 5e-5},
  };
  for (const Measured& row : rows) {
    INFO(row.model);
    CHECK(static_cast<double>(weights_of(row).value()) == Approx(row.bytes).epsilon(row.tolerance));
  }
}

TEST_CASE("GGUF mixes: weights in logs of people's own files")
{
  // llama.cpp logs in public issues (the number of ggml-org/llama.cpp beside each)
  const Measured rows[] = {
      {"mistralai/Mistral-7B-v0.1", "q4_k_m", 4.068 * k_gib, 0.001},                // 9436
      {"mistralai/Mistral-7B-v0.1", "q4_0", 3.826 * k_gib, 0.001},                  // 8294
      {"mistralai/Mistral-7B-v0.1", "q5_k_m", 4.778 * k_gib, 0.001},                // 5619
      {"Qwen/Qwen2-7B", "q4_k_m", 4.354 * k_gib, 0.001},                            // 9436
      {"meta-llama/Llama-3.1-8B", "q4_k_m", 4.576 * k_gib, 0.001},                  // 10701
      {"meta-llama/Llama-3.2-1B", "q4_k_m", 0.745 * k_gib, 0.001},                  // 11256
      {"meta-llama/Meta-Llama-3-70B", "q8_0", 69.819 * k_gib, 0.001},               // 12729
      {"deepseek-ai/DeepSeek-V2-Lite", "q4_k_m", 9.649 * k_gib, 0.001},             // 12390
      {"deepseek-ai/DeepSeek-R1-Distill-Llama-70B", "q6_k", 53.905 * k_gib, 0.001}, // 14075
      {"CohereForAI/c4ai-command-r-v01", "q4_k_m", 20.038 * k_gib, 0.001},          // 6112
      {"Qwen/Qwen2.5-32B", "q4_k_m", 18.482 * k_gib, 0.001},                        // 10152
      {"google/gemma-2-9b", "q4_k_m", 5.360 * k_gib, 0.001},                        // 8490
      {"google/gemma-2-2b", "q4_k_m", 1.586 * k_gib, 0.001},                        // 9013
      {"microsoft/phi-4", "q4_k_m", 8.428 * k_gib, 0.002},                          // 12012
      {"microsoft/Phi-3.5-mini-instruct", "q4_k_m", 2.228 * k_gib, 0.002},          // 9451
  };
  for (const Measured& row : rows) {
    INFO(row.model << " " << row.precision);
    CHECK(static_cast<double>(weights_of(row).value()) == Approx(row.bytes).epsilon(row.tolerance));
  }
}

TEST_CASE("quantised checkpoints: weights that serving engines print")
{
  const Measured rows[] = {
      {"intfloat/e5-mistral-7b-instruct", "nf4", 3.91 * k_gib, 0.005}, // vllm-project/vllm#19964
      {"Qwen/Qwen2-72B", "gptq-int4", 39.24 * k_gib, 0.02},            // sgl-project/sglang#748, four cards
      {"meta-llama/Llama-3.1-405B", "awq-int4", 204.58 * k_gib, 0.02}, // vllm-project/vllm#16259, four cards
  };
  for (const Measured& row : rows) {
    INFO(row.model << " " << row.precision);
    CHECK(static_cast<double>(weights_of(row).value()) == Approx(row.bytes).epsilon(row.tolerance));
  }
}
