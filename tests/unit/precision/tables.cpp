#include "unit/precision/tables.hpp"

#include <string>

namespace hwadvisor::test {
namespace {

class Table {
public:
  std::vector<Tensor> tensors;
  int layer = -1;

  void matrix(TensorRole role, std::int64_t rows, std::int64_t row_elements, std::int64_t copies = 1)
  {
    tensors.push_back({role, layer, rows, row_elements, copies});
  }
  void vector(TensorRole role, std::int64_t elements) { matrix(role, 1, elements); }

  void embeddings(const Shape& s)
  {
    layer = -1;
    matrix(TensorRole::token_embedding, s.vocabulary, s.hidden);
    if (!s.tied) {
      matrix(TensorRole::output_head, s.vocabulary, s.hidden);
    }
    vector(TensorRole::norm, s.hidden);
  }
  void attention(const Shape& s)
  {
    const int q = s.heads * s.head_dim;
    const int kv = s.kv_heads * s.head_dim;
    if (s.fused) {
      matrix(TensorRole::attention_qkv, q + 2 * kv, s.hidden);
    } else {
      matrix(TensorRole::attention_q, q, s.hidden);
      matrix(TensorRole::attention_k, kv, s.hidden);
      matrix(TensorRole::attention_v, kv, s.hidden);
    }
    if (s.attention_bias) {
      vector(TensorRole::bias, q + 2 * kv);
    }
    if (s.qk_norm) {
      vector(TensorRole::norm, 2 * s.head_dim);
    }
    matrix(TensorRole::attention_output, s.hidden, q);
  }
  void ffn(const Shape& s)
  {
    if (s.fused) {
      matrix(TensorRole::ffn_up, 2 * s.ffn, s.hidden);
    } else {
      matrix(TensorRole::ffn_gate, s.ffn, s.hidden);
      matrix(TensorRole::ffn_up, s.ffn, s.hidden);
    }
    matrix(TensorRole::ffn_down, s.hidden, s.ffn);
  }
  void experts(const Shape& s)
  {
    matrix(TensorRole::router, s.experts, s.hidden);
    matrix(TensorRole::expert_gate, s.expert_width, s.hidden, s.experts);
    matrix(TensorRole::expert_up, s.expert_width, s.hidden, s.experts);
    matrix(TensorRole::expert_down, s.hidden, s.expert_width, s.experts);
    if (s.shared_width > 0) {
      matrix(TensorRole::shared_expert_gate, s.shared_width, s.hidden);
      matrix(TensorRole::shared_expert_up, s.shared_width, s.hidden);
      matrix(TensorRole::shared_expert_down, s.hidden, s.shared_width);
    }
  }
  // Mamba-2: state size, heads, groups, width, convolution of 4.
  void mamba2(int hidden, int inner, int state, int heads, int groups)
  {
    const int convolved = inner + 2 * groups * state;
    matrix(TensorRole::recurrent_in, inner + convolved + heads, hidden);
    matrix(TensorRole::recurrent_other, convolved, 4);
    vector(TensorRole::recurrent_other, convolved + 3 * heads + inner);
    matrix(TensorRole::recurrent_out, hidden, inner);
  }
};

KnownModel deepseek_v2_lite()
{
  const Shape s{.layers = 27,
                .hidden = 2048,
                .heads = 16,
                .kv_heads = 1,
                .ffn = 10944,
                .vocabulary = 102400,
                .experts = 64,
                .expert_width = 1408,
                .shared_width = 2816};
  const int nope = 128;
  const int rope = 64;
  const int rank = 512;
  Table t;
  t.embeddings(s);
  for (t.layer = 0; t.layer < s.layers; ++t.layer) {
    t.vector(TensorRole::norm, 2 * s.hidden + rank);
    t.matrix(TensorRole::attention_q, s.heads * (nope + rope), s.hidden);
    t.matrix(TensorRole::latent_kv_a, rank + rope, s.hidden);
    t.matrix(TensorRole::latent_kv_b, s.heads * rank, nope); // the K half is stored transposed in GGUF
    t.matrix(TensorRole::latent_kv_b, s.heads * nope, rank);
    t.matrix(TensorRole::attention_output, s.hidden, s.heads * nope);
    if (t.layer == 0) {
      t.ffn(s);
    } else {
      t.experts(s);
    }
  }
  return {t.tensors, context_of(s, "deepseek_v2")};
}

KnownModel nemotron_h_56b()
{
  std::string pattern = "M-M-M-M*-";
  for (int i = 0; i < 9; ++i) {
    pattern += "M-M-M-M-M*-";
  }
  pattern += "M-M-M-M-M-";
  const Shape s{static_cast<int>(pattern.size()), 8192, 64, 8, 128, 32768, 131072};
  Table t;
  t.embeddings(s);
  for (const char kind : pattern) {
    ++t.layer;
    t.vector(TensorRole::norm, s.hidden);
    if (kind == '*') {
      t.attention(s);
    } else if (kind == '-') {
      t.matrix(TensorRole::ffn_up, s.ffn, s.hidden);
      t.matrix(TensorRole::ffn_down, s.hidden, s.ffn);
    } else {
      t.mamba2(s.hidden, 16384, 256, 256, 8);
    }
  }
  // llama.cpp takes the grouping from layer 0, which has no attention: no grouping.
  TensorContext context = context_of(s, "nemotron_h");
  context.gqa_groups = 0;
  return {t.tensors, context};
}

KnownModel mamba2_2_7b()
{
  const Shape s{.layers = 64, .hidden = 2560, .vocabulary = 50288, .tied = true};
  Table t;
  t.embeddings(s);
  for (t.layer = 0; t.layer < s.layers; ++t.layer) {
    t.vector(TensorRole::norm, s.hidden);
    t.mamba2(s.hidden, 5120, 128, 80, 1);
  }
  return {t.tensors, {.layer_count = s.layers, .architecture = "mamba2"}};
}

} // namespace

std::vector<Tensor> transformer(const Shape& s)
{
  Table t;
  t.embeddings(s);
  for (t.layer = 0; t.layer < s.layers; ++t.layer) {
    t.vector(TensorRole::norm, static_cast<std::int64_t>(s.norms) * s.hidden);
    t.attention(s);
    if (s.experts > 0) {
      t.experts(s);
    } else {
      t.ffn(s);
    }
  }
  return t.tensors;
}

TensorContext context_of(const Shape& s, std::string_view architecture)
{
  return {.layer_count = s.layers,
          .expert_count = s.experts,
          .gqa_groups = s.heads / s.kv_heads,
          .tied_embeddings = s.tied,
          .architecture = architecture};
}

KnownModel known_model(std::string_view name)
{
  const auto known = [](const Shape& s, std::string_view architecture) {
    return KnownModel{transformer(s), context_of(s, architecture)};
  };
  if (name == "llama3-8b") {
    return known(k_llama3_8b, "llama");
  }
  if (name == "llama2-7b") {
    return known(k_llama2_7b, "llama");
  }
  if (name == "llama3-70b") {
    return known(k_llama3_70b, "llama");
  }
  if (name == "llama3.2-1b") {
    return known({.layers = 16,
                  .hidden = 2048,
                  .heads = 32,
                  .kv_heads = 8,
                  .head_dim = 64,
                  .ffn = 8192,
                  .vocabulary = 128256,
                  .tied = true},
                 "llama");
  }
  if (name == "mixtral-8x7b") {
    return known({.layers = 32,
                  .hidden = 4096,
                  .heads = 32,
                  .kv_heads = 8,
                  .head_dim = 128,
                  .vocabulary = 32000,
                  .experts = 8,
                  .expert_width = 14336},
                 "mixtral");
  }
  if (name == "qwen2-0.5b") {
    return known({.layers = 24,
                  .hidden = 896,
                  .heads = 14,
                  .kv_heads = 2,
                  .head_dim = 64,
                  .ffn = 4864,
                  .vocabulary = 151936,
                  .tied = true,
                  .attention_bias = true},
                 "qwen2");
  }
  if (name == "qwen2-7b") {
    return known({.layers = 28,
                  .hidden = 3584,
                  .heads = 28,
                  .kv_heads = 4,
                  .head_dim = 128,
                  .ffn = 18944,
                  .vocabulary = 152064,
                  .attention_bias = true},
                 "qwen2");
  }
  if (name == "qwen3-30b-a3b") {
    return known({.layers = 48,
                  .hidden = 2048,
                  .heads = 32,
                  .kv_heads = 4,
                  .head_dim = 128,
                  .vocabulary = 151936,
                  .qk_norm = true,
                  .experts = 128,
                  .expert_width = 768},
                 "qwen3_moe");
  }
  if (name == "gemma3-1b") {
    return known({.layers = 26,
                  .hidden = 1152,
                  .heads = 4,
                  .kv_heads = 1,
                  .head_dim = 256,
                  .ffn = 6912,
                  .vocabulary = 262144,
                  .tied = true,
                  .qk_norm = true,
                  .norms = 4},
                 "gemma3_text");
  }
  if (name == "gemma2-9b") {
    return known({.layers = 42,
                  .hidden = 3584,
                  .heads = 16,
                  .kv_heads = 8,
                  .head_dim = 256,
                  .ffn = 14336,
                  .vocabulary = 256000,
                  .tied = true,
                  .norms = 4},
                 "gemma2");
  }
  if (name == "phi3.5-mini") {
    return known({.layers = 32,
                  .hidden = 3072,
                  .heads = 32,
                  .kv_heads = 32,
                  .head_dim = 96,
                  .ffn = 8192,
                  .vocabulary = 32064,
                  .fused = true},
                 "phi3");
  }
  if (name == "llama4-scout") {
    return known({.layers = 48,
                  .hidden = 5120,
                  .heads = 40,
                  .kv_heads = 8,
                  .head_dim = 128,
                  .vocabulary = 202048,
                  .experts = 16,
                  .expert_width = 8192,
                  .shared_width = 8192},
                 "llama4");
  }
  if (name == "deepseek-v2-lite") {
    return deepseek_v2_lite();
  }
  if (name == "nemotron-h-56b") {
    return nemotron_h_56b();
  }
  if (name == "mamba2-2.7b") {
    return mamba2_2_7b();
  }
  return {};
}

} // namespace hwadvisor::test
