#include "modelfile/packed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

namespace hwadvisor::modelfile {
namespace {

constexpr std::int64_t k_word_bits = 32;

// What stands beside a weight and is none: names of AutoGPTQ, AutoAWQ, bitsandbytes, compressed-tensors, ModelOpt.
constexpr std::string_view k_companions[] = {
    "scales",
    "qzeros",
    "g_idx",
    "absmax",
    "quant_map",
    "nested_absmax",
    "nested_quant_map",
    "bitsandbytes__nf4",
    "bitsandbytes__fp4",
    "SCB",
    "weight_format",
    "weight_scale",
    "weight_scale_inv",
    "weight_scale_2",
    "weight_global_scale",
    "weight_shape",
    "weight_zero_point",
    "weight_g_idx",
    "input_scale",
    "input_global_scale",
    "k_scale",
    "v_scale",
    "biases",
};

class Unpacker {
public:
  Unpacker(const std::vector<SafeTensor>& tensors, std::int64_t bits) : m_tensors(tensors), m_bits(bits)
  {
    for (const SafeTensor& tensor : tensors) {
      m_by_name.emplace(tensor.name, &tensor);
    }
  }

  Packing run()
  {
    for (const SafeTensor& tensor : m_tensors) {
      m_out.weights.push_back(weights_of(tensor));
    }
    return std::move(m_out);
  }

private:
  using Weights = Packing::Weights;

  const SafeTensor* find(std::string_view base, std::string_view ending) const
  {
    const auto found = m_by_name.find(std::string(base) + std::string(ending));
    return found == m_by_name.end() ? nullptr : found->second;
  }

  static Weights plain(const SafeTensor& tensor, std::int64_t factor = 1)
  {
    if (tensor.shape.size() < 2) {
      return {1, saturating_mul(tensor.elements, factor)};
    }
    // Linear layers: outputs x inputs; convolutions: outputs x everything else; stacks of experts: all their rows.
    const bool convolution = tensor.shape.size() > 3;
    std::int64_t rows = convolution ? tensor.shape.front() : 1;
    for (std::size_t i = 0; !convolution && i + 1 < tensor.shape.size(); ++i) {
      rows *= tensor.shape[i];
    }
    return {rows, rows > 0 ? saturating_mul(tensor.elements / rows, factor) : 0};
  }

  void named(std::string precision)
  {
    if (m_out.precision.empty()) {
      m_out.precision = std::move(precision);
    }
  }

  // AutoGPTQ packs along the inputs, AutoAWQ along the outputs; the scales have one column an output.
  Weights integer_words(const SafeTensor& words, std::string_view base)
  {
    const SafeTensor* scales = find(base, "scales");
    const SafeTensor* zeros = find(base, "qzeros");
    const SafeTensor* order = find(base, "g_idx");
    if (words.shape.size() != 2 || scales == nullptr || scales->shape.size() != 2) {
      return unproven(words);
    }
    const std::int64_t outputs = scales->shape[1];
    if (words.shape[1] == outputs) {
      std::int64_t bits = m_bits;
      if (order != nullptr && order->elements > 0) {
        bits = saturating_mul(words.shape[0], k_word_bits) / order->elements;
      } else if (zeros != nullptr && zeros->shape.size() == 2 && outputs > 0) {
        bits = saturating_mul(zeros->shape[1], k_word_bits) / outputs;
      }
      if (bits < 1 || bits > 8) {
        return unproven(words);
      }
      named(fmt::format("gptq-int{}", bits));
      return {outputs, saturating_mul(words.shape[0], k_word_bits) / bits};
    }
    const std::int64_t bits = outputs > 0 ? saturating_mul(words.shape[1], k_word_bits) / outputs : 0;
    if (bits < 1 || bits > 8) {
      return unproven(words);
    }
    named(fmt::format("awq-int{}", bits));
    return {outputs, words.shape[0]};
  }

  Weights unproven(const SafeTensor& words)
  {
    std::int64_t bits = m_bits;
    if (bits < 1 || bits > 8) {
      bits = 4;
      ++m_out.unproven;
    }
    named(fmt::format("int{}", bits));
    return plain(words, std::max<std::int64_t>(words.type->bits / bits, 1));
  }

  Weights weights_of(const SafeTensor& tensor)
  {
    const std::string_view name = tensor.name;
    const auto dot = name.rfind('.');
    const std::string_view base = name.substr(0, dot == std::string_view::npos ? 0 : dot + 1);
    const std::string_view last = name.substr(base.size());
    const std::string_view type = tensor.type->name;
    if (last == "qweight") {
      return integer_words(tensor, base);
    }
    if (last == "weight_packed") {
      if (type == "U8") { // two 4-bit floats a byte
        named("nvfp4");
        return plain(tensor, 2);
      }
      return unproven(tensor);
    }
    if (last == "weight" && type == "U8") {
      const bool nf4 = find(name, ".quant_state.bitsandbytes__nf4") != nullptr;
      if (nf4 || find(name, ".quant_state.bitsandbytes__fp4") != nullptr) {
        named(!nf4 ? "fp4" : find(name, ".nested_absmax") != nullptr ? "nf4-dq" : "nf4");
        return {1, saturating_mul(tensor.elements, 2)};
      }
      const SafeTensor* scale = find(base, "weight_scale");
      if (scale != nullptr && saturating_mul(scale->elements, 8) == tensor.elements) { // 16 weights a scale
        named("nvfp4");
        return plain(tensor, 2);
      }
    }
    if (last == "weight" && type == "U32" && find(base, "scales") != nullptr &&
        find(base, "biases") != nullptr) { // MLX
      const bool stated = m_bits >= 2 && m_bits <= 8;
      named(fmt::format("mlx-{}bit", stated ? m_bits : 4));
      const Weights words = unproven(tensor);
      // 3, 5 and 6 bits do not divide a word: count them over the row.
      return stated ? Weights{words.rows, saturating_mul(plain(tensor).row_elements, k_word_bits) / m_bits} : words;
    }
    if (last == "weight" && type == "I8" && find(base, "SCB") != nullptr) {
      named("bnb-int8");
    }
    if (type == "U8" && name.ends_with("_blocks")) { // gpt-oss: 32 weights in 16 bytes and a scale
      const SafeTensor* scale = find(name.substr(0, name.size() - 6), "scales");
      if (scale != nullptr && saturating_mul(scale->elements, 16) == tensor.elements) {
        named("mxfp4");
        return {tensor.elements / 16, 32};
      }
    }
    if (type == "U8" && name.ends_with("_scales") && find(name.substr(0, name.size() - 6), "blocks") != nullptr) {
      return {};
    }
    if (std::find(std::begin(k_companions), std::end(k_companions), last) != std::end(k_companions)) {
      return {};
    }
    return plain(tensor);
  }

  const std::vector<SafeTensor>& m_tensors;
  std::int64_t m_bits;
  std::unordered_map<std::string, const SafeTensor*> m_by_name;
  Packing m_out;
};

} // namespace

Packing unpack(const std::vector<SafeTensor>& tensors, std::int64_t bits)
{
  return Unpacker(tensors, bits).run();
}

} // namespace hwadvisor::modelfile
