#include "hwadvisor/engine.hpp"

#include <array>
#include <cctype>
#include <charconv>

namespace hwadvisor {

namespace {

using Version = std::array<int, 4>;

bool is_digit(char c)
{
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

// The first numbers of "v0.6.4.post1" or "b5716 (d27b3ca1)": {0, 6, 4, 0} and {5716, 0, 0, 0}. False without a digit.
bool parse_version(std::string_view text, Version& version)
{
  version = {};
  std::size_t at = 0;
  while (at < text.size() && !is_digit(text[at])) {
    ++at;
  }
  if (at == text.size()) {
    return false;
  }
  for (int& part : version) {
    const char* end = text.data() + text.size();
    const auto [after, error] = std::from_chars(text.data() + at, end, part);
    if (error != std::errc{}) {
      break;
    }
    at = static_cast<std::size_t>(after - text.data());
    if (at + 1 >= text.size() || text[at] != '.' || !is_digit(text[at + 1])) {
      break;
    }
    ++at;
  }
  return true;
}

} // namespace

const EngineRules& Engine::rules_at(std::string_view version) const
{
  Version asked;
  if (!older.empty() && parse_version(version, asked)) {
    for (const OlderRules& old : older) {
      Version before;
      if (parse_version(old.before, before) && asked < before) {
        return old.rules;
      }
    }
  }
  return *this;
}

} // namespace hwadvisor
