#include "catch.hpp"
#include "hwadvisor/precision.hpp"

using namespace hwadvisor;

TEST_CASE("precisions are found by every name in use")
{
  struct Row {
    const char* name;
    const char* id;
  };
  const Row rows[] = {
      {"float16", "fp16"},
      {"half", "fp16"},
      {"F16", "fp16"},
      {"torch.bfloat16", "bf16"},
      {"BF16", "bf16"},
      {"float32", "fp32"},
      {"f32", "fp32"},
      {"fp64", "fp64"},
      {"tf32", "tf32"},
      {"bf16-true", "bf16"},
      {"fp8", "fp8"},
      {"fp8-dynamic", "fp8"},
      {"FP8_E4M3", "fp8"},
      {"fp8-block", "fp8-block"},
      {"int8", "int8"},
      {"w8a8", "int8"},
      {"8bit", "int8"},
      {"int4", "int4"},
      {"4bit", "int4"},
      {"4-bit", "int4"},
      {"w4a16", "int4"},
      {"mxfp4", "mxfp4"},
      {"mxfp8", "mxfp8"},
      {"NVFP4", "nvfp4"},
      {"bf16-mixed", "bf16-mixed"},
      {"fp16_mixed", "fp16-mixed"},
      {"fp8-mixed", "fp8-mixed"},
      {"mxfp8-mixed", "mxfp8-mixed"},
      {"nvfp4-mixed", "nvfp4-mixed"},
      {"amp_bf16", "bf16-mixed"},
      {"nf4", "nf4"},
      {"nf4-dq", "nf4-dq"},
      {"fp4", "fp4"},
      {"bnb-nf4", "nf4"},
      {"bnb-4bit", "bnb-int4"},
      {"bnb-int8", "bnb-int8"},
      {"bitsandbytes", "bnb-int4"},
      {"awq", "awq-int4"},
      {"awq-int4", "awq-int4"},
      {"AWQ-4bit", "awq-int4"},
      {"gptq", "gptq-int4"},
      {"gptq-int2", "gptq-int2"},
      {"gptq-int3", "gptq-int3"},
      {"gptq-int4", "gptq-int4"},
      {"gptq-int8", "gptq-int8"},
      {"gptq-int4-g32", "gptq-int4-g32"},
      {"hqq-int4", "hqq-int4"},
      {"hqq", "hqq-int4"},
      {"torchao-int4", "torchao-int4"},
      {"mlx-4bit", "mlx-4bit"},
      {"mlx-8bit", "mlx-8bit"},
      {"q4f16_1", "q4f16_1"},
      {"4.0bpw", "exl2-4.0bpw"},
      {"exl2-2.65bpw", "exl2-2.65bpw"},
      {"exl3-4.0bpw", "exl3-4.0bpw"},
      {"EXL3-4bpw", "exl3-4.0bpw"},
      {"5.5bpw-exl2", "exl2-5.5bpw"},
      {"exl3_3.5", "exl3-3.5bpw"},
      {"Q4_K_M", "q4_k_m"},
      {"q4-k-m", "q4_k_m"},
      {"UD-Q4_K_XL", "q4_k_xl"},
      {"ud-iq1_s", "iq1_s"},
      {"IQ4_XS", "iq4_xs"},
      {"q4_k", "q4_k"},
      {"q3_k", "q3_k"},
      {"q5_k", "q5_k"},
      {"q6_k", "q6_k"},
      {"q8_0", "q8_0"},
      {"tq1_0", "tq1_0"},
      {"q4", "q4_k_m"},
      {"q8", "q8_0"},
      {"mxfp4_moe", "mxfp4_moe"},
  };
  for (const Row& row : rows) {
    INFO(row.name);
    const auto found = find_precision(row.name);
    REQUIRE(found.ok());
    CHECK(found->id == row.id);
    CHECK(found->weights != nullptr);
    CHECK(found->kept != nullptr);
    CHECK(found->compute != nullptr);
  }
}

TEST_CASE("every listed name, GGUF type and mix is found under its own id")
{
  const auto names = precision_names();
  for (const std::string& name : names) {
    INFO(name);
    REQUIRE(find_precision(name).ok());
    CHECK(find_precision(name)->id == name);
  }
  for (const char* type :
       {"q1_0",   "q2_0",   "q4_0",   "q4_1",   "q5_0",   "q5_1",   "q8_0",    "q8_1",   "q2_k",   "q3_k",
        "q4_k",   "q5_k",   "q6_k",   "q8_k",   "iq1_s",  "iq1_m",  "iq2_xxs", "iq2_xs", "iq2_s",  "iq3_xxs",
        "iq3_s",  "iq4_nl", "iq4_xs", "tq1_0",  "tq2_0",  "f16",    "bf16",    "f32",    "mxfp4",  "nvfp4",
        "q2_k_s", "q3_k_s", "q3_k_m", "q3_k_l", "q4_k_s", "q5_k_s", "q5_k_m",  "iq2_m",  "iq3_xs", "iq3_m"}) {
    INFO(type);
    CHECK(find_precision(type).ok());
  }
}

TEST_CASE("training recipes compute in few bits over fp32 weights")
{
  CHECK(find_precision("bf16-mixed")->kind == PrecisionKind::mixed);
  CHECK(find_precision("bf16-mixed")->weights->id == "fp32");
  CHECK(find_precision("bf16-mixed")->compute->id == "bf16");
  CHECK(find_precision("nvfp4-mixed")->compute->id == "fp4");
}

TEST_CASE("dynamic GGUF files are marked as approximations")
{
  CHECK(find_precision("ud-q4_k_xl")->approximate);
  CHECK(find_precision("ud-q4_k_m")->approximate);
  CHECK_FALSE(find_precision("q4_k_m")->approximate);
  CHECK_FALSE(find_precision("q4_k_l")->approximate);
}

TEST_CASE("unknown precisions are refused with near matches")
{
  const auto near = find_precision("q4_k_n");
  REQUIRE_FALSE(near.ok());
  CHECK(near.error().kind == ErrorKind::usage);
  CHECK(near.error().message == "unknown precision \"q4_k_n\"; did you mean q4_k_s, q4_k_m or q4_k_l?");
  CHECK(near.error().candidates == std::vector<std::string>{"q4_k_s", "q4_k_m", "q4_k_l"});

  CHECK(find_precision("awq-int5").error().message.find("did you mean awq-int4") != std::string::npos);
  CHECK(find_precision("supercalifragilistic").error().message ==
        "unknown precision \"supercalifragilistic\"; known are bf16, fp16, fp8, int8, int4, nf4, awq-int4, gptq-int4, "
        "mlx-4bit, exl2-4.0bpw, q4_k_m, q8_0 and others");
  CHECK_FALSE(find_precision("").ok());
  CHECK_FALSE(find_precision("ud-bf16").ok());
  CHECK_FALSE(find_precision("exl2-").ok());
  CHECK_FALSE(find_precision("bpw").ok());
}

TEST_CASE("hostile names are refused in one short line")
{
  const auto refused = find_precision(std::string(100000, 'q'));
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().message.size() < 300);
  CHECK(find_precision("q4\n\x01k").error().message.find('\n') == std::string::npos);
  for (const char* rate : {"exl2-0.5bpw", "exl2-99bpw", "exl3-nanbpw", "exl2-1e300bpw", "exl2--4bpw"}) {
    INFO(rate);
    CHECK_FALSE(find_precision(rate).ok());
  }
  CHECK(find_precision("exl2-9bpw").error().message == "\"exl2-9bpw\" is outside ExLlama's rates, 1.0bpw to 8.0bpw");
}
