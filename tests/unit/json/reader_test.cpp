#include "catch.hpp"
#include "json/reader.hpp"

using namespace hwadvisor;

namespace {

template <class Read> std::string fault_of(const char* text, Read read)
{
  const auto value = json::parse(text, "x.json");
  REQUIRE(value.ok());
  json::ObjectReader in(*value, {"x.json", "/devices/3"});
  read(in);
  const auto fault = in.finish();
  return fault ? fault->where + " | " + fault->message : "none";
}

} // namespace

TEST_CASE("a reader checks kind and range and points at the fault", "[json]")
{
  const auto tdp = [](json::ObjectReader& in) { in.number("tdp_w", {0, 1000}); };
  CHECK(fault_of(R"({"tdp_w":350.5})", tdp) == "none");
  CHECK(fault_of(R"({"tdp_w":"350"})", tdp) == "x.json: /devices/3/tdp_w | a number was expected, not \"350\"");
  CHECK(fault_of(R"({"tdp_w":-1})", tdp) == "x.json: /devices/3/tdp_w | -1 is out of range: from 0 to 1000");
  CHECK(fault_of(R"({})", tdp) == "x.json: /devices/3/tdp_w | a number is required here");

  const auto count = [](json::ObjectReader& in) { in.integer("count", {1, 8}); };
  CHECK(fault_of(R"({"count":8})", count) == "none");
  CHECK(fault_of(R"({"count":8.0})", count) == "none");
  CHECK(fault_of(R"({"count":2.7})", count) == "x.json: /devices/3/count | a whole number was expected, not 2.7");
  CHECK(fault_of(R"({"count":18446744073709551615})", count) ==
        "x.json: /devices/3/count | 18446744073709551615 is out of range");
}

TEST_CASE("an unread key is refused with its near match", "[json]")
{
  const auto value = json::parse(R"({"contxt":1})", "r.json");
  json::ObjectReader in(*value, {"r.json", ""}, ErrorKind::usage);
  CHECK_FALSE(in.maybe_integer("context").has_value());
  const auto fault = in.finish();
  REQUIRE(fault.has_value());
  CHECK(fault->kind == ErrorKind::usage);
  CHECK(fault->where == "r.json: /contxt");
  CHECK(fault->candidates == std::vector<std::string>{"context"});
}

TEST_CASE("reading a value that is no object says so", "[json]")
{
  CHECK(fault_of("[1]", [](json::ObjectReader& in) { in.text("id"); }) ==
        "x.json: /devices/3 | an object was expected, not [1]");
}
