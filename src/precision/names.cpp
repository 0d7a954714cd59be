#include "precision/formats.hpp"
#include "precision/gguf.hpp"
#include "text/near.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>

namespace hwadvisor {
namespace {

struct Entry {
  std::string_view id;
  PrecisionKind kind;
  std::string_view weights;
  std::string_view kept;
  std::string_view compute;
  QuantRule rule = QuantRule::linears;
};

constexpr auto k_plain = PrecisionKind::plain;
constexpr auto k_quantised = PrecisionKind::quantised;
constexpr auto k_mixed = PrecisionKind::mixed;

// In the order in which precision_names() lists them and near matches prefer them.
constexpr std::array k_entries = {
    Entry{"bf16", k_plain, "bf16", "bf16", "bf16"},
    Entry{"fp16", k_plain, "fp16", "fp16", "fp16"},
    Entry{"fp32", k_plain, "fp32", "fp32", "fp32"},
    Entry{"tf32", k_plain, "tf32", "tf32", "tf32"},
    Entry{"fp64", k_plain, "fp64", "fp64", "fp64"},
    Entry{"fp8", k_quantised, "fp8", "bf16", "fp8"},
    Entry{"fp8-block", k_quantised, "fp8-block", "bf16", "fp8"},
    Entry{"int8", k_quantised, "int8-row", "bf16", "int8"},
    Entry{"int4", k_quantised, "int4-g128", "bf16", "bf16"},
    Entry{"mxfp8", k_quantised, "mxfp8", "bf16", "fp8"},
    Entry{"mxfp4", k_quantised, "mxfp4", "bf16", "bf16", QuantRule::experts_of_gpt_oss},
    Entry{"nvfp4", k_quantised, "nvfp4", "bf16", "fp4", QuantRule::nvfp4},
    Entry{"bf16-mixed", k_mixed, "fp32", "fp32", "bf16"},
    Entry{"fp16-mixed", k_mixed, "fp32", "fp32", "fp16"},
    Entry{"fp8-mixed", k_mixed, "fp32", "fp32", "fp8"},
    Entry{"mxfp8-mixed", k_mixed, "fp32", "fp32", "fp8"},
    Entry{"nvfp4-mixed", k_mixed, "fp32", "fp32", "fp4"},
    Entry{"nf4", k_quantised, "nf4", "bf16", "bf16"},
    Entry{"nf4-dq", k_quantised, "nf4-dq", "bf16", "bf16"},
    Entry{"fp4", k_quantised, "bnb-fp4", "bf16", "bf16"},
    Entry{"bnb-int4", k_quantised, "nf4-dq", "bf16", "bf16"},
    Entry{"bnb-int8", k_quantised, "int8-row", "fp16", "int8"},
    Entry{"awq-int4", k_quantised, "gptq-int4-g128", "fp16", "fp16"},
    Entry{"awq-int2", k_quantised, "gptq-int2-g128", "fp16", "fp16"},
    Entry{"awq-int3", k_quantised, "gptq-int3-g128", "fp16", "fp16"},
    Entry{"awq-int8", k_quantised, "gptq-int8-g128", "fp16", "fp16"},
    Entry{"awq-int4-g64", k_quantised, "gptq-int4-g64", "fp16", "fp16"},
    Entry{"awq-int4-g32", k_quantised, "gptq-int4-g32", "fp16", "fp16"},
    Entry{"gptq-int4", k_quantised, "gptq-int4-g128", "fp16", "fp16"},
    Entry{"gptq-int8", k_quantised, "gptq-int8-g128", "fp16", "fp16"},
    Entry{"gptq-int3", k_quantised, "gptq-int3-g128", "fp16", "fp16"},
    Entry{"gptq-int2", k_quantised, "gptq-int2-g128", "fp16", "fp16"},
    Entry{"gptq-int4-g64", k_quantised, "gptq-int4-g64", "fp16", "fp16"},
    Entry{"gptq-int4-g32", k_quantised, "gptq-int4-g32", "fp16", "fp16"},
    Entry{"gptq-int8-g64", k_quantised, "gptq-int8-g64", "fp16", "fp16"},
    Entry{"gptq-int8-g32", k_quantised, "gptq-int8-g32", "fp16", "fp16"},
    Entry{"hqq-int1", k_quantised, "hqq-int1", "bf16", "bf16"},
    Entry{"hqq-int2", k_quantised, "hqq-int2", "bf16", "bf16"},
    Entry{"hqq-int3", k_quantised, "hqq-int3", "bf16", "bf16"},
    Entry{"hqq-int4", k_quantised, "hqq-int4", "bf16", "bf16"},
    Entry{"hqq-int8", k_quantised, "hqq-int8", "bf16", "bf16"},
    Entry{"torchao-int4", k_quantised, "torchao-int4", "bf16", "bf16"},
    Entry{"torchao-int8", k_quantised, "int8-row", "bf16", "bf16"},
    Entry{"mlx-2bit", k_quantised, "mlx-2bit", "bf16", "bf16", QuantRule::with_embeddings},
    Entry{"mlx-3bit", k_quantised, "mlx-3bit", "bf16", "bf16", QuantRule::with_embeddings},
    Entry{"mlx-4bit", k_quantised, "mlx-4bit", "bf16", "bf16", QuantRule::with_embeddings},
    Entry{"mlx-5bit", k_quantised, "mlx-5bit", "bf16", "bf16", QuantRule::with_embeddings},
    Entry{"mlx-6bit", k_quantised, "mlx-6bit", "bf16", "bf16", QuantRule::with_embeddings},
    Entry{"mlx-8bit", k_quantised, "mlx-8bit", "bf16", "bf16", QuantRule::with_embeddings},
    Entry{"q4f16_1", k_quantised, "q4f16_1", "fp16", "fp16", QuantRule::with_embeddings},
};

// GGUF types that a file can hold throughout and that no mix is named after.
constexpr std::array<std::string_view, 5> k_bare_types = {"q3_k", "q4_k", "q5_k", "q8_1", "q8_k"};

struct OtherName {
  std::string_view name; // squeezed
  std::string_view id;
};
constexpr std::array k_other_names = {
    OtherName{"bf16true", "bf16"},
    OtherName{"bf16pure", "bf16"},
    OtherName{"fp16true", "fp16"},
    OtherName{"fp16pure", "fp16"},
    OtherName{"q0f16", "fp16"},
    OtherName{"bf16amp", "bf16-mixed"},
    OtherName{"ampbf16", "bf16-mixed"},
    OtherName{"fp16amp", "fp16-mixed"},
    OtherName{"ampfp16", "fp16-mixed"},
    OtherName{"amp", "fp16-mixed"},
    OtherName{"fp8amp", "fp8-mixed"},
    OtherName{"fp8dynamic", "fp8"},
    OtherName{"fp8static", "fp8"},
    OtherName{"w8a8fp8", "fp8"},
    OtherName{"torchaofp8", "fp8"},
    OtherName{"fp8128", "fp8-block"},
    OtherName{"blockfp8", "fp8-block"},
    OtherName{"8bit", "int8"},
    OtherName{"w8a8", "int8"},
    OtherName{"w8a8int8", "int8"},
    OtherName{"w8a16", "int8"},
    OtherName{"4bit", "int4"},
    OtherName{"w4a16", "int4"},
    OtherName{"w4a16g128", "int4"},
    OtherName{"modeloptfp4", "nvfp4"},
    OtherName{"nf4double", "nf4-dq"},
    OtherName{"qlora", "nf4-dq"},
    OtherName{"bnb", "bnb-int4"},
    OtherName{"bitsandbytes", "bnb-int4"},
    OtherName{"bnb4bit", "bnb-int4"},
    OtherName{"bnb8bit", "bnb-int8"},
    OtherName{"loadin4bit", "bnb-int4"},
    OtherName{"loadin8bit", "bnb-int8"},
    OtherName{"llmint8", "bnb-int8"},
    OtherName{"bnbnf4", "nf4"},
    OtherName{"bnbnf4dq", "nf4-dq"},
    OtherName{"bnbfp4", "fp4"},
    OtherName{"awq", "awq-int4"},
    OtherName{"awq4bit", "awq-int4"},
    OtherName{"gptq", "gptq-int4"},
    OtherName{"gptq4bit", "gptq-int4"},
    OtherName{"gptq8bit", "gptq-int8"},
    OtherName{"gptq3bit", "gptq-int3"},
    OtherName{"gptq2bit", "gptq-int2"},
    OtherName{"hqq", "hqq-int4"},
    OtherName{"hqq4bit", "hqq-int4"},
    OtherName{"hqq8bit", "hqq-int8"},
    OtherName{"hqq3bit", "hqq-int3"},
    OtherName{"hqq2bit", "hqq-int2"},
    OtherName{"torchao", "torchao-int4"},
    OtherName{"mlx", "mlx-4bit"},
    OtherName{"mlxint4", "mlx-4bit"},
    OtherName{"mlxint8", "mlx-8bit"},
    OtherName{"mlcq4f161", "q4f16_1"},
    // What a GGUF is called for short: the usual mix of that size.
    OtherName{"q2", "q2_k"},
    OtherName{"q3", "q3_k_m"},
    OtherName{"q4", "q4_k_m"},
    OtherName{"q5", "q5_k_m"},
    OtherName{"q6", "q6_k"},
    OtherName{"q8", "q8_0"},
    OtherName{"q2km", "q2_k"},
    OtherName{"mxfp4moe", "mxfp4_moe"},
};

Precision from_entry(const Entry& entry)
{
  return {.id = std::string(entry.id),
          .kind = entry.kind,
          .weights = &format(entry.weights),
          .kept = &format(entry.kept),
          .compute = &format(entry.compute),
          .rule = entry.rule};
}

Precision gguf_precision(std::string_view id, std::string_view base)
{
  return {.id = std::string(id),
          .kind = PrecisionKind::gguf,
          .weights = &format(base),
          .kept = &format("fp32"),
          .compute = &format("fp16")};
}

std::optional<Precision> by_name(const std::string& wanted)
{
  for (const Entry& entry : k_entries) {
    if (squeezed(entry.id) == wanted) {
      return from_entry(entry);
    }
  }
  const auto mixes = gguf_mixes();
  for (std::size_t i = 0; i < mixes.size(); ++i) {
    if (squeezed(mixes[i].name) == wanted) {
      Precision precision = gguf_precision(mixes[i].name, mixes[i].base);
      precision.gguf_mix = static_cast<int>(i);
      precision.approximate = mixes[i].approximate;
      return precision;
    }
  }
  for (const std::string_view type : k_bare_types) {
    if (squeezed(type) == wanted) {
      return gguf_precision(type, type);
    }
  }
  for (const OtherName& other : k_other_names) {
    if (other.name == wanted) {
      return by_name(squeezed(other.id));
    }
  }
  // "float16", "half", "e4m3": other names of formats that are precisions too
  if (const NumberFormat* format = find_format(wanted); format != nullptr && squeezed(format->id) != wanted) {
    return by_name(squeezed(format->id));
  }
  return std::nullopt;
}

struct Rate {
  std::string_view engine; // "exl2" or "exl3"
  double bits = 0.0;
};

// "exl2-4.65bpw", "exl3-4bpw", "4.0bpw-exl2", "4.65bpw"; nothing for names that speak of something else.
std::optional<Rate> exllama_rate(std::string_view lower)
{
  Rate rate{"exl2", 0.0};
  bool named = false;
  for (const std::string_view engine : {"exl2", "exl3"}) {
    if (const auto at = lower.find(engine); at != std::string_view::npos) {
      rate.engine = engine;
      named = true;
      lower = at == 0 ? lower.substr(engine.size()) : lower.substr(0, at);
      break;
    }
  }
  const auto is_joint = [](char c) { return c == '-' || c == '_' || c == ' '; };
  if (!lower.empty() && is_joint(lower.front())) {
    lower.remove_prefix(1);
  }
  if (!lower.empty() && is_joint(lower.back())) {
    lower.remove_suffix(1);
  }
  const auto [end, problem] = std::from_chars(lower.data(), lower.data() + lower.size(), rate.bits);
  const std::string_view unit(end, static_cast<std::size_t>(lower.data() + lower.size() - end));
  if (problem != std::errc{} || (unit != "bpw" && !(named && unit.empty()))) {
    return std::nullopt;
  }
  return rate;
}

std::string quoted(std::string_view name)
{
  constexpr std::size_t longest = 40;
  std::string out = "\"";
  for (const char c : name.substr(0, longest)) {
    out += std::isprint(static_cast<unsigned char>(c)) != 0 ? c : '?';
  }
  return out + (name.size() > longest ? "…\"" : "\"");
}

Result<Precision> exllama_precision(const Rate& rate, std::string_view name)
{
  const double hundredths = std::round(rate.bits * 100.0);
  if (!(hundredths >= 100.0 && hundredths <= 800.0)) {
    return Error{ErrorKind::usage, quoted(name) + " is outside ExLlama's rates, 1.0bpw to 8.0bpw"};
  }
  const NumberFormat& weights = bits_per_weight_format(static_cast<int>(hundredths));
  std::string bits(weights.id.substr(0, weights.id.size() - 3)); // "4.65"
  if (bits.back() == '0') {
    bits.pop_back();
  }
  return Precision{.id = std::string(rate.engine) + "-" + bits + "bpw",
                   .kind = PrecisionKind::quantised,
                   .weights = &weights,
                   .kept = &format("fp16"),
                   .compute = &format("fp16"),
                   .rule = QuantRule::head_in_6_bit};
}

Error unknown(std::string_view name)
{
  std::vector<std::string> near = text::near_matches(name, precision_names());
  std::string message = "unknown precision " + quoted(name);
  if (near.empty()) {
    message += "; known are bf16, fp16, fp8, int8, int4, nf4, awq-int4, gptq-int4, mlx-4bit, exl2-4.0bpw, q4_k_m, q8_0 "
               "and others";
  } else {
    message += "; did you mean ";
    for (std::size_t i = 0; i < near.size(); ++i) {
      message += (i == 0 ? "" : i + 1 == near.size() ? " or " : ", ") + near[i];
    }
    message += "?";
  }
  return {ErrorKind::usage, std::move(message), {}, std::move(near)};
}

} // namespace

Result<Precision> find_precision(std::string_view name)
{
  constexpr std::size_t longest_name = 64;
  if (name.size() > longest_name) {
    return unknown(name);
  }
  std::string lower(name);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  std::string_view rest = lower;
  const auto strip = [&rest](std::string_view prefix) {
    const bool there = rest.substr(0, prefix.size()) == prefix;
    rest.remove_prefix(there ? prefix.size() : 0);
    return there;
  };
  strip("torch.");
  strip("gguf-");
  const bool dynamic = strip("ud-") || strip("ud_");
  if (const auto rate = exllama_rate(rest)) {
    return exllama_precision(*rate, name);
  }
  auto found = by_name(squeezed(rest));
  if (!found || (dynamic && found->kind != PrecisionKind::gguf)) {
    return unknown(name);
  }
  found->approximate = found->approximate || dynamic;
  return *std::move(found);
}

std::vector<std::string> precision_names()
{
  std::vector<std::string> names;
  names.reserve(k_entries.size() + gguf_mixes().size() + k_bare_types.size() + 2);
  for (const Entry& entry : k_entries) {
    names.emplace_back(entry.id);
  }
  for (const char* rate : {"exl2-4.0bpw", "exl3-4.0bpw"}) {
    names.emplace_back(rate);
  }
  for (const GgufMix& mix : gguf_mixes()) {
    names.emplace_back(mix.name);
  }
  names.insert(names.end(), k_bare_types.begin(), k_bare_types.end());
  return names;
}

} // namespace hwadvisor
