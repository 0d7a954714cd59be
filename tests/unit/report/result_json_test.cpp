// Results as JSON: figures are numbers, and what is not known is null with its reason.
#include "hwadvisor/report.hpp"
#include "unit/whole_catalog.hpp"
#include "json/json.hpp"

using namespace hwadvisor;

namespace {

json::Json result_of(const Request& request)
{
  const auto result = estimate(request, catalog(), Detail::explained);
  INFO((result.ok() ? "" : result.error().message));
  REQUIRE(result.ok());
  auto parsed = json::parse(write_estimate(*result, catalog(), {OutputFormat::json}), "result");
  REQUIRE(parsed.ok());
  return std::move(*parsed);
}

} // namespace

TEST_CASE("an estimate in general has bytes, and says why it has no speed and no cost", "[report]")
{
  const auto result = result_of(request({{"model", "meta-llama/Llama-3.1-8B"}, {"precision", "bf16"}}));
  CHECK(result.at("schema") == "hwadvisor.estimate/1");
  CHECK(result.at("memory").at("weights_file_bytes") == 16'060'522'496); // total_size of its safetensors index
  CHECK(result.at("memory").at("kv_bytes_per_token") == 131'072);        // 32 layers x 2 x 8 heads x 128 x 2 bytes
  CHECK(result.at("fit").is_null());
  CHECK(result.at("speed").at("decode_tokens_per_s").is_null());
  CHECK(result.at("speed").at("reason") == "no hardware is named");
  CHECK(result.at("cost").at("usd_per_hour").is_null());
  CHECK(result.at("cost").at("reason") == "no hardware is named");
}

TEST_CASE("what does not fit has no speed, and says so", "[report]")
{
  const auto result = result_of(request({{"model", "llama-3.1-70b"}, {"hardware", "RTX 4090"}}));
  CHECK(result.at("fit").at("verdict") == "no");
  CHECK(result.at("fit").at("fits") == false);
  CHECK(result.at("fit").at("headroom_bytes") < 0);
  CHECK(result.at("speed").at("reason") == "it does not fit");
}

TEST_CASE("errors as JSON carry the exit code of their kind", "[report]")
{
  const auto code_of = [](ErrorKind kind) {
    const auto parsed = json::parse(write_error_json({kind, "m\"1", "--x", {"--y"}}), "error");
    REQUIRE(parsed.ok());
    CHECK(parsed->at("error").at("message") == "m\"1");
    CHECK(parsed->at("error").at("where") == "--x");
    CHECK(parsed->at("error").at("candidates").at(0) == "--y");
    return parsed->at("error").at("code").get<int>();
  };
  CHECK(code_of(ErrorKind::io) == 1);
  CHECK(code_of(ErrorKind::usage) == 2);
  CHECK(code_of(ErrorKind::unmet) == 3);
  CHECK(code_of(ErrorKind::malformed) == 4);
  CHECK(code_of(ErrorKind::unknown) == 5);
}

TEST_CASE("a batch is one array", "[report]")
{
  const auto parsed = json::parse(write_batch_json({R"({"a": 1})", R"({"error": {}})"}), "batch");
  REQUIRE(parsed.ok());
  REQUIRE(parsed->size() == 2);
  CHECK(parsed->at(0).at("a") == 1);
  CHECK(parsed->at(1).contains("error"));
}
