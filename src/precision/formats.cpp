#include "precision/formats.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cctype>

namespace hwadvisor {
namespace {

// Where the blocks are published. docs/precision.md holds the same table for readers; a test compares the two.
constexpr std::string_view k_ieee = "IEEE 754-2019";
constexpr std::string_view k_bf16 = "Google bfloat16; TensorFlow tf.bfloat16";
constexpr std::string_view k_tf32 = "NVIDIA A100 white paper: 19 bits used, 4 bytes stored";
constexpr std::string_view k_ofp8 = "OCP 8-bit Floating Point Specification 1.0";
constexpr std::string_view k_plain_integer = "two's complement, no scale";
constexpr std::string_view k_ocp_mx = "OCP Microscaling Formats 1.0: 32 elements, one E8M0 scale";
constexpr std::string_view k_nvfp4 = "NVIDIA Transformer Engine docs: 16 elements, one E4M3 scale";
constexpr std::string_view k_deepseek = "DeepSeek-V3 report 3.3: 128 x 128 tiles, one fp32 scale";
constexpr std::string_view k_bnb4 = "QLoRA (arXiv 2305.14314) 3: 64 elements, one fp32 absmax";
constexpr std::string_view k_bnb4_double = "QLoRA (arXiv 2305.14314) 3: 8-bit absmax, one fp32 per 256 of them";
constexpr std::string_view k_row_scale = "LLM.int8 (arXiv 2208.07339); one fp32 scale a row";
constexpr std::string_view k_w4a16 = "compressed-tensors W4A16: groups of 128, one fp16 scale";
constexpr std::string_view k_gptq = "AutoGPTQ, AutoAWQ: fp16 scale and packed zero point a group";
constexpr std::string_view k_hqq = "HQQ: groups of 64, fp16 scale and fp16 zero point";
constexpr std::string_view k_torchao = "torchao int4_weight_only: groups of 128, bf16 scale and zero point";
constexpr std::string_view k_mlx = "MLX mlx.core.quantize: groups of 64, 16-bit scale and bias";
constexpr std::string_view k_mlc = "MLC LLM q4f16_1: groups of 32, fp16 scale";
constexpr std::string_view k_exl = "ExLlamaV2/V3: the rate a file is made for is its mean over the linears";
constexpr std::string_view k_ggml = "llama.cpp v0.5.0 ggml/src/ggml-common.h";

constexpr auto k_float = NumberKind::floating;
constexpr auto k_integer = NumberKind::integer;
constexpr auto k_block = NumberKind::block_scaled;

constexpr NumberFormat simple(std::string_view id, NumberKind kind, int elements, int bytes, std::string_view source)
{
  return {.id = id, .kind = kind, .block_elements = elements, .block_bytes = bytes, .packed = true, .source = source};
}
// Blocks that do not cross a row: the quantiser needs rows that divide into them.
constexpr NumberFormat in_rows(std::string_view id, int elements, int bytes, std::string_view source)
{
  return {.id = id, .kind = k_block, .block_elements = elements, .block_bytes = bytes, .source = source};
}
// Groups whose zero points share a word; a block is the fewest groups that fill whole bytes.
constexpr NumberFormat in_groups(std::string_view id, int elements, int bytes, std::string_view source)
{
  return simple(id, k_block, elements, bytes, source);
}

constexpr NumberFormat second_level(NumberFormat format, int elements, int bytes)
{
  format.super_elements = elements;
  format.super_bytes = bytes;
  return format;
}
constexpr NumberFormat row_scaled(NumberFormat format)
{
  format.row_bytes = 4;
  return format;
}

constexpr std::array k_formats = {
    simple("fp64", k_float, 1, 8, k_ieee),
    simple("fp32", k_float, 1, 4, k_ieee),
    simple("tf32", k_float, 1, 4, k_tf32),
    simple("fp16", k_float, 1, 2, k_ieee),
    simple("bf16", k_float, 1, 2, k_bf16),
    simple("fp8", k_float, 1, 1, k_ofp8),
    simple("fp4", k_float, 2, 1, k_ocp_mx),
    simple("int8", k_integer, 1, 1, k_plain_integer),
    simple("int4", k_integer, 2, 1, k_plain_integer),

    second_level(simple("fp8-block", k_block, 1, 1, k_deepseek), 128 * 128, 4),
    in_rows("mxfp8", 32, 33, k_ocp_mx),
    in_rows("mxfp4", 32, 17, k_ocp_mx),
    in_rows("nvfp4", 16, 9, k_nvfp4),

    in_groups("nf4", 64, 36, k_bnb4),
    second_level(in_groups("nf4-dq", 64, 33, k_bnb4_double), 64 * 256, 4),
    in_groups("bnb-fp4", 64, 36, k_bnb4),
    row_scaled(simple("int8-row", k_block, 1, 1, k_row_scale)),

    in_groups("int4-g128", 128, 66, k_w4a16),
    in_groups("gptq-int2-g128", 512, 137, k_gptq),
    in_groups("gptq-int3-g128", 1024, 403, k_gptq),
    in_groups("gptq-int4-g128", 256, 133, k_gptq),
    in_groups("gptq-int8-g128", 128, 131, k_gptq),
    in_groups("gptq-int4-g64", 128, 69, k_gptq),
    in_groups("gptq-int8-g64", 64, 67, k_gptq),
    in_groups("gptq-int4-g32", 64, 37, k_gptq),
    in_groups("gptq-int8-g32", 32, 35, k_gptq),
    in_groups("hqq-int1", 64, 12, k_hqq),
    in_groups("hqq-int2", 64, 20, k_hqq),
    in_groups("hqq-int3", 320, 148, k_hqq), // ten 3-bit values share a 32-bit word
    in_groups("hqq-int4", 64, 36, k_hqq),
    in_groups("hqq-int8", 64, 68, k_hqq),
    in_groups("torchao-int4", 128, 68, k_torchao),
    in_rows("mlx-2bit", 64, 20, k_mlx),
    in_rows("mlx-3bit", 64, 28, k_mlx),
    in_rows("mlx-4bit", 64, 36, k_mlx),
    in_rows("mlx-5bit", 64, 44, k_mlx),
    in_rows("mlx-6bit", 64, 52, k_mlx),
    in_rows("mlx-8bit", 64, 68, k_mlx),
    in_rows("q4f16_1", 32, 18, k_mlc),

    in_rows("q1_0", 128, 18, k_ggml),
    in_rows("q2_0", 64, 18, k_ggml),
    in_rows("q4_0", 32, 18, k_ggml),
    in_rows("q4_1", 32, 20, k_ggml),
    in_rows("q5_0", 32, 22, k_ggml),
    in_rows("q5_1", 32, 24, k_ggml),
    in_rows("q8_0", 32, 34, k_ggml),
    in_rows("q8_1", 32, 36, k_ggml),
    in_rows("q2_k", 256, 84, k_ggml),
    in_rows("q3_k", 256, 110, k_ggml),
    in_rows("q4_k", 256, 144, k_ggml),
    in_rows("q5_k", 256, 176, k_ggml),
    in_rows("q6_k", 256, 210, k_ggml),
    in_rows("q8_k", 256, 292, k_ggml),
    in_rows("iq1_s", 256, 50, k_ggml),
    in_rows("iq1_m", 256, 56, k_ggml),
    in_rows("iq2_xxs", 256, 66, k_ggml),
    in_rows("iq2_xs", 256, 74, k_ggml),
    in_rows("iq2_s", 256, 82, k_ggml),
    in_rows("iq3_xxs", 256, 98, k_ggml),
    in_rows("iq3_s", 256, 110, k_ggml),
    in_rows("iq4_nl", 32, 18, k_ggml),
    in_rows("iq4_xs", 256, 136, k_ggml),
    in_rows("tq1_0", 256, 54, k_ggml),
    in_rows("tq2_0", 256, 66, k_ggml),
};

struct OtherName {
  std::string_view name; // squeezed
  std::string_view id;
};
constexpr std::array k_other_names = {
    OtherName{"f64", "fp64"},       OtherName{"float64", "fp64"},   OtherName{"double", "fp64"},
    OtherName{"f32", "fp32"},       OtherName{"float32", "fp32"},   OtherName{"float", "fp32"},
    OtherName{"single", "fp32"},    OtherName{"f16", "fp16"},       OtherName{"float16", "fp16"},
    OtherName{"half", "fp16"},      OtherName{"bfloat16", "bf16"},  OtherName{"brainfloat16", "bf16"},
    OtherName{"float8", "fp8"},     OtherName{"f8", "fp8"},         OtherName{"e4m3", "fp8"},
    OtherName{"e4m3fn", "fp8"},     OtherName{"e5m2", "fp8"},       OtherName{"fp8e4m3", "fp8"},
    OtherName{"fp8e5m2", "fp8"},    OtherName{"float8e4m3", "fp8"}, OtherName{"float8e4m3fn", "fp8"},
    OtherName{"float8e5m2", "fp8"}, OtherName{"e2m1", "fp4"},       OtherName{"i8", "int8"},
    OtherName{"uint8", "int8"},     OtherName{"i4", "int4"},        OtherName{"uint4", "int4"},
};

constexpr int k_least_rate = 100; // hundredths of a bit
constexpr int k_greatest_rate = 800;

// Every ExLlama rate: `rate` bytes hold 800 weights.
struct Rates {
  std::array<std::string, k_greatest_rate - k_least_rate + 1> ids;
  std::array<NumberFormat, k_greatest_rate - k_least_rate + 1> formats;

  Rates()
  {
    for (int rate = k_least_rate; rate <= k_greatest_rate; ++rate) {
      const auto i = static_cast<std::size_t>(rate - k_least_rate);
      const int part = rate % 100;
      ids[i] = std::to_string(rate / 100) + (part < 10 ? ".0" : ".") + std::to_string(part) + "bpw";
      formats[i] = simple(ids[i], k_block, 800, rate, k_exl);
    }
  }
};

const Rates& rates()
{
  static const Rates all;
  return all;
}

} // namespace

std::string squeezed(std::string_view name)
{
  std::string out;
  for (const char c : name) {
    if (c != '-' && c != '_' && c != ' ') {
      out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
  }
  return out;
}

const NumberFormat& bits_per_weight_format(int hundredths)
{
  assert(hundredths >= k_least_rate && hundredths <= k_greatest_rate);
  return rates().formats[static_cast<std::size_t>(hundredths - k_least_rate)];
}

Bytes storage_bytes(const NumberFormat& format, std::int64_t rows, std::int64_t row_elements)
{
  if (rows <= 0 || row_elements <= 0) {
    return Bytes(0);
  }
  const std::int64_t elements = saturating_mul(rows, row_elements);
  const std::int64_t blocks = format.packed ? ceil_div(elements, format.block_elements)
                                            : saturating_mul(rows, ceil_div(row_elements, format.block_elements));
  Bytes bytes = Bytes(blocks) * format.block_bytes + Bytes(rows) * format.row_bytes;
  if (format.super_elements > 0) {
    bytes += Bytes(ceil_div(elements, format.super_elements)) * format.super_bytes;
  }
  return bytes;
}

Bytes storage_bytes(const NumberFormat& format, const Tensor& tensor)
{
  return storage_bytes(format, tensor.rows, tensor.row_elements) * std::max<std::int64_t>(tensor.copies, 0);
}

const NumberFormat* find_format(std::string_view name)
{
  constexpr std::string_view torch = "torch.";
  if (name.substr(0, torch.size()) == torch) {
    name.remove_prefix(torch.size());
  }
  const std::string wanted = squeezed(name);
  for (const NumberFormat& candidate : k_formats) {
    if (squeezed(candidate.id) == wanted) {
      return &candidate;
    }
  }
  for (const OtherName& other : k_other_names) {
    if (other.name == wanted) {
      return find_format(other.id);
    }
  }
  for (const NumberFormat& candidate : rates().formats) {
    if (candidate.id == name) {
      return &candidate;
    }
  }
  return nullptr;
}

const NumberFormat& format(std::string_view id)
{
  for (const NumberFormat& candidate : k_formats) {
    if (candidate.id == id) {
      return candidate;
    }
  }
  assert(false && "format() takes the id of a format of the table");
  return k_formats.front();
}

std::vector<const NumberFormat*> all_formats()
{
  std::vector<const NumberFormat*> out;
  out.reserve(k_formats.size());
  for (const NumberFormat& candidate : k_formats) {
    out.push_back(&candidate);
  }
  return out;
}

} // namespace hwadvisor
