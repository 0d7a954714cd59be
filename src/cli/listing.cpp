#include "cli/listing.hpp"

#include "json/json.hpp"

#include <charconv>

namespace hwadvisor::cli {
namespace {

// Columns of numbers hold numbers, and nothing where a figure is not known.
json::Json cell_json(const report::Column& column, const std::string& cell)
{
  if (!column.right) {
    return cell.empty() ? json::Json(nullptr) : json::Json(cell);
  }
  std::int64_t whole = 0;
  double real = 0.0;
  const char* const end = cell.data() + cell.size();
  if (const auto read = std::from_chars(cell.data(), end, whole);
      !cell.empty() && read.ptr == end && read.ec == std::errc()) {
    return whole;
  }
  if (const auto read = std::from_chars(cell.data(), end, real);
      !cell.empty() && read.ptr == end && read.ec == std::errc()) {
    return real;
  }
  return nullptr;
}

} // namespace

std::string write_listing(const report::Grid& grid, const ReportStyle& style)
{
  switch (style.format) {
  case OutputFormat::json: {
    json::Json out = json::Json::array();
    for (const auto& row : grid.rows) {
      json::Json object = json::Json::object();
      for (std::size_t c = 0; c < row.size(); ++c) {
        object[grid.columns[c].title] = cell_json(grid.columns[c], row[c]);
      }
      out.push_back(std::move(object));
    }
    return json::dump(out, 2) + "\n";
  }
  case OutputFormat::csv:
    return report::render_csv(grid);
  case OutputFormat::markdown:
  case OutputFormat::html:
  case OutputFormat::table:
    break;
  }
  report::Document document;
  document.add(grid);
  return style.format == OutputFormat::markdown ? report::render_markdown(document)
         : style.format == OutputFormat::html   ? report::render_html(document)
                                                : report::render_table(document, style.width, style.colour);
}

} // namespace hwadvisor::cli
