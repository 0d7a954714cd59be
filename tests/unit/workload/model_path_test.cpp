#include "hwadvisor/catalog.hpp"
#include "hwadvisor/footprint.hpp"
#include "hwadvisor/workload.hpp"

#include "../catalog/temporary_folder.hpp"
#include "../modelfile/safetensors_bytes.hpp"
#include "catch.hpp"

#include <algorithm>

using namespace hwadvisor;
using safetensors_bytes::file;

namespace {

const Catalog& catalog()
{
  static const auto loaded = Catalog::load();
  return *loaded;
}

Result<Workload> resolved(const std::string& path, const std::string& precision = "")
{
  Request request;
  request.model.name = path;
  if (!precision.empty()) {
    request.precision = precision;
  }
  return resolve(request, catalog());
}

Footprint footprint_of(const Workload& workload)
{
  const auto footprint = estimate_footprint(workload, Placement{}, Detail::numbers);
  REQUIRE(footprint);
  return *footprint;
}

Bytes weights_of(const Workload& workload)
{
  const Footprint footprint = footprint_of(workload);
  return footprint.find("weights")->bytes.likely;
}

bool warns_of_cache(const Workload& workload)
{
  return std::any_of(workload.notes.begin(), workload.notes.end(), [](const Note& note) {
    return note.severity == Severity::warning && note.text.find("KV cache cannot be told") != std::string::npos;
  });
}

constexpr const char* k_config = R"({"model_type": "llama", "hidden_size": 16, "num_hidden_layers": 1,
  "num_attention_heads": 2, "num_key_value_heads": 1, "intermediate_size": 32, "vocab_size": 100,
  "tie_word_embeddings": true, "torch_dtype": "bfloat16"})";

std::string tensors()
{
  return file({{"model.embed_tokens.weight", "F32", {100, 16}, 6400}, // kept at 32 bit, unlike the rest
               {"model.layers.0.self_attn.q_proj.weight", "BF16", {16, 16}, 512},
               {"model.layers.0.mlp.up_proj.weight", "BF16", {32, 16}, 1024}});
}

} // namespace

TEST_CASE("a folder's tensors give the bytes, its configuration the cache", "[workload][path]")
{
  const TemporaryFolder folder;
  const std::string bytes = tensors();
  const auto path = folder.write("model.safetensors", bytes);
  const auto alone = resolved(path);
  REQUIRE(alone);
  CHECK(warns_of_cache(*alone));
  CHECK(weights_of(*alone) == Bytes(6400 + 512 + 1024));
  CHECK(footprint_of(*alone).find("kv_cache") == nullptr);

  folder.write("config.json", k_config);
  for (const std::string& name : {path, folder.path()}) {
    const auto both = resolved(name);
    REQUIRE(both);
    CHECK_FALSE(warns_of_cache(*both));
    CHECK(weights_of(*both) == Bytes(6400 + 512 + 1024));
    CHECK(footprint_of(*both).weights_file == Bytes(static_cast<std::int64_t>(bytes.size())));
    CHECK(footprint_of(*both).find("kv_cache")->bytes.likely == Bytes(4096 * 2 * 8 * 2));
  }
  // In another precision than the files': as if converted.
  const auto converted = resolved(path, "fp16");
  REQUIRE(converted);
  CHECK(weights_of(*converted) == Bytes(2 * (1600 + 256 + 512)));
}

TEST_CASE("an index without its files counts by its total size", "[workload][path]")
{
  const TemporaryFolder folder;
  const auto path = folder.write("model.safetensors.index.json",
                                 R"({"metadata":{"total_size":16060522496},"weight_map":{"a":"x.safetensors"}})");
  const auto out = resolved(path);
  REQUIRE(out);
  CHECK(weights_of(*out) == Bytes(16'060'522'496)); // meta-llama/Llama-3.1-8B
}

TEST_CASE("a diffusers folder is the sum of its components", "[workload][path]")
{
  const TemporaryFolder folder;
  folder.write("model_index.json", R"({"_class_name": "FluxPipeline", "unet": ["diffusers", "UNet2DConditionModel"],
    "text_encoder": ["transformers", "CLIPTextModel"], "scheduler": ["diffusers", "EulerDiscreteScheduler"],
    "tokenizer": ["transformers", "CLIPTokenizer"], "safety_checker": [null, null]})");
  const std::string unet = file({{"a", "F16", {10, 10}, 200}});
  const std::string text = file({{"b", "F32", {10}, 40}});
  folder.write("unet/diffusion_pytorch_model.safetensors", unet);
  folder.write("unet/diffusion_pytorch_model.fp16.safetensors", text);
  folder.write("text_encoder/model.safetensors", text);
  folder.write("scheduler/scheduler_config.json", "{}");
  const auto out = resolved(folder.path());
  REQUIRE(out);
  const Model& model = *out->model;
  CHECK(model.family == ModelFamily::diffusion);
  REQUIRE(model.components.size() == 2);
  CHECK(model.components[0].name == "unet");
  CHECK(model.components[0].parameters == 100);
  CHECK(model.components[1].size == Bytes(40));
  CHECK(model.params_total == 110);
  CHECK(weights_of(*out) == Bytes(240));
  CHECK(footprint_of(*out).weights_file == Bytes(static_cast<std::int64_t>(unet.size() + text.size())));
}

TEST_CASE("paths with nothing to read", "[workload][path]")
{
  const TemporaryFolder folder;
  const auto empty = resolved(folder.path());
  REQUIRE_FALSE(empty);
  CHECK(empty.error().kind == ErrorKind::io);
  CHECK(empty.error().message == "nothing to read in this folder; looked for model_index.json, "
                                 "model.safetensors.index.json, *.safetensors, config.json and *.gguf");
  folder.write("a.safetensors", tensors());
  folder.write("b.safetensors", tensors());
  CHECK(resolved(folder.path()).error().message ==
        "2 safetensors files and no index; name one of them, or add model.safetensors.index.json");
  Request request;
  request.model.name = "llama-3.1-8b";
  request.model.is_path = true;
  const auto missing = resolve(request, catalog());
  REQUIRE_FALSE(missing);
  CHECK(missing.error().message == "cannot read the file: No such file or directory");
}
