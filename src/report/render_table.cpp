#include "report/document.hpp"
#include "report/format.hpp"

#include <algorithm>
#include <string_view>

namespace hwadvisor::report {
namespace {

class Terminal {
public:
  Terminal(int width, bool colour) : m_width(static_cast<std::size_t>(std::max(width, 40))), m_colour(colour) {}

  void operator()(const Heading& heading)
  {
    gap();
    m_out += painted(heading.text, heading.tone, true) + "\n";
    m_tight = !heading.top;
  }

  void operator()(const Paragraph& paragraph)
  {
    gap();
    wrap(paragraph.text, "", "", paragraph.tone);
  }

  void operator()(const Facts& facts)
  {
    gap();
    std::size_t labels = 0;
    for (const auto& [label, text] : facts.rows) {
      labels = std::max(labels, columns(label));
    }
    for (const auto& [label, text] : facts.rows) {
      const std::string first = "  " + label + std::string(labels - columns(label) + 2, ' ');
      wrap(text, first, std::string(columns(first), ' '), Tone::plain);
    }
  }

  void operator()(const Bullets& bullets)
  {
    gap();
    for (const std::string& item : bullets.items) {
      wrap(item, "  - ", "    ", Tone::plain);
    }
  }

  void operator()(const Grid& grid)
  {
    gap();
    std::vector<std::size_t> widths;
    for (std::size_t c = 0; c < grid.columns.size(); ++c) {
      std::size_t width = columns(grid.columns[c].title);
      for (const auto& row : grid.rows) {
        width = std::max(width, columns(row[c]));
      }
      widths.push_back(width);
    }
    narrow(grid, widths);
    std::vector<std::string> titles;
    for (const Column& column : grid.columns) {
      titles.push_back(column.title);
    }
    line(grid, widths, titles, true);
    for (std::size_t r = 0; r < grid.rows.size(); ++r) {
      if (grid.sum_below && r + 1 == grid.rows.size()) {
        rule(widths);
      }
      line(grid, widths, grid.rows[r], false);
    }
  }

  std::string take() { return std::move(m_out); }

private:
  // One empty line between blocks; none after a heading.
  void gap()
  {
    if (!m_out.empty() && !m_tight) {
      m_out += "\n";
    }
    m_tight = false;
  }

  std::string painted(const std::string& text, Tone tone, bool bold) const
  {
    if (!m_colour || (tone == Tone::plain && !bold)) {
      return text;
    }
    std::string code = bold ? "1" : "";
    const char* const colour = tone == Tone::good ? "32" : tone == Tone::warning ? "33" : tone == Tone::bad ? "31" : "";
    if (*colour != '\0') {
      code += code.empty() ? "" : ";";
      code += colour;
    }
    return "\033[" + code + "m" + text + "\033[0m";
  }

  void wrap(std::string_view text, const std::string& first, const std::string& next, Tone tone)
  {
    std::string row = first;
    std::size_t used = columns(first);
    bool empty = true;
    while (!text.empty()) {
      const auto space = text.find(' ');
      const std::string_view word = text.substr(0, space);
      text.remove_prefix(space == std::string_view::npos ? text.size() : space + 1);
      if (word.empty()) {
        continue;
      }
      if (!empty && used + 1 + columns(word) > m_width) {
        m_out += painted(row, tone, false) + "\n";
        row = next;
        used = columns(next);
        empty = true;
      }
      if (!empty) {
        row += ' ';
        ++used;
      }
      row += word;
      used += columns(word);
      empty = false;
    }
    m_out += painted(row, tone, false) + "\n";
  }

  std::size_t total(const std::vector<std::size_t>& widths) const
  {
    std::size_t sum = 0;
    for (const std::size_t width : widths) {
      sum += width + 2;
    }
    return sum;
  }

  // Takes what is too much from the widest column of words.
  void narrow(const Grid& grid, std::vector<std::size_t>& widths) const
  {
    while (total(widths) > m_width) {
      std::size_t widest = widths.size();
      for (std::size_t c = 0; c < widths.size(); ++c) {
        if (!grid.columns[c].right && (widest == widths.size() || widths[c] > widths[widest])) {
          widest = c;
        }
      }
      if (widest == widths.size() || widths[widest] <= 8) {
        return;
      }
      --widths[widest];
    }
  }

  void line(const Grid& grid, const std::vector<std::size_t>& widths, const std::vector<std::string>& cells, bool title)
  {
    std::string row;
    for (std::size_t c = 0; c < cells.size(); ++c) {
      std::string cell = cells[c];
      if (columns(cell) > widths[c]) {
        cell = cut(cell, widths[c]);
      }
      const std::string pad(widths[c] - columns(cell), ' ');
      row += "  " + (grid.columns[c].right ? pad + cell : cell + pad);
    }
    row.erase(row.find_last_not_of(' ') + 1);
    m_out += (title ? painted(row, Tone::plain, true) : row) + "\n";
  }

  void rule(const std::vector<std::size_t>& widths) { m_out += "  " + std::string(total(widths) - 2, '-') + "\n"; }

  static std::string cut(const std::string& text, std::size_t width)
  {
    std::string out;
    std::size_t used = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
      const bool starts = (static_cast<unsigned char>(text[i]) & 0xc0) != 0x80;
      if (starts && used + 2 > width - 1) {
        break;
      }
      used += starts ? 1 : 0;
      out += text[i];
    }
    return out + "..";
  }

  std::size_t m_width;
  bool m_colour;
  bool m_tight = false;
  std::string m_out;
};

} // namespace

std::string render_table(const Document& document, int width, bool colour)
{
  Terminal terminal(width, colour);
  for (const Block& block : document.blocks) {
    std::visit(terminal, block);
  }
  return terminal.take();
}

} // namespace hwadvisor::report
