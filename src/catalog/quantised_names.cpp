// What the name of a quantised model says of its precision. Words are taken from the end of the name as long as they
// are known; the rest is the model's own name.
#include "catalog/model_names.hpp"
#include "hwadvisor/precision.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace hwadvisor::catalog {
namespace {

// The same length as `name`, so that a cut in one is a cut in the other.
std::string normalised(std::string_view name)
{
  std::string out(name);
  for (char& c : out) {
    if (c == '_' || c == ':' || c == ' ') {
      c = '-';
    } else if (c >= 'A' && c <= 'Z') {
      c = static_cast<char>(c - 'A' + 'a');
    }
  }
  return out;
}

struct Found {
  std::string tool;   // awq, gptq, hqq, bnb, mlx, exl2, exl3
  std::string format; // a precision by itself: fp8, nvfp4, q4_k_m …
  std::string bits;   // of the tool's weights: "4", "4.0"
  bool gguf = false;

  bool any() const { return gguf || !tool.empty() || !format.empty() || !bits.empty(); }
};

bool is_one_of(std::string_view word, const auto& words)
{
  return std::find(words.begin(), words.end(), word) != words.end();
}

// "4bit", "int4", "4.0bpw": the number in it.
std::string bits_of(std::string_view word)
{
  for (const std::string_view unit : {std::string_view("bits"), std::string_view("bit"), std::string_view("bpw")}) {
    if (word.size() > unit.size() && word.ends_with(unit)) {
      word.remove_suffix(unit.size());
      return word.find_first_not_of("0123456789.") == std::string_view::npos ? std::string(word) : "";
    }
  }
  if (word.size() == 4 && word.starts_with("int") && word[3] >= '2' && word[3] <= '8') {
    return std::string(1, word[3]);
  }
  return {};
}

// The GGUF type or mix that ends `name`, after a divider: "q4_k_m" of "…-q4-k-m".
std::string gguf_type_at_end(std::string_view name)
{
  for (const std::string& precision : precision_names()) {
    const bool gguf = precision.starts_with("q") || precision.starts_with("iq") || precision.starts_with("tq") ||
                      precision == "f16" || precision == "f32";
    const std::string written = normalised(precision);
    if (gguf && name.size() > written.size() && name.ends_with(written)) {
      const char divider = name[name.size() - written.size() - 1];
      if (divider == '-' || divider == '.') {
        return precision;
      }
    }
  }
  return {};
}

// Whether the last word is known; what it says goes to `found`.
bool take_word(std::string_view word, Found& found)
{
  constexpr std::array<std::string_view, 7> tools{"awq", "gptq", "hqq", "bnb", "mlx", "exl2", "exl3"};
  constexpr std::array<std::string_view, 5> formats{"fp8", "nvfp4", "mxfp4", "bf16", "fp16"};
  constexpr std::array<std::string_view, 20> fillers{
      "dynamic", "static",    "block", "unsloth", "kv",   "ud",   "i1",  "imat", "imatrix", "qat",
      "dwq",     "autoround", "sym",   "marlin",  "g128", "128g", "g64", "64g",  "g32",     "32g"};
  constexpr std::string_view by_recipe = "quantized."; // "quantized.w4a16"
  if (word.starts_with(by_recipe)) {
    word.remove_prefix(by_recipe.size());
  }
  if (is_one_of(word, tools)) {
    found.tool = word;
  } else if (is_one_of(word, formats)) {
    found.format = word;
  } else if (word == "fp4") {
    found.format = "nvfp4"; // NVIDIA's earlier name for it
  } else if (word == "w8a8") {
    found.format = "int8";
  } else if (word == "w4a16") {
    found.format = "gptq-int4"; // groups of 128, 4 bits, as GPTQ stores them
  } else if (word == "gguf") {
    found.gguf = true;
  } else if (const std::string bits = bits_of(word); !bits.empty()) {
    found.bits = bits;
  } else {
    return is_one_of(word, fillers);
  }
  return true;
}

std::string precision_of(const Found& found, bool mlx_maker)
{
  const std::string tool = found.tool.empty() && mlx_maker && !found.bits.empty() ? "mlx" : found.tool;
  const std::string bits = found.bits.empty() ? "4" : found.bits;
  std::string name = found.format;
  if (tool == "mlx") {
    name = found.format.empty() ? fmt::format("mlx-{}bit", bits) : found.format;
  } else if (tool == "exl2" || tool == "exl3") {
    name = found.bits.empty() ? "" : fmt::format("{}-{}bpw", tool, bits);
  } else if (tool == "bnb") {
    name = bits == "8" ? "bnb-int8" : "nf4-dq"; // published 4-bit repositories are NF4 with double quantisation
  } else if (!tool.empty()) {
    name = fmt::format("{}-int{}", tool, bits);
  } else if (name.empty() && !found.bits.empty()) {
    name = "int" + bits;
  }
  const auto precision = find_precision(name);
  return name.empty() || !precision.ok() ? "" : name;
}

} // namespace

QuantisedName take_apart(std::string_view name)
{
  const std::string whole = normalised(name);
  std::string_view rest = whole;
  if (rest.ends_with(".gguf")) {
    rest.remove_suffix(5);
  }
  Found found;
  found.gguf = rest.size() != whole.size();
  while (true) {
    if (const std::string type = gguf_type_at_end(rest); !type.empty()) {
      found.format = type;
      rest.remove_suffix(type.size() + 1);
      continue;
    }
    const std::size_t divider = rest.rfind('-');
    if (divider == std::string_view::npos || divider == 0 || !take_word(rest.substr(divider + 1), found)) {
      break;
    }
    rest = rest.substr(0, divider);
  }
  QuantisedName out{name, {}, false};
  if (found.any()) {
    out.base = name.substr(0, rest.size());
    out.precision = precision_of(found, whole.starts_with("mlx-community/"));
    out.gguf_untold = found.gguf && found.format.empty();
  }
  return out;
}

} // namespace hwadvisor::catalog
