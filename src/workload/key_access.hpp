#pragma once

// How a row of the key table reaches its member of Request: one function template a kind of value, named by what a
// person writes there.

#include "hwadvisor/request.hpp"
#include "workload/number_text.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hwadvisor::workload {

using SetKey = Status (*)(Request&, std::string_view);
using GetKey = std::optional<RequestValue> (*)(const Request&);

inline constexpr std::int64_t k_most_tokens = std::int64_t{1} << 40; // of a context, a prompt, an answer
inline constexpr std::int64_t k_most_jobs = 1'000'000'000;           // batches, sequences
inline constexpr std::int64_t k_most_devices = 1'000'000;
inline constexpr std::int64_t k_most_tokens_trained = 1'000'000'000'000'000'000;

// Words divided by commas, blanks around them dropped.
std::vector<std::string> split_words(std::string_view text);

template <auto Member, std::int64_t Low, std::int64_t High, Thousand K = Thousand::decimal>
Status set_count(Request& request, std::string_view text)
{
  HWADVISOR_TRY(value, parse_count(text, {Low, High}, K));
  request.*Member = value;
  return {};
}

template <auto Member, std::int64_t Low> Status set_tokens(Request& request, std::string_view text)
{
  return set_count<Member, Low, k_most_tokens, Thousand::binary>(request, text);
}

template <auto Member> Status set_devices(Request& request, std::string_view text)
{
  return set_count<Member, 1, k_most_devices>(request, text);
}

// A number that is at least 0, or above 0 where 0 makes no sense.
template <auto Member, bool Positive = true> Status set_real(Request& request, std::string_view text)
{
  HWADVISOR_TRY(value, parse_real(text));
  if (Positive && value == 0.0) {
    return Error{ErrorKind::usage, "0 is out of range: more than 0 is expected"};
  }
  request.*Member = value;
  return {};
}

template <auto Member> Status set_usd(Request& request, std::string_view text)
{
  HWADVISOR_TRY(value, parse_usd(text));
  request.*Member = value;
  return {};
}

template <auto Member> Status set_usd_per_hour(Request& request, std::string_view text)
{
  HWADVISOR_TRY(value, parse_usd_per(text, "hour"));
  request.*Member = value;
  return {};
}

template <auto Member> Status set_usd_per_month(Request& request, std::string_view text)
{
  HWADVISOR_TRY(value, parse_usd_per(text, "month"));
  request.*Member = value;
  return {};
}

template <auto Member> Status set_switch(Request& request, std::string_view text)
{
  HWADVISOR_TRY(value, parse_switch(text));
  request.*Member = value;
  return {};
}

template <auto Member> Status set_text(Request& request, std::string_view text)
{
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    return Error{ErrorKind::usage, "a value is expected, not an empty text"};
  }
  request.*Member = std::string(text);
  return {};
}

template <auto Member> Status set_list(Request& request, std::string_view text)
{
  auto words = split_words(text);
  if (words.empty()) {
    return Error{ErrorKind::usage, "a value is expected, not an empty text"};
  }
  request.*Member = std::move(words);
  return {};
}

template <auto Member> std::optional<RequestValue> get_value(const Request& request)
{
  const auto& member = request.*Member;
  return member ? std::optional<RequestValue>(*member) : std::nullopt;
}

template <auto Member> std::optional<RequestValue> get_list(const Request& request)
{
  const auto& member = request.*Member;
  return member.empty() ? std::nullopt : std::optional<RequestValue>(member);
}

} // namespace hwadvisor::workload
