#include "advice/feasible.hpp"
#include "advice/reasons.hpp"
#include "advice/rejections.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hwadvisor {
namespace {

using namespace advice;

// Lines whose largest context and batch are looked for too: each costs many estimates.
constexpr std::size_t k_judged = 5;

Answer answer_of(const Question& question, const Ranked& ranked, const Ranked* next, bool judged,
                 const Catalog& catalog)
{
  const Placed& placed = ranked.placed;
  Answer answer;
  answer.placement = placed.placement;
  const Priced& best = ranked.best();
  answer.placement.instance = best.offer.instance;
  answer.replicas = placed.machines;
  answer.precision = placed.workload.precision;
  answer.engine = placed.workload.engine != nullptr ? placed.workload.engine->id : "";
  answer.footprint = placed.footprint;
  answer.fit.verdict = placed.verdict;
  answer.fit.usable = placed.usable;
  answer.fit.capacity = marketed_bytes(placed.hardware->device->memory.value_or(VendorGigabytes(0)));
  answer.fit.headroom = placed.usable.bytes - placed.need.likely;
  if (judged) {
    auto fit =
        judge_fit(replica_workload(placed), replica_placement(placed), placed.footprint, catalog.memory_classes());
    if (fit.ok()) {
      answer.fit = *std::move(fit);
    }
  }
  answer.speed = placed.speed;
  answer.bill = best.offer.bill;
  answer.machine = best.machine;
  for (const Priced& priced : ranked.prices.offers) {
    answer.offers.push_back(priced.offer);
  }
  answer.score = ranked.score;
  answer.reasons = reasons_for(question, ranked, next);
  answer.caveats = caveats_of(question, ranked, catalog);
  return answer;
}

// Whether spot offers, when they are asked for, made any of the answers: silence would look like yes.
std::optional<Note> spot_note(const Question& question, const std::vector<const Ranked*>& lines)
{
  if (!question.request.spot.value_or(false) || lines.empty()) {
    return std::nullopt;
  }
  const auto count = [&](auto accepts) {
    return std::count_if(lines.begin(), lines.end(), [&](const Ranked* line) { return accepts(*line); });
  };
  const auto taken = count([](const Ranked& line) { return line.best().offer.bill.term == PriceTerm::spot; });
  const auto bought = count([](const Ranked& line) { return line.local(); });
  const auto single = count([](const Ranked& line) { return !line.local() && line.placed.machines == 1; });
  const auto all = static_cast<std::ptrdiff_t>(lines.size());
  if (taken == all) {
    return std::nullopt;
  }
  std::string text = taken > 0 ? fmt::format("{} of {} answers take a spot offer", taken, all)
                               : std::string("No answer takes a spot offer");
  if (bought > 0) {
    text += fmt::format("; {} {} bought", bought, bought == 1 ? "is" : "are");
  }
  if (!question.training() && single > 0) {
    text += fmt::format("; {} {} one machine, and a service keeps one on demand", single, single == 1 ? "is" : "are");
  } else if (taken + bought < all) {
    text += fmt::format("; of {} no dated spot price below the on-demand one is known", all - taken - bought);
  }
  return Note{"spot", taken > 0 ? Severity::info : Severity::warning, text + ".", "--spot"};
}

} // namespace

Result<Recommendation> recommend(const Request& request, const Catalog& catalog)
{
  if (!request.hardware.empty()) {
    return Error{ErrorKind::usage, "recommend ranks every hardware; for this one ask estimate --on", "--on"};
  }
  if (request.solve) {
    return Error{ErrorKind::usage, "the largest that fits is of one hardware; ask estimate --on", "--solve"};
  }
  HWADVISOR_TRY(question, ask(request, catalog));
  Candidates candidates = list_candidates(question, catalog.devices(), catalog.instances());

  Feasible found = find_feasible(question, candidates, catalog);
  Recommendation recommendation;
  recommendation.placements_considered = found.placements;
  const std::vector<const Ranked*> lines = select(found.ranked);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    recommendation.answers.push_back(
        answer_of(question, *lines[i], i + 1 < lines.size() ? lines[i + 1] : nullptr, i < k_judged, catalog));
  }
  tell_rejections(std::move(found.rejected), found.nearest, catalog, recommendation);
  recommendation.workload = lines.empty() ? question.first() : lines.front()->placed.workload;
  recommendation.scenario = question.scenario->id;
  recommendation.devices_considered = candidates.devices;
  recommendation.instances_considered = candidates.instances;
  recommendation.notes = question.notes;
  if (auto note = spot_note(question, lines)) {
    recommendation.notes.push_back(*std::move(note));
  }
  for (Note& note : article_notes(question, lines)) {
    recommendation.notes.push_back(std::move(note));
  }
  recommendation.horizon_text = horizon_text(question, catalog.machine_parts());
  recommendation.what_would_change = what_would_change(question, lines);
  return recommendation;
}

} // namespace hwadvisor
