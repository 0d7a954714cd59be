#include "hwadvisor/report.hpp"

#include "report/estimate_text.hpp"
#include "json/json.hpp"

namespace hwadvisor {
namespace {

report::Parts parts_of(const ReportStyle& style)
{
  return {style.explain, style.explain || style.format != OutputFormat::table};
}

template <class Fill, class Table> std::string render(const ReportStyle& style, Fill document, Table grid)
{
  switch (style.format) {
  case OutputFormat::markdown:
    return report::render_markdown(document());
  case OutputFormat::html:
    return report::render_html(document());
  case OutputFormat::csv:
    return report::render_csv(grid());
  case OutputFormat::table:
  case OutputFormat::json:
    break;
  }
  return report::render_table(document(), style.width, style.colour);
}

} // namespace

std::string write_estimate(const Estimate& estimate, const Catalog& catalog, const ReportStyle& style)
{
  if (style.format == OutputFormat::json) {
    return report::estimate_json(estimate, catalog) + "\n";
  }
  return render(
      style, [&] { return report::estimate_document(estimate, parts_of(style)); },
      [&] { return report::estimate_grid(estimate); });
}

std::string write_recommendation(const Recommendation& recommendation, const Request& request, const Catalog& catalog,
                                 const ReportStyle& style)
{
  if (style.format == OutputFormat::json) {
    return report::recommendation_json(recommendation, request, catalog) + "\n";
  }
  return render(
      style, [&] { return report::recommendation_document(recommendation, parts_of(style)); },
      [&] { return report::recommendation_grid(recommendation); });
}

std::string write_error_json(const Error& error)
{
  const json::Json out = {{"error",
                           {{"code", exit_code(error.kind)},
                            {"kind", kind_name(error.kind)},
                            {"message", error.message},
                            {"where", error.where},
                            {"candidates", error.candidates}}}};
  return json::dump(out);
}

std::string write_batch_json(const std::vector<std::string>& results)
{
  std::string out = "[";
  for (std::size_t i = 0; i < results.size(); ++i) {
    std::string_view result = results[i];
    while (result.ends_with('\n')) {
      result.remove_suffix(1);
    }
    out += i == 0 ? "\n" : ",\n";
    out += result;
  }
  return out + "\n]\n";
}

} // namespace hwadvisor
