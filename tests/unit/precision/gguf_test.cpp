#include "catch.hpp"
#include "unit/precision/tables.hpp"

#include <fmt/format.h>

#include <fstream>
#include <sstream>
#include <string>

using namespace hwadvisor;
using namespace hwadvisor::test;

namespace {

double bits_per_weight(std::string_view name, const Shape& shape)
{
  const auto tensors = transformer(shape);
  std::int64_t parameters = 0;
  for (const Tensor& tensor : tensors) {
    parameters += tensor.elements();
  }
  const auto bytes = tensor_table_bytes(*find_precision(name), tensors, context_of(shape, "llama"));
  return 8.0 * static_cast<double>(bytes.value()) / static_cast<double>(parameters);
}

} // namespace

TEST_CASE("GGUF mixes of Llama-3.1-8B have the published bits per weight")
{
  // llama.cpp tools/quantize/README.md, table "meta-llama/Llama-3.1-8B"
  struct Row {
    const char* mix;
    double bits;
  };
  const Row rows[] = {
      {"IQ1_S", 2.0042},  {"IQ1_M", 2.1460},   {"IQ2_XXS", 2.3824}, {"IQ2_XS", 2.5882}, {"IQ2_S", 2.7403},
      {"IQ2_M", 2.9294},  {"IQ3_XXS", 3.2548}, {"IQ3_XS", 3.4977},  {"IQ3_S", 3.6606},  {"IQ3_M", 3.7628},
      {"IQ4_XS", 4.4597}, {"IQ4_NL", 4.6818},  {"Q2_K_S", 2.9697},  {"Q2_K", 3.1593},   {"Q3_K_S", 3.6429},
      {"Q3_K_L", 4.2979}, {"Q4_K_S", 4.6672},  {"Q4_K_M", 4.8944},  {"Q5_K_S", 5.5704}, {"Q5_K_M", 5.7036},
      {"Q6_K", 6.5633},   {"Q8_0", 8.5008},
  };
  for (const Row& row : rows) {
    INFO(row.mix);
    CHECK(bits_per_weight(row.mix, k_llama3_8b) == Approx(row.bits).epsilon(0.0001));
  }
}

TEST_CASE("Llama-3-8B as Q4_K_M is 4.58 GiB, and Q2_K_L 3.69 GB")
{
  const auto tensors = transformer(k_llama3_8b);
  const TensorContext context = context_of(k_llama3_8b, "llama");
  CHECK(in_gibibytes(tensor_table_bytes(*find_precision("q4_k_m"), tensors, context)) == Approx(4.58).margin(0.005));
  // huggingface.co/bartowski/Meta-Llama-3.1-8B-Instruct-GGUF; the file's header of 8 MB is not counted here
  CHECK(in_gigabytes(tensor_table_bytes(*find_precision("q2_k_l"), tensors, context)) == Approx(3.69).margin(0.01));
}

TEST_CASE("GGUF mixes of Llama-3-70B have the published sizes")
{
  // llama.cpp docs, table of Llama-3-70B files: GiB, made with an importance matrix
  struct Row {
    const char* mix;
    double gibibytes;
  };
  const Row rows[] = {{"iq1_s", 14.29},   {"iq2_xs", 19.69}, {"iq2_m", 22.46}, {"q2_k", 24.56},
                      {"iq3_xxs", 25.58}, {"q3_k_m", 31.91}, {"iq4_xs", 35.30}};
  const auto tensors = transformer(k_llama3_70b);
  TensorContext context = context_of(k_llama3_70b, "llama");
  context.importance_matrix = true;
  for (const Row& row : rows) {
    INFO(row.mix);
    CHECK(in_gibibytes(tensor_table_bytes(*find_precision(row.mix), tensors, context)) ==
          Approx(row.gibibytes).margin(0.011));
  }
}

TEST_CASE("every GGUF mix gives the bytes that llama.cpp plans, to the byte")
{
  std::ifstream file(HWADVISOR_SOURCE_DIR "/tests/unit/precision/gguf-mix-sizes.csv");
  REQUIRE(file);
  std::string line;
  int rows = 0;
  while (std::getline(file, line)) {
    if (line.empty() || line.front() == '#' || line.substr(0, 6) == "model,") {
      continue;
    }
    std::istringstream fields(line);
    std::string model;
    std::string mix;
    std::string matrix;
    std::string bytes;
    std::getline(fields, model, ',');
    std::getline(fields, mix, ',');
    std::getline(fields, matrix, ',');
    std::getline(fields, bytes, ',');
    INFO(line);
    KnownModel known = known_model(model);
    REQUIRE_FALSE(known.tensors.empty());
    known.context.importance_matrix = matrix == "1";
    const auto precision = find_precision(mix);
    REQUIRE(precision.ok());
    CHECK(tensor_table_bytes(*precision, known.tensors, known.context).value() == std::stoll(bytes));
    ++rows;
  }
  CHECK(rows > 400);
}

TEST_CASE("a bare type holds every matrix, with a fallback for rows that do not divide")
{
  const Precision q4_k = *find_precision("q4_k");
  const TensorContext context;
  CHECK(format_of(q4_k, {TensorRole::attention_v, 0, 1024, 4096}, context).id == "q4_k");
  CHECK(format_of(q4_k, {TensorRole::token_embedding, -1, 128256, 4096}, context).id == "q4_k");
  CHECK(format_of(q4_k, {TensorRole::ffn_down, 0, 896, 4864}, context).id == "q4_k");
  CHECK(format_of(q4_k, {TensorRole::ffn_up, 0, 4864, 896}, context).id == "q5_0"); // 896 = 3.5 x 256
  CHECK(format_of(q4_k, {TensorRole::ffn_up, 0, 64, 100}, context).id == "fp16");
  CHECK(format_of(q4_k, {TensorRole::norm, 0, 1, 4096}, context).id == "fp32");
  CHECK(format_of(q4_k, {TensorRole::router, 0, 128, 2048}, context).id == "fp32");
  CHECK(format_of(q4_k, {TensorRole::shared_expert_gate, 0, 1, 2048}, context).id == "fp32");
  CHECK(format_of(q4_k, {TensorRole::vision, -1, 1152, 1152}, context).id == "fp16");
  CHECK(format_of(q4_k, {TensorRole::expert_up, 0, 2880, 2880, 32}, {.architecture = "gpt_oss"}).id == "mxfp4");

  struct Fallback {
    const char* name;
    const char* type;
  };
  for (const Fallback& row : {Fallback{"q3_k", "q4_0"}, Fallback{"q5_k", "q5_1"}, Fallback{"q6_k", "q8_0"}}) {
    CHECK(format_of(*find_precision(row.name), {TensorRole::ffn_up, 0, 4864, 896}, context).id == row.type);
  }
}

TEST_CASE("a GGUF mix without a tensor table falls back on layer numbers")
{
  const Precision q4_k_m = *find_precision("q4_k_m");
  const TensorContext context{.layer_count = 32, .gqa_groups = 4};
  const auto down = [&](int layer) {
    return format_of(q4_k_m, {TensorRole::ffn_down, layer, 4096, 14336}, context).id;
  };
  CHECK(down(0) == "q6_k"); // first eighth
  CHECK(down(4) == "q4_k");
  CHECK(down(6) == "q6_k");  // every third between
  CHECK(down(28) == "q6_k"); // last eighth
}

TEST_CASE("query, key and value listed apart are chosen as one where GGUF files fuse them")
{
  Shape apart{.layers = 32, .hidden = 3072, .heads = 32, .kv_heads = 32, .head_dim = 96, .ffn = 8192};
  apart.vocabulary = 32064;
  Shape fused = apart;
  fused.fused = true;
  const TensorContext context = context_of(apart, "phi3");
  for (const char* mix : {"q2_k", "q3_k_m", "q4_k_m", "q5_k_m", "iq1_s", "iq3_xs", "iq4_xs"}) {
    INFO(mix);
    const Precision precision = *find_precision(mix);
    CHECK(tensor_table_bytes(precision, transformer(apart), context) ==
          tensor_table_bytes(precision, transformer(fused), context));
  }
  // microsoft/Phi-3.5-mini-instruct as Q4_K_M takes 2.228 GiB (llama.cpp's log; ggml-org/llama.cpp#9451)
  CHECK(in_gibibytes(tensor_table_bytes(*find_precision("q4_k_m"), transformer(apart), context)) ==
        Approx(2.228).epsilon(0.002));
}
