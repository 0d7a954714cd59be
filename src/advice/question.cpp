#include "advice/question.hpp"

#include "advice/support.hpp"
#include "text/near.hpp"
#include "workload/resolver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

namespace hwadvisor::advice {
namespace {

// The scenario that the task speaks for, where none is named.
std::string scenario_for(const Request& request)
{
  if (request.task && *request.task != Task::inference) {
    return "team-training";
  }
  const bool many = request.concurrency_max || request.concurrency.value_or(1) > 4 || request.requests_per_s;
  return many ? "high-concurrency-serving" : "learning";
}

CostBasis basis_for(const Scenario& scenario, bool training)
{
  if (training && scenario.cost_basis == CostBasis::month) {
    return CostBasis::run;
  }
  if (!training && scenario.cost_basis == CostBasis::run) {
    return CostBasis::month;
  }
  return scenario.cost_basis;
}

// What is tried, best quality first: what was asked or named, what a method implies, else the scenario's ladder. A
// model that was released in fewer bits is not tried in more.
std::vector<std::string> precisions_to_try(const Request& request, const Scenario& scenario, const Workload& plain)
{
  if (request.precision) {
    return {*request.precision};
  }
  if (!request.allow_precisions.empty()) {
    return request.allow_precisions;
  }
  const bool training = plain.task != Task::inference;
  if (plain.precision_named || (training && plain.training.method == Method::qlora)) {
    return {plain.precision.id};
  }
  if (training) {
    return scenario.training_ladder;
  }
  const Model& model = *plain.model;
  const auto released = find_precision(model.released_precision);
  if (!released.ok() || released->nominal_bits() >= 16.0) {
    return scenario.precision_ladder;
  }
  std::vector<std::string> ladder{model.released_precision};
  for (const std::string& name : scenario.precision_ladder) {
    const auto precision = find_precision(name);
    if (precision.ok() && precision->nominal_bits() < released->nominal_bits()) {
      ladder.push_back(name);
    }
  }
  return ladder;
}

std::vector<std::string> engines_to_try(const Request& request, const Scenario& scenario, const Catalog& catalog,
                                        const Model& model)
{
  if (request.engine) {
    return {*request.engine};
  }
  const bool training = request.task && *request.task != Task::inference;
  if (training || !model.architecture || !model.architecture->causal) {
    return {""}; // what the defaults name: serving engines are for models that write
  }
  std::vector<std::string> engines = scenario.preferred_engines;
  for (const char* id : {"neuron", "llama.cpp", "transformers"}) { // the only ones that run some devices or formats
    const bool serves = !scenario.production || id != std::string_view("transformers"); // which is no server
    if (serves && std::find(engines.begin(), engines.end(), id) == engines.end()) {
      engines.emplace_back(id);
    }
  }
  std::erase_if(engines, [&](const std::string& id) { return catalog.find_engine(id) == nullptr; });
  return engines.empty() ? std::vector<std::string>{""} : engines;
}

void take_run_work(Question& question)
{
  if (!question.training()) {
    return;
  }
  const Workload& workload = question.first();
  question.counts_samples = !workload.model->architecture && workload.model->image_work.has_value();
  if (workload.training.train_tokens) {
    question.run_work = static_cast<double>(*workload.training.train_tokens);
    return;
  }
  const Scenario& scenario = *question.scenario;
  const std::int64_t assumed = question.counts_samples ? scenario.train_samples : scenario.train_tokens;
  question.run_work = static_cast<double>(assumed);
  if (assumed > 0) {
    question.notes.insert(
        question.notes.begin(),
        {"default.train_work", Severity::info,
         fmt::format("one run of {:.4g} million {} (--train-tokens or --epochs with --dataset-rows says otherwise)",
                     question.run_work / 1e6, question.counts_samples ? "images" : "tokens"),
         scenario.id});
  }
}

// A filter that names nothing known would quietly leave everything out.
Status check_words(const std::vector<std::string>& asked, const std::set<std::string>& known, const char* flag)
{
  for (const std::string& word : asked) {
    const bool found = std::any_of(known.begin(), known.end(),
                                   [&](const std::string& each) { return text::edit_distance(each, word) == 0; });
    if (!found) {
      Error error{ErrorKind::unknown, fmt::format("'{}' is not known", word), flag};
      error.candidates = text::near_matches(word, {known.begin(), known.end()});
      return error;
    }
  }
  return {};
}

Status check_limits(Request& request, const Catalog& catalog)
{
  constexpr double k_hours_of_a_month = 744.0;
  if (request.objective && *request.objective != "cost") {
    return Error{ErrorKind::usage, fmt::format("only 'cost' is ranked by yet, not '{}'", *request.objective),
                 "--objective"};
  }
  if (request.hours_per_month && *request.hours_per_month > k_hours_of_a_month) {
    return Error{ErrorKind::usage, fmt::format("a month has at most {:g} hours", k_hours_of_a_month),
                 "--hours-per-month"};
  }
  std::set<std::string> providers;
  for (const Instance& instance : catalog.instances()) {
    providers.insert(instance.provider);
  }
  std::set<std::string> vendors;
  for (const Device& device : catalog.devices()) {
    vendors.insert(device.vendor);
  }
  HWADVISOR_TRY_STATUS(check_words(request.provider, providers, "--provider"));
  HWADVISOR_TRY_STATUS(check_words(request.vendor, vendors, "--vendor"));
  HWADVISOR_TRY_STATUS(check_words(request.tier, {"hyperscaler", "specialist", "marketplace"}, "--tier"));
  if (!request.provider.empty() || !request.region.empty()) { // names a cloud
    if (request.only && *request.only == "local") {
      return Error{ErrorKind::usage, "what is bought has no provider and no region; leave one of the two out",
                   "--only"};
    }
    request.only = "cloud";
  }
  return {};
}

} // namespace

Result<Question> ask(const Request& asked, const Catalog& catalog)
{
  Question question;
  question.request = asked;
  Request& request = question.request;
  request.scenario = asked.scenario.value_or(scenario_for(asked));
  HWADVISOR_TRY(scenario, workload::find_scenario(*request.scenario, catalog));
  question.scenario = scenario;
  if (!asked.scenario) {
    question.notes.push_back({"default.scenario", Severity::info,
                              fmt::format("scenario {}, from the task: {}", scenario->id, scenario->title)});
  }
  HWADVISOR_TRY_STATUS(check_limits(request, catalog));
  HWADVISOR_TRY(plain, resolve(request, catalog));
  request = *plain.request;
  request.scenario.reset(); // its defaults are taken; they are not to be taken again
  std::copy_if(plain.notes.begin(), plain.notes.end(), std::back_inserter(question.notes),
               [](const Note& note) { return note.rule == "scenario.defaults"; });
  const bool training = question.training();
  question.basis = basis_for(*scenario, training);
  question.hours_per_month = request.hours_per_month.value_or(scenario->hours_per_month);
  question.horizon_months = request.horizon_months.value_or(scenario->horizon_months);
  question.as_of = request.as_of.value_or("");
  question.tiers = scenario->tiers;
  if (!request.tier.empty()) {
    question.tiers.clear();
    for (const Tier tier : {Tier::hyperscaler, Tier::specialist, Tier::marketplace}) {
      if (std::find(request.tier.begin(), request.tier.end(), tier_name(tier)) != request.tier.end()) {
        question.tiers.push_back(tier);
      }
    }
  }

  std::optional<Error> first_fault;
  for (const std::string& engine : engines_to_try(request, *scenario, catalog, *plain.model)) {
    for (const std::string& precision : precisions_to_try(request, *scenario, plain)) {
      Request variant = request;
      if (!engine.empty()) {
        variant.engine = engine;
      }
      variant.precision = precision;
      auto workload = resolve(variant, catalog);
      if (!workload.ok()) {
        first_fault = first_fault ? first_fault : workload.error();
        continue;
      }
      if (!training && !engine_reads(*workload->engine, workload->precision)) {
        continue;
      }
      question.variants.push_back({*std::move(workload), std::nullopt});
      question.variants.back().work = speed::measure_work(question.variants.back().workload);
    }
  }
  if (question.variants.empty()) {
    return first_fault ? *first_fault
                       : Error{ErrorKind::usage,
                               fmt::format("no engine of this scenario reads {}", request.precision.value_or("it")),
                               "--precision"};
  }
  for (const Note& note : question.first().notes) {
    question.notes.push_back(note);
  }
  for (Variant& variant : question.variants) {
    variant.workload.notes.clear(); // told once, above; a search copies workloads often
  }
  take_run_work(question);
  return question;
}

} // namespace hwadvisor::advice
