#include "catalog_files.hpp"
#include "catch.hpp"

using namespace hwadvisor;

// Element counts of published safetensors files, or of the vendor's own model card, less buffers where the entry's
// note says so. The counts are written here again so that an error in the data cannot hide one in the code.
TEST_CASE("architectures add up to published parameter counts, to the last parameter", "[model][published]")
{
  struct Published {
    const char* id;
    std::int64_t parameters;
  };
  constexpr Published k_published[] = {
      {"meta-llama/Llama-2-7b-hf", 6'738'415'616},
      {"meta-llama/Llama-2-13b-hf", 13'015'864'320},
      {"meta-llama/Llama-3.1-8B", 8'030'261'248},
      {"meta-llama/Llama-3.1-70B", 70'553'706'496},
      {"meta-llama/Llama-3.1-405B", 405'853'388'800},
      {"meta-llama/Llama-3.2-1B", 1'235'814'400},
      {"meta-llama/Llama-4-Maverick-17B-128E-Instruct", 401'583'781'376},
      {"TinyLlama/TinyLlama-1.1B-Chat-v1.0", 1'100'048'384},
      {"mistralai/Mistral-7B-v0.1", 7'241'732'096},
      {"mistralai/Mixtral-8x7B-v0.1", 46'702'792'704},
      {"Qwen/Qwen2.5-7B", 7'615'616'512},
      {"Qwen/Qwen2.5-72B", 72'706'203'648},
      {"Qwen/Qwen3-8B", 8'190'735'360},
      {"Qwen/Qwen3-30B-A3B", 30'532'122'624},
      {"Qwen/Qwen3-235B-A22B", 235'093'634'560},
      {"Qwen/Qwen1.5-MoE-A2.7B", 14'315'784'192},
      {"Qwen/Qwen3-Next-80B-A3B-Instruct", 79'674'391'296},
      {"Qwen/Qwen2.5-VL-7B-Instruct", 8'292'166'656},
      {"Qwen/Qwen2-VL-7B-Instruct", 8'291'375'616},
      {"Qwen/Qwen3-VL-8B-Instruct", 8'767'123'696},
      {"deepseek-ai/deepseek-moe-16b-base", 16'375'728'128},
      {"deepseek-ai/DeepSeek-V2-Lite", 15'706'484'224},
      {"deepseek-ai/DeepSeek-V2", 235'741'434'880},
      {"zai-org/glm-4-9b-chat-hf", 9'399'951'360},
      {"google/gemma-2b", 2'506'172'416},
      {"google/gemma-2-9b", 9'241'705'984},
      {"google/gemma-3-27b-it", 27'432'406'640},
      {"microsoft/phi-2", 2'779'683'840},
      {"microsoft/phi-4", 14'659'507'200},
      {"openai/gpt-oss-20b", 20'914'757'184},
      {"openai/gpt-oss-120b", 116'829'156'672},
      {"bigscience/bloom", 176'247'271'424},
      {"CohereLabs/aya-23-8B", 8'028'033'024},
      {"ibm-granite/granite-4.0-h-tiny", 6'939'037'248},
      {"bigcode/starcoder2-7b", 7'173'923'840},
      {"ai21labs/AI21-Jamba-Mini-1.5", 51'570'323'328},
      {"state-spaces/mamba-130m-hf", 129'135'360},
      {"tiiuae/falcon-mamba-7b", 7'272'665'088},
      {"nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B-BF16", 31'577'937'344},
      {"nvidia/Llama-3_3-Nemotron-Super-49B-v1", 49'867'145'216},
      {"meta-llama/Llama-3.2-11B-Vision-Instruct", 10'670'220'835},
      {"llava-hf/llava-1.5-7b-hf", 7'063'427'072},
      {"google-bert/bert-base-uncased", 109'482'240},
      {"nomic-ai/nomic-embed-text-v1.5", 136'731'648},
      {"google-t5/t5-base", 222'903'552},
      {"facebook/bart-base", 139'420'416},
      {"google/vit-base-patch16-224", 86'567'656},
  };
  for (const auto& row : k_published) {
    INFO(row.id);
    const auto& model = catalog_model(row.id);
    REQUIRE(model.architecture.has_value());
    CHECK(model.architecture->parameters() == row.parameters);
  }
}

TEST_CASE("the checkpoint of Qwen3.5-27B is its language model, tower and prediction layer", "[model][published]")
{
  // 27,781,427,952 elements in the published safetensors files
  const auto& architecture = *catalog_model("Qwen/Qwen3.5-27B").architecture;
  std::int64_t draft = 0;
  for (const auto& tensor : architecture.draft_tensors) {
    draft += tensor.elements();
  }
  CHECK(architecture.parameters() + draft == 27'781'427'952);
}

TEST_CASE("active parameters of a token", "[model][published]")
{
  // "3.3B activated" (Qwen3 report), "5.1B active" plus embedding (gpt-oss card), "37B activated" (DeepSeek-V3 report)
  CHECK(catalog_model("Qwen/Qwen3-30B-A3B").architecture->active_parameters() == 3'353'032'704);
  CHECK(catalog_model("openai/gpt-oss-120b").architecture->active_parameters() == 5'711'982'912);
  CHECK(catalog_model("deepseek-ai/DeepSeek-V3").architecture->active_parameters() == 37'552'297'472);
  CHECK(catalog_model("mistralai/Mixtral-8x7B-v0.1").architecture->active_parameters() == 12'879'925'248);
  CHECK(catalog_model("Qwen/Qwen3-8B").architecture->active_parameters() == 8'190'735'360);
  // Gemma 4 E2B: the table of per-layer embeddings (262,144 x 35 x 256) is looked up, not multiplied with
  const auto& e2b = *catalog_model("google/gemma-4-E2B-it").architecture;
  // and the image tower (167,364,608) is not passed by a generated token
  CHECK(e2b.parameters() - e2b.active_parameters() == 262'144LL * 35 * 256 + 167'364'608);
}

TEST_CASE("the tensor table has the shapes of the checkpoint", "[model]")
{
  const auto& architecture = *catalog_model("Qwen/Qwen3-30B-A3B").architecture;
  std::int64_t experts = 0;
  for (const auto& tensor : architecture.tensors) {
    if (tensor.layer != 5) {
      continue;
    }
    if (tensor.role == TensorRole::attention_q) {
      CHECK((tensor.rows == 4096 && tensor.row_elements == 2048));
    } else if (tensor.role == TensorRole::attention_k) {
      CHECK((tensor.rows == 512 && tensor.row_elements == 2048));
    } else if (tensor.role == TensorRole::expert_down) {
      CHECK((tensor.rows == 2048 && tensor.row_elements == 768 && tensor.copies == 128));
      ++experts;
    }
  }
  CHECK(experts == 1);
}
