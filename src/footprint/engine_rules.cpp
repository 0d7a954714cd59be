#include "hwadvisor/engine.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <string>

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

bool all_digits(std::string_view text)
{
  return std::all_of(text.begin(), text.end(), is_digit);
}

// "2025-11", and "2025" as its last month; empty: `text` holds no date.
std::string date_in(std::string_view text)
{
  for (std::size_t at = 0; at + 4 <= text.size(); ++at) {
    const bool starts_word = at == 0 || text[at - 1] == ' ';
    if (!starts_word || !text.substr(at).starts_with("20") || !all_digits(text.substr(at, 4))) {
      continue;
    }
    const std::string_view rest = text.substr(at + 4);
    if (rest.empty() || rest.front() == ' ') {
      return std::string(text.substr(at, 4)) + "-12";
    }
    if (rest.size() >= 3 && rest.front() == '-' && all_digits(rest.substr(1, 2))) {
      return std::string(text.substr(at, 7));
    }
  }
  return {};
}

// "V1" of "0.8.1 V1" and "V1 2025-07"; empty: none is named.
std::string_view generation_in(std::string_view text)
{
  const std::size_t at = text.find('V');
  return at != std::string_view::npos && at + 1 < text.size() && is_digit(text[at + 1]) &&
                 (at == 0 || text[at - 1] == ' ')
             ? text.substr(at, 2)
             : std::string_view();
}

} // namespace

const EngineRules& Engine::rules_at(std::string_view version) const
{
  const std::string date = date_in(version);
  const std::string_view generation = generation_in(version);
  Version asked;
  if (older.empty() || !parse_version(version, asked)) {
    return *this;
  }
  const EngineRules* last_of_generation = nullptr;
  for (const OlderRules& old : older) {
    if (!generation.empty() && !old.generation.empty() && old.generation != generation) {
      continue;
    }
    Version before;
    const bool earlier = date.empty() ? parse_version(old.before, before) && asked < before : date < old.until;
    if (earlier) {
      return old.rules;
    }
    last_of_generation = !generation.empty() && old.generation == generation ? &old.rules : last_of_generation;
  }
  // A generation that ended: the newest rules are another's.
  const bool ended = last_of_generation != nullptr && older.back().generation != generation;
  return ended ? *last_of_generation : *this;
}

} // namespace hwadvisor
