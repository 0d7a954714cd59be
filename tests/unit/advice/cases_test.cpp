// The founding scenarios on the whole catalog: what a reader would check in each answer.
#include "hwadvisor/advice.hpp"

#include "catch.hpp"
#include "unit/whole_catalog.hpp"

#include <algorithm>
#include <map>
#include <set>

using namespace hwadvisor;

namespace {

Recommendation recommended(std::initializer_list<std::pair<const char*, const char*>> keys)
{
  auto result = recommend(request(keys), catalog());
  INFO((result.ok() ? std::string() : result.error().message));
  REQUIRE(result.ok());
  return *std::move(result);
}

void check_reader(const Recommendation& recommendation)
{
  REQUIRE(recommendation.answers.size() >= 5);
  const Answer& first = recommendation.answers.front();
  CHECK(first.fit.verdict == Verdict::fits);
  CHECK_FALSE(first.bill.price_date.empty());
  std::map<std::string, int> of_family;
  for (const Answer& answer : recommendation.answers) {
    const Device& device = *answer.placement.device;
    ++of_family[device.series.empty() ? device.id : device.series];
    CHECK(answer.reasons.size() >= 2);
    if (answer.local()) {
      CHECK(answer.machine.has_value());
    }
  }
  for (const auto& [family, lines] : of_family) {
    INFO(family);
    CHECK(lines <= 2);
  }
  const auto has = [&](bool local) {
    return std::any_of(recommendation.answers.begin(), recommendation.answers.begin() + 5,
                       [local](const Answer& answer) { return answer.local() == local; });
  };
  CHECK(has(true));
  CHECK(has(false));
  CHECK_FALSE(recommendation.horizon_text.empty());
  CHECK_FALSE(recommendation.what_would_change.empty());
  std::int64_t counted = 0;
  for (const RejectionCount& count : recommendation.rejection_counts) {
    counted += count.count;
  }
  CHECK(counted >= static_cast<std::int64_t>(recommendation.rejected.size()));
  for (const Rejection& rejection : recommendation.rejected) {
    INFO(rejection.hardware << ": " << rejection.reason);
    CHECK_FALSE(rejection.limit.empty());
    // A limit of the job is told with its figure; what is not supported or not sold has none.
    static const std::set<std::string> with_figure = {"memory", "budget", "deadline", "tpot",
                                                      "ttft",   "speed",  "power",    "fraction"};
    if (with_figure.count(rejection.limit) > 0) {
      CHECK(rejection.reason.find_first_of("0123456789") != std::string::npos);
    }
  }
}

double marketed_gb(const Answer& answer)
{
  return answer.placement.device->memory->value();
}

} // namespace

TEST_CASE("LoRA of a 7B at micro-batch 8: one A100 40 GB is among the first five", "[advice][cases]")
{
  const Recommendation recommendation = recommended({{"model", "llama-2-7b"},
                                                     {"task", "finetuning"},
                                                     {"method", "lora"},
                                                     {"micro_batch", "8"},
                                                     {"scenario", "team-training"}});
  check_reader(recommendation);
  const auto& answers = recommendation.answers;
  CHECK(std::any_of(answers.begin(), answers.begin() + 5, [](const Answer& answer) {
    const std::string& id = answer.placement.device->id;
    return id.find("a100") != std::string::npos && marketed_gb(answer) == 40.0 && answer.placement.count == 1;
  }));
  CHECK(std::none_of(answers.begin(), answers.begin() + 5,
                     [](const Answer& answer) { return marketed_gb(answer) <= 24.0; }));
}

TEST_CASE("LoRA of a 7B at micro-batch 1: a 24 GB card wins, and the text tells why the articles differ",
          "[advice][cases]")
{
  const Recommendation recommendation = recommended({{"model", "llama-2-7b"},
                                                     {"task", "finetuning"},
                                                     {"method", "lora"},
                                                     {"micro_batch", "1"},
                                                     {"scenario", "team-training"}});
  check_reader(recommendation);
  CHECK(marketed_gb(recommendation.answers.front()) == 24.0);
  CHECK(recommendation.answers.front().placement.count == 1);
  CHECK(std::any_of(recommendation.notes.begin(), recommendation.notes.end(), [](const Note& note) {
    return note.rule == "article.lora-7b" && note.text.find("DDP does not pool memory") != std::string::npos;
  }));
}

TEST_CASE("ResNet-50 on a tight budget: an affordable dated card, or a T4 by the hour", "[advice][cases]")
{
  const Recommendation recommendation =
      recommended({{"model", "resnet-50"}, {"task", "training"}, {"scenario", "learning"}, {"budget", "800usd"}});
  check_reader(recommendation);
  for (const Answer& answer : recommendation.answers) {
    INFO(answer.placement.device->id);
    CHECK(marketed_gb(answer) >= 8.0);
    if (answer.bill.upfront) {
      CHECK(answer.bill.upfront->value() <= 800.0);
    } else {
      CHECK(answer.bill.total->value() <= 800.0);
    }
  }
  CHECK(std::any_of(recommendation.answers.begin(), recommendation.answers.end(), [](const Answer& answer) {
    const std::string& id = answer.placement.device->id; // the T4 class by the hour
    return (id == "nvidia-t4" || id == "nvidia-t4g") && !answer.local();
  }));
}

TEST_CASE("Llama 3.1 70B in fp8 for 64 at once: whole machines that compute in fp8", "[advice][cases]")
{
  const Recommendation recommendation = recommended({{"model", "llama-3.1-70b"},
                                                     {"precision", "fp8"},
                                                     {"scenario", "high-concurrency-serving"},
                                                     {"concurrency", "64"}});
  check_reader(recommendation);
  for (const Answer& answer : recommendation.answers) {
    const Device& device = *answer.placement.device;
    INFO(device.id);
    CHECK(device.peaks.fp8.has_value());
    CHECK(answer.precision.id == "fp8");
    CHECK(answer.speed.tpot_ms->likely <= 60.0);
    CHECK(answer.speed.ttft_ms->likely <= 3000.0);
    if (!answer.local()) {
      CHECK(answer.placement.instance->device_count == answer.placement.count);
    }
  }
}

TEST_CASE("limits leave out what they say, and say so", "[advice][cases]")
{
  const Recommendation local = recommended({{"model", "llama-2-7b"},
                                            {"task", "finetuning"},
                                            {"method", "lora"},
                                            {"scenario", "team-training"},
                                            {"only", "local"}});
  CHECK(std::all_of(local.answers.begin(), local.answers.end(), [](const Answer& answer) { return answer.local(); }));
  const Recommendation aws = recommended({{"model", "llama-3.1-8b"},
                                          {"scenario", "high-concurrency-serving"},
                                          {"only", "cloud"},
                                          {"provider", "aws"},
                                          {"vendor", "nvidia"}});
  REQUIRE_FALSE(aws.answers.empty());
  for (const Answer& answer : aws.answers) {
    CHECK(answer.placement.instance->provider == "aws");
    CHECK(answer.placement.device->vendor == "NVIDIA");
  }
  CHECK(std::any_of(aws.rejected.begin(), aws.rejected.end(),
                    [](const Rejection& rejection) { return rejection.limit == "provider"; }));
}

TEST_CASE("a precision that no preferred engine reads is given to one that does", "[advice][cases]")
{
  const Recommendation recommendation =
      recommended({{"model", "llama-3.1-8b"}, {"precision", "int4"}, {"scenario", "learning"}});
  REQUIRE_FALSE(recommendation.answers.empty());
  CHECK(recommendation.answers.front().engine == "transformers");
}

TEST_CASE("an unknown scenario names the known ones", "[advice][cases]")
{
  Request request;
  REQUIRE(set_request_key(request, "model", "llama-2-7b").ok());
  request.scenario = "gaming";
  const auto result = recommend(request, catalog());
  REQUIRE_FALSE(result.ok());
  CHECK(result.error().kind == ErrorKind::unknown);
  CHECK(result.error().where == "--scenario");
  CHECK(result.error().message == "'gaming' is not a known scenario");
  CHECK(result.error().candidates == std::vector<std::string>{"high-concurrency-serving", "learning", "team-training"});
}

TEST_CASE("a method runs where its libraries do, and a model's name decides its precision", "[advice][cases]")
{
  const Recommendation qlora = recommended(
      {{"model", "llama-2-7b"}, {"task", "finetuning"}, {"method", "qlora"}, {"scenario", "team-training"}});
  REQUIRE_FALSE(qlora.answers.empty());
  for (const Answer& answer : qlora.answers) {
    INFO(answer.placement.device->id);
    CHECK(answer.precision.id == "nf4-dq");
    CHECK(answer.placement.device->vendor != "Google");
    CHECK(answer.placement.device->vendor != "AWS");
  }
  const Recommendation awq = recommended({{"model", "Qwen/Qwen2.5-7B-Instruct-AWQ"}, {"scenario", "learning"}});
  REQUIRE_FALSE(awq.answers.empty());
  for (const Answer& answer : awq.answers) {
    CHECK(answer.precision.id == "awq-int4");
  }
}

TEST_CASE("spot that no answer takes is said", "[advice][cases]")
{
  const Recommendation recommendation =
      recommended({{"model", "llama-3.1-8b"}, {"scenario", "learning"}, {"spot", "true"}});
  const auto note = std::find_if(recommendation.notes.begin(), recommendation.notes.end(),
                                 [](const Note& each) { return each.rule == "spot"; });
  REQUIRE(note != recommendation.notes.end());
  CHECK(note->severity == Severity::warning);
  CHECK(note->text.starts_with("No answer takes a spot offer; "));
}

TEST_CASE("what fails a test and costs too much says both; a deadline counts what the bill counts", "[advice][cases]")
{
  const auto says = [](const Recommendation& recommendation, std::string_view limit, std::string_view words) {
    return std::any_of(recommendation.rejected.begin(), recommendation.rejected.end(), [&](const Rejection& rejection) {
      return rejection.limit == limit && rejection.reason.find(words) != std::string::npos;
    });
  };
  CHECK(says(recommended({{"model", "llama-3.1-70b"},
                          {"precision", "fp8"},
                          {"scenario", "high-concurrency-serving"},
                          {"budget_hourly", "2"}}),
             "memory", "; over budget too: an hour costs "));
  CHECK(says(recommended({{"model", "llama-2-7b"},
                          {"task", "finetuning"},
                          {"method", "lora"},
                          {"scenario", "team-training"},
                          {"deadline", "2h"}}),
             "deadline", "its run with 1 h of set-up is about "));
}
