#include "catch.hpp"
#include "hwadvisor/precision.hpp"
#include "precision/formats.hpp"

#include <set>

using namespace hwadvisor;

TEST_CASE("bits per weight are the published ones")
{
  struct Row {
    const char* id;
    double bits;
  };
  const Row rows[] = {
      // QLoRA: 32/64 bit for absmax, 0.127 with double quantisation
      {"nf4", 4.5},
      {"nf4-dq", 4.127},
      // ggml-common.h, the comment over each block
      {"q1_0", 1.125},
      {"q2_0", 2.25},
      {"q4_0", 4.5},
      {"q4_1", 5.0},
      {"q5_0", 5.5},
      {"q5_1", 6.0},
      {"q8_0", 8.5},
      {"q8_1", 9.0},
      {"q2_k", 2.625},
      {"q3_k", 3.4375},
      {"q4_k", 4.5},
      {"q5_k", 5.5},
      {"q6_k", 6.5625},
      {"q8_k", 9.125},
      {"iq1_s", 1.5625},
      {"iq1_m", 1.75},
      {"iq2_xxs", 2.0625},
      {"iq2_xs", 2.3125},
      {"iq2_s", 2.5625},
      {"iq3_xxs", 3.0625},
      {"iq3_s", 3.4375},
      {"iq4_nl", 4.5},
      {"iq4_xs", 4.25},
      {"tq1_0", 1.6875},
      {"tq2_0", 2.0625},
      // OCP and NVIDIA
      {"mxfp4", 4.25},
      {"mxfp8", 8.25},
      {"nvfp4", 4.5},
      // groups: code + 16 bits of scale + zero point, over the group
      {"int4-g128", 4.125},
      {"gptq-int2-g128", 2.140625},
      {"gptq-int3-g128", 3.1484375},
      {"gptq-int4-g128", 4.15625},
      {"gptq-int8-g128", 8.1875},
      {"gptq-int4-g64", 4.3125},
      {"gptq-int4-g32", 4.625},
      {"gptq-int8-g64", 8.375},
      {"gptq-int8-g32", 8.75},
      {"hqq-int3", 3.7},
      {"hqq-int4", 4.5},
      {"torchao-int4", 4.25},
      {"mlx-2bit", 2.5},
      {"mlx-3bit", 3.5},
      {"mlx-4bit", 4.5},
      {"mlx-5bit", 5.5},
      {"mlx-6bit", 6.5},
      {"mlx-8bit", 8.5},
      {"q4f16_1", 4.5},
      {"fp64", 64},
      {"fp32", 32},
      {"tf32", 32},
      {"fp16", 16},
      {"bf16", 16},
      {"fp8", 8},
      {"fp4", 4},
      {"int8", 8},
      {"int4", 4},
      {"fp8-block", 8.002},
  };
  for (const Row& row : rows) {
    INFO(row.id);
    REQUIRE(find_format(row.id) != nullptr);
    CHECK(find_format(row.id)->bits_per_weight() == Approx(row.bits).margin(0.0005));
  }
}

TEST_CASE("formats are found by other names, in any case")
{
  CHECK(find_format("float16")->id == "fp16");
  CHECK(find_format("HALF")->id == "fp16");
  CHECK(find_format("torch.bfloat16")->id == "bf16");
  CHECK(find_format("e4m3")->id == "fp8");
  CHECK(find_format("fp8_e5m2")->id == "fp8");
  CHECK(find_format("Q8_0")->id == "q8_0");
  CHECK(find_format("4.65bpw")->id == "4.65bpw");
  CHECK(find_format("q4_k_m") == nullptr); // a precision, not a format
  CHECK(find_format("") == nullptr);
  CHECK(&format("q6_k") == find_format("q6_k"));
}

TEST_CASE("every format is listed once, with a block and a source")
{
  std::set<std::string_view> ids;
  for (const NumberFormat* f : all_formats()) {
    INFO(f->id);
    CHECK(ids.insert(f->id).second);
    CHECK(f->block_elements > 0);
    CHECK(f->block_bytes > 0);
    CHECK_FALSE(f->source.empty());
    CHECK(find_format(f->id) == f);
  }
}

TEST_CASE("rows are padded to whole blocks, packed formats run on")
{
  CHECK(storage_bytes(format("fp16"), 3, 5) == Bytes(30));
  CHECK(storage_bytes(format("int4"), 3, 3) == Bytes(5)); // nine halves
  CHECK(storage_bytes(format("q8_0"), 2, 33) == Bytes(2 * 2 * 34));
  CHECK(storage_bytes(format("nf4"), 2, 32) == Bytes(36));
  CHECK(storage_bytes(format("nf4-dq"), 1, 16384) == Bytes(256 * 33 + 4));
  CHECK(storage_bytes(format("nf4-dq"), 1, 16385) == Bytes(257 * 33 + 8));
  CHECK(storage_bytes(format("int8-row"), 10, 100) == Bytes(10 * 104));
  CHECK(storage_bytes(format("fp8-block"), 256, 256) == Bytes(65536 + 4 * 4));
  CHECK(storage_bytes(format("q4_k"), Tensor{TensorRole::expert_up, 0, 768, 2048, 128}) ==
        Bytes(768LL * 8 * 144 * 128));
}

TEST_CASE("sizes that make no sense give no bytes, sizes too large saturate")
{
  CHECK(storage_bytes(format("fp16"), 0, 4096) == Bytes(0));
  CHECK(storage_bytes(format("fp16"), -1, 4096) == Bytes(0));
  CHECK(storage_bytes(format("fp16"), Tensor{TensorRole::norm, 0, 1, 4096, -3}) == Bytes(0));
  const auto huge = std::numeric_limits<std::int64_t>::max();
  CHECK(storage_bytes(format("q4_k"), huge, huge).is_saturated());
  CHECK(storage_bytes(format("nf4-dq"), huge, 2).is_saturated() == false); // about half of what int64 holds
}

TEST_CASE("ExLlama rates hold their number of bits")
{
  CHECK(bits_per_weight_format(265).bits_per_weight() == Approx(2.65));
  CHECK(bits_per_weight_format(100).id == "1.00bpw");
  CHECK(bits_per_weight_format(800).id == "8.00bpw");
  CHECK(bits_per_weight_format(405).id == "4.05bpw");
}
