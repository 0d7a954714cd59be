#include "catch.hpp"

#include "catalog/model_names.hpp"
#include "hwadvisor/catalog.hpp"

using namespace hwadvisor;

namespace {

const Catalog& built_in()
{
  static const Result<Catalog> loaded = Catalog::load();
  return *loaded;
}

struct Case {
  const char* name;
  const char* id;
  const char* precision = "";
};

Error error_of(const char* name)
{
  const auto match = built_in().resolve_model(name);
  REQUIRE_FALSE(match.ok());
  CHECK(match.error().kind == ErrorKind::unknown);
  return match.error();
}

} // namespace

TEST_CASE("models by the names that people, repositories and engines use")
{
  const Case cases[] = {
      {"meta-llama/Llama-3.1-8B", "meta-llama/Llama-3.1-8B"},
      {"Llama 3.1 8B", "meta-llama/Llama-3.1-8B"},
      {"llama-3.1-8b", "meta-llama/Llama-3.1-8B"},
      {"llama3.1:8b", "meta-llama/Llama-3.1-8B"},
      {"meta-llama/Meta-Llama-3.1-8B-Instruct", "meta-llama/Llama-3.1-8B"},
      {"llama-2-7b", "meta-llama/Llama-2-7b-hf"},
      {"llama-2-13b-chat", "meta-llama/Llama-2-13b-hf"},
      {"gemma-3-27b", "google/gemma-3-27b-it"},
      {"DeepSeek-V3", "deepseek-ai/DeepSeek-V3"},
      {"deepseek-r1", "deepseek-ai/DeepSeek-R1"},
      {"deepseek-r1:8b", "deepseek-ai/DeepSeek-R1-Distill-Llama-8B"},
      {"gpt-oss-20b", "openai/gpt-oss-20b"},
      {"Qwen/Qwen3-8B-Base", "Qwen/Qwen3-8B"},
      {"resnet-50", "torchvision/resnet50"},
      {"Whisper large-v3", "openai/whisper-large-v3"},
      // Dots count.
      {"opt-1.3b", "facebook/opt-1.3b"},
      {"opt-13b", "facebook/opt-13b"},
      // Quantised derivatives.
      {"Qwen/Qwen2.5-7B-Instruct-AWQ", "Qwen/Qwen2.5-7B", "awq-int4"},
      {"Qwen/Qwen2.5-7B-Instruct-GPTQ-Int4", "Qwen/Qwen2.5-7B", "gptq-int4"},
      {"Qwen/Qwen2.5-7B-Instruct-GPTQ-Int8", "Qwen/Qwen2.5-7B", "gptq-int8"},
      {"Qwen/Qwen3-8B-FP8", "Qwen/Qwen3-8B", "fp8"},
      {"RedHatAI/Meta-Llama-3.1-70B-Instruct-FP8-dynamic", "meta-llama/Llama-3.1-70B", "fp8"},
      {"RedHatAI/Meta-Llama-3.1-8B-Instruct-quantized.w4a16", "meta-llama/Llama-3.1-8B", "gptq-int4"},
      {"RedHatAI/Meta-Llama-3.1-8B-Instruct-quantized.w8a8", "meta-llama/Llama-3.1-8B", "int8"},
      {"nvidia/DeepSeek-R1-FP4", "deepseek-ai/DeepSeek-R1", "nvfp4"},
      {"unsloth/Meta-Llama-3.1-8B-Instruct-bnb-4bit", "meta-llama/Llama-3.1-8B", "nf4-dq"},
      {"unsloth/Qwen3-8B-unsloth-bnb-4bit", "Qwen/Qwen3-8B", "nf4-dq"},
      {"bartowski/Meta-Llama-3.1-8B-Instruct-GGUF:Q4_K_M", "meta-llama/Llama-3.1-8B", "q4_k_m"},
      {"bartowski/Meta-Llama-3.1-8B-Instruct-GGUF", "meta-llama/Llama-3.1-8B"},
      {"Meta-Llama-3.1-8B-Instruct-Q4_K_M.gguf", "meta-llama/Llama-3.1-8B", "q4_k_m"},
      {"llama3.1:8b-instruct-q4_K_M", "meta-llama/Llama-3.1-8B", "q4_k_m"},
      {"llama3.1:8b-instruct-fp16", "meta-llama/Llama-3.1-8B", "fp16"},
      {"gemma-2-9b-it-IQ2_XXS", "google/gemma-2-9b", "iq2_xxs"},
      {"mlx-community/Meta-Llama-3.1-8B-Instruct-4bit", "meta-llama/Llama-3.1-8B", "mlx-4bit"},
      {"Qwen3-8B-MLX-4bit", "Qwen/Qwen3-8B", "mlx-4bit"},
      {"turboderp/Llama-3.1-8B-Instruct-exl2-4.0bpw", "meta-llama/Llama-3.1-8B", "exl2-4.0bpw"},
      {"turboderp/Qwen3-8B-exl3_4.0bpw", "Qwen/Qwen3-8B", "exl3-4.0bpw"},
      {"TheBloke/Llama-2-7B-Chat-GPTQ", "meta-llama/Llama-2-7b-hf", "gptq-int4"},
  };
  for (const Case& expected : cases) {
    INFO(expected.name);
    const auto match = built_in().resolve_model(expected.name);
    CHECK(match.ok());
    if (match.ok()) {
      CHECK(match->model->id == expected.id);
      CHECK(match->precision == expected.precision);
    }
  }
}

TEST_CASE("what was taken for the name is said")
{
  CHECK(built_in().resolve_model("llama3.1:8b")->note.empty());
  CHECK(built_in().resolve_model("Qwen/Qwen2.5-7B-Instruct-AWQ")->note ==
        "'Qwen/Qwen2.5-7B-Instruct-AWQ' is taken as Qwen/Qwen2.5-7B at awq-int4");
  CHECK(built_in().resolve_model("bartowski/Meta-Llama-3.1-8B-Instruct-GGUF")->note ==
        "'bartowski/Meta-Llama-3.1-8B-Instruct-GGUF' is taken as meta-llama/Llama-3.1-8B; the name does not say which "
        "GGUF type");
  CHECK(built_in().resolve_model("someone/Llama-3.1-8B")->note ==
        "'someone/Llama-3.1-8B' is taken as meta-llama/Llama-3.1-8B");
}

TEST_CASE("a weak match is refused, with near names")
{
  CHECK(error_of("llama3.1").message == "'llama3.1' is not a known model");
  CHECK(error_of("llama3.1").candidates[0] == "meta-llama/Llama-3.1-405B");
  CHECK(error_of("Lama 3.1 8B").candidates[0] == "meta-llama/Llama-3.1-8B");
  CHECK(error_of("Mistral-7B-Instruct-v0.2").message == "'Mistral-7B-Instruct-v0.2' is not a known model");
  CHECK(error_of("NousResearch/Hermes-3-Llama-3.1-8B").message ==
        "'NousResearch/Hermes-3-Llama-3.1-8B' is not a known model");
  CHECK(error_of("Qwen/Qwen2.5-7B-Instruct-9M").candidates.size() > 1);
  CHECK(error_of("llama-3.1-9b").candidates[0] == "meta-llama/Llama-3.1-8B");
  for (const char* name : {"", "/", "-AWQ", "AWQ", "GGUF", ":", "meta-llama/", "instruct", "base-it-hf"}) {
    INFO(name);
    CHECK_FALSE(built_in().resolve_model(name).ok());
  }
}

TEST_CASE("names that fit different models equally list them; variants of one architecture do not")
{
  const std::vector<ModelSummary> models = {
      {"a/Foo-7B", "Foo 7B", {}, "llm-dense", "", 7'000'000'000},
      {"a/Foo-7B-Instruct", "Foo 7B Instruct", {}, "llm-dense", "", 7'000'000'000},
      {"b/Bar-chat", "Bar chat", {}, "llm-dense", "", 1'000'000'000},
      {"c/Bar-it", "Bar it", {}, "llm-dense", "", 2'000'000'000},
  };
  const auto variant = catalog::find_model("foo:7b-chat", models);
  REQUIRE(variant.ok());
  CHECK(variant->id == "a/Foo-7B");
  CHECK(variant->note == "'foo:7b-chat' is taken as a/Foo-7B; of the same size: a/Foo-7B-Instruct");
  const auto two = catalog::find_model("bar", models);
  REQUIRE_FALSE(two.ok());
  CHECK(two.error().message == "'bar' may be any of 2 models: say which");
  CHECK(two.error().candidates == std::vector<std::string>{"b/Bar-chat", "c/Bar-it"});
}

TEST_CASE("every model is read, and found by its id, its name and its aliases")
{
  for (const ModelSummary& summary : built_in().models()) {
    INFO(summary.id);
    const auto model = built_in().load_model(summary.id);
    REQUIRE(model.ok());
    CHECK((*model)->id == summary.id);
    std::vector<std::string> names = summary.aliases;
    names.push_back(summary.id);
    names.push_back(summary.name);
    for (const std::string& name : names) {
      INFO(name);
      const auto found = catalog::find_model(name, built_in().models());
      CHECK(found.ok());
      CHECK((found.ok() && found->id == summary.id));
    }
  }
  const auto missing = built_in().load_model("nobody/nothing");
  REQUIRE_FALSE(missing.ok());
  CHECK(missing.error().message == "there is no model 'nobody/nothing' in the catalog");
}
