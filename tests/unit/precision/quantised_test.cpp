#include "catch.hpp"
#include "unit/precision/tables.hpp"

using namespace hwadvisor;
using namespace hwadvisor::test;

namespace {

Bytes bytes_of(std::string_view precision, const Shape& shape, std::string_view architecture = "llama")
{
  return tensor_table_bytes(*find_precision(precision), transformer(shape), context_of(shape, architecture));
}

std::string_view choice(std::string_view precision, TensorRole role, const TensorContext& context = {},
                        std::int64_t row = 4096)
{
  return format_of(*find_precision(precision), {role, 0, 4096, row}, context).id;
}

} // namespace

TEST_CASE("measured weights of Llama-3-8B")
{
  CHECK(in_gibibytes(bytes_of("bf16", k_llama3_8b)) == Approx(14.96).margin(0.005));     // vLLM 14.96 to 14.99
  CHECK(in_gibibytes(bytes_of("bnb-4bit", k_llama3_8b)) == Approx(5.31).epsilon(0.002)); // vllm-project/vllm#5569
  CHECK(in_gibibytes(bytes_of("fp8", k_llama3_8b)) == Approx(8.46).epsilon(0.002));
}

TEST_CASE("measured weights of other quantised models")
{
  // vLLM in-flight 4-bit of e5-mistral-7b-instruct, no head: 3.91 GiB (vllm-project/vllm#19964)
  const Shape mistral{32, 4096, 32, 8, 128, 14336, 32000, true};
  CHECK(in_gibibytes(bytes_of("nf4", mistral, "mistral")) == Approx(3.91).epsilon(0.005));
  // vLLM in-flight 4-bit of Qwen2.5-7B: 5.43 GiB
  const Shape qwen{28, 3584, 28, 4, 128, 18944, 152064};
  CHECK(in_gibibytes(bytes_of("nf4", qwen, "qwen2")) == Approx(5.43).epsilon(0.005));
  // RedHatAI/Llama-3.3-70B-Instruct-FP8-dynamic: 67.72 GiB
  CHECK(in_gibibytes(bytes_of("fp8", k_llama3_70b)) == Approx(67.72).epsilon(0.005));
}

TEST_CASE("double quantisation saves what QLoRA says, 0.37 bit of every quantised weight")
{
  // LitGPT, Llama-2-7B loaded: 4.57 GB as nf4, 4.26 as nf4-dq; both hold the same 0.4 GB beside the weights
  const Bytes saved = bytes_of("nf4", k_llama2_7b) - bytes_of("nf4-dq", k_llama2_7b);
  CHECK(in_gigabytes(saved) == Approx(4.57 - 4.26).margin(0.01));
  CHECK(in_gigabytes(bytes_of("nf4", k_llama2_7b)) / 6.738 == Approx(0.62).margin(0.005)); // bytes a parameter
  CHECK(in_gigabytes(bytes_of("nf4-dq", k_llama2_7b)) / 6.738 == Approx(0.574).margin(0.005));
}

TEST_CASE("gpt-oss keeps all but its experts at 16 bit")
{
  const Shape s{.layers = 24,
                .hidden = 2880,
                .heads = 64,
                .kv_heads = 8,
                .head_dim = 64,
                .vocabulary = 201088,
                .attention_bias = true,
                .experts = 32,
                .expert_width = 2880};
  // openai/gpt-oss-20b's safetensors files: 13.76 GB
  CHECK(in_gigabytes(bytes_of("mxfp4", s, "gpt_oss")) == Approx(13.76).epsilon(0.002));
  CHECK(choice("mxfp4", TensorRole::attention_q, {.architecture = "gpt_oss"}, 2880) == "bf16");
  CHECK(choice("mxfp4", TensorRole::attention_q, {.architecture = "qwen3"}) == "mxfp4");
}

TEST_CASE("quantisers leave embeddings, head, norms, router and towers alone")
{
  for (const char* name :
       {"awq", "gptq-int4", "fp8", "bnb-int8", "nf4", "nvfp4", "mxfp4", "int4", "int8", "hqq-int4", "torchao-int4"}) {
    INFO(name);
    const Precision precision = *find_precision(name);
    for (const TensorRole role :
         {TensorRole::token_embedding, TensorRole::output_head, TensorRole::norm, TensorRole::bias, TensorRole::router,
          TensorRole::vision, TensorRole::audio, TensorRole::position_embedding, TensorRole::recurrent_other}) {
      CHECK(choice(name, role) == precision.kept->id);
    }
    for (const TensorRole role : {TensorRole::attention_q, TensorRole::attention_qkv, TensorRole::ffn_down,
                                  TensorRole::expert_up, TensorRole::shared_expert_down}) {
      CHECK(choice(name, role) == precision.weights->id);
    }
  }
}

TEST_CASE("MLX quantises embeddings and head too, its routers at 8 bit")
{
  CHECK(choice("mlx-4bit", TensorRole::token_embedding) == "mlx-4bit");
  CHECK(choice("mlx-4bit", TensorRole::output_head) == "mlx-4bit");
  CHECK(choice("mlx-4bit", TensorRole::router) == "mlx-8bit");
  CHECK(choice("mlx-4bit", TensorRole::vision) == "bf16");
  CHECK(choice("mlx-4bit", TensorRole::ffn_up, {}, 100) == "bf16"); // 100 does not divide into groups of 64
  CHECK(choice("q4f16_1", TensorRole::token_embedding) == "q4f16_1");
}

TEST_CASE("ExLlama stores the head at 6 bit, at 8 above 6")
{
  CHECK(choice("exl2-4.0bpw", TensorRole::output_head) == "6.00bpw");
  CHECK(choice("exl3-2.5bpw", TensorRole::output_head) == "6.00bpw");
  CHECK(choice("exl2-6.5bpw", TensorRole::output_head) == "8.00bpw");
  CHECK(choice("exl2-2.65bpw", TensorRole::attention_q) == "2.65bpw");
  CHECK(choice("exl2-2.65bpw", TensorRole::token_embedding) == "fp16");
}

TEST_CASE("DeepSeek: tiles with scales in fp8, attention at 16 bit in nvfp4")
{
  const TensorContext deepseek{.architecture = "deepseek_v3"};
  CHECK(choice("fp8", TensorRole::latent_q_b, deepseek) == "fp8-block");
  CHECK(choice("fp8", TensorRole::expert_down, deepseek) == "fp8-block");
  CHECK(choice("fp8", TensorRole::router, deepseek) == "bf16");
  CHECK(choice("nvfp4", TensorRole::latent_kv_b, deepseek) == "bf16");
  CHECK(choice("nvfp4", TensorRole::attention_output, deepseek) == "bf16");
  CHECK(choice("nvfp4", TensorRole::expert_down, deepseek) == "nvfp4");
  CHECK(choice("nvfp4", TensorRole::attention_output, {.architecture = "llama"}) == "nvfp4");
}

TEST_CASE("plain and mixed precisions store every tensor alike")
{
  CHECK(choice("fp16", TensorRole::norm) == "fp16");
  CHECK(choice("fp32", TensorRole::token_embedding) == "fp32");
  CHECK(choice("bf16-mixed", TensorRole::ffn_up) == "fp32");
}
