#include "catalog/name_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace hwadvisor::catalog {
namespace {

bool is_digit(char c)
{
  return c >= '0' && c <= '9';
}

char lower(char c)
{
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool is_kept(char c)
{
  return (c >= 'a' && c <= 'z') || is_digit(c) || c == '.';
}

std::size_t digits_at(std::string_view word, std::size_t start)
{
  std::size_t end = start;
  while (end < word.size() && (is_digit(word[end]) || word[end] == '.')) {
    ++end;
  }
  return end - start;
}

std::string without(std::string text, std::string_view part)
{
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part)) {
    text.replace(at, part.size(), " ");
  }
  return text;
}

// "sxm", "sxm4", "pcie", "nvl" at the end of a longer word: "a100sxm4".
std::size_t form_suffix(std::string_view word)
{
  const std::size_t end = !word.empty() && is_digit(word.back()) ? word.size() - 1 : word.size();
  for (const std::string_view form : {std::string_view("sxm"), std::string_view("pcie"), std::string_view("nvl")}) {
    if ((form == "sxm" || end == word.size()) && end > form.size() && word.substr(0, end).ends_with(form)) {
      return word.size() - (end - form.size());
    }
  }
  return 0;
}

// Divides a glued word, front to back.
void divide(std::string_view word, std::vector<std::string>& words)
{
  constexpr std::array<std::string_view, 4> prefixes{"rtxpro", "rtx", "gtx", "rx"};
  for (const std::string_view prefix : prefixes) {
    if (word.size() > prefix.size() && word.starts_with(prefix) &&
        (is_digit(word[prefix.size()]) || word[prefix.size()] == 'a')) {
      words.emplace_back(prefix.substr(0, prefix == "rtxpro" ? 3 : prefix.size()));
      if (prefix == "rtxpro") {
        words.emplace_back("pro");
      }
      divide(word.substr(prefix.size()), words);
      return;
    }
  }
  // A number of three or four digits, and what tells its kin apart: "4060ti16gb", "3080laptop".
  constexpr std::array<std::string_view, 9> suffixes{"ti",     "super",  "xtx", "xt",  "gre",
                                                     "laptop", "mobile", "ada", "maxq"};
  const std::size_t number = digits_at(word, 0);
  const std::string_view rest = word.substr(number);
  if (number == 4 && (rest == "s" || rest == "d")) { // "4080S", "4090D"
    words.emplace_back(word.substr(0, number));
    words.emplace_back(rest == "s" ? "super" : "d");
    return;
  }
  for (const std::string_view suffix : suffixes) {
    if (number >= 3 && number <= 4 && rest.starts_with(suffix)) {
      words.emplace_back(word.substr(0, number));
      words.emplace_back(suffix);
      if (rest.size() > suffix.size()) {
        divide(rest.substr(suffix.size()), words);
      }
      return;
    }
  }
  if (number == 0 && word.starts_with("super") && word.size() > 5) {
    words.emplace_back("super");
    divide(word.substr(5), words);
    return;
  }
  if (const std::size_t form = form_suffix(word); form > 0) {
    divide(word.substr(0, word.size() - form), words);
    words.emplace_back(word.substr(word.size() - form));
    return;
  }
  words.emplace_back(word);
}

bool is_gigabyte(std::string_view word)
{
  return word == "gb" || word == "gib" || word == "g";
}

} // namespace

std::string compact(std::string_view name)
{
  std::string out;
  for (const char c : name) {
    if (is_kept(lower(c))) {
      out += lower(c);
    }
  }
  return out;
}

bool same_compact(std::string_view a, std::string_view b)
{
  std::size_t i = 0;
  std::size_t j = 0;
  while (true) {
    while (i < a.size() && !is_kept(lower(a[i]))) {
      ++i;
    }
    while (j < b.size() && !is_kept(lower(b[j]))) {
      ++j;
    }
    if (i == a.size() || j == b.size()) {
      return i == a.size() && j == b.size();
    }
    if (lower(a[i++]) != lower(b[j++])) {
      return false;
    }
  }
}

std::vector<std::string> hardware_words(std::string_view name)
{
  std::string text(name);
  std::transform(text.begin(), text.end(), text.begin(), lower);
  for (const std::string_view mark : {"(r)", "(tm)", "®", "™"}) {
    text = without(std::move(text), mark);
  }
  if (const auto at = text.find("max-q"); at != std::string::npos) {
    text.erase(at + 3, 1);
  }
  std::vector<std::string> words;
  for (std::size_t start = 0; start < text.size();) {
    std::size_t end = start;
    while (end < text.size() && is_kept(text[end])) {
      ++end;
    }
    if (end > start) {
      divide(std::string_view(text).substr(start, end - start), words);
    }
    start = end + 1;
  }
  std::vector<std::string> joined;
  for (std::string& word : words) {
    const std::size_t number = digits_at(word, 0);
    const bool unit_alone = is_gigabyte(word) && !joined.empty() && digits_at(joined.back(), 0) == joined.back().size();
    if (unit_alone) {
      joined.back() += "gb";
    } else if (number > 0 && is_gigabyte(std::string_view(word).substr(number))) {
      joined.push_back(word.substr(0, number) + "gb");
    } else {
      joined.push_back(std::move(word));
    }
  }
  return joined;
}

double gigabytes_of(std::string_view word)
{
  double value = 0.0;
  if (word.size() < 3 || !word.ends_with("gb")) {
    return 0.0;
  }
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size() - 2, value);
  return error == std::errc() && end == word.data() + word.size() - 2 ? value : 0.0;
}

} // namespace hwadvisor::catalog
