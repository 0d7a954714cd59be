#include "report/format.hpp"
#include "report/wording.hpp"

#include "catch.hpp"

using namespace hwadvisor;
using namespace hwadvisor::report;

TEST_CASE("figures as people read them", "[report]")
{
  CHECK(grouped(131072) == "131,072");
  CHECK(gib(gibibytes(13.037)) == "13.04");
  CHECK(gib(gibibytes(0.0742)) == "0.074");
  CHECK(size_of_file(Bytes(14'000'000'000)) == "14.00 GB");
  CHECK(share(Bytes(46), Bytes(100)) == "46 %");
  CHECK(share(Bytes(1), Bytes(1000)) == "<1 %");
  CHECK(usd(3.674) == "$3.67");
  CHECK(usd(1234.4) == "$1,234");
  CHECK(count_of(1, "device") == "1 device");
  CHECK(count_of(8, "device") == "8 devices");
  CHECK(parameters(8'030'261'248) == "8.03 billion");
  CHECK(columns("M\xc3\xbcnchen") == 7);
}

TEST_CASE("a rate says its kind, its day and its age, or why there is none", "[report]")
{
  Bill bill;
  bill.missing = "no dated rent of just this hardware is known";
  CHECK(rate_text(bill) == "unknown: no dated rent of just this hardware is known");
  bill.per_hour = UsdPerHour(1.5);
  bill.price_date = "2026-06-12";
  CHECK(rate_text(bill) == "$1.50/h (on-demand, 2026-06-12)");
  bill.price_age_days = 3;
  CHECK(rate_text(bill) == "$1.50/h (on-demand, 2026-06-12, 3 days old)");
  bill.price_age_days = -40;
  CHECK(rate_text(bill) == "$1.50/h (on-demand, 2026-06-12, 40 days after the day asked for)");
}

TEST_CASE("the rule of thumb says what it is and how far off", "[report]")
{
  Footprint footprint;
  footprint.rule_of_thumb = gigabytes(16);
  footprint.rule_of_thumb_text = "16 bytes a parameter";
  footprint.components = {{"weights", Interval<Bytes>::exactly(gigabytes(4))},
                          {"optimizer_states", Interval<Bytes>::exactly(gigabytes(12))},
                          {"activations", Interval<Bytes>::exactly(gigabytes(4))}};
  footprint.per_device = Interval<Bytes>::exactly(gigabytes(20));
  // The optimizer's states are larger, but the rule counts them.
  CHECK(rule_of_thumb_text(footprint, 1) ==
        "16.00 GB (14.90 GiB) by 16 bytes a parameter: 20 % too low here; it does not "
        "see activations (3.73 GiB)");
}
