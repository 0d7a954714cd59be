#pragma once

// A report as a list of blocks, the same for every text format: writers of estimates and recommendations fill it,
// renderers turn it into a table for a terminal, Markdown, HTML or CSV.

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace hwadvisor::report {

enum class Tone : std::uint8_t { plain, good, warning, bad };

struct Heading {
  std::string text;
  Tone tone = Tone::plain;
  bool top = false; // the title of the whole
};

struct Paragraph {
  std::string text;
  Tone tone = Tone::plain;
};

// Labels with a text each, the labels in one column.
struct Facts {
  std::vector<std::pair<std::string, std::string>> rows;
};

struct Column {
  std::string title;
  bool right = false; // numbers
};

struct Grid {
  std::vector<Column> columns;
  std::vector<std::vector<std::string>> rows;
  bool sum_below = false; // the last row is a sum
};

struct Bullets {
  std::vector<std::string> items;
};

using Block = std::variant<Heading, Paragraph, Facts, Grid, Bullets>;

struct Document {
  std::vector<Block> blocks;

  template <class B> void add(B block) { blocks.emplace_back(std::move(block)); }
};

std::string render_table(const Document& document, int width, bool colour);
std::string render_markdown(const Document& document);
std::string render_html(const Document& document);
std::string render_csv(const Grid& grid); // RFC 4180

} // namespace hwadvisor::report
