#pragma once

// Number formats (how one tensor is stored) and precisions (which format each tensor of a model gets).
//
// A format has an exact block: `block_bytes` hold `block_elements` weights, scales and zero points included. fp16 is
// a block of 1 element in 2 bytes; GGUF q4_k is 256 elements in 144 bytes; nf4 with 64-element blocks and an fp32
// scale is 64 elements in 36 bytes.
//
// A precision is what people name: "bf16", "fp8", "q4_k_m", "awq-int4", "nf4-dq", "bf16-mixed". It decides the format
// of every tensor: quantisers leave embeddings, heads, norms or vision towers at 16 bit, and GGUF mixes choose by
// tensor and layer. docs/precision.md has the table of formats and the choosing rules with their sources.

#include "hwadvisor/result.hpp"
#include "hwadvisor/tensor.hpp"
#include "hwadvisor/units.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hwadvisor {

enum class NumberKind : std::uint8_t { floating, integer, block_scaled };

struct NumberFormat {
  std::string_view id; // "bf16", "q4_k", "nf4" …
  NumberKind kind = NumberKind::floating;
  std::int32_t block_elements = 1;
  std::int32_t block_bytes = 2;
  bool packed = false;             // blocks run on over row ends; otherwise each row is padded to whole blocks
  std::int32_t super_elements = 0; // a second level of scales: super_bytes for every super_elements of a tensor
  std::int32_t super_bytes = 0;
  std::int32_t row_bytes = 0; // a scale for each row (output channel)
  std::string_view source = {};

  constexpr double bits_per_weight() const // per-row scales left out
  {
    const double second = super_elements > 0 ? 8.0 * super_bytes / super_elements : 0.0;
    return 8.0 * block_bytes / block_elements + second;
  }
};

// Bytes of a matrix of `rows` rows of `row_elements` elements; of all copies of a tensor.
Bytes storage_bytes(const NumberFormat& format, std::int64_t rows, std::int64_t row_elements);
Bytes storage_bytes(const NumberFormat& format, const Tensor& tensor);

// Looks up a format by id or a common other name ("float16", "half", "e4m3"), in any case; nullptr if there is none.
const NumberFormat* find_format(std::string_view name);
const NumberFormat& format(std::string_view id); // for ids known at compile time; asserts
std::vector<const NumberFormat*> all_formats();  // "4.65bpw" and its like exist for every 0.01 and are not listed

enum class PrecisionKind : std::uint8_t {
  plain,     // every tensor in one format (bf16, fp16, fp32)
  quantised, // weight matrices quantised, the rest kept at 16 bit (fp8, int8, awq, gptq, bnb, nf4, mxfp4, nvfp4, mlx …)
  gguf,      // a GGUF file type or mix: llama.cpp's choice for each tensor
  mixed      // a training recipe: 16- or 8-bit compute over fp32 weights (bf16-mixed, fp8-mixed)
};

// Which weights a quantiser touches (kind quantised).
enum class QuantRule : std::uint8_t {
  linears,            // every linear layer but head and router
  experts_of_gpt_oss, // as linears; of gpt-oss only the experts (its released form)
  nvfp4,              // as linears; latent attention and recurrent layers are left alone
  with_embeddings,    // as linears, and embeddings, head (MLX, MLC); router at 8 bit
  head_in_6_bit       // as linears; the head at 6 bit, from above 6 bit at 8 (ExLlama)
};

struct Precision {
  std::string id;
  PrecisionKind kind = PrecisionKind::plain;
  const NumberFormat* weights = nullptr; // of the bulk of the weight matrices
  const NumberFormat* kept = nullptr;    // of what is not quantised: embeddings, head, norms, biases
  const NumberFormat* compute = nullptr; // of activations and matrix products
  QuantRule rule = QuantRule::linears;
  int gguf_mix = -1;        // internal: which mix, for kind gguf; -1: a bare type
  bool approximate = false; // publishers choose tensor by tensor (UD, XL): the nearest published mix
  bool as_stored = false;   // this is what the model's files hold: their tensors keep their formats and bytes

  double nominal_bits() const { return weights->bits_per_weight(); }
};

// Precision by any name that requests use, lower or upper case, "-" or "_": fp64 fp32 tf32 fp16 bf16 fp8 int8 int4
// mxfp4 nvfp4 mxfp8; fp16-mixed bf16-mixed fp8-mixed …; nf4 nf4-dq fp4; gptq-intN awq-intN hqq-intN bnb-intN;
// mlx-Nbit; exl2-Nbpw exl3-Nbpw; every GGUF type and mix, with or without the prefix "ud-".
// Unknown: ErrorKind::usage with near matches.
Result<Precision> find_precision(std::string_view name);
std::vector<std::string> precision_names();

// What a quantiser must know of the model to choose the format of a tensor.
struct TensorContext {
  int layer_count = 0;
  int expert_count = 0;               // 0: dense
  int gqa_groups = 1;                 // query heads per KV head
  bool tied_embeddings = false;       // no output head of its own
  std::string_view architecture = {}; // model_type, where a quantiser treats it apart; empty: as llama
  bool importance_matrix = false;     // the GGUF was made with one (below 3.1 bit there always is one)
  // Layers that have a value projection, and a down projection (once a tensor), ascending. Empty: every layer, once.
  std::vector<std::int32_t> value_layers = {};
  std::vector<std::int32_t> down_layers = {};
};

// `context` with what the tensor table tells filled in: value_layers, down_layers, tied_embeddings, and layer_count
// and expert_count where they are 0.
TensorContext complete_context(TensorContext context, const std::vector<Tensor>& tensors);

// The format that `precision` gives to `tensor`.
const NumberFormat& format_of(const Precision& precision, const Tensor& tensor, const TensorContext& context);

// Bytes of one tensor: as its file holds it where the precision keeps that, else in the format chosen for it.
Bytes tensor_bytes(const Precision& precision, const Tensor& tensor, const TensorContext& context);

// Bytes of a whole tensor table. Completes the context by itself.
Bytes tensor_table_bytes(const Precision& precision, const std::vector<Tensor>& tensors, const TensorContext& context);

} // namespace hwadvisor
