#include "hwadvisor/request.hpp"

#include "catch.hpp"

#include <set>

using namespace hwadvisor;

namespace {

std::string complaint(std::string_view key, std::string_view text)
{
  Request request;
  const Status status = set_request_key(request, key, text);
  REQUIRE(!status.ok());
  CHECK(status.error().kind == ErrorKind::usage);
  return status.error().where + ": " + status.error().message;
}

Request with(std::string_view key, std::string_view text)
{
  Request request;
  INFO(key << " = " << text);
  REQUIRE(set_request_key(request, key, text).ok());
  return request;
}

} // namespace

TEST_CASE("every key of the request format is in the table once", "[workload]")
{
  std::set<std::string_view> names;
  for (const RequestKey& key : request_keys()) {
    INFO(key.name);
    CHECK(names.insert(key.name).second);
    CHECK(key.help.size() <= 70);
    CHECK(find_request_key(key.name) == &key);
    if (key.use == KeyUse::honoured) {
      CHECK(key.set != nullptr);
      CHECK(key.get != nullptr);
    }
  }
  for (const char* name : {"model",
                           "task",
                           "engine",
                           "engine_version",
                           "framework",
                           "precision",
                           "kv_precision",
                           "hardware",
                           "device_memory_gb",
                           "count",
                           "scenario",
                           "total_requests",
                           "peak_requests_per_s",
                           "replicas",
                           "streams",
                           "fps",
                           "audio_hours",
                           "steps",
                           "dataset_gb",
                           "cache_hit_rate",
                           "context",
                           "batch",
                           "concurrency",
                           "sequences",
                           "input_tokens",
                           "output_tokens",
                           "cached_tokens",
                           "image_size",
                           "requests_per_s",
                           "gpu_memory_utilization",
                           "max_batched_tokens",
                           "ubatch",
                           "outputs",
                           "flash_attention",
                           "attention",
                           "gpu_layers",
                           "backend",
                           "kv_offload",
                           "swa_full",
                           "kv_unified",
                           "embeddings",
                           "enforce_eager",
                           "speculative",
                           "method",
                           "algorithm",
                           "train_embeddings",
                           "lora_rank",
                           "lora_targets",
                           "optimizer",
                           "micro_batch",
                           "seq_len",
                           "grad_accum",
                           "checkpointing",
                           "fused_loss",
                           "packed",
                           "compile",
                           "async_tp",
                           "pp_schedule",
                           "train_tokens",
                           "epochs",
                           "dataset_rows",
                           "dataset_features",
                           "tp",
                           "pp",
                           "dp",
                           "ep",
                           "cp",
                           "zero",
                           "fsdp",
                           "offload",
                           "objective",
                           "budget",
                           "budget_scope",
                           "budget_hourly",
                           "budget_monthly",
                           "hours_per_month",
                           "horizon_months",
                           "ttft_ms",
                           "tpot_ms",
                           "latency_ms",
                           "percentile",
                           "min_tokens_per_s",
                           "deadline",
                           "allow_precisions",
                           "provider",
                           "tier",
                           "region",
                           "market",
                           "currency",
                           "spot",
                           "vendor",
                           "max_power_w",
                           "only",
                           "have",
                           "as_of"}) {
    INFO(name);
    CHECK(names.contains(name));
  }
}

TEST_CASE("keys take the text a person writes", "[workload]")
{
  CHECK(with("context", "8k").context == 8192);
  CHECK(with("seq_len", "8k").seq_len == 8192);
  CHECK(with("input_tokens", "8k").input_tokens == 8000);
  CHECK(with("input_tokens", "0").input_tokens == 0);
  CHECK(with("max_batched_tokens", "8k").max_batched_tokens == 8000);
  CHECK(with("params", "7B").model.params == 7'000'000'000);
  CHECK(with("concurrency", "max").concurrency_max);
  CHECK(with("concurrency", "64").concurrency == 64);
  CHECK(with("image_size", "800x1333").image_height == 800);
  CHECK(with("image_size", "800x1333").image_width == 1333);
  CHECK(with("image_size", "512").image_width == 512);
  CHECK(with("gpu_layers", "all").gpu_layers == k_all_layers);
  CHECK(with("gpu_layers", "33/33").gpu_layers == 33);
  CHECK(with("gpu_memory_utilization", "90%").gpu_memory_utilization == 0.9);
  CHECK(with("deadline", "30d").deadline_hours == 720.0);
  CHECK(with("budget", "800usd").budget == 800.0);
  CHECK(with("budget_hourly", "3.5/h").budget_hourly == 3.5);
  CHECK(with("fsdp", "true").fsdp == "full_shard");
  CHECK(with("lora_targets", "q, v").lora_targets == std::vector<std::string>{"q", "v"});
  CHECK(with("flash_attention", "off").flash_attention == false);
  CHECK(with("task", "finetuning").task == Task::finetuning);
  CHECK(with("as_of", "2026-06-30").as_of == "2026-06-30");
}

TEST_CASE("a key that is wrong says where and what would do", "[workload]")
{
  CHECK(complaint("context", "0") == "--context: '0' is out of range: from 1 to 1099511627776");
  CHECK(complaint("context", "9e30") == "--context: '9e30' is out of range: from 1 to 1099511627776");
  CHECK(complaint("tp", "two") == "--tp: 'two' is not a whole number; accepted: 16, 8k (8,000), 350M, 7B, 1.5T");
  CHECK(complaint("task", "infer") == "--task: 'infer' is not one of inference, training, finetuning");
  CHECK(complaint("checkpointing", "some") == "--checkpointing: 'some' is not one of none, selective, full");
  CHECK(complaint("zero", "4") == "--zero: '4' is out of range: from 0 to 3");
  CHECK(complaint("gpu_memory_utilization", "1.5") ==
        "--gpu-memory-utilization: '1.5' is out of range: from 0.01 to 1");
  CHECK(complaint("gpu_layers", "some") == "--gpu-layers: 'some' is not a number of layers; accepted: 33, 33/33, all");
  CHECK(complaint("image_size", "axb") ==
        "--image-size: 'axb' is not an image size; accepted: 224x224 (height x width), 512, at most 100000");
  CHECK(complaint("as_of", "30 June") == "--as-of: '30 June' is not a date; accepted: 2026-06-30");
  CHECK(complaint("hardware", " ") == "--on: a device or an instance is expected, not an empty text");
  CHECK(complaint("ttft_ms", "0") == "--ttft-ms: 0 is out of range: more than 0 is expected");
}

TEST_CASE("an unknown key names near ones", "[workload]")
{
  Request request;
  const Status status = set_request_key(request, "contxt", "1");
  REQUIRE(!status.ok());
  CHECK(status.error().message == "'contxt' is not a known key");
  REQUIRE(!status.error().candidates.empty());
  CHECK(status.error().candidates.front() == "context");
}

TEST_CASE("what is not supported yet is refused unless it says what is assumed anyway", "[workload]")
{
  CHECK(complaint("speculative", "{}") == "--speculative: not supported yet");
  CHECK(complaint("algorithm", "ppo") == "--algorithm: only 'sft' is supported yet, not 'ppo'");
  CHECK(complaint("currency", "EUR") == "--currency: only 'USD' is supported yet, not 'EUR'");
  CHECK(complaint("train_embeddings", "true") == "--train-embeddings: only 'off' is supported yet, not 'true'");
  with("algorithm", "sft");
  with("currency", "usd");
  with("train_embeddings", "false");
  with("replicas", "1");
}

TEST_CASE("a carried key is kept as text and seen", "[workload]")
{
  const Request request = with("framework", "torchtune");
  REQUIRE(request.carried.size() == 1);
  CHECK(request.carried.front().second == "torchtune");
  CHECK(has_request_key(request, "framework"));
  CHECK(!has_request_key(request, "compile"));
  CHECK(!has_request_key(request, "context"));
  CHECK(has_request_key(with("context", "1k"), "context"));
}

TEST_CASE("flags are the keys", "[workload]")
{
  CHECK(flag_of(*find_request_key("input_tokens")) == "--input-tokens");
  CHECK(flag_of(*find_request_key("hardware")) == "--on");
}
