#include "modelfile/model_file.hpp"

#include "../catalog/temporary_folder.hpp"
#include "catch.hpp"
#include "gguf_bytes.hpp"
#include "model/config.hpp"
#include "modelfile/gguf_config.hpp"
#include "modelfile/llamacpp_shape.hpp"

#include <fmt/format.h>

using namespace hwadvisor;
using namespace hwadvisor::modelfile;
using namespace gguf_bytes;

namespace {

// A file of F32 tensors with the given metadata.
std::string file_with(std::vector<std::string> pairs,
                      const std::vector<std::pair<std::string, std::vector<std::uint64_t>>>& tensors)
{
  File file;
  file.pairs = std::move(pairs);
  for (const auto& [name, sizes] : tensors) {
    std::uint64_t bytes = 4;
    for (const std::uint64_t size : sizes) {
      bytes *= size;
    }
    file.tensors.push_back(tensor(name, sizes, 0, file.data));
    file.data += (bytes + 31) / 32 * 32;
  }
  return file.bytes();
}

ModelFile model_of(const std::string& bytes)
{
  auto file = read_gguf(MemorySource(bytes), "m.gguf");
  REQUIRE(file);
  auto model = model_of_gguf(std::move(*file), "m.gguf");
  if (!model) {
    FAIL(model.error().message);
  }
  return std::move(*model);
}

Architecture architecture_of(std::string_view shape)
{
  const auto object = json::parse(shape, "shape");
  REQUIRE(object);
  auto parsed = parse_llamacpp_shape(*object, {"shape", ""});
  REQUIRE(parsed);
  auto config = config_of_gguf(parsed->metadata, parsed->vocabulary, "shape");
  REQUIRE(config);
  if (parsed->tied_embeddings) {
    (*config)["tie_word_embeddings"] = *parsed->tied_embeddings;
  }
  auto architecture = model::read_architecture(*config, "shape");
  if (!architecture) {
    FAIL(architecture.error().message);
  }
  return std::move(*architecture);
}

std::int64_t cached(const Architecture& architecture, std::int64_t tokens)
{
  std::int64_t sum = 0;
  for (const Layer& layer : architecture.layers) {
    const auto elements = cache_elements(layer, tokens);
    sum += elements.keys + elements.values;
  }
  return sum;
}

std::int64_t state_of(const Architecture& architecture)
{
  std::int64_t sum = 0;
  for (const Layer& layer : architecture.layers) {
    sum += layer.state_elements + layer.conv_elements;
  }
  return sum;
}

} // namespace

TEST_CASE("a GGUF file becomes a model: layers from its metadata, weights from its tensors", "[modelfile][gguf]")
{
  const auto out = model_of(
      file_with({pair("general.architecture", "qwen3moe"), pair("general.name", "Tiny"),
                 pair("qwen3moe.block_count", std::uint32_t{1}), pair("qwen3moe.embedding_length", std::uint32_t{64}),
                 pair("qwen3moe.attention.head_count", std::uint32_t{4}),
                 pair("qwen3moe.attention.head_count_kv", std::uint32_t{2}),
                 pair("qwen3moe.attention.key_length", std::uint32_t{32}),
                 pair("qwen3moe.attention.value_length", std::uint32_t{32}),
                 pair("qwen3moe.expert_count", std::uint32_t{8}), pair("qwen3moe.expert_used_count", std::uint32_t{2})},
                {{"token_embd.weight", {64, 100}},
                 {"output_norm.weight", {64}},
                 {"blk.0.attn_q.weight", {64, 128}},
                 {"blk.0.attn_k.weight", {64, 64}},
                 {"blk.0.attn_v.weight", {64, 64}},
                 {"blk.0.attn_output.weight", {128, 64}},
                 {"blk.0.ffn_gate_inp.weight", {64, 8}},
                 {"blk.0.ffn_gate_exps.weight", {64, 48, 8}},
                 {"blk.0.ffn_up_exps.weight", {64, 48, 8}},
                 {"blk.0.ffn_down_exps.weight", {48, 64, 8}}}));
  const Architecture& architecture = *out.model.architecture;
  CHECK(out.model.name == "Tiny");
  CHECK(out.precision == "fp32");
  CHECK(out.model.family == ModelFamily::llm_moe);
  CHECK(architecture.tied_embeddings);
  CHECK(architecture.vocabulary == 100);
  const std::int64_t attention = 64 * 128 + 2 * 64 * 64 + 128 * 64;
  const std::int64_t shared = 6400 + 64 + attention + 512;
  CHECK(out.model.params_total == shared + 3 * 64 * 48 * 8);
  CHECK(out.model.params_active == shared + 3 * 64 * 48 * 2);
  REQUIRE(architecture.layers.size() == 1);
  CHECK(architecture.layers[0].ffn_width == 48);
  CHECK(architecture.layers[0].experts == 8);
  CHECK(cached(architecture, 10) == 10 * 2 * (32 + 32));
  std::int64_t bytes = 0;
  for (const Tensor& tensor : architecture.tensors) {
    bytes += tensor.stored_bytes;
  }
  CHECK(bytes == 4 * *out.model.params_total);
}

TEST_CASE("prediction layers stand apart, projectors are no language models", "[modelfile][gguf]")
{
  const auto out = model_of(file_with(
      {pair("general.architecture", "glm4moe"), pair("glm4moe.block_count", std::uint32_t{2}),
       pair("glm4moe.nextn_predict_layers", std::uint32_t{1}), pair("glm4moe.embedding_length", std::uint32_t{32}),
       pair("glm4moe.attention.head_count", std::uint32_t{2})},
      {{"token_embd.weight", {32, 10}}, {"blk.0.attn_q.weight", {32, 32}}, {"blk.1.attn_q.weight", {32, 32}}}));
  CHECK(out.model.architecture->layers.size() == 1);
  CHECK(out.model.params_total == 320 + 1024);
  CHECK(out.model.architecture->draft_tensors.size() == 1);
  CHECK(out.notes == std::vector<std::string>{
                         "the file's layers for multi-token prediction are left out: they serve speculative decoding"});

  const auto projector = model_of(file_with({pair("general.architecture", "clip")},
                                            {{"v.patch_embd.weight", {14, 14, 3, 8}}, {"mm.0.weight", {8, 8}}}));
  CHECK(projector.model.architecture->layers.empty());
  CHECK(projector.model.params_total == 14 * 14 * 3 * 8 + 64);
  CHECK(projector.model.architecture->tensors[0].role == TensorRole::vision);
}

TEST_CASE("GGUF files that hold no model", "[modelfile][gguf][hostile]")
{
  const auto complaint = [](const std::string& bytes) {
    auto file = read_gguf(MemorySource(bytes), "m.gguf");
    REQUIRE(file);
    const auto model = model_of_gguf(std::move(*file), "m.gguf");
    return model ? std::string("accepted") : fmt::format("{}: {}", model.error().where, model.error().message);
  };
  CHECK(complaint(file_with({}, {{"t", {8}}})) ==
        "m.gguf: general.architecture is missing: this file does not say what model it holds");
  CHECK(complaint(file_with({pair("general.architecture", "a\x1b[2Jb")}, {{"token_embd.weight", {8, 8}}})) ==
        "m.gguf: general.architecture is 'a?[2Jb', which is no name");
  CHECK(complaint(file_with({pair("general.architecture", "llama")}, {})) == "m.gguf: this GGUF file holds no tensors");
  CHECK(complaint(file_with({pair("general.architecture", "llama"), pair("general.type", "adapter")}, {{"t", {8}}})) ==
        "m.gguf: this GGUF file holds an adapter, not a model");
  CHECK(complaint(file_with({pair("general.architecture", "llama")}, {{"t", {8}}})) ==
        "m.gguf: the file has neither token_embd.weight nor a vocabulary");
  CHECK(complaint(file_with({pair("general.architecture", "llama")}, {{"token_embd.weight", {8, 8}}})) ==
        "m.gguf: the configuration lacks a value above 0 under any of: block_count");
  CHECK(complaint(
            file_with({pair("general.architecture", "llama"), pair("llama.block_count", std::uint32_t{1'000'000'000})},
                      {{"token_embd.weight", {8, 8}}})) ==
        "m.gguf: llama.block_count: expected a whole number from 0 to 4096 for block_count");
}

TEST_CASE("windows, recurrent layers and latent vectors as llama.cpp has them", "[modelfile][gguf]")
{
  const auto gemma = architecture_of(
      R"({"arch": "gemma3", "n_layer": 34, "n_embd": 2560, "n_head": 8, "n_head_kv": 4, "n_ff": 10240,
          "n_vocab": 262144, "n_embd_head_k": 256, "n_embd_head_v": 256, "n_swa": 1024})");
  CHECK(cached(gemma, 4096) == 2 * 4 * 256 * (29 * 1024 + 5 * 4096)); // 5 of 34 layers keep all
  const auto lite = architecture_of(
      R"({"arch": "deepseek2", "n_layer": 27, "n_embd": 2048, "n_head": 16, "n_head_kv": 1, "n_ff": 10944,
          "n_vocab": 102400, "n_lora_kv": 512, "n_rot": 64, "n_embd_head_k_mla": 192, "n_embd_head_v_mla": 128,
          "n_expert": 64, "n_expert_used": 6, "n_ff_exp": 1408, "n_ff_shexp": 2816, "n_layer_dense_lead": 1})");
  CHECK(cached(lite, 100) == 100 * 27 * (512 + 64));
  CHECK(lite.parameters() == 15'706'484'224); // deepseek-ai/DeepSeek-V2-Lite, model.safetensors.index.json
  const auto rwkv = architecture_of(
      R"({"arch": "rwkv7", "n_layer": 24, "n_embd": 2048, "n_head": 0, "n_ff": 8192, "n_vocab": 65536, "wkv_head_size": 64})");
  CHECK(state_of(rwkv) == 24 * (2 * 2048 + 2048 * 64)); // llama_hparams::n_embd_r() and n_embd_s()
}

TEST_CASE("sizes that llama.cpp printed come back: parameters, KV cache, state", "[modelfile][llamacpp_shape]")
{
  // Planned loads of llama.cpp v0.5.0 (node-llama-cpp 3.22.1): n_params, llama_kv_cache and llama_memory_recurrent
  // sizes.
  const auto falcon = architecture_of(
      R"({"arch": "falcon-h1", "n_layer": 36, "n_embd": 1024, "n_head": 8, "n_head_kv": 2, "n_ff": 2048, "n_vocab": 32784,
          "tied_embeddings": false, "n_embd_head_k": 64, "n_embd_head_v": 64, "ssm_d_conv": 4, "ssm_d_inner": 1536,
          "ssm_d_state": 128, "ssm_n_head_or_dt_rank": 24, "ssm_n_group": 1, "n_layer_attn": 36, "n_layer_recurrent": 36})");
  CHECK(falcon.parameters() == 521'411'104);
  CHECK(cached(falcon, 2048) * 2 == 37'748'736);
  CHECK(static_cast<double>(state_of(falcon)) * 4 == Approx(29'087'498).margin(6000));
  const auto granite = architecture_of(
      R"({"arch": "granitehybrid", "n_layer": 40, "n_embd": 1536, "n_head": 12, "n_head_kv": 4, "n_ff": 512,
          "n_vocab": 100352, "tied_embeddings": true, "n_embd_head_k": 128, "n_embd_head_v": 128, "n_expert": 64,
          "n_expert_used": 6, "n_ff_exp": 512, "n_ff_shexp": 1024, "ssm_d_conv": 4, "ssm_d_inner": 3072, "ssm_d_state": 128,
          "ssm_n_head_or_dt_rank": 48, "ssm_n_group": 1, "n_layer_attn": 4, "n_layer_recurrent": 36})");
  CHECK(granite.parameters() == 6'939'037'248);
  CHECK(cached(granite, 2048) * 2 == 16'777'216);
  CHECK(static_cast<double>(state_of(granite)) * 4 == Approx(58'059'653).margin(6000));
  const auto mamba = architecture_of(
      R"({"arch": "mamba2", "n_layer": 64, "n_embd": 2560, "n_head": 0, "n_head_kv": 0, "n_ff": 0, "n_vocab": 50288,
          "tied_embeddings": true, "ssm_d_conv": 4, "ssm_d_inner": 5120, "ssm_d_state": 128, "ssm_n_head_or_dt_rank": 80,
          "ssm_n_group": 1, "n_layer_attn": 0, "n_layer_recurrent": 64})");
  CHECK(mamba.parameters() == 2'702'599'680);
  CHECK(static_cast<double>(state_of(mamba)) * 4 == Approx(171'903'549).margin(6000));
  const auto lfm = architecture_of(
      R"({"arch": "lfm2", "n_layer": 16, "n_embd": 2048, "n_head": 32, "n_head_kv": 8, "n_ff": 8192, "n_vocab": 65536,
          "tied_embeddings": true, "n_embd_head_k": 64, "n_embd_head_v": 64, "shortconv_l_cache": 3, "n_layer_attn": 6,
          "n_layer_recurrent": 10})");
  CHECK(lfm.parameters() == 1'170'340'608);
  CHECK(cached(lfm, 2048) * 2 == 25'165'824);
  const auto bert = architecture_of(
      R"({"arch": "bert", "n_layer": 12, "n_embd": 768, "n_head": 12, "n_head_kv": 12, "n_ff": 3072, "n_vocab": 119547,
          "n_ctx_train": 512, "tied_embeddings": true, "n_layer_attn": 0, "n_layer_recurrent": 0})");
  CHECK_FALSE(bert.causal);
  CHECK(bert.parameters() == 177'262'848 + 768 * 768 + 768); // llama.cpp leaves the pooler out
}

TEST_CASE("models of several GGUF files", "[modelfile][gguf]")
{
  const TemporaryFolder folder;
  const auto part = [&](std::uint16_t index, std::uint16_t count, const char* name) {
    File file;
    file.pairs = {word("split.no") + u32(2) + raw(index), word("split.count") + u32(2) + raw(count),
                  word("split.tensors.count") + u32(5) + raw(std::int32_t{2})};
    file.tensors = {tensor(name, {8}, 0, 0)};
    file.data = 32;
    return file.bytes();
  };
  const std::string first = part(0, 2, "a");
  const auto one = folder.write("m-00001-of-00002.gguf", first);
  const auto message = [&](const std::string& path) {
    const auto read = read_gguf_parts(path);
    return read ? std::string("accepted") : fmt::format("{} {}", exit_code(read.error().kind), read.error().message);
  };
  CHECK(message(one) == "1 part 2 of 2 is missing: cannot read the file: No such file or directory");
  folder.write("m-00002-of-00002.gguf", part(1, 2, "a"));
  CHECK(message(one) == "4 the tensor 'a' stands in an earlier part too");
  folder.write("m-00002-of-00002.gguf", part(0, 2, "b"));
  CHECK(message(one) == "4 this is not part 2 of 2, as its name says: split.no and split.count differ");
  const std::string second = part(1, 2, "b");
  const auto two = folder.write("m-00002-of-00002.gguf", second);
  for (const std::string& path : {one, two}) {
    const auto read = read_gguf_parts(path);
    REQUIRE(read);
    CHECK(read->tensors.size() == 2);
    CHECK(read->file_bytes == static_cast<std::int64_t>(first.size() + second.size()));
  }
  CHECK(
      message(folder.write("renamed.gguf", first)) ==
      "4 this is part 1 of 2, but its name does not end in '-00001-of-00002.gguf', so the other parts cannot be found");
}
