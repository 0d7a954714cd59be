#include "modelfile/model_file.hpp"

#include "catch.hpp"
#include "modelfile/packed.hpp"
#include "modelfile/roles.hpp"
#include "safetensors_bytes.hpp"

using namespace hwadvisor;
using namespace hwadvisor::modelfile;
using safetensors_bytes::Entry;

namespace {

struct Counted {
  std::string precision;
  std::int64_t parameters = 0;
  std::int64_t bytes = 0;
  std::int64_t unproven = 0;
};

Counted counted(const std::vector<Entry>& entries, std::int64_t bits = 0)
{
  const std::string bytes = safetensors_bytes::file(entries);
  const auto files = read_safetensors(MemorySource(bytes), "m");
  REQUIRE(files);
  const auto packing = unpack(files->tensors, bits);
  const auto model = model_of_safetensors(*files, "m", std::nullopt, bits);
  Counted out{packing.precision, *model.model.params_total, 0, packing.unproven};
  for (const Tensor& tensor : model.model.architecture->tensors) {
    out.bytes += tensor.stored_bytes;
  }
  return out;
}

} // namespace

// A linear layer of 256 inputs and 512 outputs, as each tool writes it.
TEST_CASE("packed weights count as what they stand for", "[modelfile][safetensors]")
{
  constexpr std::int64_t k_weights = 256 * 512;
  // AutoGPTQ, 4 and 3 bits, groups of 128: qweight (in x bits/32, out), qzeros (groups, out x bits/32)
  const auto gptq = counted({{"l.qweight", "I32", {32, 512}, 65536},
                             {"l.qzeros", "I32", {2, 64}, 512},
                             {"l.scales", "F16", {2, 512}, 2048},
                             {"l.g_idx", "I32", {256}, 1024}});
  CHECK(gptq.precision == "gptq-int4");
  CHECK(gptq.parameters == k_weights);
  CHECK(gptq.bytes == 65536 + 512 + 2048 + 1024);
  const auto three = counted(
      {{"l.qweight", "I32", {24, 512}, 49152}, {"l.qzeros", "I32", {2, 48}, 384}, {"l.scales", "F16", {2, 512}, 2048}});
  CHECK(three.precision == "gptq-int3");
  CHECK(three.parameters == k_weights);
  // AutoAWQ: qweight (in, out x bits/32)
  const auto awq = counted(
      {{"l.qweight", "I32", {256, 64}, 65536}, {"l.qzeros", "I32", {2, 64}, 512}, {"l.scales", "F16", {2, 512}, 2048}});
  CHECK(awq.precision == "awq-int4");
  CHECK(awq.parameters == k_weights);
  // bitsandbytes NF4, scales quantised again
  const auto nf4 = counted({{"l.weight", "U8", {65536, 1}, 65536},
                            {"l.weight.absmax", "U8", {2048}, 2048},
                            {"l.weight.nested_absmax", "F32", {8}, 32},
                            {"l.weight.nested_quant_map", "F32", {256}, 1024},
                            {"l.weight.quant_map", "F32", {16}, 64},
                            {"l.weight.quant_state.bitsandbytes__nf4", "U8", {90}, 90}});
  CHECK(nf4.precision == "nf4-dq");
  CHECK(nf4.parameters == k_weights);
  // DeepSeek-V3: FP8 with a scale for each tile of 128 x 128
  const auto fp8 = counted({{"l.weight", "F8_E4M3", {512, 256}, 131072}, {"l.weight_scale_inv", "F32", {4, 2}, 32}});
  CHECK(fp8.precision.empty());
  CHECK(fp8.parameters == k_weights);
  CHECK(fp8.bytes == 131072 + 32);
  // compressed-tensors: the shape is data, so the bits come from the configuration
  const std::vector<Entry> packed = {{"l.weight_packed", "I32", {512, 32}, 65536},
                                     {"l.weight_scale", "BF16", {512, 2}, 2048},
                                     {"l.weight_shape", "I64", {2}, 16}};
  CHECK(counted(packed, 4).parameters == k_weights);
  CHECK(counted(packed, 4).unproven == 0);
  CHECK(counted(packed).unproven == 1);
  // ModelOpt and compressed-tensors NVFP4
  CHECK(counted({{"l.weight", "U8", {512, 128}, 65536},
                 {"l.weight_scale", "F8_E4M3", {512, 16}, 8192},
                 {"l.weight_scale_2", "F32", {}, 4}})
            .parameters == k_weights);
  CHECK(counted({{"l.weight_packed", "U8", {512, 128}, 65536}, {"l.weight_scale", "F8_E4M3", {512, 16}, 8192}})
            .parameters == k_weights);
  // gpt-oss: 32 weights in 16 bytes and a scale
  const auto mxfp4 = counted(
      {{"e.gate_up_proj_blocks", "U8", {2, 512, 4, 16}, 65536}, {"e.gate_up_proj_scales", "U8", {2, 512, 4}, 4096}});
  CHECK(mxfp4.precision == "mxfp4");
  CHECK(mxfp4.parameters == k_weights);
  // MLX, 4 bits in groups of 64
  const auto mlx = counted({{"l.weight", "U32", {512, 32}, 65536},
                            {"l.scales", "BF16", {512, 4}, 4096},
                            {"l.biases", "BF16", {512, 4}, 4096}},
                           4);
  CHECK(mlx.precision == "mlx-4bit");
  CHECK(mlx.parameters == k_weights);
  CHECK(counted({{"l.weight", "I8", {512, 256}, 131072}, {"l.SCB", "F32", {512}, 2048}}).precision == "bnb-int8");
}

TEST_CASE("tensors without a configuration prove sizes and no KV cache", "[modelfile][safetensors]")
{
  const std::string bytes =
      safetensors_bytes::file({{"model.embed_tokens.weight", "BF16", {100, 16}, 3200},
                               {"model.layers.0.self_attn.q_proj.weight", "BF16", {16, 16}, 512},
                               {"model.layers.1.self_attn.q_proj.weight", "BF16", {16, 16}, 512}});
  const auto files = read_safetensors(MemorySource(bytes), "m");
  REQUIRE(files);
  const auto out = model_of_safetensors(*files, "m", std::nullopt, 0);
  CHECK(out.precision == "bf16");
  CHECK(out.notes ==
        std::vector<std::string>{"the tensors show 2 layers, a hidden size of 16 and a vocabulary of 100; they "
                                 "do not show the attention heads"});
  CHECK(out.warnings ==
        std::vector<std::string>{"the KV cache cannot be told from tensors alone and is left out; put the "
                                 "model's config.json beside the file"});
}

TEST_CASE("roles by the names of checkpoints", "[modelfile][safetensors]")
{
  struct Row {
    const char* name;
    TensorRole role;
    int layer;
  };
  // Names from model.safetensors.index.json of the released models.
  const Row rows[] = {
      {"model.embed_tokens.weight", TensorRole::token_embedding, -1},
      {"lm_head.weight", TensorRole::output_head, -1},
      {"model.norm.weight", TensorRole::norm, -1},
      {"model.layers.31.self_attn.q_proj.weight", TensorRole::attention_q, 31},
      {"model.layers.31.self_attn.k_proj.bias", TensorRole::bias, 31},
      {"model.layers.3.self_attn.o_proj.weight", TensorRole::attention_output, 3},
      {"model.layers.3.post_attention_layernorm.weight", TensorRole::norm, 3},
      {"model.layers.3.mlp.down_proj.weight", TensorRole::ffn_down, 3},
      {"model.layers.3.mlp.experts.17.up_proj.weight", TensorRole::expert_up, 3},
      {"model.layers.3.mlp.experts.gate_up_proj_blocks", TensorRole::expert_up, 3},
      {"model.layers.3.mlp.shared_experts.gate_proj.weight", TensorRole::shared_expert_gate, 3},
      {"model.layers.3.mlp.gate.weight", TensorRole::router, 3},
      {"model.layers.3.self_attn.kv_b_proj.weight", TensorRole::latent_kv_b, 3},
      {"model.layers.0.linear_attn.in_proj_qkvz.weight", TensorRole::recurrent_in, 0},
      {"model.layers.0.linear_attn.out_proj.weight", TensorRole::recurrent_out, 0},
      {"backbone.layers.5.mixer.A_log", TensorRole::recurrent_other, 5},
      {"h.11.attn.c_attn.weight", TensorRole::attention_qkv, 11},
      {"h.11.attn.c_proj.weight", TensorRole::attention_output, 11},
      {"h.11.mlp.c_proj.weight", TensorRole::ffn_down, 11},
      {"bert.encoder.layer.2.attention.self.query.weight", TensorRole::attention_q, 2},
      {"bert.encoder.layer.2.attention.output.dense.weight", TensorRole::attention_output, 2},
      {"bert.encoder.layer.2.intermediate.dense.weight", TensorRole::ffn_up, 2},
      {"bert.encoder.layer.2.output.dense.weight", TensorRole::ffn_down, 2},
      {"visual.blocks.0.attn.qkv.weight", TensorRole::vision, -1},
      {"model.vision_tower.encoder.layers.0.mlp.fc1.weight", TensorRole::vision, -1},
  };
  for (const Row& row : rows) {
    const auto named = role_in_checkpoint(row.name);
    INFO(row.name);
    CHECK(role_name(named.role) == role_name(row.role));
    CHECK(named.layer == row.layer);
  }
}
