#include "workload/number_text.hpp"

#include "catch.hpp"

using namespace hwadvisor;
using namespace hwadvisor::workload;

namespace {

std::int64_t count(const char* text, Thousand thousand = Thousand::decimal)
{
  const auto result = parse_count(text, {}, thousand);
  INFO(text);
  REQUIRE(result.ok());
  return *result;
}

template <class T> std::string complaint(const Result<T>& result)
{
  REQUIRE(!result.ok());
  CHECK(result.error().kind == ErrorKind::usage);
  return result.error().message;
}

} // namespace

TEST_CASE("counts as people write them", "[workload]")
{
  CHECK(count("0") == 0);
  CHECK(count("4096") == 4096);
  CHECK(count(" 16 ") == 16);
  CHECK(count("7B") == 7'000'000'000);
  CHECK(count("7b") == 7'000'000'000);
  CHECK(count("350M") == 350'000'000);
  CHECK(count("1.5T") == 1'500'000'000'000);
  CHECK(count("0.6B") == 600'000'000);
  CHECK(count("1.1 B") == 1'100'000'000);
  CHECK(count("8k") == 8000);
  CHECK(count("7e9") == 7'000'000'000);
  CHECK(count("9223372036854775807") == 9223372036854775807);
}

TEST_CASE("8k tokens of a context are 8,192", "[workload]")
{
  CHECK(count("8k", Thousand::binary) == 8192);
  CHECK(count("128K", Thousand::binary) == 131072);
  CHECK(count("1M", Thousand::binary) == 1048576);
  CHECK(count("4096", Thousand::binary) == 4096);
  CHECK(complaint(parse_count("7B", {}, Thousand::binary)) == "'7B' is not a whole number; accepted: 4096, 8k (8,192)");
}

TEST_CASE("what is no count says so", "[workload]")
{
  const std::string accepted = " is not a whole number; accepted: 16, 8k (8,000), 350M, 7B, 1.5T";
  for (const char* text :
       {"", "abc", "7Q", "7B8", "--7", "0x10", "nan", "inf", "-inf", "1,000", "1_000", "7 B B", "+7", ".", "5e"}) {
    INFO(text);
    CHECK(complaint(parse_count(text)) == "'" + std::string(text) + "'" + accepted);
  }
  CHECK(complaint(parse_count("1.5")) == "'1.5' is not a whole number");
  CHECK(complaint(parse_count("-7B")) == "'-7B' is out of range: at least 0");
  CHECK(complaint(parse_count("0", {1, 64})) == "'0' is out of range: from 1 to 64");
  CHECK(complaint(parse_count("65", {1, 64})) == "'65' is out of range: from 1 to 64");
  for (const char* text : {"9223372036854775808", "99999999999T", "1e300", "1e999", "9223372036854775807k"}) {
    INFO(text);
    CHECK(complaint(parse_count(text)) == "'" + std::string(text) + "' is out of range: at least 0");
  }
  CHECK(complaint(parse_count("a\nb")) == "'a?b'" + accepted);
}

TEST_CASE("numbers", "[workload]")
{
  CHECK(*parse_real("0.5") == 0.5);
  CHECK(*parse_real("2e3") == 2000.0);
  CHECK(*parse_real("1.5k") == 1500.0);
  CHECK(*parse_real("90%", {0, 1}, true) == Approx(0.9));
  CHECK(complaint(parse_real("90%")) == "'90%' is not a number");
  CHECK(complaint(parse_real("1.5", {0.01, 1.0})) == "'1.5' is out of range: from 0.01 to 1");
  CHECK(complaint(parse_real("nan")) == "'nan' is not a number");
  CHECK(complaint(parse_real("-1")) == "'-1' is out of range: from 0 to 1e+18");
}

TEST_CASE("memory sizes in vendor gigabytes", "[workload]")
{
  CHECK(*parse_vendor_gb("24") == 24.0);
  CHECK(*parse_vendor_gb("24GB") == 24.0);
  CHECK(*parse_vendor_gb("24 gib") == 24.0); // the box says GB and means GiB of chips
  CHECK(*parse_vendor_gb("512MiB") == 0.5);
  CHECK(*parse_vendor_gb("1.5TB") == 1500.0);
  CHECK(complaint(parse_vendor_gb("24 cats")) ==
        "'24 cats' is not a memory size; accepted: 24GB, 24GiB, 512MB, 1.5TB, or 24 (GB)");
  CHECK(complaint(parse_vendor_gb("0")) == "'0' is out of range: more than 0 and at most 1000000 GB");
  CHECK(complaint(parse_vendor_gb("-24GB")) == "'-24GB' is out of range: more than 0 and at most 1000000 GB");
}

TEST_CASE("money", "[workload]")
{
  CHECK(*parse_usd("2000") == 2000.0);
  CHECK(*parse_usd("2000usd") == 2000.0);
  CHECK(*parse_usd("2000 USD") == 2000.0);
  CHECK(*parse_usd("$2,000") == 2000.0);
  CHECK(*parse_usd("1,234,567.50") == 1234567.5);
  CHECK(*parse_usd("2k") == 2000.0);
  CHECK(*parse_usd("2k usd") == 2000.0);
  CHECK(complaint(parse_usd("2000eur")) == "'2000eur' is not an amount in USD; accepted: 800, 800usd, $2,000, 2k");
  CHECK(complaint(parse_usd("1,00")) == "'1,00' is not an amount in USD; accepted: 800, 800usd, $2,000, 2k");
  CHECK(complaint(parse_usd("-5")) == "'-5' is negative; an amount of money is expected");
  CHECK(complaint(parse_usd("1e99")) == "'1e99' is too large");
  CHECK(complaint(parse_usd("3.5/h")) ==
        "'3.5/h' is a rate; an amount is expected: 800, 800usd, $2,000, 2k. Rates go to "
        "--budget-hourly or --budget-monthly");
}

TEST_CASE("money a time", "[workload]")
{
  CHECK(*parse_usd_per("3.5", "hour") == 3.5);
  CHECK(*parse_usd_per("3.5/h", "hour") == 3.5);
  CHECK(*parse_usd_per("$3.5/hr", "hour") == 3.5);
  CHECK(*parse_usd_per("3.5usd/hour", "hour") == 3.5);
  CHECK(*parse_usd_per("500/month", "month") == 500.0);
  CHECK(complaint(parse_usd_per("500/month", "hour")) ==
        "'500/month' is not an amount per hour; accepted: 3.5, 3.5/h, $3.5/hour");
  CHECK(complaint(parse_usd_per("much", "month")) ==
        "'much' is not an amount of money; accepted: 500, 500/month, $500/mo");
}

TEST_CASE("durations", "[workload]")
{
  CHECK(*parse_hours("24h") == 24.0);
  CHECK(*parse_hours("30d") == 720.0);
  CHECK(*parse_hours("45min") == 0.75);
  CHECK(*parse_hours("2 weeks") == 336.0);
  CHECK(complaint(parse_hours("24")) == "'24' is not a duration; accepted: 90s, 45min, 24h, 30d, 2w");
  CHECK(complaint(parse_hours("0h")) == "'0h' is out of range: more than 0 and at most 1000000 hours");
}

TEST_CASE("switches", "[workload]")
{
  CHECK(*parse_switch("on"));
  CHECK(*parse_switch("TRUE"));
  CHECK(!*parse_switch("off"));
  CHECK(!*parse_switch("0"));
  CHECK(complaint(parse_switch("maybe")) == "'maybe' is neither on nor off");
}
