#pragma once

// Number formats (how one tensor is stored) and precisions (which format each tensor of a model gets).
//
// A format has an exact block: `block_bytes` hold `block_elements` weights, scales and zero points included. fp16 is
// a block of 1 element in 2 bytes; GGUF q4_k is 256 elements in 144 bytes; nf4 with 64-element blocks and an fp32
// scale is 64 elements in 36 bytes.
//
// A precision is what people name: "bf16", "fp8", "q4_k_m", "awq-int4", "nf4-dq", "bf16-mixed". It decides the format
// of every tensor: quantisers leave embeddings, heads, norms or vision towers at 16 bit, and GGUF mixes choose by
// tensor and layer. Sources of block sizes and choices: data/precisions.json and src/precision/.

#include "hwadvisor/result.hpp"
#include "hwadvisor/tensor.hpp"
#include "hwadvisor/units.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hwadvisor {

enum class NumberKind { floating, integer, block_scaled };

struct NumberFormat {
  std::string_view id; // "bf16", "q4_k", "nf4" …
  NumberKind kind = NumberKind::floating;
  std::int32_t block_elements = 1;
  std::int32_t block_bytes = 2;

  constexpr double bits_per_weight() const { return 8.0 * block_bytes / block_elements; }
};

// Bytes of `rows` rows of `row_elements` elements. Rows are stored one by one, each rounded up to whole blocks.
Bytes storage_bytes(const NumberFormat& format, std::int64_t rows, std::int64_t row_elements);

// Looks up a format by id or a common other name ("float16", "half", "e4m3"); nullptr if there is none.
const NumberFormat* find_format(std::string_view name);
const NumberFormat& format(std::string_view id); // for ids known at compile time; asserts
std::vector<const NumberFormat*> all_formats();

enum class PrecisionKind {
  plain,     // every tensor in one format (bf16, fp16, fp32)
  quantised, // weight matrices quantised, the rest kept at 16 bit (fp8, int8, awq, gptq, bnb, nf4, mxfp4, nvfp4, mlx …)
  gguf,      // a GGUF file type or mix: llama.cpp's choice for each tensor
  mixed      // a training recipe: 16- or 8-bit compute over fp32 weights (bf16-mixed, fp8-mixed)
};

struct Precision {
  std::string id;
  PrecisionKind kind = PrecisionKind::plain;
  const NumberFormat* weights = nullptr; // of the bulk of the weight matrices
  const NumberFormat* kept = nullptr;    // of what is not quantised: embeddings, head, norms, biases
  const NumberFormat* compute = nullptr; // of activations and matrix products
  int gguf_mix = -1;                     // internal: which mix, for kind gguf

  double nominal_bits() const { return weights->bits_per_weight(); }
};

// Precision by any name that CONTRACT-style requests use, lower or upper case: fp64 fp32 tf32 fp16 bf16 fp8 int8 int4
// mxfp4 nvfp4 mxfp8; fp16-mixed bf16-mixed fp8-mixed …; nf4 nf4-dq fp4; gptq-intN awq-intN hqq-intN bnb-intN;
// mlx-Nbit; exl2-Nbpw exl3-Nbpw; every GGUF type and mix, with or without the prefix "ud-".
// Unknown: ErrorKind::usage with near matches.
Result<Precision> find_precision(std::string_view name);
std::vector<std::string> precision_names();

// What a quantiser must know of the model to choose the format of a tensor.
struct TensorContext {
  int layer_count = 0;
  int expert_count = 0; // 0: dense
  int gqa_groups = 1;   // query heads per KV head
  bool tied_embeddings = false;
  std::string_view architecture = {}; // model_type, where a quantiser treats it apart
};

// The format that `precision` gives to `tensor`.
const NumberFormat& format_of(const Precision& precision, const Tensor& tensor, const TensorContext& context);

} // namespace hwadvisor
