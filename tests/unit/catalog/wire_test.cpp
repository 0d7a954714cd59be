#include "catch.hpp"

#include "catalog/fields.hpp"

#include <limits>

using namespace hwadvisor;
using catalog::Reader;
using catalog::Writer;

TEST_CASE("values return from the wire as they were")
{
  Writer out;
  const std::int64_t numbers[] = {
      0, 1, -1, 63, 64, -65, std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()};
  for (const std::int64_t number : numbers) {
    out.put(number);
  }
  out(std::string(""), std::string("GeForce"), 0.1, true, std::optional<double>(), std::optional<double>(2.5),
      std::vector<std::string>{"a", "bc"}, Tier::marketplace, Watts(450),
      Interval<Bytes>{Bytes(1), Bytes(2), Bytes(3)});

  Reader in(out.bytes());
  for (const std::int64_t number : numbers) {
    std::int64_t read = 7;
    in(read);
    CHECK(read == number);
  }
  std::string empty = "x";
  std::string text;
  double tenth = 0.0;
  bool truth = false;
  std::optional<double> nothing = 1.0;
  std::optional<double> something;
  std::vector<std::string> texts;
  Tier tier = Tier::specialist;
  Watts watts;
  Interval<Bytes> interval;
  in(empty, text, tenth, truth, nothing, something, texts, tier, watts, interval);
  CHECK(empty.empty());
  CHECK(text == "GeForce");
  CHECK(tenth == 0.1);
  CHECK(truth);
  CHECK_FALSE(nothing);
  CHECK(something == 2.5);
  CHECK(texts == std::vector<std::string>{"a", "bc"});
  CHECK(tier == Tier::marketplace);
  CHECK(watts == Watts(450));
  CHECK(interval == Interval<Bytes>{Bytes(1), Bytes(2), Bytes(3)});
  CHECK(in.at_end());
}

TEST_CASE("a cut record is noticed wherever it is cut")
{
  Device device;
  device.id = "acme-x1";
  device.name = "Acme X1, a name that no small string holds";
  device.memory = VendorGigabytes(48);
  device.memory_options_gb = {24, 48};
  device.cpu.emplace().isa = {"avx2", "amx"};
  device.prices.push_back({Usd(100), PriceKind::list, "2026", PriceIncludes::module, 16.0});
  Writer out;
  out.put(device);

  Device whole;
  Reader in(out.bytes());
  in.get(whole);
  CHECK(in.at_end());
  CHECK(whole.name == device.name);
  CHECK(whole.memory_options_gb == device.memory_options_gb);
  for (std::size_t size = 0; size < out.bytes().size(); ++size) {
    Device cut;
    Reader short_of(std::string_view(out.bytes()).substr(0, size));
    short_of.get(cut);
    CHECK(short_of.failed());
  }
}

TEST_CASE("a lying length is refused before memory is taken for it")
{
  const std::string huge = "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x7F"
                           "abc"; // outlives its readers
  Reader text_in(huge);
  std::string text;
  text_in.get(text);
  CHECK(text_in.failed());
  CHECK(text.empty());
  Reader list_in(huge);
  std::vector<Device> devices;
  list_in.get(devices);
  CHECK(list_in.failed());
  CHECK(devices.empty());
}
