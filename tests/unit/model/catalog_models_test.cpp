#include "catalog_files.hpp"
#include "catch.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>

using namespace hwadvisor;

namespace {

// How names are compared: letters, digits and dots only, without case.
std::string bare(const std::string& name)
{
  std::string out;
  for (const char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.') {
      out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
  }
  return out;
}

std::set<std::string> names_of(const CatalogEntry& entry)
{
  std::set<std::string> names{bare(entry.model.id), bare(entry.model.id.substr(entry.model.id.find('/') + 1)),
                              bare(entry.model.name)};
  for (const auto& alias : entry.json.at("aliases")) {
    names.insert(bare(alias.get<std::string>()));
  }
  for (const auto& checkpoint : entry.model.checkpoints) {
    names.insert(bare(checkpoint.id));
  }
  return names;
}

std::string without_words(std::string name)
{
  for (const std::string word : {"hf", "instruct", "chat", "it", "base"}) {
    if (name.size() > word.size() && name.ends_with(word)) {
      name.resize(name.size() - word.size());
    }
  }
  return name;
}

} // namespace

TEST_CASE("the tensor table of every entry adds up to its parameter count", "[model][catalog]")
{
  std::size_t with_architecture = 0;
  for (const auto& entry : catalog_entries()) {
    const auto& model = entry.model;
    if (!model.architecture) {
      continue;
    }
    ++with_architecture;
    INFO(model.id);
    REQUIRE(model.params_total.has_value());
    const auto own = model.architecture->parameters();
    if (!model.params_note.empty()) {
      CHECK(std::abs(static_cast<double>(own - *model.params_total)) > 0.02 * static_cast<double>(*model.params_total));
      continue;
    }
    CHECK(own == *model.params_total);
    REQUIRE(model.params_active.has_value());
    CHECK(std::abs(static_cast<double>(model.architecture->active_parameters() - *model.params_active)) <=
          0.0001 * static_cast<double>(*model.params_active));
    CHECK(model.architecture->assumptions.empty());
  }
  CHECK(with_architecture >= 310);
  CHECK(catalog_entries().size() >= 370);
}

TEST_CASE("every architecture in the catalog is consistent", "[model][catalog]")
{
  for (const auto& entry : catalog_entries()) {
    if (!entry.model.architecture) {
      continue;
    }
    const auto& architecture = *entry.model.architecture;
    INFO(entry.model.id);
    for (const auto& layer : architecture.layers) {
      CHECK(layer.heads >= layer.kv_heads);
      CHECK(layer.experts_per_token <= layer.experts);
      CHECK((layer.kv_heads == 0 || layer.heads % layer.kv_heads == 0));
      if (layer.mixer == Mixer::attention && !layer.shares_kv) {
        CHECK(cache_elements(layer, 64).keys > 0);
      }
      // A cache never shrinks with the context, and a window bounds it.
      CHECK(cache_elements(layer, 100000).keys >= cache_elements(layer, 1000).keys);
    }
    for (const auto& tensor : architecture.tensors) {
      CHECK(tensor.elements() > 0);
      CHECK(tensor.layer <
            static_cast<std::int32_t>((tensor.encoder ? architecture.encoder_layers : architecture.layers).size()));
    }
  }
}

TEST_CASE("components add up to the total where all sizes are known", "[model][catalog]")
{
  for (const auto& entry : catalog_entries()) {
    const auto& parts = entry.model.components;
    const bool known =
        std::all_of(parts.begin(), parts.end(), [](const auto& part) { return part.parameters.has_value(); });
    if (parts.empty() || !known || !entry.model.params_total) {
      continue;
    }
    std::int64_t sum = 0;
    for (const auto& part : parts) {
      sum += part.in_total ? *part.parameters : 0;
    }
    INFO(entry.model.id);
    CHECK(sum == *entry.model.params_total);
  }
}

TEST_CASE("no name means two models", "[model][catalog]")
{
  std::map<std::string, std::string> owner;
  for (const auto& entry : catalog_entries()) {
    for (const auto& name : names_of(entry)) {
      INFO(name << ": " << entry.model.id << " and " << owner[name]);
      CHECK((owner[name].empty() || owner[name] == entry.model.id));
      owner[name] = entry.model.id;
    }
  }
}

TEST_CASE("names that people type find their model", "[model][catalog]")
{
  std::map<std::string, std::set<std::string>> exact;
  std::map<std::string, std::set<std::string>> loose;
  for (const auto& entry : catalog_entries()) {
    for (const auto& name : names_of(entry)) {
      exact[name].insert(entry.model.id);
      loose[without_words(name)].insert(entry.model.id);
    }
  }
  const std::map<std::string, std::string> expected{
      {"llama-2-7b", "meta-llama/Llama-2-7b-hf"},
      {"llama-3.1-8b", "meta-llama/Llama-3.1-8B"},
      {"llama3.1:8b", "meta-llama/Llama-3.1-8B"},
      {"Llama 3.1 8B", "meta-llama/Llama-3.1-8B"},
      {"llama-3.1-70b", "meta-llama/Llama-3.1-70B"},
      {"llama-3.3-70b", "meta-llama/Llama-3.3-70B-Instruct"},
      {"resnet-50", "torchvision/resnet50"},
      {"bert-base", "google-bert/bert-base-uncased"},
      {"bert-large", "google-bert/bert-large-uncased"},
      {"gemma-3-27b", "google/gemma-3-27b-it"},
      {"google/gemma-4-26B-A4B", "google/gemma-4-26B-A4B-it"},
      {"deepseek-v3", "deepseek-ai/DeepSeek-V3"},
      {"deepseek-v3.1", "deepseek-ai/DeepSeek-V3.1"},
      {"deepseek-r1", "deepseek-ai/DeepSeek-R1"},
      {"gpt-oss-20b", "openai/gpt-oss-20b"},
      {"gpt-oss-120b", "openai/gpt-oss-120b"},
      {"qwen2.5-7b", "Qwen/Qwen2.5-7B"},
      {"qwen3-8b", "Qwen/Qwen3-8B"},
      {"qwen3.6-27b", "Qwen/Qwen3.6-27B"},
      {"mixtral-8x7b", "mistralai/Mixtral-8x7B-v0.1"},
      {"mistral-7b", "mistralai/Mistral-7B-v0.3"},
      {"phi-4", "microsoft/phi-4"},
      {"whisper-large-v3", "openai/whisper-large-v3"},
      {"sdxl", "stabilityai/stable-diffusion-xl-base-1.0"},
      {"flux.1-dev", "black-forest-labs/FLUX.1-dev"},
      {"yolov8n", "ultralytics/yolov8n"},
      {"mobilenet-v2", "torchvision/mobilenet_v2"},
      {"vit-base", "google/vit-base-patch16-224"},
      {"xgboost", "xgboost/gbtree"},
      {"TinyLlama", "TinyLlama/TinyLlama-1.1B-Chat-v1.0"},
      {"opt-1.3b", "facebook/opt-1.3b"},
      {"opt-13b", "facebook/opt-13b"},
  };
  for (const auto& [name, id] : expected) {
    INFO(name);
    const auto key = bare(name);
    const auto& found = exact.contains(key) ? exact[key] : loose[without_words(key)];
    CHECK(found == std::set<std::string>{id});
  }
}

TEST_CASE("every null of an entry says why it is null", "[model][catalog]")
{
  for (const auto& entry : catalog_entries()) {
    const auto unknown = entry.json.find("unknown");
    for (const auto* key : {"params_total", "params_active", "checkpoint_bytes", "licence", "dtype_released"}) {
      // A model without a count has no active count; trained classifiers have no released checkpoint.
      const bool follows = (std::string(key) == "params_active" && !entry.model.params_total) ||
                           (std::string(key) == "checkpoint_bytes" && entry.model.family == ModelFamily::classical);
      if (entry.json.at(key).is_null() && !follows) {
        INFO(entry.model.id << " " << key);
        REQUIRE(unknown != entry.json.end());
        CHECK(unknown->contains(key));
      }
    }
  }
}

TEST_CASE("published configuration files are read without assumptions", "[model][shared]")
{
  const std::filesystem::path folder = std::filesystem::path(HWADVISOR_SOURCE_DIR) / "../shared/catalog/configs";
  if (!std::filesystem::exists(folder)) {
    SUCCEED("no folder of published configurations here");
    return;
  }
  for (const auto& item : std::filesystem::directory_iterator(folder)) {
    if (item.path().extension() != ".json") {
      continue;
    }
    const auto document = json::parse_file(item.path().string(), {.allow_non_finite = true});
    INFO(item.path());
    REQUIRE(document.ok());
    const auto architecture = read_config(json::dump(*document), item.path().string());
    INFO((architecture.ok() ? "" : architecture.error().where + ": " + architecture.error().message));
    REQUIRE(architecture.ok());
    CHECK(architecture->parameters() > 1'000'000);
    CHECK((architecture->assumptions.empty() || architecture->model_type == "llama4"));
  }
}
