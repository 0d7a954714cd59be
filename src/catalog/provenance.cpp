#include "catalog/readers.hpp"

#include <fmt/format.h>

namespace hwadvisor::catalog {
namespace {

int number_at(std::string_view text, std::size_t start, std::size_t length)
{
  int value = 0;
  for (const char c : text.substr(start, length)) {
    if (c < '0' || c > '9') {
      return -1;
    }
    value = value * 10 + (c - '0');
  }
  return value;
}

} // namespace

bool is_date(std::string_view text, std::size_t length)
{
  if (length != 0 ? text.size() != length : text.size() != 4 && text.size() != 7 && text.size() != 10) {
    return false;
  }
  const int year = number_at(text, 0, 4);
  if (year < 1990 || year > 2100) {
    return false;
  }
  if (text.size() >= 7) {
    const int month = number_at(text, 5, 2);
    if (text[4] != '-' || month < 1 || month > 12) {
      return false;
    }
  }
  if (text.size() == 10) {
    const int day = number_at(text, 8, 2);
    return text[7] == '-' && day >= 1 && day <= 31;
  }
  return true;
}

std::string read_date(ObjectReader& in, std::string_view key, std::size_t length)
{
  const auto text = in.maybe_text(key);
  if (text && !is_date(*text, length)) {
    in.fail(key,
            fmt::format("'{}' is not a date like {}", *text, length == 10 ? "2026-06-22" : "2026-06 or 2026-06-22"));
  }
  return text.value_or("");
}

void read_provenance(ObjectReader& in)
{
  (void)in.texts("sources");
  (void)read_date(in, "date", 10);
  (void)in.maybe_text("note");
  in.object("unknown", [&](ObjectReader& unknown) {
    for (const std::string& path : unknown.keys()) {
      (void)unknown.text(path);
    }
  });
}

} // namespace hwadvisor::catalog
