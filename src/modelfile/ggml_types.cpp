#include "modelfile/ggml_types.hpp"

#include <algorithm>
#include <vector>

namespace hwadvisor::modelfile {
namespace {

// ggml/include/ggml.h, enum ggml_type, of llama.cpp v0.5.0; 4, 5, 31 to 33 and 36 to 38 were withdrawn. Block sizes are
// those of the format, except where this row has its own.
struct Row {
  std::uint32_t number;
  std::string_view name;
  std::string_view format;
  std::int32_t block_elements = 0;
  std::int32_t block_bytes = 0;
};
constexpr Row k_rows[] = {
    {0, "F32", "fp32"},       {1, "F16", "fp16"},         {2, "Q4_0", "q4_0"},
    {3, "Q4_1", "q4_1"},      {6, "Q5_0", "q5_0"},        {7, "Q5_1", "q5_1"},
    {8, "Q8_0", "q8_0"},      {9, "Q8_1", "q8_1"},        {10, "Q2_K", "q2_k"},
    {11, "Q3_K", "q3_k"},     {12, "Q4_K", "q4_k"},       {13, "Q5_K", "q5_k"},
    {14, "Q6_K", "q6_k"},     {15, "Q8_K", "q8_k"},       {16, "IQ2_XXS", "iq2_xxs"},
    {17, "IQ2_XS", "iq2_xs"}, {18, "IQ3_XXS", "iq3_xxs"}, {19, "IQ1_S", "iq1_s"},
    {20, "IQ4_NL", "iq4_nl"}, {21, "IQ3_S", "iq3_s"},     {22, "IQ2_S", "iq2_s"},
    {23, "IQ4_XS", "iq4_xs"}, {24, "I8", "int8"},         {25, "I16", "", 1, 2},
    {26, "I32", "", 1, 4},    {27, "I64", "", 1, 8},      {28, "F64", "fp64"},
    {29, "IQ1_M", "iq1_m"},   {30, "BF16", "bf16"},       {34, "TQ1_0", "tq1_0"},
    {35, "TQ2_0", "tq2_0"},   {39, "MXFP4", "mxfp4"},     {40, "NVFP4", "nvfp4", 64, 36}, // four blocks of 16 in one
    {41, "Q1_0", "q1_0"},     {42, "Q2_0", "q2_0"},
};

std::vector<GgmlType> make_types()
{
  std::vector<GgmlType> types;
  for (const Row& row : k_rows) {
    GgmlType type{row.number, row.name, row.format.empty() ? nullptr : &format(row.format), row.block_elements,
                  row.block_bytes};
    if (type.block_elements == 0) {
      type.block_elements = type.format->block_elements;
      type.block_bytes = type.format->block_bytes;
    }
    types.push_back(type);
  }
  return types;
}

// include/llama.h, enum llama_ftype, of the same release.
struct FileType {
  std::int64_t number;
  std::string_view precision;
};
constexpr FileType k_file_types[] = {
    {0, "fp32"},    {1, "fp16"},    {2, "q4_0"},       {3, "q4_1"},    {7, "q8_0"},     {8, "q5_0"},
    {9, "q5_1"},    {10, "q2_k"},   {11, "q3_k_s"},    {12, "q3_k_m"}, {13, "q3_k_l"},  {14, "q4_k_s"},
    {15, "q4_k_m"}, {16, "q5_k_s"}, {17, "q5_k_m"},    {18, "q6_k"},   {19, "iq2_xxs"}, {20, "iq2_xs"},
    {21, "q2_k_s"}, {22, "iq3_xs"}, {23, "iq3_xxs"},   {24, "iq1_s"},  {25, "iq4_nl"},  {26, "iq3_s"},
    {27, "iq3_m"},  {28, "iq2_s"},  {29, "iq2_m"},     {30, "iq4_xs"}, {31, "iq1_m"},   {32, "bf16"},
    {36, "tq1_0"},  {37, "tq2_0"},  {38, "mxfp4_moe"}, {39, "nvfp4"},  {40, "q1_0"},    {41, "q2_0"},
};

} // namespace

const GgmlType* find_ggml_type(std::uint32_t number)
{
  static const std::vector<GgmlType> types = make_types();
  const auto found =
      std::find_if(types.begin(), types.end(), [&](const GgmlType& type) { return type.number == number; });
  return found == types.end() ? nullptr : &*found;
}

std::string_view precision_of_file_type(std::int64_t file_type)
{
  for (const FileType& each : k_file_types) {
    if (each.number == file_type) {
      return each.precision;
    }
  }
  return {};
}

} // namespace hwadvisor::modelfile
