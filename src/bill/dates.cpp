#include "hwadvisor/bill.hpp"

#include <charconv>

namespace hwadvisor {
namespace {

std::optional<int> number(std::string_view text)
{
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    return std::nullopt;
  }
  return value;
}

// Days since 1970-01-01 in the Gregorian calendar (H. Hinnant, "chrono-compatible low-level date algorithms").
int days_from_civil(int year, int month, int day)
{
  year -= month <= 2 ? 1 : 0;
  const int era = (year >= 0 ? year : year - 399) / 400;
  const int year_of_era = year - era * 400;
  const int day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  const int day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return era * 146097 + day_of_era - 719468;
}

std::optional<int> days(std::string_view date)
{
  if (date.size() != 4 && date.size() != 7 && date.size() != 10) {
    return std::nullopt;
  }
  const auto year = number(date.substr(0, 4));
  const auto month = date.size() >= 7 ? number(date.substr(5, 2)) : std::optional<int>(1);
  const auto day = date.size() == 10 ? number(date.substr(8, 2)) : std::optional<int>(1);
  if (!year || !month || !day || *month < 1 || *month > 12 || *day < 1 || *day > 31) {
    return std::nullopt;
  }
  return days_from_civil(*year, *month, *day);
}

} // namespace

std::optional<int> age_in_days(std::string_view date, std::string_view as_of)
{
  const auto then = days(date);
  const auto now = days(as_of);
  if (!then || !now) {
    return std::nullopt;
  }
  return *now - *then;
}

} // namespace hwadvisor
