#pragma once

// Quantities that must not meet by accident: bytes and vendor gigabytes, FLOP/s and bytes/s, tokens and dollars.
// A quantity adds to and compares with its own kind only; mixing kinds does not compile.
//
// Integer quantities (Bytes, Tokens) saturate instead of wrapping: a size no machine can hold stays "the largest
// representable value" through every sum and product, and is_saturated() tells that it happened.

#include <cmath>
#include <compare>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace hwadvisor {

// Integer arithmetic that stops at the limits of int64 instead of overflowing.
constexpr std::int64_t saturating_add(std::int64_t a, std::int64_t b)
{
  std::int64_t sum = 0;
  if (!__builtin_add_overflow(a, b, &sum)) {
    return sum;
  }
  return a > 0 ? std::numeric_limits<std::int64_t>::max() : std::numeric_limits<std::int64_t>::min();
}

constexpr std::int64_t saturating_mul(std::int64_t a, std::int64_t b)
{
  std::int64_t product = 0;
  if (!__builtin_mul_overflow(a, b, &product)) {
    return product;
  }
  return (a < 0) == (b < 0) ? std::numeric_limits<std::int64_t>::max() : std::numeric_limits<std::int64_t>::min();
}

constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b)
{
  return a / b + (a % b != 0 ? 1 : 0);
}

// `value` rounded up to a multiple of `step`.
constexpr std::int64_t round_up(std::int64_t value, std::int64_t step)
{
  return saturating_mul(ceil_div(value, step), step);
}

template <class Tag, class Rep> class Quantity {
public:
  using rep = Rep;

  constexpr Quantity() = default;
  template <class T>
  requires std::is_arithmetic_v<T>
  explicit constexpr Quantity(T value) : m_value(convert(value)) {}

  constexpr Rep value() const { return m_value; }
  constexpr bool is_saturated() const requires std::is_integral_v<Rep>
  {
    return m_value == std::numeric_limits<Rep>::max();
  }

  friend constexpr auto operator<=>(Quantity, Quantity) = default;
  friend constexpr Quantity operator+(Quantity a, Quantity b)
  {
    if constexpr (std::is_integral_v<Rep>) {
      return Quantity(saturating_add(a.m_value, b.m_value));
    } else {
      return Quantity(a.m_value + b.m_value);
    }
  }
  friend constexpr Quantity operator-(Quantity a, Quantity b)
  {
    if constexpr (std::is_integral_v<Rep>) {
      return Quantity(saturating_add(a.m_value, -b.m_value));
    } else {
      return Quantity(a.m_value - b.m_value);
    }
  }
  template <class T>
  requires std::is_arithmetic_v<T>
  friend constexpr Quantity operator*(Quantity a, T factor)
  {
    if constexpr (std::is_integral_v<Rep> && std::is_integral_v<T>) {
      return Quantity(saturating_mul(a.m_value, static_cast<Rep>(factor)));
    } else {
      return Quantity(static_cast<double>(a.m_value) * static_cast<double>(factor));
    }
  }
  template <class T>
  requires std::is_arithmetic_v<T>
  friend constexpr Quantity operator*(T factor, Quantity a) { return a * factor; }
  // The ratio of two quantities of one kind is a plain number.
  friend constexpr double operator/(Quantity a, Quantity b)
  {
    return static_cast<double>(a.m_value) / static_cast<double>(b.m_value);
  }
  constexpr Quantity& operator+=(Quantity other) { return *this = *this + other; }
  constexpr Quantity& operator-=(Quantity other) { return *this = *this - other; }

private:
  template <class T> static constexpr Rep convert(T value)
  {
    if constexpr (std::is_integral_v<Rep> && std::is_floating_point_v<T>) {
      constexpr auto limit = 9.2e18;
      if (!(value < limit)) { // also NaN
        return std::numeric_limits<Rep>::max();
      }
      if (value < -limit) {
        return std::numeric_limits<Rep>::min();
      }
      return static_cast<Rep>(value < 0 ? value - 0.5 : value + 0.5);
    } else {
      return static_cast<Rep>(value);
    }
  }

  Rep m_value{};
};

using Bytes = Quantity<struct BytesTag, std::int64_t>;
using Tokens = Quantity<struct TokensTag, std::int64_t>;
using VendorGigabytes = Quantity<struct VendorGigabytesTag, double>; // the "24 GB" on the box: neither 24e9 nor usable
using FlopsPerSecond = Quantity<struct FlopsPerSecondTag, double>;
using BytesPerSecond = Quantity<struct BytesPerSecondTag, double>;
using Seconds = Quantity<struct SecondsTag, double>;
using Usd = Quantity<struct UsdTag, double>;
using UsdPerHour = Quantity<struct UsdPerHourTag, double>;
using Watts = Quantity<struct WattsTag, double>;

constexpr Bytes kibibytes(double n)
{
  return Bytes(n * 1024.0);
}
constexpr Bytes mebibytes(double n)
{
  return Bytes(n * 1048576.0);
}
constexpr Bytes gibibytes(double n)
{
  return Bytes(n * 1073741824.0);
}
constexpr Bytes gigabytes(double n)
{
  return Bytes(n * 1e9);
}
constexpr double in_gibibytes(Bytes b)
{
  return static_cast<double>(b.value()) / 1073741824.0;
}
constexpr double in_gigabytes(Bytes b)
{
  return static_cast<double>(b.value()) / 1e9;
}
// What a box that says "24 GB" holds before the driver takes its part: memory chips are made in GiB.
constexpr Bytes marketed_bytes(VendorGigabytes gb)
{
  return gibibytes(gb.value());
}
constexpr UsdPerHour operator/(Usd cost, Seconds time)
{
  return UsdPerHour(cost.value() / (time.value() / 3600.0));
}
constexpr Usd operator*(UsdPerHour rate, Seconds time)
{
  return Usd(rate.value() * time.value() / 3600.0);
}
constexpr Seconds hours(double n)
{
  return Seconds(n * 3600.0);
}

// A value that is not exact: 80 % of measured values are expected between low and high. Exact: low = likely = high.
template <class T> struct Interval {
  T low{};
  T likely{};
  T high{};

  static constexpr Interval exactly(T value) { return {value, value, value}; }
  friend constexpr Interval operator+(const Interval& a, const Interval& b)
  {
    return {a.low + b.low, a.likely + b.likely, a.high + b.high};
  }
  friend constexpr bool operator==(const Interval&, const Interval&) = default;
};

} // namespace hwadvisor
