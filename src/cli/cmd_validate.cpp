#include "cli/commands.hpp"

#include "text/file.hpp"
#include "text/near.hpp"
#include "text/quote.hpp"
#include "workload/number_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

namespace hwadvisor::cli {
namespace {

bool has(const std::vector<std::string>& words, const std::string& word)
{
  return std::find(words.begin(), words.end(), word) != words.end();
}

// What --metric and --tag leave; each, given several times, admits any of its values.
void filter(std::vector<Comparison>& rows, const std::vector<std::string>& metrics,
            const std::vector<std::string>& tags)
{
  std::erase_if(rows, [&](const Comparison& row) {
    const bool tagged =
        tags.empty() || std::any_of(row.tags.begin(), row.tags.end(), [&](const auto& tag) { return has(tags, tag); });
    return !tagged || (!metrics.empty() && !has(metrics, row.metric));
  });
}

// A filter that no row has is a slip of the pen.
Status check_filters(const std::vector<Comparison>& rows, const Arguments& arguments)
{
  std::set<std::string> metrics;
  std::set<std::string> tags;
  for (const Comparison& row : rows) {
    metrics.insert(row.metric);
    tags.insert(row.tags.begin(), row.tags.end());
  }
  for (const auto& [flag, known] : {std::pair{"--metric", &metrics}, std::pair{"--tag", &tags}}) {
    for (const std::string& value : arguments.values(flag)) {
      if (known->find(value) == known->end()) {
        return Error{ErrorKind::usage, fmt::format("no case has {}", text::quoted(value)), flag,
                     text::near_matches(value, {known->begin(), known->end()})};
      }
    }
  }
  return {};
}

Status add_rows(std::string_view text, std::string_view file, const Catalog& catalog, std::vector<Comparison>& rows)
{
  HWADVISOR_TRY(cases, parse_measurements(text, file));
  auto compared = compare_all(cases, catalog);
  std::move(compared.begin(), compared.end(), std::back_inserter(rows));
  return {};
}

} // namespace

Result<int> run_validate(Session& session)
{
  const Arguments& arguments = session.arguments();
  std::int64_t worst = 0;
  if (arguments.has("--worst")) {
    auto count = workload::parse_count(arguments.value("--worst"), {0, 1'000'000});
    if (!count) {
      Error error = count.error();
      error.where = "--worst";
      return error;
    }
    worst = *count;
  }
  HWADVISOR_TRY(catalog, session.catalog());
  std::vector<Comparison> rows;
  for (const std::string& path : arguments.words) {
    HWADVISOR_TRY(text, text::read_file(path));
    HWADVISOR_TRY_STATUS(add_rows(text, path, *catalog, rows));
  }
  if (arguments.words.empty()) {
    for (const MeasurementFile& file : builtin_measurements()) {
      HWADVISOR_TRY_STATUS(add_rows(file.text, file.name, *catalog, rows));
    }
  }
  HWADVISOR_TRY_STATUS(check_filters(rows, arguments));
  filter(rows, arguments.values("--metric"), arguments.values("--tag"));
  HWADVISOR_TRY_STATUS(
      session.write(write_validation(rows, summarise(rows), static_cast<std::size_t>(worst), session.style())));
  return 0;
}

} // namespace hwadvisor::cli
