#include "cli/session.hpp"

namespace hwadvisor::cli {
namespace {

std::string heading_of(std::string_view group)
{
  if (group == "what") {
    return "What";
  }
  if (group == "load") {
    return "Load";
  }
  if (group == "engine") {
    return "Engine";
  }
  if (group == "training") {
    return "Training";
  }
  return group == "parallelism" ? "Parallelism" : "Limits and wishes";
}

} // namespace

std::vector<Flag> common_flags()
{
  return {
      {"--catalog", "", "DIR", "add or replace catalog entries with this folder's", "Common", true, false, ""},
      {"--color", "", "WHEN", "auto (default), always or never; NO_COLOR is obeyed", "Common", false, false,
       "auto|always|never"},
      {"--lang", "", "LANG", "language of the report: en", "Common", false, true, "en"},
      {"--quiet", "-q", "", "no notes and warnings on standard error", "Common", false, false, ""},
      {"--help", "-h", "", "this page", "Common", false, false, ""},
  };
}

std::vector<Flag> output_flags()
{
  return {
      {"--format", "", "FORMAT", "table (default), json, markdown, csv or html", "Output", false, false,
       "table|json|markdown|csv|html"},
      {"--json", "", "", "the same as --format json", "Output", false, false, ""},
      {"--output", "-o", "FILE", "write the result to FILE", "Output", false, false, ""},
      {"--explain", "", "", "the long form: formulas, ranges, sources", "Output", false, false, ""},
      {"--strict", "", "", "exit 3 also when it fits only tightly", "Output", false, false, ""},
  };
}

std::vector<Flag> request_flags(bool limits_first)
{
  std::vector<Flag> out;
  const auto add_group = [&](std::string_view group) {
    for (const RequestKey& key : request_keys()) {
      if (key.group == group) {
        out.push_back({flag_of(key), "", std::string(key.value), std::string(key.help), heading_of(group),
                       key.value == "LIST" || key.name == "hardware", key.use == KeyUse::refused || key.name == "model",
                       key.use == KeyUse::refused ? "" : std::string(key.words)});
      }
    }
  };
  add_group("what");
  out.push_back({"--request", "", "FILE", "a JSON file of these keys (- is standard input)", "What", false, false, ""});
  if (limits_first) {
    add_group("limits");
  }
  for (const std::string_view group : {"load", "engine", "training", "parallelism"}) {
    add_group(group);
  }
  if (!limits_first) {
    add_group("limits");
  }
  return out;
}

} // namespace hwadvisor::cli
