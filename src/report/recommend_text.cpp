#include "report/estimate_text.hpp"

#include "report/format.hpp"
#include "report/wording.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hwadvisor::report {
namespace {

constexpr std::size_t k_first_screen = 10; // ranked lines, unless the long form is asked

std::string hardware_text(const Answer& answer)
{
  std::string out = answer.placement.device != nullptr ? device_text(*answer.placement.device, answer.placement.count)
                    : answer.placement.instance != nullptr ? answer.placement.instance->id
                                                           : std::string("?");
  if (answer.replicas > 1) {
    out = fmt::format("{} x ({})", answer.replicas, out);
  }
  return out;
}

// How it is had: "rent gcp/a2-highgpu-1g", "buy: desktop PC".
std::string source_text(const Answer& answer)
{
  if (answer.placement.instance != nullptr) {
    return "rent " + answer.placement.instance->id;
  }
  return answer.machine && !answer.machine->platform.empty() ? "buy, in a " + answer.machine->platform : "buy";
}

std::string cost_text(const Answer& answer)
{
  const Bill& bill = answer.bill;
  std::string out;
  if (bill.total) {
    out = usd(bill.total->value());
    if (bill.hours) {
      out += fmt::format(" for {} hours", figure(*bill.hours));
    }
  }
  if (bill.per_month) {
    out += fmt::format("{}{} a month", out.empty() ? "" : ", ", usd(bill.per_month->value()));
  }
  if (bill.upfront) {
    out += fmt::format("{}{} to buy ({} price, {})", out.empty() ? "" : ", ", usd(bill.upfront->value()),
                       answer.machine ? kind_name(answer.machine->price_kind) : "market", dated(bill.price_date));
  } else {
    out += (out.empty() ? "" : "; ") + rate_text(bill);
  }
  return out;
}

// For the column "from".
std::string provider_text(const Answer& answer)
{
  if (answer.placement.instance == nullptr) {
    return "(buy)";
  }
  return answer.placement.instance->provider + (answer.bill.term == PriceTerm::spot ? ", spot" : "");
}

// The figure that a reader compares: tokens a second of the job, or samples.
const std::optional<Interval<double>>& compared(const Speed& speed)
{
  for (const auto* figure :
       {&speed.train_tokens_per_s, &speed.total_tokens_per_s, &speed.decode_tokens_per_s, &speed.samples_per_s}) {
    if (*figure) {
      return *figure;
    }
  }
  return speed.requests_per_s;
}

std::string rate(const Speed& speed)
{
  const auto& figure_of_speed = compared(speed);
  return figure_of_speed ? figure(figure_of_speed->likely) : "";
}

std::string rate_title(const Speed& speed)
{
  const bool tokens = speed.train_tokens_per_s || speed.total_tokens_per_s || speed.decode_tokens_per_s;
  return tokens ? "tokens/s" : speed.samples_per_s ? "samples/s" : "requests/s";
}

// Without the words that every second name begins with.
std::string short_hardware_text(const Answer& answer)
{
  std::string out = hardware_text(answer);
  for (const std::string_view word : {"NVIDIA ", "GeForce "}) {
    if (const auto at = out.find(word); at != std::string::npos) {
      out.erase(at, word.size());
    }
  }
  return out;
}

std::string joined(const std::vector<std::string>& texts, std::size_t most)
{
  std::string out;
  for (std::size_t i = 0; i < std::min(most, texts.size()); ++i) {
    std::string text = texts[i];
    while (!text.empty() && text.back() == '.') {
      text.pop_back();
    }
    out += (out.empty() ? "" : "; ") + text;
  }
  return out;
}

Facts first_answer(const Recommendation& recommendation)
{
  const Answer& answer = recommendation.answers.front();
  Facts facts;
  facts.rows.emplace_back("cost", cost_text(answer));
  if (!answer.reasons.empty()) {
    facts.rows.emplace_back("why", joined(answer.reasons, 3));
  }
  const std::string risk = joined(answer.caveats, 3);
  facts.rows.emplace_back("risk", risk.empty() ? "none known" : risk);
  if (!recommendation.what_would_change.empty()) {
    facts.rows.emplace_back("would change it", recommendation.what_would_change);
  }
  return facts;
}

// Columns are few and short, so that the hardware can be read in full.
Grid ranking(const Recommendation& recommendation, std::size_t most)
{
  const auto& answers = recommendation.answers;
  const bool one_precision = std::all_of(answers.begin(), answers.end(), [&](const Answer& answer) {
    return answer.precision.id == answers.front().precision.id;
  });
  Grid grid;
  grid.columns = {{"#", true}, {"hardware"}, {"from"}, {"memory", true}, {rate_title(answers.front().speed), true}};
  if (one_precision) {
    grid.columns.push_back({"$/h", true});
  } else {
    grid.columns.insert(grid.columns.begin() + 3, Column{"precision"});
  }
  grid.columns.push_back({"counts as", true});
  for (std::size_t i = 0; i < std::min(most, answers.size()); ++i) {
    const Answer& answer = answers[i];
    std::string used = share(answer.footprint.per_device.likely, answer.fit.usable.bytes);
    if (answer.fit.verdict == Verdict::tight) {
      used = "tight, " + used;
    }
    std::vector<std::string> row{fmt::format("{}", i + 1), short_hardware_text(answer), provider_text(answer), used,
                                 rate(answer.speed)};
    if (one_precision) {
      row.push_back(answer.bill.per_hour ? fmt::format("{:.2f}", answer.bill.per_hour->value()) : "");
    } else {
      row.insert(row.begin() + 3, answer.precision.id);
    }
    row.push_back(usd(answer.score));
    grid.rows.push_back(std::move(row));
  }
  return grid;
}

std::string rejected_summary(const Recommendation& recommendation)
{
  std::string out;
  for (const RejectionCount& each : recommendation.rejection_counts) {
    out += fmt::format("{}{} by {}", out.empty() ? "" : ", ", grouped(each.count), each.limit);
  }
  return out;
}

std::string rejection_text(const Rejection& rejection)
{
  std::string out = fmt::format("{}: {}", rejection.hardware, rejection.reason);
  if (rejection.smallest_change) {
    out += "; would do with " + rejection.smallest_change->text;
  }
  return out;
}

void add_rejected(const Recommendation& recommendation, bool explain, Document& out)
{
  if (recommendation.rejected.empty()) {
    return;
  }
  const std::string summary = rejected_summary(recommendation);
  out.add(Heading{"Rejected"});
  if (!summary.empty()) {
    out.add(Paragraph{summary + "."});
  }
  // Near misses first: those that say by how much.
  std::vector<const Rejection*> listed;
  for (const bool with_figure : {true, false}) {
    for (const Rejection& rejection : recommendation.rejected) {
      if ((rejection.misses_by > 0.0) == with_figure && (with_figure || explain)) {
        listed.push_back(&rejection);
      }
    }
  }
  Bullets bullets;
  const std::size_t most = explain ? 40 : 3;
  for (std::size_t i = 0; i < std::min(most, listed.size()); ++i) {
    bullets.items.push_back(rejection_text(*listed[i]));
  }
  out.add(std::move(bullets));
}

void add_long_form(const Recommendation& recommendation, Document& out)
{
  for (std::size_t i = 0; i < recommendation.answers.size(); ++i) {
    const Answer& answer = recommendation.answers[i];
    out.add(Heading{fmt::format("{}. {}, {}", i + 1, hardware_text(answer), source_text(answer))});
    Facts facts;
    facts.rows.emplace_back("cost", cost_text(answer));
    if (const std::string split = placement_text(answer.placement); !split.empty()) {
      facts.rows.emplace_back("placement", split);
    }
    facts.rows.emplace_back("engine", answer.engine);
    if (!answer.reasons.empty()) {
      facts.rows.emplace_back("for", joined(answer.reasons, answer.reasons.size()));
    }
    if (!answer.caveats.empty()) {
      facts.rows.emplace_back("against", joined(answer.caveats, answer.caveats.size()));
    }
    std::string memory;
    for (const Component& component : answer.footprint.components) {
      memory += fmt::format("{}{} {}", memory.empty() ? "" : ", ", component_title(component.name),
                            gib(component.bytes.likely));
    }
    facts.rows.emplace_back("memory, GiB", memory);
    std::string offers;
    for (const Offer& offer : answer.offers) {
      if (offer.instance != nullptr && offer.bill.per_hour) {
        offers += fmt::format("{}{} {}", offers.empty() ? "" : ", ", offer.instance->id, rate_text(offer.bill));
      }
    }
    if (!offers.empty()) {
      facts.rows.emplace_back("offers", offers);
    }
    out.add(std::move(facts));
  }
}

} // namespace

Document recommendation_document(const Recommendation& recommendation, Parts parts)
{
  const bool explain = parts.explain;
  Document out;
  const Model& model = *recommendation.workload.model;
  const std::string job = fmt::format("{}: {}", model.name, job_text(recommendation.workload));
  if (recommendation.answers.empty()) {
    out.add(Heading{"Nothing qualifies", Tone::bad, true});
    out.add(Facts{{{"job", job}, {"scenario", recommendation.scenario}}});
    add_rejected(recommendation, true, out);
  } else {
    const Answer& best = recommendation.answers.front();
    out.add(
        Heading{fmt::format("{}, {}", hardware_text(best), source_text(best)), verdict_tone(best.fit.verdict), true});
    Facts facts = first_answer(recommendation);
    facts.rows.insert(facts.rows.begin(), {"job", job});
    out.add(std::move(facts));
    out.add(ranking(recommendation, explain ? recommendation.answers.size() : k_first_screen));
    if (explain) {
      add_long_form(recommendation, out);
    }
    out.add(
        Paragraph{"Counts as: the cost, and what a tight fit, thin headroom, other software than CUDA and old or "
                  "list prices add. The first five differ in memory or number; the rest follow by the same figure."});
    add_rejected(recommendation, explain, out);
  }
  Facts terms;
  if (!recommendation.horizon_text.empty()) {
    terms.rows.emplace_back("compared over", recommendation.horizon_text);
  }
  terms.rows.emplace_back("considered", fmt::format("{} devices, {} instances, {} placements",
                                                    grouped(recommendation.devices_considered),
                                                    grouped(recommendation.instances_considered),
                                                    grouped(recommendation.placements_considered)));
  if (const std::string assumed = assumed_text(recommendation.notes); !assumed.empty()) {
    terms.rows.emplace_back("assumed", assumed);
  }
  out.add(std::move(terms));
  if (auto remarks = remark_texts(recommendation.notes, explain); parts.notes && !remarks.empty()) {
    out.add(Heading{"Notes"});
    out.add(Bullets{std::move(remarks)});
  }
  if (!explain && !recommendation.answers.empty()) {
    out.add(Paragraph{"--explain lists every answer with its memory, reasons and offers, and more of the rejected."});
  }
  return out;
}

Grid recommendation_grid(const Recommendation& recommendation)
{
  Grid grid;
  grid.columns = {{"rank", true},         {"hardware"},       {"count", true},        {"replicas", true},
                  {"instance"},           {"engine"},         {"precision"},          {"per_device_bytes", true},
                  {"usable_bytes", true}, {"verdict"},        {"usd_per_hour", true}, {"usd_total", true},
                  {"price_date"},         {"score_usd", true}};
  for (std::size_t i = 0; i < recommendation.answers.size(); ++i) {
    const Answer& answer = recommendation.answers[i];
    const auto money = [](const auto& value) { return value ? fmt::format("{:.4f}", value->value()) : std::string(); };
    grid.rows.push_back({fmt::format("{}", i + 1),
                         answer.placement.device != nullptr ? answer.placement.device->id : "",
                         fmt::format("{}", answer.placement.count), fmt::format("{}", answer.replicas),
                         answer.placement.instance != nullptr ? answer.placement.instance->id : "", answer.engine,
                         answer.precision.id, fmt::format("{}", answer.footprint.per_device.likely.value()),
                         fmt::format("{}", answer.fit.usable.bytes.value()),
                         std::string(verdict_name(answer.fit.verdict)), money(answer.bill.per_hour),
                         money(answer.bill.total), answer.bill.price_date, fmt::format("{:.2f}", answer.score)});
  }
  return grid;
}

} // namespace hwadvisor::report
