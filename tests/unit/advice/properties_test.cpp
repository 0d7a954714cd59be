// What must hold of any ranking, tried on the whole catalog.
#include "advice/feasible.hpp"
#include "catch.hpp"
#include "unit/whole_catalog.hpp"

#include <algorithm>
#include <set>

using namespace hwadvisor;
using namespace hwadvisor::advice;

namespace {

Request serving()
{
  return request({{"model", "llama-3.1-8b"},
                  {"precision", "bf16"},
                  {"concurrency", "16"},
                  {"scenario", "high-concurrency-serving"}});
}

Request tuning()
{
  return request({{"model", "llama-2-7b"}, {"task", "finetuning"}, {"method", "lora"}, {"scenario", "team-training"}});
}

// Hardware and score of every feasible line, in order.
using Ranking = std::vector<std::pair<std::string, double>>;

Ranking rank(const Request& asked, std::span<const Device> devices, std::span<const Instance> instances)
{
  const auto question = ask(asked, catalog());
  REQUIRE(question.ok());
  const Candidates candidates = list_candidates(*question, devices, instances);
  Ranking ranking;
  for (const Ranked& ranked : find_feasible(*question, candidates, catalog()).ranked) {
    const Hardware& hardware = *ranked.placed.hardware;
    ranking.emplace_back(hardware.name() + (hardware.local ? " local" : " " + hardware.link), ranked.score);
  }
  return ranking;
}

Ranking rank(const Request& asked)
{
  return rank(asked, catalog().devices(), catalog().instances());
}

std::set<std::string> names(const Ranking& ranking)
{
  std::set<std::string> names;
  for (const auto& [name, score] : ranking) {
    names.insert(name);
  }
  return names;
}

} // namespace

TEST_CASE("taking a device away reorders nothing else", "[advice][properties]")
{
  const Ranking all = rank(tuning());
  REQUIRE(all.size() > 10);
  const auto devices = catalog().devices();
  for (const char* gone : {"nvidia-rtx-4090", "nvidia-a100-pcie-80gb", "nvidia-l4"}) {
    std::vector<Device> fewer;
    std::copy_if(devices.begin(), devices.end(), std::back_inserter(fewer),
                 [&](const Device& d) { return d.id != gone; });
    REQUIRE(fewer.size() + 1 == devices.size());
    Ranking expected;
    std::copy_if(all.begin(), all.end(), std::back_inserter(expected), [&](const auto& line) {
      const std::string word = std::string(gone) + " ";
      return line.first.find(word) == std::string::npos;
    });
    CHECK(rank(tuning(), fewer, catalog().instances()) == expected);
  }
}

TEST_CASE("a candidate that is worse in every way ranks below", "[advice][properties]")
{
  const auto devices = catalog().devices();
  std::vector<Device> more(devices.begin(), devices.end());
  const Device* original = catalog().find_device("nvidia-rtx-pro-4000");
  REQUIRE(original != nullptr);
  Device worse = *original;
  worse.id = "worse";
  worse.prices.clear();
  for (const PurchasePrice& price : original->prices) {
    worse.prices.push_back({price.price * 1.1, price.kind, price.date});
  }
  worse.bandwidth = BytesPerSecond(original->bandwidth->value() * 0.9);
  worse.peaks.bf16 = *original->peaks.bf16 * 0.9;
  worse.tdp = Watts(original->tdp->value() + 20);
  more.push_back(worse);
  const Ranking ranking = rank(tuning(), more, catalog().instances());
  const auto place = [&](const std::string& name) {
    return std::find_if(ranking.begin(), ranking.end(), [&](const auto& line) { return line.first == name; });
  };
  REQUIRE(place("nvidia-rtx-pro-4000 local") != ranking.end());
  REQUIRE(place("worse local") != ranking.end());
  CHECK(place("nvidia-rtx-pro-4000 local") < place("worse local"));
}

TEST_CASE("more budget never gives a worse first answer", "[advice][properties]")
{
  double best = 1e300;
  std::set<std::string> before;
  for (const char* budget : {"600", "900", "1500", "3000", "10000"}) {
    Request asked =
        request({{"model", "resnet-50"}, {"task", "training"}, {"scenario", "learning"}, {"budget", budget}});
    const Ranking ranking = rank(asked);
    REQUIRE_FALSE(ranking.empty());
    CHECK(ranking.front().second <= best);
    best = ranking.front().second;
    const std::set<std::string> now = names(ranking);
    CHECK(std::includes(now.begin(), now.end(), before.begin(), before.end()));
    before = now;
  }
}

TEST_CASE("a tighter limit adds no answer", "[advice][properties]")
{
  Request asked = serving();
  std::set<std::string> wider;
  for (const char* tpot : {"100", "40", "15"}) {
    REQUIRE(set_request_key(asked, "tpot_ms", tpot).ok());
    const std::set<std::string> now = names(rank(asked));
    if (!wider.empty()) {
      CHECK(std::includes(wider.begin(), wider.end(), now.begin(), now.end()));
    }
    wider = now;
  }
}

TEST_CASE("nothing that does not fit, is undated, or cannot be had is ranked", "[advice][properties]")
{
  for (const Request& asked : {serving(), tuning()}) {
    const auto question = ask(asked, catalog());
    REQUIRE(question.ok());
    const Candidates candidates = list_candidates(*question, catalog().devices(), catalog().instances());
    for (const Ranked& ranked : find_feasible(*question, candidates, catalog()).ranked) {
      INFO(ranked.placed.hardware->name());
      CHECK(ranked.placed.verdict != Verdict::no);
      CHECK(ranked.placed.need.likely <= ranked.placed.usable.bytes);
      CHECK_FALSE(ranked.best().offer.bill.price_date.empty());
      const Acquisition acquisition = ranked.placed.hardware->device->acquisition;
      CHECK(acquisition != Acquisition::announced);
      CHECK(acquisition != Acquisition::restricted);
      for (const Priced& priced : ranked.prices.offers) {
        if (priced.offer.instance != nullptr) {
          CHECK(priced.offer.instance->device_count == ranked.placed.hardware->count);
          CHECK(priced.offer.instance->tier != Tier::marketplace); // both are teams
        }
      }
    }
  }
}

TEST_CASE("a tight line never stands above one that fits and costs up to half as much again", "[advice][properties]")
{
  const auto question = ask(tuning(), catalog());
  REQUIRE(question.ok());
  const Candidates candidates = list_candidates(*question, catalog().devices(), catalog().instances());
  const Feasible feasible = find_feasible(*question, candidates, catalog());
  const auto factors = [&](const Ranked& ranked) {
    const Priced& best = ranked.best();
    const bool list = best.machine && best.machine->price_kind == PriceKind::list;
    return factors_of(*question, ranked.placed, best.offer.bill.price_date, list, catalog().machine_parts());
  };
  for (std::size_t i = 0; i < feasible.ranked.size(); ++i) {
    const Ranked& above = feasible.ranked[i];
    if (above.placed.verdict != Verdict::tight) {
      continue;
    }
    CHECK(factors(above).verdict == 1.5);
    for (std::size_t j = i + 1; j < feasible.ranked.size(); ++j) {
      const Ranked& below = feasible.ranked[j];
      if (below.placed.verdict == Verdict::fits) {
        CHECK(below.score * factors(above).verdict >= above.score); // what the tight one costs, times 1.5, is less
      }
    }
  }
}

TEST_CASE("the same question has the same answer", "[advice][properties]")
{
  CHECK(rank(serving()) == rank(serving()));
}
