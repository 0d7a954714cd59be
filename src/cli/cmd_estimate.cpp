#include "cli/commands.hpp"
#include "cli/log.hpp"

#include "json/json.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hwadvisor::cli {
namespace {

constexpr int k_unmet = exit_code(ErrorKind::unmet);

// One answer of a batch: the text of its result, or its error.
struct Answered {
  std::string text;
  std::optional<Error> error;
  std::optional<Error> unmet; // the result stands, and a requirement is not met
  std::vector<Note> notes;
};

bool carries_notes(const ReportStyle& style)
{
  return style.format != OutputFormat::csv && (style.format != OutputFormat::table || style.explain);
}

void say_notes(const std::vector<Note>& notes)
{
  for (const Note& note : notes) {
    if (note.rule.starts_with("default.")) {
      continue; // the report has them in one line
    }
    if (note.severity == Severity::warning || note.severity == Severity::veto) {
      log_warning(note.text);
    } else {
      log_note(note.text);
    }
  }
}

std::optional<Error> unmet_of(const Estimate& estimate, bool strict)
{
  if (estimate.fit) {
    const Fit& fit = *estimate.fit;
    const double gib = in_gibibytes(fit.headroom);
    const auto& pool = estimate.footprint.kv_pool;
    const Component* kv = estimate.footprint.find("kv_cache");
    if (fit.verdict == Verdict::no && fit.headroom >= Bytes(0) && pool && kv != nullptr) {
      return Error{ErrorKind::unmet,
                   fmt::format("it does not fit: a KV cache of {:.2f} GiB, and {}'s pool holds {:.2f}",
                               in_gibibytes(kv->bytes.likely), estimate.workload.engine->name,
                               in_gibibytes(pool->likely)),
                   estimate.placement.device->id};
    }
    if (fit.verdict == Verdict::no) {
      return Error{ErrorKind::unmet, fmt::format("it does not fit: {:.2f} GiB too much", -gib),
                   estimate.placement.device->id};
    }
    if (fit.verdict == Verdict::tight && strict) {
      return Error{ErrorKind::unmet,
                   fmt::format("it fits only tightly: {:.2f} GiB free, and the estimate may be low by more", gib),
                   estimate.placement.device->id};
    }
  }
  if (!estimate.unmet.empty()) {
    return Error{ErrorKind::unmet, estimate.unmet.front().text, "--" + [&] {
                   std::string flag = estimate.unmet.front().key;
                   std::replace(flag.begin(), flag.end(), '_', '-');
                   return flag;
                 }()};
  }
  return std::nullopt;
}

Answered answer_estimate(const Request& request, const Catalog& catalog, const Session& session)
{
  const bool formulas = session.json() || session.style().explain;
  auto estimated = estimate(request, catalog, formulas ? Detail::explained : Detail::numbers);
  if (!estimated) {
    return {"", estimated.error(), std::nullopt, {}};
  }
  Answered out{write_estimate(*estimated, catalog, session.style()), std::nullopt,
               unmet_of(*estimated, session.strict()), estimated->notes};
  if (estimated->fit && estimated->fit->verdict == Verdict::tight) {
    out.notes.push_back(
        {"fit.tight", Severity::warning, "it fits, but tightly: the upper end of the estimate does not fit"});
  }
  return out;
}

Answered answer_recommend(const Request& request, const Catalog& catalog, const Session& session)
{
  auto recommended = recommend(request, catalog);
  if (!recommended) {
    return {"", recommended.error(), std::nullopt, {}};
  }
  Answered out{write_recommendation(*recommended, request, catalog, session.style()), std::nullopt, std::nullopt,
               recommended->notes};
  if (recommended->answers.empty()) {
    out.unmet = Error{ErrorKind::unmet, "nothing qualifies"};
  } else if (session.strict() && recommended->answers.front().fit.verdict == Verdict::tight) {
    out.unmet = Error{ErrorKind::unmet, "the first answer fits only tightly"};
  }
  return out;
}

// Results in the order of the requests. One that failed keeps its slot: its error under JSON, a line that says so in
// text, whose error goes to standard error.
Result<int> write_batch(const Session& session, const std::vector<Answered>& answers)
{
  int code = 0;
  std::vector<std::string> slots;
  std::string text;
  for (const Answered& answered : answers) {
    text += text.empty() ? "" : "\n";
    if (answered.error) {
      code = std::max(code, exit_code(answered.error->kind));
      slots.push_back(write_error_json(*answered.error));
      text += fmt::format("Request {}: failed.\n", slots.size());
    } else {
      code = std::max(code, answered.unmet ? k_unmet : 0);
      slots.push_back(answered.text);
      text += answered.text;
    }
    const auto& fault = answered.error ? answered.error : answered.unmet;
    if (fault && !session.json()) {
      log_error(fmt::format("request {}: {}", slots.size(), error_text(*fault)));
    }
  }
  HWADVISOR_TRY_STATUS(session.write(session.json() ? write_batch_json(slots) : text));
  return code;
}

Result<int> answer_all(Session& session, Answered (*answer)(const Request&, const Catalog&, const Session&))
{
  HWADVISOR_TRY(file, session.requests());
  if (file.batch && session.style().format != OutputFormat::json && session.style().format != OutputFormat::table) {
    return Error{ErrorKind::usage, "a batch is written as json or as tables", "--format"};
  }
  HWADVISOR_TRY(catalog, session.catalog());
  std::vector<Answered> answers;
  for (const ParsedRequest& each : file.requests) {
    answers.push_back(each.error ? Answered{"", each.error, std::nullopt, {}}
                                 : answer(*each.request, *catalog, session));
    if (!file.batch && answers.back().error) {
      return *answers.back().error;
    }
    if (!carries_notes(session.style())) {
      say_notes(answers.back().notes);
    }
  }
  if (file.batch) {
    return write_batch(session, answers);
  }
  HWADVISOR_TRY_STATUS(session.write(answers.front().text));
  if (answers.front().unmet) {
    return *answers.front().unmet;
  }
  return 0;
}

} // namespace

Result<int> run_estimate(Session& session)
{
  return answer_all(session, &answer_estimate);
}

Result<int> run_recommend(Session& session)
{
  return answer_all(session, &answer_recommend);
}

} // namespace hwadvisor::cli
