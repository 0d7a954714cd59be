#include "catch.hpp"
#include "hwadvisor/units.hpp"

#include <limits>

using namespace hwadvisor;

// Different kinds of quantity must not meet.
template <class A, class B>
concept adds = requires(A a, B b)
{
  a + b;
};
static_assert(adds<Bytes, Bytes>);
static_assert(!adds<Bytes, VendorGigabytes>);
static_assert(!adds<Bytes, Tokens>);
static_assert(!adds<FlopsPerSecond, BytesPerSecond>);
static_assert(!std::is_convertible_v<double, Bytes>);

TEST_CASE("bytes saturate instead of wrapping", "[units]")
{
  const Bytes huge(std::numeric_limits<std::int64_t>::max() - 1);
  CHECK((huge + huge).is_saturated());
  CHECK((huge * 3).is_saturated());
  CHECK((huge * 1.5).is_saturated());
  CHECK(Bytes(std::numeric_limits<double>::quiet_NaN()).is_saturated());
  CHECK_FALSE((Bytes(7) * 3).is_saturated());
}

TEST_CASE("a vendor gigabyte is neither 1e9 nor usable bytes", "[units]")
{
  CHECK(gigabytes(24) == Bytes(24'000'000'000));
  CHECK(gibibytes(24) == Bytes(25'769'803'776));
  CHECK(marketed_bytes(VendorGigabytes(24)) == Bytes(25'769'803'776));
}

TEST_CASE("rounding up and ratios", "[units]")
{
  CHECK(round_up(1, 256) == 256);
  CHECK(round_up(512, 256) == 512);
  CHECK(ceil_div(7, 2) == 4);
  CHECK(Bytes(3) / Bytes(4) == 0.75);
  CHECK((UsdPerHour(2.5) * hours(4)).value() == Approx(10.0));
}
