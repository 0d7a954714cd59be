#include "catch.hpp"
#include "hwadvisor/precision.hpp"

#include <fmt/format.h>

#include <fstream>
#include <set>
#include <string>
#include <vector>

using namespace hwadvisor;

namespace {

// The row of docs/precision.md that says what the program knows of a format.
std::string table_row(const NumberFormat& f)
{
  std::string scales;
  if (f.super_elements > 0) {
    scales = fmt::format("{} B each {}", f.super_bytes, f.super_elements);
  }
  if (f.row_bytes > 0) {
    scales = fmt::format("{} B a row", f.row_bytes);
  }
  return fmt::format("| {} | {} | {} | {} | {:.4g} | {} |", f.id, f.block_elements, f.block_bytes, scales,
                     f.bits_per_weight(), f.source);
}

} // namespace

TEST_CASE("docs/precision.md has the table of formats that the program uses")
{
  std::ifstream file(HWADVISOR_SOURCE_DIR "/docs/precision.md");
  REQUIRE(file);
  std::vector<std::string> rows;
  std::string line;
  bool inside = false;
  while (std::getline(file, line)) {
    if (line.rfind("| format |", 0) == 0) {
      inside = true;
      std::getline(file, line); // the rule under the header
    } else if (inside && line.rfind("| ", 0) == 0) {
      rows.push_back(line);
    } else {
      inside = false;
    }
  }
  std::vector<std::string> expected;
  for (const NumberFormat* f : all_formats()) {
    expected.push_back(table_row(*f));
  }
  std::string text;
  for (const std::string& row : expected) {
    text += row + "\n";
  }
  INFO("the table ought to be\n" << text);
  CHECK(rows == expected);
}
