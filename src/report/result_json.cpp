#include "report/estimate_text.hpp"
#include "report/json_parts.hpp"

namespace hwadvisor::report {
namespace {

Json offer_json(const Offer& offer)
{
  return {{"instance", offer.instance != nullptr ? Json(offer.instance->id) : Json(nullptr)},
          {"provider", offer.instance != nullptr ? Json(offer.instance->provider) : Json(nullptr)},
          {"tier", offer.instance != nullptr ? Json(std::string(tier_name(offer.instance->tier))) : Json(nullptr)},
          {"region", offer.instance != nullptr ? text_or_null(offer.instance->region) : Json(nullptr)},
          {"replicas", offer.replicas},
          {"usd_per_hour", or_null(offer.bill.per_hour)},
          {"usd_total", or_null(offer.bill.total)},
          {"price_kind", term_key(offer.bill.term)},
          {"price_date", text_or_null(offer.bill.price_date)}};
}

Json machine_json(const std::optional<LocalMachine>& machine)
{
  if (!machine) {
    return nullptr;
  }
  return {{"platform", text_or_null(machine->platform)},
          {"cpu_cores", machine->cpu_cores},
          {"ram_gb", machine->ram_gb},
          {"storage_tb", machine->storage_tb},
          {"power_supply_w", machine->power_supply_watts},
          {"power_w", machine->power.value()},
          {"usd_parts", machine->parts_price.value()},
          {"usd_devices", machine->device_price.value()},
          {"price_kind", std::string(kind_name(machine->price_kind))},
          {"price_date", text_or_null(machine->price_date)}};
}

Json answer_json(const Answer& answer, std::int64_t rank)
{
  const Placement& at = answer.placement;
  Json offers = Json::array();
  for (const Offer& offer : answer.offers) {
    offers.push_back(offer_json(offer));
  }
  return {{"rank", rank},
          {"hardware", at.device != nullptr ? Json(at.device->id) : Json(nullptr)},
          {"count", at.count},
          {"instance", at.instance != nullptr ? Json(at.instance->id) : Json(nullptr)},
          {"placement",
           {{"tp", at.tp},
            {"pp", at.pp},
            {"dp", at.dp},
            {"ep", at.ep},
            {"cp", at.cp},
            {"nodes", at.nodes},
            {"replicas", answer.replicas},
            {"sharding", std::string(sharding_name(at.sharding))},
            {"engine", answer.engine},
            {"precision", answer.precision.id}}},
          {"score", answer.score},
          {"reasons", answer.reasons},
          {"caveats", answer.caveats},
          {"memory", memory_json(answer.footprint, at.count)},
          {"fit", fit_json(answer.fit, at, std::nullopt)},
          {"speed", speed_json(&answer.speed, "")},
          {"cost", cost_json(&answer.bill, "")},
          {"machine", machine_json(answer.machine)},
          {"offers", std::move(offers)}};
}

Json rejection_json(const Rejection& rejection)
{
  return {{"hardware", rejection.hardware},
          {"reason", rejection.reason},
          {"limit", rejection.limit},
          {"misses_by", {{"value", rejection.misses_by}, {"unit", rejection.unit}}},
          {"smallest_change", change_json(rejection.smallest_change)}};
}

// What was asked, with the defaults that hold for every candidate; how each is placed is its own.
Request answered_request(const Recommendation& recommendation, const Request& asked)
{
  Request with = recommendation.workload.request ? *recommendation.workload.request : asked;
  with.scenario = recommendation.scenario;
  Request out = normalised(with, recommendation.workload, Placement{});
  out.engine = asked.engine;
  out.precision = asked.precision;
  out.gpu_memory_utilization = asked.gpu_memory_utilization;
  out.count = asked.count;
  out.tp = asked.tp;
  out.pp = asked.pp;
  out.dp = asked.dp;
  out.cp = asked.cp;
  out.ep = asked.ep;
  out.zero = asked.zero;
  return out;
}

} // namespace

std::string estimate_json(const Estimate& estimate, const Catalog& catalog)
{
  const bool hardware = estimate.placement.device != nullptr;
  const std::string_view no_speed = !hardware ? "no hardware is named"
                                    : estimate.fit && estimate.fit->verdict == Verdict::no
                                        ? "it does not fit"
                                        : "the memory bandwidth of this hardware is not known";
  Json unmet = Json::array();
  for (const UnmetLimit& limit : estimate.unmet) {
    unmet.push_back(
        {{"limit", limit.key}, {"asked", limit.asked}, {"estimated", limit.estimated}, {"text", limit.text}});
  }
  Json cost = cost_json(estimate.cost ? &estimate.cost->bill : nullptr,
                        hardware ? "its price is not known" : "no hardware is named");
  cost["instance"] =
      estimate.cost && estimate.cost->instance != nullptr ? Json(estimate.cost->instance->id) : Json(nullptr);
  cost["machine"] = estimate.cost ? machine_json(estimate.cost->machine) : Json(nullptr);
  const Json out = {
      {"schema", "hwadvisor.estimate/1"},
      {"tool", tool_json(catalog)},
      {"request", request_object(estimate.request)},
      {"model", model_json(*estimate.workload.model)},
      {"memory", memory_json(estimate.footprint, estimate.placement.count)},
      {"fit", estimate.fit ? fit_json(*estimate.fit, estimate.placement, estimate.max_concurrency) : Json(nullptr)},
      {"speed", speed_json(estimate.speed ? &*estimate.speed : nullptr, no_speed)},
      {"cost", std::move(cost)},
      {"unmet", std::move(unmet)},
      {"notes", notes_json(estimate.notes)}};
  return json::dump(out, 2);
}

std::string recommendation_json(const Recommendation& recommendation, const Request& request, const Catalog& catalog)
{
  Json answers = Json::array();
  for (const Answer& answer : recommendation.answers) {
    answers.push_back(answer_json(answer, static_cast<std::int64_t>(answers.size()) + 1));
  }
  Json rejected = Json::array();
  for (const Rejection& rejection : recommendation.rejected) {
    rejected.push_back(rejection_json(rejection));
  }
  Json counts = Json::object();
  for (const RejectionCount& each : recommendation.rejection_counts) {
    counts[each.limit] = each.count;
  }
  const Json out = {{"schema", "hwadvisor.recommend/1"},
                    {"tool", tool_json(catalog)},
                    {"request", request_object(answered_request(recommendation, request))},
                    {"model", model_json(*recommendation.workload.model)},
                    {"scenario", text_or_null(recommendation.scenario)},
                    {"horizon", text_or_null(recommendation.horizon_text)},
                    {"recommendations", std::move(answers)},
                    {"rejected", std::move(rejected)},
                    {"rejected_by_limit", std::move(counts)},
                    {"considered",
                     {{"devices", recommendation.devices_considered},
                      {"instances", recommendation.instances_considered},
                      {"placements", recommendation.placements_considered}}},
                    {"would_change", text_or_null(recommendation.what_would_change)},
                    {"notes", notes_json(recommendation.notes)}};
  return json::dump(out, 2);
}

} // namespace hwadvisor::report
