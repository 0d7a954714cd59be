// Largest values that fit: each is held against its own estimate, and the next value up against it.
#include "hwadvisor/estimate.hpp"

#include "catch.hpp"
#include "unit/whole_catalog.hpp"

using namespace hwadvisor;

namespace {

Estimate estimated(const Request& asked)
{
  auto result = estimate(asked, catalog(), Detail::numbers);
  INFO((result.ok() ? std::string() : result.error().message));
  REQUIRE(result.ok());
  return *std::move(result);
}

Verdict verdict(Request asked, const char* key, std::int64_t value)
{
  asked.solve.reset();
  REQUIRE(set_request_key(asked, key, std::to_string(value)).ok());
  return estimated(asked).fit->verdict;
}

std::string error_of(const Request& asked)
{
  const auto result = estimate(asked, catalog(), Detail::numbers);
  REQUIRE_FALSE(result.ok());
  CHECK(result.error().kind == ErrorKind::usage);
  return result.error().where + ": " + result.error().message;
}

} // namespace

TEST_CASE("the largest context, batch and concurrency", "[estimate][solve]")
{
  const Request context = request({{"model", "llama-3.1-8b"}, {"hardware", "RTX 4090"}, {"solve", "context"}});
  const Estimate longest = estimated(context);
  const std::int64_t tokens = longest.workload.inference.context;
  CHECK(longest.fit->verdict != Verdict::no);
  // 24 GiB less 14.96 of weights and about 1 of the rest leave some 8 GiB at 131,072 bytes a token.
  CHECK(tokens > 55'000);
  CHECK(tokens < 70'000);
  CHECK(verdict(context, "context", tokens + 256) == Verdict::no);

  const Request batch = request({{"model", "llama-2-7b"},
                                 {"task", "finetuning"},
                                 {"method", "lora"},
                                 {"hardware", "RTX 4090"},
                                 {"solve", "batch"}});
  const Estimate widest = estimated(batch);
  CHECK(widest.fit->verdict != Verdict::no);
  CHECK(verdict(batch, "micro_batch", widest.workload.training.micro_batch + 1) == Verdict::no);

  const Request load = request({{"model", "llama-3.1-8b"},
                                {"precision", "q4_k_m"},
                                {"engine", "llama.cpp"},
                                {"context", "8192"},
                                {"hardware", "RTX 4090"},
                                {"solve", "concurrency"}});
  const Estimate busiest = estimated(load);
  CHECK(busiest.fit->verdict != Verdict::no);
  CHECK(verdict(load, "concurrency", busiest.workload.inference.sequences + 1) == Verdict::no);
}

TEST_CASE("a model's own positions bound its context", "[estimate][solve]")
{
  const Estimate small = estimated(request({{"model", "llama-2-7b"},
                                            {"precision", "q4_k_m"},
                                            {"engine", "llama.cpp"},
                                            {"hardware", "H100"},
                                            {"solve", "context"}}));
  CHECK(small.workload.inference.context == 4096);
}

TEST_CASE("the most precise format and the largest model", "[estimate][solve]")
{
  // 70.6 billion parameters on 48 GB: q5_k_m has 46.5 GiB, q6_k 53.9
  const Estimate format = estimated(request(
      {{"model", "llama-3.1-70b"}, {"engine", "llama.cpp"}, {"hardware", "RTX A6000"}, {"solve", "precision"}}));
  CHECK(format.workload.precision.id == "q5_k_m");
  CHECK(format.fit->verdict != Verdict::no);

  const Request sized = request({{"precision", "bf16"}, {"hardware", "RTX 4090"}, {"solve", "params"}});
  const Estimate model = estimated(sized);
  CHECK(model.fit->verdict != Verdict::no);
  const std::int64_t parameters = *model.workload.model->params_total;
  CHECK(parameters > 10'000'000'000); // 24 GiB hold 12.9 billion at 2 bytes and nothing else
  CHECK(parameters < 12'900'000'000);
  Request larger = sized;
  larger.solve.reset();
  REQUIRE(set_request_key(larger, "params", std::to_string(parameters + 1'000'000'000)).ok());
  CHECK(estimated(larger).fit->verdict == Verdict::no);
}

TEST_CASE("where nothing fits the verdict says so", "[estimate][solve]")
{
  CHECK(
      estimated(request({{"model", "llama-3.1-405b"}, {"hardware", "RTX 4090"}, {"solve", "context"}})).fit->verdict ==
      Verdict::no);
}

TEST_CASE("errors of inverse questions", "[estimate][solve]")
{
  CHECK(error_of(request({{"model", "llama-3.1-8b"}, {"solve", "context"}})) ==
        "--solve: the largest that fits depends on the hardware; name it with --on");
  CHECK(error_of(request({{"model", "llama-3.1-8b"}, {"hardware", "RTX 4090"}, {"solve", "params"}})) ==
        "--solve: the size is what is asked for: no model is to be named");
  CHECK(error_of(request({{"model", "llama-2-7b"},
                          {"task", "finetuning"},
                          {"method", "lora"},
                          {"hardware", "RTX 4090"},
                          {"solve", "concurrency"}})) ==
        "--solve: concurrency is for inference; training has --solve batch");
}
