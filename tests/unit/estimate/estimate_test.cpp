#include "hwadvisor/estimate.hpp"
#include "unit/whole_catalog.hpp"

#include <algorithm>

using namespace hwadvisor;

namespace {

using Keys = std::initializer_list<std::pair<const char*, const char*>>;

Estimate estimated(const Keys& keys)
{
  auto result = estimate(request(keys), catalog(), Detail::numbers);
  INFO((result.ok() ? "" : result.error().message));
  REQUIRE(result.ok());
  return std::move(result).value();
}

std::string complaint(const Keys& keys)
{
  const auto result = estimate(request(keys), catalog(), Detail::numbers);
  REQUIRE_FALSE(result.ok());
  return result.error().where + ": " + result.error().message;
}

std::vector<std::string> unchecked(const Estimate& estimate)
{
  std::vector<std::string> out;
  for (const Note& note : estimate.notes) {
    if (note.rule == "limit.unchecked") {
      CHECK(note.severity == Severity::warning);
      out.push_back(note.text);
    }
  }
  return out;
}

using Texts = std::vector<std::string>;

} // namespace

TEST_CASE("a 7B in 16 bit fits a 24 GB card, a 70B does not", "[estimate]")
{
  const Estimate seven = estimated({{"model", "llama-2-7b"}, {"hardware", "RTX 4090"}});
  REQUIRE(seven.fit.has_value());
  CHECK(seven.fit->verdict == Verdict::fits);
  CHECK(seven.footprint.weights_file == Bytes(2 * 6'738'415'616)); // its published parameters, 2 bytes each
  REQUIRE(seven.speed.has_value());
  REQUIRE(seven.cost.has_value());
  CHECK(seven.unmet.empty());

  const Estimate seventy = estimated({{"model", "llama-3.1-70b"}, {"hardware", "RTX 4090"}});
  CHECK(seventy.fit->verdict == Verdict::no);
  CHECK_FALSE(seventy.speed.has_value());
}

TEST_CASE("a limit is held against the estimate, or it is said that it is not", "[estimate]")
{
  const Estimate slow = estimated({{"model", "llama-2-7b"}, {"hardware", "RTX 4090"}, {"tpot_ms", "1"}});
  REQUIRE(slow.unmet.size() == 1);
  CHECK(slow.unmet.front().key == "tpot_ms");
  CHECK(slow.unmet.front().asked == 1.0);
  CHECK(slow.unmet.front().estimated == slow.speed->tpot_ms->likely);
  CHECK(unchecked(slow).empty());

  CHECK(unchecked(estimated({{"model", "llama-2-7b"}, {"ttft_ms", "100"}, {"budget", "800"}, {"spot", "true"}})) ==
        Texts{"--ttft-ms is not checked: no hardware is named (--on)",
              "--budget is not checked: no hardware is named (--on)",
              "--spot is not looked at: no hardware is named (--on)"});
  CHECK(unchecked(estimated({{"model", "llama-2-7b"}, {"hardware", "RTX 4090"}, {"deadline", "3d"}})) ==
        Texts{"--deadline is not checked: inference has no run that ends"});
  CHECK(unchecked(estimated({{"model", "llama-2-7b"},
                             {"task", "finetuning"},
                             {"method", "lora"},
                             {"hardware", "RTX 4090"},
                             {"deadline", "3d"}})) ==
        Texts{"--deadline is not checked: the run is not given (--train-tokens, or --dataset-rows with --epochs)"});
  CHECK(unchecked(estimated({{"model", "llama-2-7b"}, {"provider", "aws"}})) ==
        Texts{"--provider is not looked at by an estimate; recommend ranks offers"});
  // What a scenario assumes was not asked.
  CHECK(unchecked(estimated({{"model", "llama-2-7b"}, {"scenario", "high-concurrency-serving"}})).empty());
}

TEST_CASE("spot is the price of spot offers", "[estimate]")
{
  const Keys keys{{"model", "llama-2-7b"}, {"hardware", "A100 SXM 80GB"}};
  const Estimate plain = estimated(keys);
  Request with = request(keys);
  with.spot = true;
  const auto spot = estimate(with, catalog(), Detail::numbers);
  REQUIRE(spot.ok());
  REQUIRE(spot->cost->bill.per_hour.has_value());
  CHECK(plain.cost->bill.term == PriceTerm::on_demand);
  CHECK(spot->cost->bill.term == PriceTerm::spot);
  CHECK(*spot->cost->bill.per_hour < *plain.cost->bill.per_hour);
}

TEST_CASE("a CPU has the memory of its host, a chip with several sizes the one that is named", "[estimate]")
{
  CHECK(complaint({{"model", "llama-2-7b"}, {"hardware", "EPYC 9654"}}) ==
        "--on: the memory of AMD EPYC 9654 is its host's: say how much there is with --device-memory-gb");
  const Estimate cpu = estimated({{"model", "llama-2-7b"}, {"hardware", "EPYC 9654"}, {"device_memory_gb", "384"}});
  CHECK(cpu.fit->capacity == gibibytes(384));
  CHECK(cpu.request.hardware == Texts{"amd-epyc-9654"});
  CHECK(cpu.request.device_memory_gb == 384.0);

  CHECK(complaint({{"model", "llama-2-7b"}, {"hardware", "3x M3 Max"}}) ==
        "--on: '3x M3 Max' comes with 36, 48, 64, 96, 128 GB: say which");
  CHECK(estimated({{"model", "llama-2-7b"}, {"hardware", "M3 Max 64GB"}}).fit->capacity == gibibytes(64));
  CHECK(estimated({{"model", "llama-2-7b"}, {"hardware", "M3 Max"}, {"device_memory_gb", "48"}}).fit->capacity ==
        gibibytes(48));
  CHECK(complaint({{"model", "llama-2-7b"}, {"hardware", "RTX 4090"}, {"device_memory_gb", "48"}}) ==
        "--device-memory-gb: GeForce RTX 4090 has 24 GB, not 48 GB");
}

TEST_CASE("the rule of thumb of training counts what is trained", "[estimate]")
{
  constexpr double parameters = 6'738'415'616; // Llama 2 7B
  const auto rule = [](const Keys& keys) {
    return static_cast<double>(estimated(keys).footprint.rule_of_thumb.value());
  };
  CHECK(rule({{"model", "llama-2-7b"}, {"precision", "fp16"}}) == Approx(parameters * 2 * 1.2));
  // ZeRO, arXiv 1910.02054, section 3.1: 16 bytes a parameter.
  CHECK(rule({{"model", "llama-2-7b"}, {"task", "training"}}) == Approx(parameters * 16));
  // PEFT prints 39,976,960 trainable parameters for rank 16 on all linear layers.
  CHECK(rule({{"model", "llama-2-7b"}, {"task", "finetuning"}, {"method", "lora"}}) ==
        Approx(parameters * 2 + 39'976'960.0 * 16));
  CHECK(rule({{"model", "llama-2-7b"}, {"task", "finetuning"}, {"method", "qlora"}}) ==
        Approx(parameters * 0.5 + 39'976'960.0 * 16));
}

TEST_CASE("a job that hardware or a library does not do is refused", "[estimate]")
{
  CHECK(complaint({{"model", "llama-2-7b"}, {"task", "finetuning"}, {"hardware", "inf2.xlarge"}}) ==
        "--on: AWS Inferentia2 (per chip) is for inference only");
  CHECK(complaint({{"model", "llama-2-7b"}, {"task", "finetuning"}, {"method", "qlora"}, {"hardware", "tpu v5e"}}) ==
        "--on: bitsandbytes (for nf4-dq) needs cuda or rocm or oneapi or metal or synapse or cpu; Cloud TPU v5e (per "
        "chip) has jax, tensorflow, pytorch-xla");
  CHECK(
      complaint(
          {{"model", "llama-2-7b"}, {"task", "finetuning"}, {"optimizer", "adamw_8bit"}, {"hardware", "trn1.2xlarge"}})
          .starts_with("--on: bitsandbytes (for adamw_8bit) needs cuda"));
}
