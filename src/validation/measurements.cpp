#include "hwadvisor/validation.hpp"

#include "text/quote.hpp"
#include "workload/request_object.hpp"
#include "json/reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace hwadvisor {
namespace {

using json::Json;
using json::ObjectReader;

std::vector<std::pair<std::string, double>> read_measured(ObjectReader& in)
{
  std::vector<std::pair<std::string, double>> out;
  for (const std::string& key : in.keys()) {
    const Json* value = in.member(key);
    if (value == nullptr) {
      continue; // null: was not measured
    }
    out.emplace_back(key, value->is_boolean() ? (value->get<bool>() ? 1.0 : 0.0) : in.number(key, {0.0}));
  }
  return out;
}

MeasuredCase read_case(ObjectReader& in)
{
  MeasuredCase out;
  out.id = in.text("id");
  out.source = in.maybe_text("source").value_or("");
  out.tags = in.texts("tags");
  in.ignore("note");
  const Json* request = in.member("request");
  if (request == nullptr) {
    in.fail("request", "missing");
  } else {
    out.request = workload::read_request(*request, in.place().child("request"));
  }
  if (!in.object("measured", [&](ObjectReader& measured) { out.measured = read_measured(measured); })) {
    in.fail("measured", "missing");
  }
  return out;
}

} // namespace

Result<std::vector<MeasuredCase>> parse_measurements(std::string_view json_text, std::string_view file)
{
  HWADVISOR_TRY(document, json::parse(json_text, file));
  ObjectReader in(document, {std::string(file), ""});
  in.ignore("$schema");
  std::vector<MeasuredCase> out;
  std::set<std::string> seen;
  if (!in.has("cases")) {
    in.fail("cases", "missing");
  }
  in.objects("cases", [&](ObjectReader& each) {
    out.push_back(read_case(each));
    if (!seen.insert(out.back().id).second) {
      each.fail("id", fmt::format("{} is the id of an earlier case", text::quoted(out.back().id)));
    }
  });
  if (auto fault = in.finish()) {
    return std::move(*fault);
  }
  return out;
}

} // namespace hwadvisor
