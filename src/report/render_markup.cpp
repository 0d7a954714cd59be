// Markdown, HTML and CSV.

#include "report/document.hpp"

#include <algorithm>
#include <string_view>

namespace hwadvisor::report {
namespace {

std::string replaced(std::string_view text, const std::vector<std::pair<char, std::string_view>>& table)
{
  std::string out;
  for (const char c : text) {
    const auto found = std::find_if(table.begin(), table.end(), [&](const auto& pair) { return pair.first == c; });
    if (found == table.end()) {
      out += c;
    } else {
      out += found->second;
    }
  }
  return out;
}

std::string escape_markdown(std::string_view text)
{
  return replaced(text, {{'|', "\\|"}, {'*', "\\*"}, {'_', "\\_"}, {'<', "&lt;"}, {'`', "\\`"}});
}

std::string escape_html(std::string_view text)
{
  return replaced(text, {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}});
}

class Markdown {
public:
  void operator()(const Heading& heading)
  {
    m_out += (heading.top ? "# " : "## ") + escape_markdown(heading.text) + "\n\n";
  }
  void operator()(const Paragraph& paragraph) { m_out += escape_markdown(paragraph.text) + "\n\n"; }
  void operator()(const Facts& facts)
  {
    for (const auto& [label, text] : facts.rows) {
      m_out += "- **" + escape_markdown(label) + "**: " + escape_markdown(text) + "\n";
    }
    m_out += "\n";
  }
  void operator()(const Bullets& bullets)
  {
    for (const std::string& item : bullets.items) {
      m_out += "- " + escape_markdown(item) + "\n";
    }
    m_out += "\n";
  }
  void operator()(const Grid& grid)
  {
    std::string rule;
    for (const Column& column : grid.columns) {
      m_out += "| " + escape_markdown(column.title) + " ";
      rule += column.right ? "|---:" : "|---";
    }
    m_out += "|\n" + rule + "|\n";
    for (const auto& row : grid.rows) {
      for (const std::string& cell : row) {
        m_out += "| " + escape_markdown(cell) + " ";
      }
      m_out += "|\n";
    }
    m_out += "\n";
  }

  std::string take()
  {
    m_out.erase(m_out.find_last_not_of('\n') + 1);
    return std::move(m_out) + "\n";
  }

private:
  std::string m_out;
};

class Html {
public:
  void operator()(const Heading& heading)
  {
    const std::string_view tag = heading.top ? "h1" : "h2";
    element(tag, heading.text, heading.tone);
    if (heading.top && m_title.empty()) {
      m_title = escape_html(heading.text);
    }
  }
  void operator()(const Paragraph& paragraph) { element("p", paragraph.text, paragraph.tone); }
  void operator()(const Facts& facts)
  {
    m_body += "<dl>\n";
    for (const auto& [label, text] : facts.rows) {
      m_body += "<dt>" + escape_html(label) + "</dt><dd>" + escape_html(text) + "</dd>\n";
    }
    m_body += "</dl>\n";
  }
  void operator()(const Bullets& bullets)
  {
    m_body += "<ul>\n";
    for (const std::string& item : bullets.items) {
      m_body += "<li>" + escape_html(item) + "</li>\n";
    }
    m_body += "</ul>\n";
  }
  void operator()(const Grid& grid)
  {
    m_body += "<table>\n<tr>";
    for (const Column& column : grid.columns) {
      m_body += cell("th", column, column.title);
    }
    m_body += "</tr>\n";
    for (const auto& row : grid.rows) {
      m_body += "<tr>";
      for (std::size_t c = 0; c < row.size(); ++c) {
        m_body += cell("td", grid.columns[c], row[c]);
      }
      m_body += "</tr>\n";
    }
    m_body += "</table>\n";
  }

  std::string take()
  {
    return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>" + m_title +
           "</title>\n<style>\n"
           "body { font: 15px/1.5 sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em; }\n"
           "table { border-collapse: collapse; } th, td { padding: .2em .8em; text-align: left; border-bottom: 1px "
           "solid #ccc; }\n"
           ".right { text-align: right; } dt { font-weight: bold; } dd { margin: 0 0 .4em 1em; }\n"
           ".good { color: #176b2c; } .warning { color: #8a5a00; } .bad { color: #a3161c; }\n"
           "</style>\n</head>\n<body>\n" +
           m_body + "</body>\n</html>\n";
  }

private:
  static std::string cell(std::string_view tag, const Column& column, const std::string& text)
  {
    return "<" + std::string(tag) + (column.right ? " class=\"right\">" : ">") + escape_html(text) + "</" +
           std::string(tag) + ">";
  }

  void element(std::string_view tag, const std::string& text, Tone tone)
  {
    const std::string_view kind = tone == Tone::good      ? " class=\"good\""
                                  : tone == Tone::warning ? " class=\"warning\""
                                  : tone == Tone::bad     ? " class=\"bad\""
                                                          : "";
    m_body += "<" + std::string(tag) + std::string(kind) + ">" + escape_html(text) + "</" + std::string(tag) + ">\n";
  }

  std::string m_title;
  std::string m_body;
};

// A cell that a spreadsheet would take for a formula is defused with an apostrophe (OWASP, "CSV injection"); numbers
// with a sign are left alone.
std::string csv_cell(std::string_view text)
{
  std::string out(text);
  const bool number = out.find_first_not_of("+-0123456789.,") == std::string::npos;
  if (!out.empty() && std::string_view("=+-@").find(out.front()) != std::string_view::npos && !number) {
    out.insert(out.begin(), '\'');
  }
  if (out.find_first_of(",\"\r\n") == std::string::npos) {
    return out;
  }
  return "\"" + replaced(out, {{'"', "\"\""}}) + "\"";
}

std::string csv_row(const std::vector<std::string>& cells)
{
  std::string out;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    out += (i == 0 ? "" : ",") + csv_cell(cells[i]);
  }
  return out + "\r\n";
}

} // namespace

std::string render_markdown(const Document& document)
{
  Markdown markdown;
  for (const Block& block : document.blocks) {
    std::visit(markdown, block);
  }
  return markdown.take();
}

std::string render_html(const Document& document)
{
  Html html;
  for (const Block& block : document.blocks) {
    std::visit(html, block);
  }
  return html.take();
}

std::string render_csv(const Grid& grid)
{
  std::vector<std::string> titles;
  for (const Column& column : grid.columns) {
    titles.push_back(column.title);
  }
  std::string out = csv_row(titles);
  for (const auto& row : grid.rows) {
    out += csv_row(row);
  }
  return out;
}

} // namespace hwadvisor::report
