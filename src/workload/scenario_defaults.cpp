// What a scenario sets where the request does not.
#include "workload/resolver.hpp"

#include "text/near.hpp"
#include "text/quote.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hwadvisor::workload {
namespace {

// The keys that a scenario may set, and whether a request has set them.
struct Settable {
  std::string_view key;
  bool (*is_set)(const Request&);
};

const Settable k_settable[] = {
    {"concurrency", [](const Request& r) { return r.concurrency || r.concurrency_max || r.batch || r.sequences; }},
    {"batch", [](const Request& r) { return r.batch.has_value() || r.concurrency.has_value(); }},
    {"context", [](const Request& r) { return r.context || r.input_tokens || r.output_tokens; }},
    {"input_tokens", [](const Request& r) { return r.input_tokens.has_value(); }},
    {"output_tokens", [](const Request& r) { return r.output_tokens.has_value(); }},
    {"ttft_ms", [](const Request& r) { return r.ttft_ms.has_value(); }},
    {"tpot_ms", [](const Request& r) { return r.tpot_ms.has_value(); }},
    {"min_tokens_per_s", [](const Request& r) { return r.min_tokens_per_s.has_value(); }},
    {"requests_per_s", [](const Request& r) { return r.requests_per_s.has_value(); }},
    {"deadline", [](const Request& r) { return r.deadline_hours.has_value(); }},
    {"micro_batch", [](const Request& r) { return r.micro_batch.has_value(); }},
    {"seq_len", [](const Request& r) { return r.seq_len.has_value(); }},
    {"checkpointing", [](const Request& r) { return r.checkpointing.has_value(); }},
    {"method", [](const Request& r) { return r.method.has_value(); }},
    {"optimizer", [](const Request& r) { return r.optimizer.has_value(); }},
    {"kv_precision", [](const Request& r) { return r.kv_precision.has_value(); }},
    {"hours_per_month", [](const Request& r) { return r.hours_per_month.has_value(); }},
    {"horizon_months", [](const Request& r) { return r.horizon_months.has_value(); }},
};

// Keys that only one kind of job has a use for: a deadline is of a run, a latency of an answer, a context of tokens.
enum class Use { any, training, tokens_served, tokens_trained };
Use use_of(std::string_view key)
{
  if (key == "deadline" || key == "micro_batch" || key == "method" || key == "optimizer") {
    return Use::training;
  }
  if (key == "seq_len" || key == "checkpointing") {
    return Use::tokens_trained;
  }
  if (key == "context" || key == "input_tokens" || key == "output_tokens" || key == "ttft_ms" || key == "tpot_ms" ||
      key == "kv_precision" || key == "min_tokens_per_s") {
    return Use::tokens_served;
  }
  return Use::any;
}

bool has_use(std::string_view key, bool training, bool tokens)
{
  switch (use_of(key)) {
  case Use::any:
    return !training;
  case Use::training:
    return training;
  case Use::tokens_served:
    return !training && tokens;
  case Use::tokens_trained:
    return training && tokens;
  }
  return false;
}

} // namespace

Result<const Scenario*> find_scenario(const std::string& id, const Catalog& catalog)
{
  if (const Scenario* scenario = catalog.find_scenario(id)) {
    return scenario;
  }
  std::vector<std::string> known;
  for (const Scenario& each : catalog.scenarios()) {
    known.push_back(each.id);
  }
  return Error{ErrorKind::unknown, fmt::format("{} is not a known scenario", text::quoted(id)), "--scenario",
               known.size() <= 8 ? known : text::near_matches(id, known)};
}

Result<Request> with_scenario_defaults(const Request& asked, bool tokens, const Catalog& catalog,
                                       std::vector<Note>& notes)
{
  if (!asked.scenario) {
    return asked;
  }
  HWADVISOR_TRY(scenario, find_scenario(*asked.scenario, catalog));
  const bool training = is_training(asked.task.value_or(Task::inference));
  Request request = asked; // a default must not count as asked when the next one is looked at
  std::string taken;
  for (const auto& [key, value] : scenario->defaults) {
    const std::string& name = key;
    const auto* entry = std::find_if(std::begin(k_settable), std::end(k_settable),
                                     [&name](const Settable& settable) { return settable.key == name; });
    if (entry == std::end(k_settable)) {
      return Error{ErrorKind::malformed,
                   fmt::format("scenario {} sets '{}', which is not a key that a scenario may set", scenario->id, key),
                   "scenarios/" + scenario->id};
    }
    if (entry->is_set(asked) || !has_use(key, training, tokens)) {
      continue;
    }
    HWADVISOR_TRY_STATUS(set_request_key(request, key, value));
    taken += fmt::format("{}{} {}", taken.empty() ? "" : ", ", flag_of(*find_request_key(key)), value);
  }
  if (!taken.empty()) {
    notes.push_back({"scenario.defaults", Severity::info,
                     fmt::format("Taken from the scenario, as nothing else was asked: {}.", taken), scenario->id});
  }
  return request;
}

} // namespace hwadvisor::workload
