// Predictions against measurements, as a document and as JSON.

#include "hwadvisor/report.hpp"

#include "report/document.hpp"
#include "report/format.hpp"
#include "json/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace hwadvisor {
namespace {

using json::Json;
using report::Grid;

constexpr std::string_view k_every = "all";

std::string percent(double value)
{
  return fmt::format("{:.{}f}", value, std::abs(value) < 10.0 ? 2 : 1);
}

std::vector<std::string> figures(const ErrorSummary& row)
{
  const auto scored = [&](double value) { return row.n == 0 ? std::string("-") : percent(value); };
  return {std::to_string(row.n),
          scored(row.median_abs_pct),
          scored(row.p90_abs_pct),
          scored(row.bias_pct),
          row.n == 0 ? "-" : fmt::format("{:.0f}", row.inside_interval_pct),
          std::to_string(row.unsupported)};
}

Grid summary_grid(const std::vector<ErrorSummary>& summary, bool by_tag)
{
  Grid grid{{{"metric"},
             {"tag"},
             {"n", true},
             {"median %", true},
             {"p90 %", true},
             {"bias %", true},
             {"inside %", true},
             {"unsupported", true}},
            {},
            false};
  for (const ErrorSummary& row : summary) {
    if (by_tag || row.tag == k_every) {
      std::vector<std::string> cells{row.metric, row.tag};
      for (std::string& figure : figures(row)) {
        cells.push_back(std::move(figure));
      }
      grid.rows.push_back(std::move(cells));
    }
  }
  return grid;
}

std::string measured_text(const Comparison& row, double value)
{
  return row.metric.ends_with("_bytes") ? report::gib(Bytes(value)) : report::figure(value);
}

// The scored cases of one metric with the largest errors.
Grid worst_grid(std::vector<const Comparison*> rows, std::size_t most)
{
  std::stable_sort(rows.begin(), rows.end(), [](const Comparison* a, const Comparison* b) {
    return std::abs(a->error_pct()) > std::abs(b->error_pct());
  });
  Grid grid{
      {{"case"}, {"measured", true}, {"predicted", true}, {"low", true}, {"high", true}, {"error %", true}}, {}, false};
  for (const Comparison* row : rows) {
    if (grid.rows.size() == most) {
      break;
    }
    grid.rows.push_back({row->id, measured_text(*row, row->measured), measured_text(*row, row->predicted->likely),
                         measured_text(*row, row->predicted->low), measured_text(*row, row->predicted->high),
                         percent(row->error_pct())});
  }
  return grid;
}

// Why cases are unsupported, the commonest reason first.
Grid reasons_grid(const std::vector<Comparison>& rows)
{
  std::map<std::string, std::size_t> counts;
  for (const Comparison& row : rows) {
    counts[row.reason] += row.predicted ? 0 : 1;
  }
  std::vector<std::pair<std::string, std::size_t>> sorted(counts.begin(), counts.end());
  std::erase_if(sorted, [](const auto& pair) { return pair.second == 0; });
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  Grid grid{{{"values", true}, {"unsupported because"}}, {}, false};
  for (const auto& [reason, count] : sorted) {
    grid.rows.push_back({std::to_string(count), reason});
  }
  return grid;
}

report::Document document(const std::vector<Comparison>& rows, const std::vector<ErrorSummary>& summary,
                          std::size_t worst, bool explain)
{
  const auto scored = static_cast<std::size_t>(
      std::count_if(rows.begin(), rows.end(), [](const Comparison& row) { return row.predicted.has_value(); }));
  report::Document out;
  out.add(report::Heading{"Predictions against measurements", report::Tone::plain, true});
  out.add(report::Paragraph{
      fmt::format(
          "{} measured values, {} of them predicted ({:.1f} %). Errors are absolute, in percent of what was "
          "measured; bias is the median of the signed errors; inside is the share within the predicted interval.",
          rows.size(), scored,
          rows.empty() ? 0.0 : 100.0 * static_cast<double>(scored) / static_cast<double>(rows.size())),
      report::Tone::plain});
  out.add(summary_grid(summary, explain));
  std::map<std::string, std::vector<const Comparison*>> by_metric;
  for (const Comparison& row : rows) {
    if (row.predicted) {
      by_metric[row.metric].push_back(&row);
    }
  }
  for (const auto& [metric, group] : by_metric) {
    if (worst > 0) {
      out.add(report::Heading{metric, report::Tone::plain, false});
      out.add(worst_grid(group, worst));
    }
  }
  if ((explain || worst > 0) && scored < rows.size()) {
    out.add(report::Heading{"Unsupported", report::Tone::plain, false});
    out.add(reasons_grid(rows));
  }
  return out;
}

Json comparison_json(const Comparison& row)
{
  const auto figure = [&](double Interval<double>::*member) {
    return row.predicted ? Json((*row.predicted).*member) : Json(nullptr);
  };
  return {{"id", row.id},
          {"metric", row.metric},
          {"measured", row.measured},
          {"predicted", figure(&Interval<double>::likely)},
          {"low", figure(&Interval<double>::low)},
          {"high", figure(&Interval<double>::high)},
          {"error_pct", row.predicted ? Json(row.error_pct()) : Json(nullptr)},
          {"status", row.predicted ? "scored" : "unsupported"},
          {"reason", row.reason.empty() ? Json(nullptr) : Json(row.reason)}};
}

std::string validation_json(const std::vector<Comparison>& rows, const std::vector<ErrorSummary>& summary)
{
  Json cases = Json::array();
  for (const Comparison& row : rows) {
    cases.push_back(comparison_json(row));
  }
  Json sums = Json::array();
  for (const ErrorSummary& row : summary) {
    const auto scored = [&](double value) { return row.n == 0 ? Json(nullptr) : Json(value); };
    sums.push_back({{"metric", row.metric},
                    {"tag", row.tag},
                    {"n", row.n},
                    {"median_abs_pct", scored(row.median_abs_pct)},
                    {"p90_abs_pct", scored(row.p90_abs_pct)},
                    {"bias_pct", scored(row.bias_pct)},
                    {"inside_interval_pct", scored(row.inside_interval_pct)},
                    {"unsupported", row.unsupported}});
  }
  return json::dump({{"schema", "hwadvisor.validate/1"}, {"cases", std::move(cases)}, {"summary", std::move(sums)}}, 1);
}

} // namespace

std::string write_validation(const std::vector<Comparison>& rows, const std::vector<ErrorSummary>& summary,
                             std::size_t worst, const ReportStyle& style)
{
  switch (style.format) {
  case OutputFormat::json:
    return validation_json(rows, summary) + "\n";
  case OutputFormat::csv:
    return report::render_csv(summary_grid(summary, true));
  case OutputFormat::markdown:
    return report::render_markdown(document(rows, summary, worst, style.explain));
  case OutputFormat::html:
    return report::render_html(document(rows, summary, worst, style.explain));
  case OutputFormat::table:
    break;
  }
  return report::render_table(document(rows, summary, worst, style.explain), style.width, style.colour);
}

} // namespace hwadvisor
