#include "modelfile/safetensors.hpp"

#include "../catalog/temporary_folder.hpp"
#include "catch.hpp"
#include "safetensors_bytes.hpp"

using namespace hwadvisor;
using namespace hwadvisor::modelfile;
using safetensors_bytes::file;
using safetensors_bytes::raw;

namespace {

Result<SafeTensors> read(const std::string& bytes)
{
  return read_safetensors(MemorySource(bytes), "m");
}

std::string complaint(const std::string& bytes)
{
  const auto out = read(bytes);
  return out ? "accepted"
             : fmt::format("{} {}: {}", exit_code(out.error().kind), out.error().where, out.error().message);
}

std::string one(std::string_view entry, std::size_t data = 16)
{
  return complaint(raw(fmt::format(R"({{"t":{}}})", entry), data));
}

} // namespace

TEST_CASE("a safetensors header", "[modelfile][safetensors]")
{
  const auto out = read(raw(R"({"__metadata__":{"format":"pt"},"b":{"dtype":"F4","shape":[4],"data_offsets":[16,18]},)"
                            R"("a":{"dtype":"BF16","shape":[2,4],"data_offsets":[0,16]},)"
                            R"("empty":{"dtype":"F32","shape":[0,3],"data_offsets":[16,16]},)"
                            R"("scalar":{"dtype":"I64","shape":[],"data_offsets":[18,26]}}   )",
                            26));
  REQUIRE(out);
  REQUIRE(out->tensors.size() == 4);
  CHECK(out->tensors[0].name == "b");
  CHECK(out->tensors[0].bytes == 2);
  CHECK(out->tensors[1].elements == 8);
  CHECK(out->tensors[2].elements == 0);
  CHECK(out->tensors[3].bytes == 8);
}

TEST_CASE("what the reference refuses is refused", "[modelfile][safetensors][hostile]")
{
  CHECK(complaint("") == "4 m: the file ends at byte 0, within the length of the header");
  CHECK(complaint(gguf_bytes::u64(100'000'001) + "{}") ==
        "4 m: not a safetensors file: a header of 100000001 bytes; at most 100000000 are read");
  CHECK(complaint(gguf_bytes::u64(50) + "{}") == "4 m: the header claims 50 bytes, more than the 2 that remain");
  CHECK(complaint(raw(" {}", 0)) == "4 m: not a safetensors file: the header does not begin with \"{\"");
  CHECK(complaint(raw(R"({"a":1,"a":2})", 0)) == "4 m: /a: the key occurs twice in one object");
  CHECK(complaint(raw(R"({"__metadata__":{"a":1}})", 0)) == "4 m: __metadata__ is an object of texts");
  CHECK(one("1") == "4 m: the tensor 't': an object with dtype, shape and data_offsets was expected");
  CHECK(one(R"({"dtype":"F32"})") == "4 m: the tensor 't': dtype, shape and two data_offsets were expected");
  CHECK(one(R"({"dtype":"F33","shape":[4],"data_offsets":[0,16]})") ==
        "4 m: the tensor 't': the dtype 'F33' is not known");
  CHECK(one(R"({"dtype":"F32","shape":[-4],"data_offsets":[0,16]})") == "4 m: the tensor 't': '-4' is not a size");
  CHECK(one(R"({"dtype":"F32","shape":[4.5],"data_offsets":[0,16]})") == "4 m: the tensor 't': '4.5' is not a size");
  CHECK(one(R"({"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,16]})") ==
        "4 m: the tensor 't': its shape has more bits than 64 bits can count");
  CHECK(one(R"({"dtype":"F32","shape":[4],"data_offsets":[16,0]})") ==
        "4 m: the tensor 't': data_offsets are a begin and an end");
  CHECK(one(R"({"dtype":"F32","shape":[3],"data_offsets":[0,16]})") ==
        "4 m: the tensor 't': 3 elements of F32 do not take the 16 bytes of its data_offsets");
  CHECK(one(R"({"dtype":"F4","shape":[3],"data_offsets":[0,1]})", 1) ==
        "4 m: the tensor 't': 3 elements of F4 do not take the 1 bytes of its data_offsets");
  CHECK(one(R"({"dtype":"F32","shape":[4],"data_offsets":[4,20]})", 20) ==
        "4 m: the tensor 't' begins at 4; 0 was expected, as tensors lie one after another");
  CHECK(one(R"({"dtype":"F32","shape":[4],"data_offsets":[0,16]})", 15) ==
        "4 m: the file ends after 15 bytes of data; its tensors take 16");
  CHECK(one(R"({"dtype":"F32","shape":[4],"data_offsets":[0,16]})", 17) ==
        "4 m: 1 bytes at the end of the file belong to no tensor");
}

TEST_CASE("an index of several safetensors files", "[modelfile][safetensors]")
{
  const TemporaryFolder folder;
  const std::string index = "model.safetensors.index.json";
  const auto path =
      folder.write(index, R"({"metadata":{"total_size":24},"weight_map":{"a":"1.safetensors","b":"2.safetensors"}})");
  const auto absent = read_safetensors_index(path);
  REQUIRE(absent);
  CHECK(absent->missing == std::vector<std::string>{"1.safetensors", "2.safetensors"});
  CHECK(absent->total_size == 24);
  const std::string first = file({{"a", "F32", {4}, 16}});
  const std::string second = file({{"b", "F16", {4}, 8}});
  folder.write("1.safetensors", first);
  folder.write("2.safetensors", second);
  const auto out = read_safetensors_index(path);
  REQUIRE(out);
  CHECK(out->tensors.size() == 2);
  CHECK(out->file_bytes == static_cast<std::int64_t>(first.size() + second.size()));
  folder.write("2.safetensors", first);
  CHECK(read_safetensors_index(path).error().message == "the tensor 'a' stands in an earlier file too");

  const auto fault = [](std::string_view text) { return parse_safetensors_index(text, "i").error().message; };
  CHECK(fault("[]") == "an index has a weight_map from tensors to files");
  CHECK(fault(R"({"weight_map":{}})") == "an index has a weight_map from tensors to files");
  CHECK(fault(R"({"weight_map":{"a":1}})") == "weight_map: 'a' does not name a file");
  CHECK(fault(R"({"weight_map":{"a":"../x"}})") == "weight_map: '../x' is not the name of a file beside the index");
  CHECK(fault(R"({"weight_map":{"a":"/etc/passwd"}})") ==
        "weight_map: '/etc/passwd' is not the name of a file beside the index");
  CHECK(fault(R"({"metadata":{"total_size":-1},"weight_map":{"a":"b"}})") ==
        "-1 is out of range: from 0 to 9223372036854775807");
}
