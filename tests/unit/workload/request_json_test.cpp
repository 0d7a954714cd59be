#include "hwadvisor/request.hpp"

#include "catch.hpp"

using namespace hwadvisor;

namespace {

std::string complaint(std::string_view json)
{
  const auto result = parse_requests(json, "r.json");
  INFO(json);
  REQUIRE(!result.ok());
  std::string text = result.error().where + ": " + result.error().message;
  for (const std::string& candidate : result.error().candidates) {
    text += " [" + candidate + "]";
  }
  return text;
}

Request one(std::string_view json)
{
  const auto result = parse_requests(json, "r.json");
  INFO(json);
  INFO((result.ok() ? "" : result.error().message));
  REQUIRE(result.ok());
  REQUIRE(result->size() == 1);
  return result->front();
}

} // namespace

TEST_CASE("a request file has the flags as keys", "[workload]")
{
  const Request request = one(R"({"model": "llama-3.1-8b", "task": "inference", "context": "8k", "batch": 4,
    "hardware": "RTX 4090", "count": 2, "flash_attention": true, "gpu_memory_utilization": 0.9,
    "lora_targets": ["q", "v"], "offload": "optimizer", "concurrency": null, "precision_as_named": "fp4"})");
  CHECK(request.model.name == "llama-3.1-8b");
  CHECK(request.context == 8192);
  CHECK(request.batch == 4);
  CHECK(request.hardware == std::vector<std::string>{"RTX 4090"});
  CHECK(request.count == 2);
  CHECK(request.flash_attention == true);
  CHECK(request.gpu_memory_utilization == 0.9);
  CHECK(request.lora_targets == std::vector<std::string>{"q", "v"});
  CHECK(request.offload == std::vector<std::string>{"optimizer"});
  CHECK(!request.concurrency);
}

TEST_CASE("a model is a name or an object", "[workload]")
{
  CHECK(one(R"({"model": {"params": 7000000000}})").model.params == 7'000'000'000);
  CHECK(one(R"({"model": {"params": "7B"}})").model.params == 7'000'000'000);
  CHECK(complaint(R"({"model": {"params": "7Q"}})") ==
        "r.json: /model/params: '7Q' is not a whole number; accepted: 16, 8k (8,000), 350M, 7B, 1.5T");
  CHECK(one(R"({"model": {"path": "x/config.json"}})").model.name == "x/config.json");
  const ModelChoice model = one(R"({"model": {"config": {"model_type": "llama"}}})").model;
  CHECK(model.config_json == R"({"model_type":"llama"})");
  CHECK(model.config_place == "r.json: /model/config");
  CHECK(complaint(R"({"model": {}})") ==
        "r.json: /model: a model is a name, or an object with one of config, params, path, llamacpp_shape");
  CHECK(complaint(R"({"model": 7})") == "r.json: /model: an object was expected, not 7");
  CHECK(complaint(R"({"model": {"config": 1}})") ==
        "r.json: /model/config: an object is expected: the content of a config.json");
  CHECK(complaint(R"({"model": {"path": ""}})") ==
        "r.json: /model/path: a file or a folder is expected, not an empty text");
}

TEST_CASE("a wrong key or value says file and pointer", "[workload]")
{
  CHECK(complaint(R"({"contxt": 1})") == "r.json: /contxt: 'contxt' is not a known key [context]");
  CHECK(complaint(R"([{"model": "a"}, {"context": -1}])") ==
        "r.json: /1/context: '-1' is out of range: from 1 to 1099511627776");
  CHECK(complaint(R"({"context": 1.5})") == "r.json: /context: '1.5' is not a whole number");
  CHECK(complaint(R"({"context": true})") == "r.json: /context: a number or a text is expected, not true");
  CHECK(complaint(R"({"context": {}})") == "r.json: /context: a number or a text is expected, not {}");
  CHECK(complaint(R"({"model": "a", "spot": "yes"})") == "r.json: /spot: true or false is expected, not \"yes\"");
  CHECK(complaint(R"({"flash_attention": 1})") ==
        "r.json: /flash_attention: true, false, \"on\" or \"off\" is expected, not 1");
  CHECK(complaint(R"({"allow_precisions": 5})") ==
        "r.json: /allow_precisions: a text or a list of texts is expected, not 5");
  CHECK(complaint(R"({"precision": 16})") == "r.json: /precision: a text is expected, not 16");
  CHECK(complaint(R"({"context": 1e999})") == "r.json: /context: the number 1e999 is beyond the range of numbers");
  CHECK(complaint(R"({"offload": [1]})") == "r.json: /offload/0: a list of texts is expected");
  CHECK(complaint(R"({"speculative": {"draft": "x"}})") == "r.json: /speculative: not supported yet");
  CHECK(complaint(R"({"workloads": []})") == "r.json: /workloads: not supported yet");
  CHECK(complaint("[]") == "r.json: a request or an array of 1 to 100000 requests is expected");
  CHECK(complaint("7") == "r.json: a request or an array of 1 to 100000 requests is expected");
  CHECK(complaint("[7]") == "r.json: /0: a request is an object of keys");
  CHECK(complaint(R"({"context": 1, "context": 2})") == "r.json: /context: the key occurs twice in one object");
}

TEST_CASE("a batch keeps the faults of its elements apart", "[workload]")
{
  const auto file = parse_request_file(R"([{"model": "a"}, {"contxt": 1}])", "r.json");
  REQUIRE(file.ok());
  CHECK(file->batch);
  REQUIRE(file->requests.size() == 2);
  CHECK(file->requests[0].request.has_value());
  REQUIRE(file->requests[1].error.has_value());
  CHECK(file->requests[1].error->where == "r.json: /1/contxt");
  CHECK(!parse_request_file(R"({"model": "a"})", "r.json")->batch);
}

TEST_CASE("a request written and read again is the same", "[workload]")
{
  const std::string text =
      R"({"model":{"params":7000000000},"task":"training","precision":"bf16","framework":"nemo","hardware":"x",)"
      R"("context":8192,"image_size":"8x9","lora_targets":["q","v"],"fused_loss":true,"deadline":"24h","spot":false})";
  CHECK(request_json(one(text)) == text);
  CHECK(request_json(one(request_json(one(text)))) == text);
}
