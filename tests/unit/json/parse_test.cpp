#include "catch.hpp"
#include "json/json.hpp"

#include <string>

using namespace hwadvisor;

namespace {

std::string fault(std::string_view text)
{
  const auto result = json::parse(text, "x.json");
  return result.ok() ? "accepted" : result.error().where + " | " + result.error().message;
}

} // namespace

TEST_CASE("valid JSON keeps the order of its keys", "[json]")
{
  const auto result = json::parse(R"({"b":1,"a":[true,null,"é",-2,3.5]})", "x.json");
  REQUIRE(result.ok());
  CHECK(json::dump(*result) == R"({"b":1,"a":[true,null,"é",-2,3.5]})");
}

TEST_CASE("each surprise of the parser is refused with file and pointer", "[json]")
{
  CHECK(fault("") == "x.json | empty: a JSON value was expected");
  CHECK(fault(R"({"a":{"b":1,"b":2}})") == "x.json: /a/b | the key occurs twice in one object");
  CHECK(fault(R"({"a":[1,99999999999999999999]})") ==
        "x.json: /a/1 | the integer 99999999999999999999 does not fit 64 bits");
  CHECK(fault(std::string(100000, '[')) == "x.json: " + [] {
    std::string pointer;
    for (int i = 0; i < 64; ++i) {
      pointer += "/0";
    }
    return pointer;
  }() + " | nested deeper than 64 levels");
  CHECK(fault(R"({"a":NaN})").starts_with("x.json: /a | not valid JSON at byte 6"));
  CHECK(fault("{\"a\":\"\xff\"}").starts_with("x.json: /a | not valid JSON at byte"));
  CHECK(fault(R"({"a":1} x)").starts_with("x.json | not valid JSON at byte 9"));
}

TEST_CASE("bare NaN and Infinity become null where they are allowed, but not inside strings", "[json]")
{
  json::ParseLimits limits;
  limits.allow_non_finite = true;
  const auto result = json::parse(R"({"a":Infinity,"b":-Infinity,"c":NaN,"d":"NaN \" Infinity"})", "x.json", limits);
  REQUIRE(result.ok());
  CHECK(json::dump(*result) == R"({"a":null,"b":null,"c":null,"d":"NaN \" Infinity"})");
}

TEST_CASE("a missing file is an io error that names it", "[json]")
{
  const auto result = json::parse_file("/nonexistent/x.json");
  REQUIRE_FALSE(result.ok());
  CHECK(result.error().kind == ErrorKind::io);
  CHECK(result.error().where == "/nonexistent/x.json");
  CHECK(result.error().message == "cannot read the file: No such file or directory");
}
