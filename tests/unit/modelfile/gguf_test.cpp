#include "modelfile/gguf.hpp"

#include "catch.hpp"
#include "gguf_bytes.hpp"

#include <fmt/format.h>

using namespace hwadvisor;
using namespace hwadvisor::modelfile;
using namespace gguf_bytes;

namespace {

Result<GgufFile> read(const std::string& bytes)
{
  return read_gguf(MemorySource(bytes), "m.gguf");
}

std::string complaint(const std::string& bytes)
{
  const auto file = read(bytes);
  if (file) {
    return "accepted";
  }
  const Error& error = file.error();
  return fmt::format("{} {}: {}", exit_code(error.kind), error.where, error.message);
}

std::string complaint(const File& file)
{
  return complaint(file.bytes());
}

File with_pairs(std::vector<std::string> pairs)
{
  File file;
  file.pairs = std::move(pairs);
  return file;
}

File with_tensors(std::vector<std::string> tensors, std::size_t data)
{
  File file;
  file.tensors = std::move(tensors);
  file.data = data;
  return file;
}

} // namespace

TEST_CASE("a GGUF file's metadata and tensor table", "[modelfile][gguf]")
{
  File file;
  file.pairs = {pair("general.architecture", "llama"),
                pair("llama.block_count", std::uint32_t{2}),
                pair("llama.attention.head_count_kv", std::vector<std::int32_t>{8, 0}),
                word("tokenizer.ggml.tokens") + u32(9) + u32(8) + u64(3) + word("a") + word("b") + word("c"),
                word("f") + u32(6) + raw(1.5F),
                word("b") + u32(7) + std::string(1, '\1'),
                word("i") + u32(11) + raw(std::int64_t{-7})};
  // Q4_K: 256 elements in 144 bytes (ggml-common.h, block_q4_K)
  file.tensors = {tensor("blk.0.attn_q.weight", {512, 3}, 12, 0), tensor("output_norm.weight", {512}, 0, 864)};
  file.data = 864 + 2048;
  for (const std::uint32_t version : {2U, 3U}) {
    file.version = version;
    const auto bytes = file.bytes();
    const auto out = read(bytes);
    REQUIRE(out);
    CHECK(out->version == version);
    CHECK(out->metadata.text("general.architecture") == "llama");
    CHECK(out->metadata.integer("llama.block_count") == 2);
    CHECK(out->metadata.find("llama.attention.head_count_kv")->size() == 2);
    CHECK(out->metadata.list_sizes.at("tokenizer.ggml.tokens") == 3);
    CHECK(out->metadata.find("tokenizer.ggml.tokens") == nullptr); // counted, not kept
    CHECK(out->metadata.find("f")->get<double>() == 1.5);
    CHECK(out->metadata.find("b")->get<bool>());
    CHECK(out->metadata.integer("i") == std::nullopt); // negative
    CHECK(out->tensors.at(0).bytes == 6 * 144);
    CHECK(out->tensors.at(0).elements() == 1536);
    CHECK(out->tensors.at(1).bytes == 2048);
    CHECK(out->file_bytes == static_cast<std::int64_t>(bytes.size()));
  }
}

TEST_CASE("every ggml type has the size that ggml gives it", "[modelfile][gguf]")
{
  // gguf-py/gguf/constants.py, GGML_QUANT_SIZES of llama.cpp v0.5.0
  struct Row {
    std::uint32_t number;
    int elements;
    int bytes;
  };
  const Row rows[] = {{0, 1, 4},      {1, 1, 2},      {2, 32, 18},   {3, 32, 20},    {6, 32, 22},    {7, 32, 24},
                      {8, 32, 34},    {9, 32, 36},    {10, 256, 84}, {11, 256, 110}, {12, 256, 144}, {13, 256, 176},
                      {14, 256, 210}, {15, 256, 292}, {16, 256, 66}, {17, 256, 74},  {18, 256, 98},  {19, 256, 50},
                      {20, 32, 18},   {21, 256, 110}, {22, 256, 82}, {23, 256, 136}, {24, 1, 1},     {25, 1, 2},
                      {26, 1, 4},     {27, 1, 8},     {28, 1, 8},    {29, 256, 56},  {30, 1, 2},     {34, 256, 54},
                      {35, 256, 66},  {39, 32, 17},   {40, 64, 36},  {41, 128, 18},  {42, 64, 18}};
  for (const Row& row : rows) {
    const GgmlType* type = find_ggml_type(row.number);
    REQUIRE(type != nullptr);
    CHECK(type->block_elements == row.elements);
    CHECK(type->block_bytes == row.bytes);
  }
  for (const std::uint32_t withdrawn : {4U, 5U, 31U, 32U, 33U, 36U, 37U, 38U, 43U}) {
    CHECK(find_ggml_type(withdrawn) == nullptr);
  }
}

TEST_CASE("files that are no GGUF of today", "[modelfile][gguf][hostile]")
{
  CHECK(complaint("") == "4 m.gguf: not a GGUF file: it does not begin with \"GGUF\"");
  CHECK(complaint("PK\3\4 and more") == "4 m.gguf: not a GGUF file: it does not begin with \"GGUF\"");
  CHECK(complaint("GGUF" + std::string("\0\0\0\3", 4) + std::string(32, '\0')) ==
        "4 m.gguf: this GGUF file is big-endian; only little-endian files are read");
  CHECK(complaint("GGUF" + u32(1) + std::string(16, '\0')) ==
        "4 m.gguf: this GGUF file is of version 1, which no engine reads any more; convert the model again");
  CHECK(complaint("GGUF" + u32(4) + std::string(16, '\0')) ==
        "4 m.gguf: GGUF version 4 is not known; versions 2 and 3 are read");
  CHECK(complaint("GGUF" + u32(3) + u64(0)) ==
        "4 m.gguf: the file ends at byte 16, within the number of metadata pairs");
}

TEST_CASE("counts and lengths that cannot be", "[modelfile][gguf][hostile]")
{
  CHECK(complaint("GGUF" + u32(3) + u64(0) + u64(std::uint64_t{1} << 60)) ==
        "4 m.gguf: 1152921504606846976 metadata pairs cannot fit into the 0 bytes that remain");
  CHECK(complaint("GGUF" + u32(3) + u64(5) + u64(0) + std::string(100, '\0')) ==
        "4 m.gguf: 5 tensors cannot fit into the 100 bytes that remain");
  CHECK(complaint(with_pairs({u64(~std::uint64_t{0}) + u32(4) + u32(0)})) ==
        "4 m.gguf: a metadata key claims 18446744073709551615 bytes, more than the 32 that remain");
  CHECK(complaint(with_pairs({word("k") + u32(8) + u64(9'000'000'000)})) ==
        "4 m.gguf: the text of 'k' claims 9000000000 bytes, more than the 19 that remain");
  CHECK(complaint(with_pairs({word("k") + u32(9) + u32(8) + u64(1'000'000'000'000)})) ==
        "4 m.gguf: the list 'k' claims 1000000000000 values, which cannot fit into the 15 bytes that remain");
  CHECK(complaint(with_pairs({word("k") + u32(9) + u32(10) + u64(std::uint64_t{1} << 61)})) ==
        "4 m.gguf: the list 'k' claims 2305843009213693952 values, which cannot fit into the 15 bytes that remain");
  CHECK(complaint(with_pairs({word("k") + u32(9) + u32(9) + u64(1) + u32(9) + u64(1)})) ==
        "4 m.gguf: the list 'k' holds lists; no engine reads lists of lists");
  CHECK(complaint(with_pairs({word("k") + u32(13) + u32(0)})) ==
        "4 m.gguf: the metadata key 'k' is of the type 13, which is not known");
  CHECK(complaint(with_pairs({word("") + u32(4) + u32(0)})) == "4 m.gguf: a metadata key is empty");
  CHECK(complaint(with_pairs({pair("k", std::uint32_t{1}), pair("k", std::uint32_t{2})})) ==
        "4 m.gguf: the metadata key 'k' occurs twice");
  CHECK(complaint(with_pairs({pair("\xff\xc0k", std::uint32_t{1}), pair("\xff\xc0k", std::uint32_t{2})})) ==
        "4 m.gguf: the metadata key '\\xff\\xc0k' occurs twice");
  const auto whole = with_pairs({pair("general.name", "some model")}).bytes();
  CHECK(complaint(whole.substr(0, 60)) ==
        "4 m.gguf: the text of 'general.name' claims 10 bytes, more than the 4 that remain");
}

TEST_CASE("tensors that cannot be", "[modelfile][gguf][hostile]")
{
  CHECK(complaint(with_tensors({tensor("t", {1, 1, 1, 1, 1}, 0, 0)}, 64)) ==
        "4 m.gguf: the tensor 't' has 5 dimensions; ggml has at most 4");
  CHECK(complaint(with_tensors({tensor("t", {std::uint64_t{1} << 32, std::uint64_t{1} << 32}, 0, 0)}, 64)) ==
        "4 m.gguf: the tensor 't' has more elements than 64 bits can count");
  CHECK(complaint(with_tensors({tensor("t", {~std::uint64_t{0}}, 0, 0)}, 64)) ==
        "4 m.gguf: the tensor 't' has more elements than 64 bits can count");
  CHECK(complaint(with_tensors({tensor("t", {std::uint64_t{1} << 62}, 0, 0)}, 64)) ==
        "4 m.gguf: the tensor 't' has more bytes than 64 bits can count");
  CHECK(complaint(with_tensors({tensor("t", {8}, 99, 0)}, 64)) ==
        "4 m.gguf: the tensor 't' is of the type 99, which is not known");
  CHECK(complaint(with_tensors({tensor("t", {100, 2}, 12, 0)}, 640)) ==
        "4 m.gguf: the tensor 't' has rows of 100 elements, which do not divide into the blocks of 256 of Q4_K");
  CHECK(complaint(with_tensors({tensor("t", {8}, 0, 4)}, 64)) ==
        "4 m.gguf: the tensor 't' begins at 4, which is not a multiple of the alignment, 32");
  CHECK(complaint(with_tensors({tensor("t", {32}, 0, 0)}, 127)) ==
        "4 m.gguf: the tensor 't' lies outside the file: bytes 0 to 128 of 127 of data");
  CHECK(complaint(with_tensors({tensor("t", {8}, 0, ~std::uint64_t{31})}, 64)) ==
        "4 m.gguf: the tensor 't' lies outside the file: bytes 18446744073709551584 to 9223372036854775807 of 64 of "
        "data");
  CHECK(complaint(with_tensors({tensor("a", {16}, 0, 0), tensor("b", {8}, 0, 32)}, 64)) ==
        "4 m.gguf: the tensors 'a' and 'b' overlap");
  CHECK(complaint(with_tensors({tensor("a", {8}, 0, 0), tensor("a", {8}, 0, 32)}, 64)) ==
        "4 m.gguf: the tensor 'a' occurs twice");
  CHECK(complaint(with_tensors({tensor(std::string(2000, 'n'), {8}, 0, 0)}, 64)) ==
        "4 m.gguf: the name of tensor 0 claims 2000 bytes; at most 1024 are read");
  File file = with_pairs({pair("general.alignment", std::uint32_t{33})});
  CHECK(complaint(file) == "4 m.gguf: general.alignment is 33; a power of two was expected");
  file.pairs = {pair("general.alignment", std::uint32_t{0})};
  CHECK(complaint(file) == "4 m.gguf: general.alignment is 0; a power of two was expected");
}

TEST_CASE("a GGUF file cut anywhere is refused with one line", "[modelfile][gguf][hostile]")
{
  File file;
  file.pairs = {pair("general.architecture", "llama"), pair("a", std::vector<std::int32_t>{1, 2, 3})};
  file.tensors = {tensor("t", {8}, 0, 0)};
  file.data = 32;
  const std::string whole = file.bytes();
  REQUIRE(read(whole));
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const auto out = read(whole.substr(0, size));
    REQUIRE_FALSE(out);
    CHECK(out.error().message.find('\n') == std::string::npos);
  }
}
