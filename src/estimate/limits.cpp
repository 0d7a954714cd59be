#include "estimate/steps.hpp"

#include <fmt/format.h>

namespace hwadvisor::estimating {
namespace {

enum class Side : std::uint8_t { at_most, at_least };

class Limits {
public:
  // An estimate that is not there cannot be held against the limit; the caller says why it is missing.
  void check(std::string_view key, Side side, const std::optional<double>& asked,
             const std::optional<double>& estimated, std::string_view what, std::string_view unit)
  {
    if (!asked || !estimated) {
      return;
    }
    if (side == Side::at_most ? *estimated <= *asked : *estimated >= *asked) {
      return;
    }
    m_unmet.push_back({std::string(key), *asked, *estimated,
                       fmt::format("{} of {:.4g} {}; asked: {} {:.4g}", what, *estimated, unit,
                                   side == Side::at_most ? "at most" : "at least", *asked)});
  }

  std::vector<UnmetLimit> take() { return std::move(m_unmet); }

private:
  std::vector<UnmetLimit> m_unmet;
};

std::optional<double> likely(const std::optional<Interval<double>>& figure)
{
  return figure ? std::optional(figure->likely) : std::nullopt;
}

template <class Q> std::optional<double> value(const std::optional<Q>& quantity)
{
  return quantity ? std::optional(static_cast<double>(quantity->value())) : std::nullopt;
}

} // namespace

std::vector<UnmetLimit> unmet_limits(const Request& request, const Estimate& estimate)
{
  Limits limits;
  if (estimate.speed) {
    const Speed& speed = *estimate.speed;
    limits.check("ttft_ms", Side::at_most, request.ttft_ms, likely(speed.ttft_ms), "time to first token", "ms");
    limits.check("tpot_ms", Side::at_most, request.tpot_ms, likely(speed.tpot_ms), "time per output token", "ms");
    limits.check("min_tokens_per_s", Side::at_least, request.min_tokens_per_s, likely(speed.decode_tokens_per_s),
                 "decode speed", "tokens/s");
    limits.check("requests_per_s", Side::at_least, request.requests_per_s, likely(speed.requests_per_s), "a rate",
                 "requests/s");
  }
  if (estimate.cost) {
    const Bill& bill = estimate.cost->bill;
    limits.check("budget_hourly", Side::at_most, request.budget_hourly, value(bill.per_hour), "a cost", "USD/h");
    limits.check("budget_monthly", Side::at_most, request.budget_monthly, value(bill.per_month), "a cost", "USD/month");
    limits.check("budget", Side::at_most, request.budget, bill.total ? value(bill.total) : value(bill.upfront),
                 "a cost", "USD");
    limits.check("deadline", Side::at_most, request.deadline_hours, bill.hours, "a run", "hours");
    limits.check("max_power_w", Side::at_most, request.max_power_w, value(bill.power), "a power", "W");
  }
  return limits.take();
}

} // namespace hwadvisor::estimating
