#include "estimate/steps.hpp"

#include <fmt/format.h>

namespace hwadvisor::estimating {
namespace {

enum class Side : std::uint8_t { at_most, at_least };

class Limits {
public:
  Limits(const Request& asked, Estimate& estimate) : m_asked(asked), m_estimate(estimate) {}

  // `missing` is why there is no estimate; empty: the verdict says it already.
  void check(std::string_view key, Side side, const std::optional<double>& wanted,
             const std::optional<double>& estimated, std::string_view what, std::string_view unit,
             std::string_view missing)
  {
    if (wanted && !estimated && !missing.empty() && has_request_key(m_asked, key)) {
      warn(key, fmt::format("is not checked: {}", missing));
    }
    if (!wanted || !estimated || (side == Side::at_most ? *estimated <= *wanted : *estimated >= *wanted)) {
      return;
    }
    m_estimate.unmet.push_back({std::string(key), *wanted, *estimated,
                                fmt::format("{} of {:.4g} {}; asked: {} {:.4g}", what, *estimated, unit,
                                            side == Side::at_most ? "at most" : "at least", *wanted)});
  }

  void warn(std::string_view key, std::string_view text)
  {
    m_estimate.notes.push_back(
        {"limit.unchecked", Severity::warning, fmt::format("{} {}", flag_of(*find_request_key(key)), text)});
  }

private:
  const Request& m_asked;
  Estimate& m_estimate;
};

std::optional<double> likely(const std::optional<Interval<double>>& figure)
{
  return figure ? std::optional(figure->likely) : std::nullopt;
}

template <class Q> std::optional<double> value(const std::optional<Q>& quantity)
{
  return quantity ? std::optional(static_cast<double>(quantity->value())) : std::nullopt;
}

// Why figures of speed, of cost, or of a run are missing.
struct Missing {
  std::string speed, rent, run, purchase;
};

Missing missing_of(const Estimate& estimate)
{
  if (estimate.placement.device == nullptr) {
    const std::string why = "no hardware is named (--on)";
    return {why, why, why, why};
  }
  if (estimate.fit && estimate.fit->verdict == Verdict::no) {
    return {};
  }
  const auto or_else = [](const std::string& text, const char* fallback) { return text.empty() ? fallback : text; };
  const std::string speed = or_else(estimate.speed ? estimate.speed->missing : "", "no such figure is estimated here");
  const std::string rent = or_else(estimate.cost ? estimate.cost->bill.missing : "", "its price is not known");
  const bool training = estimate.workload.task != Task::inference;
  const std::string run = !training ? "inference has no run that ends"
                          : estimate.workload.training.train_tokens
                              ? speed
                              : "the run is not given (--train-tokens, or --dataset-rows with --epochs)";
  return {speed, rent, run, training ? run : "no price at which it is bought is known"};
}

// Wishes about offers, which recommend ranks by.
constexpr std::string_view k_of_recommend[] = {"allow_precisions", "provider", "tier",     "region",
                                               "vendor",           "only",     "objective"};

} // namespace

void check_limits(const Request& request, const Request& asked, Estimate& estimate)
{
  Limits limits(asked, estimate);
  static const Speed no_speed;
  static const Bill no_bill;
  const Speed& speed = estimate.speed ? *estimate.speed : no_speed;
  const Bill& bill = estimate.cost ? estimate.cost->bill : no_bill;
  const Missing missing = missing_of(estimate);
  limits.check("ttft_ms", Side::at_most, request.ttft_ms, likely(speed.ttft_ms), "time to first token", "ms",
               missing.speed);
  limits.check("tpot_ms", Side::at_most, request.tpot_ms, likely(speed.tpot_ms), "time per output token", "ms",
               missing.speed);
  limits.check("min_tokens_per_s", Side::at_least, request.min_tokens_per_s, likely(speed.decode_tokens_per_s),
               "decode speed", "tokens/s", missing.speed);
  limits.check("requests_per_s", Side::at_least, request.requests_per_s, likely(speed.requests_per_s), "a rate",
               "requests/s", missing.speed);
  limits.check("budget_hourly", Side::at_most, request.budget_hourly, value(bill.per_hour), "a cost", "USD/h",
               missing.rent);
  const bool hours = request.hours_per_month.has_value() || estimate.placement.device == nullptr;
  limits.check("budget_monthly", Side::at_most, request.budget_monthly, hours ? value(bill.per_month) : std::nullopt,
               "a cost", "USD/month", hours ? missing.rent : "the hours of use are not given (--hours-per-month)");
  limits.check("budget", Side::at_most, request.budget, bill.total ? value(bill.total) : value(bill.upfront), "a cost",
               "USD", missing.purchase);
  limits.check("deadline", Side::at_most, request.deadline_hours, bill.hours, "a run", "hours", missing.run);
  limits.check("max_power_w", Side::at_most, request.max_power_w, value(bill.power), "a power", "W",
               estimate.placement.device == nullptr ? missing.rent : "the power of the device is not known");
  if (estimate.placement.device == nullptr && request.spot.value_or(false)) {
    limits.warn("spot", "is not looked at: no hardware is named (--on)");
  }
  for (const std::string_view key : k_of_recommend) {
    if (has_request_key(asked, key)) {
      limits.warn(key, "is not looked at by an estimate; recommend ranks offers");
    }
  }
}

} // namespace hwadvisor::estimating
