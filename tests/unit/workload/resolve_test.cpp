#include "hwadvisor/catalog.hpp"
#include "hwadvisor/workload.hpp"

#include "catch.hpp"

#include <algorithm>

using namespace hwadvisor;

namespace {

const Catalog& catalog()
{
  static const Result<Catalog> loaded = Catalog::load();
  REQUIRE(loaded.ok());
  return *loaded;
}

using Keys = std::vector<std::pair<std::string_view, std::string_view>>;

Request asked(const Keys& keys)
{
  Request request;
  for (const auto& [key, value] : keys) {
    INFO(key);
    REQUIRE(set_request_key(request, key, value).ok());
  }
  return request;
}

Workload resolved(const Keys& keys)
{
  auto workload = resolve(asked(keys), catalog());
  INFO((workload.ok() ? "" : workload.error().message));
  REQUIRE(workload.ok());
  return std::move(workload).value();
}

std::string complaint(const Keys& keys)
{
  const auto workload = resolve(asked(keys), catalog());
  REQUIRE(!workload.ok());
  return workload.error().where + ": " + workload.error().message;
}

bool says(const Workload& workload, std::string_view rule)
{
  return std::any_of(workload.notes.begin(), workload.notes.end(), [&](const Note& note) { return note.rule == rule; });
}

Result<Placement> placed(const Keys& keys, const std::string& hardware)
{
  const Request request = asked(keys);
  auto workload = resolve(request, catalog());
  REQUIRE(workload.ok());
  std::vector<Note> notes;
  return resolve_placement(request, hardware, *workload, catalog(), notes);
}

} // namespace

TEST_CASE("defaults of inference are taken and said", "[resolve]")
{
  const Workload workload = resolved({{"model", "llama-3.1-8b"}});
  CHECK(workload.task == Task::inference);
  CHECK(workload.model->id == "meta-llama/Llama-3.1-8B");
  CHECK(workload.engine->id == "generic");
  CHECK(workload.precision.id == "bf16");
  CHECK(workload.inference.context == 4096); // not the 131,072 that it advertises
  CHECK(workload.inference.sequences == 1);
  CHECK(workload.inference.input_tokens == 512);
  CHECK(workload.inference.output_tokens == 128);
  CHECK(workload.inference.k_format->bits_per_weight() == 16.0);
  for (const char* rule : {"default.task", "default.engine", "default.precision", "default.context", "default.batch",
                           "default.input_tokens", "default.output_tokens", "default.kv_precision"}) {
    INFO(rule);
    CHECK(says(workload, rule));
  }
  const Workload told = resolved({{"model", "llama-3.1-8b"}, {"task", "inference"}, {"context", "8k"}, {"batch", "2"}});
  CHECK(!says(told, "default.task"));
  CHECK(!says(told, "default.context"));
  CHECK(!says(told, "default.batch"));
  CHECK(told.inference.context == 8192);
  CHECK(told.inference.sequences == 2);
}

TEST_CASE("a tag of ollama's library means its default file, where its engine could read that", "[resolve]")
{
  const Workload tagged = resolved({{"model", "llama3.1:8b"}});
  CHECK(tagged.precision.id == "q4_k_m");
  CHECK(tagged.precision_named);
  CHECK(resolved({{"model", "llama3.1:8b"}, {"engine", "ollama"}}).precision.id == "q4_k_m");
  CHECK(resolved({{"model", "llama3.1:8b"}, {"precision", "fp16"}}).precision.id == "fp16");
  CHECK(resolved({{"model", "llama3.1:8b"}, {"engine", "vllm"}}).precision.id == "bf16");
  CHECK(resolved({{"model", "llama3.1:8b"}, {"task", "finetuning"}}).precision.id == "bf16-mixed");
  CHECK(resolved({{"model", "llama-3.1-8b"}}).precision.id == "bf16");
  CHECK(resolved({{"model", "gpt-oss:20b"}}).precision.id == "mxfp4"); // released so
}

TEST_CASE("a scenario's defaults are taken once, for keys that the job has a use for", "[resolve]")
{
  const Workload serving =
      resolved({{"model", "llama-2-7b"}, {"scenario", "high-concurrency-serving"}, {"concurrency", "8"}});
  CHECK(serving.inference.sequences == 8);
  CHECK(serving.inference.input_tokens == 1024);
  REQUIRE(serving.request != nullptr);
  CHECK(serving.request->ttft_ms == 3000.0);
  CHECK(std::count_if(serving.notes.begin(), serving.notes.end(),
                      [](const Note& note) { return note.rule == "scenario.defaults"; }) == 1);
  const Workload images = resolved({{"model", "resnet-50"}, {"scenario", "high-concurrency-serving"}});
  CHECK_FALSE(images.request->ttft_ms.has_value()); // a model without tokens has no first one
  CHECK(complaint({{"model", "llama-2-7b"}, {"scenario", "gaming"}}) == "--scenario: 'gaming' is not a known scenario");
}

TEST_CASE("the context follows the tokens and the model", "[resolve]")
{
  CHECK(resolved({{"model", "llama-3.1-8b"}, {"input_tokens", "8000"}, {"output_tokens", "500"}}).inference.context ==
        8500);
  CHECK(resolved({{"model", "gpt2"}}).inference.context == 1024); // it has no more positions
  CHECK(resolved({{"model", "llama-3.1-8b"}, {"context", "256"}}).inference.input_tokens == 128);
  CHECK(says(resolved({{"model", "gpt2"}, {"context", "4k"}}), "context.beyond_model"));
}

TEST_CASE("the cache's formats", "[resolve]")
{
  const Workload both = resolved({{"model", "llama-3.1-8b"}, {"kv_precision", "q8_0"}});
  CHECK(both.inference.k_format->id == "q8_0");
  CHECK(both.inference.v_format->id == "q8_0");
  const Workload apart = resolved({{"model", "llama-3.1-8b"}, {"kv_precision", "q8_0/f16"}});
  CHECK(apart.inference.k_format->id == "q8_0");
  CHECK(apart.inference.v_format->bits_per_weight() == 16.0);
  CHECK(complaint({{"model", "llama-3.1-8b"}, {"kv_precision", "q9_0"}}) ==
        "--kv-precision: 'q9_0' is not a known number format");
}

TEST_CASE("llama.cpp's slots share the context, and its physical batch is the smaller one", "[resolve]")
{
  const Workload slots =
      resolved({{"model", "llama-3.1-8b"}, {"engine", "llama.cpp"}, {"context", "8k"}, {"sequences", "4"}});
  CHECK(slots.inference.context == 2048);
  CHECK(slots.inference.sequences == 4);
  CHECK(resolved({{"model", "llama-3.1-8b"}, {"engine", "llama.cpp"}, {"ubatch", "512"}, {"max_batched_tokens", "128"}})
            .inference.batched_tokens == 128);
  CHECK(resolved({{"model", "llama-3.1-8b"}, {"engine", "vllm"}}).inference.batched_tokens ==
        0); // the engine's own rule
}

TEST_CASE("defaults of training are taken and said", "[resolve]")
{
  const Workload workload = resolved({{"model", "llama-2-7b"}, {"task", "training"}});
  CHECK(workload.training.method == Method::full);
  CHECK(workload.precision.id == "bf16-mixed");
  CHECK(workload.training.optimizer == "adamw");
  CHECK(workload.training.seq_len == 2048);
  CHECK(workload.training.micro_batch == 1);
  CHECK(workload.training.checkpointing == Checkpointing::none);
  CHECK(says(workload, "default.optimizer"));

  const Workload lora = resolved({{"model", "llama-2-7b"}, {"task", "finetuning"}, {"method", "lora"}});
  CHECK(lora.training.lora_rank == 16);
  CHECK(lora.training.lora_targets.empty()); // all linear layers
  CHECK(lora.precision.id == "bf16-mixed");
  CHECK(lora.training.checkpointing == Checkpointing::full);
  CHECK(resolved({{"model", "llama-2-7b"}, {"task", "finetuning"}, {"method", "qlora"}}).precision.id == "nf4-dq");
  CHECK(resolved({{"model", "llama-2-7b"}, {"task", "finetuning"}, {"lora_rank", "8"}}).training.method ==
        Method::lora);
}

TEST_CASE("a batch of the whole job and the length of a run", "[resolve]")
{
  const Workload batch =
      resolved({{"model", "llama-2-7b"}, {"task", "training"}, {"batch", "64"}, {"micro_batch", "2"}, {"count", "8"}});
  CHECK(batch.training.grad_accum == 4);
  CHECK(resolved({{"model", "llama-2-7b"}, {"task", "training"}, {"batch", "64"}, {"dp", "8"}}).training.micro_batch ==
        8);
  CHECK(complaint({{"model", "llama-2-7b"}, {"task", "training"}, {"batch", "10"}, {"micro_batch", "4"}}) ==
        "--batch: a batch of 10 is not micro-batch x accumulation x 1 replicas");
  CHECK(resolved({{"model", "llama-2-7b"},
                  {"task", "training"},
                  {"dataset_rows", "1000"},
                  {"epochs", "3"},
                  {"seq_len", "512"}})
            .training.train_tokens == 1'536'000);
  CHECK(resolved({{"model", "resnet-50"}, {"task", "training"}, {"dataset_rows", "1000"}, {"epochs", "3"}})
            .training.train_tokens == 3000);
  CHECK(complaint({{"model", "llama-2-7b"}, {"task", "training"}, {"epochs", "3"}}) ==
        "--epochs: epochs of how many rows? Give --dataset-rows");
}

TEST_CASE("keys that contradict the task or each other", "[resolve]")
{
  CHECK(complaint({{"model", "llama-3.1-8b"}, {"micro_batch", "2"}}) ==
        "--micro-batch: this is for training; add --task training or --task finetuning");
  CHECK(complaint({{"model", "llama-3.1-8b"}, {"task", "training"}, {"context", "2"}}) ==
        "--context: this is for inference; training has --seq-len");
  CHECK(complaint({{"model", "llama-3.1-8b"}, {"task", "training"}, {"concurrency", "2"}}) ==
        "--concurrency: this is for inference, not for training");
  CHECK(complaint({{"model", "llama-3.1-8b"}, {"batch", "2"}, {"concurrency", "3"}}) ==
        "--batch: a batch of 2 contradicts a concurrency of 3");
  CHECK(complaint({{"model", "llama-3.1-8b"}, {"context", "1k"}, {"input_tokens", "2000"}}) ==
        "--context: 2,000 input and output tokens do not fit a context of 1,024");
  CHECK(complaint({{"model", "llama-3.1-8b"}, {"task", "finetuning"}, {"method", "full"}, {"lora_rank", "8"}}) ==
        "--lora-rank: the method full has no adapters");
  CHECK(complaint({{"model", "llama-3.1-8b"}, {"attention", "eager"}, {"flash_attention", "on"}}) ==
        "--attention: attention eager contradicts --flash-attention");
  CHECK(complaint({{"model", "llama-3.1-8b"}, {"gpu_memory_utilization", "0.8"}}) ==
        "--gpu-memory-utilization: the engine generic takes no share of the card");
}

TEST_CASE("a count is divided among the ways of parallelism", "[resolve]")
{
  const auto inference = placed({{"model", "llama-3.1-8b"}}, "4x h100");
  REQUIRE(inference.ok());
  CHECK(inference->count == 4);
  CHECK(inference->tp == 4);
  const auto layers = placed({{"model", "llama-3.1-8b"}, {"engine", "llama.cpp"}}, "2x RTX 3090");
  REQUIRE(layers.ok());
  CHECK(layers->pp == 2);
  const auto training = placed({{"model", "llama-3.1-8b"}, {"task", "training"}, {"tp", "2"}}, "8x h100");
  REQUIRE(training.ok());
  CHECK(training->tp == 2);
  CHECK(training->dp == 4);
  const auto asked_for = placed({{"model", "llama-3.1-8b"}, {"tp", "2"}, {"dp", "3"}}, "h100");
  REQUIRE(asked_for.ok());
  CHECK(asked_for->count == 6);
  const auto instance = placed({{"model", "llama-3.1-8b"}}, "aws/p4d.24xlarge");
  REQUIRE(instance.ok());
  CHECK(instance->count == 8);
  CHECK(instance->nodes == 1);
  const auto two = placed({{"model", "llama-3.1-8b"}, {"task", "training"}, {"count", "16"}}, "aws/p4d.24xlarge");
  REQUIRE(two.ok());
  CHECK(two->nodes == 2);

  const auto wrong = placed({{"model", "llama-3.1-8b"}, {"tp", "3"}}, "4x h100");
  REQUIRE(!wrong.ok());
  CHECK(wrong.error().message == "tp 3 x pp 1 x dp 1 x cp 1 = 3 devices, which contradicts a count of 4");
  const auto twice = placed({{"model", "llama-3.1-8b"}, {"count", "2"}}, "4x h100");
  REQUIRE(!twice.ok());
  CHECK(twice.error().message == "a count of 2 contradicts '4x h100'");
  const auto part = placed({{"model", "llama-3.1-8b"}, {"count", "12"}}, "aws/p4d.24xlarge");
  REQUIRE(!part.ok());
  CHECK(part.error().message == "12 devices are no whole number of aws/p4d.24xlarge, which has 8");
}

TEST_CASE("the product of the ways is the count, whatever is asked", "[resolve]")
{
  for (const char* count : {"1", "2", "6", "8", "64"}) {
    for (const char* tp : {"1", "2"}) {
      for (const char* task : {"inference", "training"}) {
        const auto at = placed({{"model", "llama-3.1-8b"}, {"task", task}, {"count", count}, {"tp", tp}}, "h100");
        if (at.ok()) {
          CHECK(at->count == at->tp * at->pp * at->dp * at->cp);
          CHECK(std::to_string(at->count) == count);
        }
      }
    }
  }
}

TEST_CASE("a model of a size alone", "[resolve]")
{
  const Workload workload = resolved({{"params", "7B"}});
  CHECK(workload.model->params_total == 7'000'000'000);
  REQUIRE(workload.model->architecture.has_value());
  CHECK(workload.model->params_basis == ParametersBasis::inferred);
  CHECK(says(workload, "model.inferred"));
  CHECK(complaint({{"model", "llama-3.1-8b"}, {"params", "7B"}}) ==
        "--params: the size alone contradicts a named model ('llama-3.1-8b'); give one of the two");
  CHECK(complaint({}) == ": no model is named; give a catalog name, a model's file or folder, or --params 7B");
}

TEST_CASE("the normalised request asks for the same", "[resolve]")
{
  for (const Keys& keys :
       {Keys{{"model", "llama-3.1-8b"}, {"context", "8k"}},
        Keys{{"model", "llama-3.1-8b"}, {"engine", "llama.cpp"}, {"context", "8k"}, {"sequences", "4"}},
        Keys{{"model", "llama-2-7b"}, {"task", "finetuning"}, {"method", "lora"}, {"micro_batch", "8"}},
        Keys{{"params", "7B"}, {"precision", "q4_k_m"}}}) {
    const Request request = asked(keys);
    auto first = resolve(request, catalog());
    REQUIRE(first.ok());
    std::vector<Note> notes;
    auto placement = place_on(request, nullptr, *first, notes);
    REQUIRE(placement.ok());
    const Request full = normalised(request, *first, *placement);
    auto second = resolve(full, catalog());
    INFO((second.ok() ? "" : second.error().where + second.error().message));
    REQUIRE(second.ok());
    CHECK(request_json(normalised(full, *second, *placement)) == request_json(full));
    CHECK(std::none_of(second->notes.begin(), second->notes.end(),
                       [](const Note& note) { return note.rule.starts_with("default."); }));
  }
}
