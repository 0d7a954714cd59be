#include "workload/number_text.hpp"

#include "text/lower.hpp"
#include "text/quote.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string>
#include <utility>

namespace hwadvisor::workload {
namespace {

using ::hwadvisor::text::quoted;

constexpr std::string_view k_blanks = " \t";

Error usage(std::string message)
{
  return Error{ErrorKind::usage, std::move(message)};
}

std::string_view trimmed(std::string_view text)
{
  const auto first = text.find_first_not_of(k_blanks);
  if (first == std::string_view::npos) {
    return {};
  }
  return text.substr(first, text.find_last_not_of(k_blanks) - first + 1);
}

// A decimal number at the start of `text`, which is moved past it. "inf", "nan", hexadecimal and a leading "+" are
// not numbers here.
struct Decimal {
  double value = 0.0;
  std::int64_t whole = 0;
  bool is_whole = false; // digits only, and they fit 64 bits
  bool too_large = false;
};

bool take_decimal(std::string_view& text, Decimal& out)
{
  const std::string_view digits = text.substr(text.starts_with('-') ? 1 : 0);
  if (digits.empty() || !((digits[0] >= '0' && digits[0] <= '9') || digits[0] == '.')) {
    return false;
  }
  const char* const end = text.data() + text.size();
  const auto real = std::from_chars(text.data(), end, out.value, std::chars_format::general);
  if (real.ec == std::errc::invalid_argument) {
    return false;
  }
  out.too_large = real.ec == std::errc::result_out_of_range;
  const auto whole = std::from_chars(text.data(), end, out.whole);
  out.is_whole = whole.ec == std::errc() && whole.ptr == real.ptr;
  text.remove_prefix(static_cast<std::size_t>(real.ptr - text.data()));
  return true;
}

struct Unit {
  std::string_view name; // lower case
  double factor;
};

// The factor of the unit that `text` is, blanks before it ignored; 0: not in the list.
template <std::size_t N> double unit_factor(std::string_view text, const std::array<Unit, N>& units)
{
  const std::string name = ::hwadvisor::text::lower(trimmed(text));
  for (const Unit& unit : units) {
    if (unit.name == name) {
      return unit.factor;
    }
  }
  return 0.0;
}

constexpr std::array<Unit, 7> k_counts{
    {{"", 1}, {"k", 1e3}, {"m", 1e6}, {"g", 1e9}, {"b", 1e9}, {"t", 1e12}, {"p", 1e15}}};
constexpr std::array<Unit, 3> k_tokens{{{"", 1}, {"k", 1024}, {"m", 1048576}}};
constexpr std::array<Unit, 3> k_plain{{{"", 1}, {"k", 1e3}, {"m", 1e6}}};
constexpr std::array<Unit, 9> k_sizes{{{"", 1},
                                       {"g", 1},
                                       {"gb", 1},
                                       {"gib", 1},
                                       {"mb", 1e-3},
                                       {"mib", 1.0 / 1024},
                                       {"t", 1e3},
                                       {"tb", 1e3},
                                       {"tib", 1024}}};
constexpr std::array<Unit, 16> k_hours{{{"s", 1.0 / 3600},
                                        {"sec", 1.0 / 3600},
                                        {"min", 1.0 / 60},
                                        {"h", 1},
                                        {"hr", 1},
                                        {"hrs", 1},
                                        {"hour", 1},
                                        {"hours", 1},
                                        {"d", 24},
                                        {"day", 24},
                                        {"days", 24},
                                        {"w", 168},
                                        {"week", 168},
                                        {"weeks", 168},
                                        {"seconds", 1.0 / 3600},
                                        {"minutes", 1.0 / 60}}};

std::string range_text(CountRange range)
{
  return range.high == std::numeric_limits<std::int64_t>::max() ? fmt::format("at least {}", range.low)
                                                                : fmt::format("from {} to {}", range.low, range.high);
}

// Thousands divided by commas, as in "$2,000": groups of three, and only before a decimal point.
std::string without_group_commas(std::string_view text)
{
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto digit = [&](std::size_t at) { return at < text.size() && text[at] >= '0' && text[at] <= '9'; };
    const bool group =
        text[i] == ',' && i > 0 && digit(i - 1) && digit(i + 1) && digit(i + 2) && digit(i + 3) && !digit(i + 4);
    if (!group) {
      out += text[i];
    }
  }
  return out;
}

// Dollars in front of `rest`: an optional "$", a number, an optional k or m, an optional "usd".
Result<double> take_usd(std::string_view text, std::string_view whole, std::string_view accepted)
{
  const std::string plain = without_group_commas(trimmed(text));
  std::string_view rest = plain;
  if (rest.starts_with('$')) {
    rest.remove_prefix(1);
    rest = trimmed(rest);
  }
  Decimal number;
  const std::string_view expected = accepted;
  if (!take_decimal(rest, number)) {
    return usage(fmt::format("{} is not an amount of money; accepted: {}", quoted(whole), expected));
  }
  std::string unit = ::hwadvisor::text::lower(trimmed(rest));
  for (const std::string_view dollars : {"usd", "$", "dollars"}) {
    if (unit.ends_with(dollars)) {
      unit = std::string(trimmed(std::string_view(unit).substr(0, unit.size() - dollars.size())));
      break;
    }
  }
  const double factor = unit_factor(unit, k_plain);
  if (factor == 0.0) {
    return usage(fmt::format("{} is not an amount in USD; accepted: {}", quoted(whole), expected));
  }
  const double value = number.value * factor;
  if (number.value < 0) {
    return usage(fmt::format("{} is negative; an amount of money is expected", quoted(whole)));
  }
  if (number.too_large || !(value <= 1e15)) {
    return usage(fmt::format("{} is too large", quoted(whole)));
  }
  return value;
}

} // namespace

Result<std::int64_t> parse_count(std::string_view text, CountRange range, Thousand thousand)
{
  std::string_view rest = trimmed(text);
  Decimal number;
  const std::string_view examples =
      thousand == Thousand::binary ? "4096, 8k (8,192)" : "16, 8k (8,000), 350M, 7B, 1.5T";
  const auto garbage = [&] {
    return usage(fmt::format("{} is not a whole number; accepted: {}", quoted(text), examples));
  };
  if (!take_decimal(rest, number)) {
    return garbage();
  }
  const double factor = thousand == Thousand::binary ? unit_factor(rest, k_tokens) : unit_factor(rest, k_counts);
  if (factor == 0.0) {
    return garbage();
  }
  const auto out_of_range = [&] {
    return usage(fmt::format("{} is out of range: {}", quoted(text), range_text(range)));
  };
  std::int64_t value = 0;
  if (number.is_whole) {
    if (__builtin_mul_overflow(number.whole, static_cast<std::int64_t>(factor), &value)) {
      return out_of_range();
    }
  } else {
    const double scaled = number.value * factor;
    if (number.too_large || !(std::abs(scaled) < 9.2e18)) {
      return out_of_range();
    }
    const double rounded = std::round(scaled);
    if (std::abs(scaled - rounded) > 1e-9 * std::max(1.0, std::abs(scaled))) {
      return usage(fmt::format("{} is not a whole number", quoted(text)));
    }
    value = static_cast<std::int64_t>(rounded);
  }
  if (value < range.low || value > range.high) {
    return out_of_range();
  }
  return value;
}

Result<double> parse_real(std::string_view text, RealRange range, bool percent)
{
  std::string_view rest = trimmed(text);
  Decimal number;
  if (!take_decimal(rest, number)) {
    return usage(fmt::format("{} is not a number", quoted(text)));
  }
  double factor = 0.0;
  if (percent && trimmed(rest) == "%") {
    factor = 0.01;
  } else {
    factor = unit_factor(rest, k_plain);
  }
  if (factor == 0.0) {
    return usage(fmt::format("{} is not a number", quoted(text)));
  }
  const double value = number.value * factor;
  if (number.too_large || !(value >= range.low && value <= range.high)) {
    return usage(fmt::format("{} is out of range: from {} to {}", quoted(text), range.low, range.high));
  }
  return value;
}

Result<double> parse_vendor_gb(std::string_view text)
{
  std::string_view rest = trimmed(text);
  Decimal number;
  const double factor = take_decimal(rest, number) ? unit_factor(rest, k_sizes) : 0.0;
  if (factor == 0.0) {
    return usage(fmt::format("{} is not a memory size; accepted: 24GB, 24GiB, 512MB, 1.5TB, or 24 (GB)", quoted(text)));
  }
  const double value = number.value * factor;
  if (number.too_large || !(value > 0 && value <= 1e6)) {
    return usage(fmt::format("{} is out of range: more than 0 and at most 1000000 GB", quoted(text)));
  }
  return value;
}

Result<double> parse_usd(std::string_view text)
{
  if (text.find('/') != std::string_view::npos) {
    return usage(
        fmt::format("{} is a rate; an amount is expected: 800, 800usd, $2,000, 2k. Rates go to --budget-hourly "
                    "or --budget-monthly",
                    quoted(text)));
  }
  return take_usd(text, text, "800, 800usd, $2,000, 2k");
}

Result<double> parse_usd_per(std::string_view text, std::string_view per)
{
  const bool hourly = per == "hour";
  const std::string_view accepted = hourly ? "3.5, 3.5/h, $3.5/hour" : "500, 500/month, $500/mo";
  std::string_view amount = text;
  if (const auto slash = text.find('/'); slash != std::string_view::npos) {
    const std::string unit = ::hwadvisor::text::lower(trimmed(text.substr(slash + 1)));
    const bool known = hourly ? unit == "h" || unit == "hr" || unit == "hour" : unit == "mo" || unit == "month";
    if (!known) {
      return usage(fmt::format("{} is not an amount per {}; accepted: {}", quoted(text), per, accepted));
    }
    amount = text.substr(0, slash);
  }
  return take_usd(amount, text, accepted);
}

Result<double> parse_hours(std::string_view text)
{
  std::string_view rest = trimmed(text);
  Decimal number;
  const double factor = take_decimal(rest, number) ? unit_factor(rest, k_hours) : 0.0;
  if (factor == 0.0) {
    return usage(fmt::format("{} is not a duration; accepted: 90s, 45min, 24h, 30d, 2w", quoted(text)));
  }
  const double value = number.value * factor;
  if (number.too_large || !(value > 0 && value <= 1e6)) {
    return usage(fmt::format("{} is out of range: more than 0 and at most 1000000 hours", quoted(text)));
  }
  return value;
}

Result<bool> parse_switch(std::string_view text)
{
  const std::string word = ::hwadvisor::text::lower(trimmed(text));
  for (const std::string_view yes : {"on", "true", "yes", "1"}) {
    if (word == yes) {
      return true;
    }
  }
  for (const std::string_view no : {"off", "false", "no", "0"}) {
    if (word == no) {
      return false;
    }
  }
  return usage(fmt::format("{} is neither on nor off", quoted(text)));
}

} // namespace hwadvisor::workload
