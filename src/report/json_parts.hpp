#pragma once

// Pieces of the result JSON that estimates and recommendations share.

#include "hwadvisor/estimate.hpp"
#include "json/json.hpp"

namespace hwadvisor::report {

using json::Json;

Json tool_json(const Catalog& catalog);
Json request_object(const Request& request);
Json model_json(const Model& model);
Json memory_json(const Footprint& footprint, std::int32_t device_count);
Json fit_json(const Fit& fit, const Placement& placement, const std::optional<std::int64_t>& max_concurrency);
Json speed_json(const Speed* speed, std::string_view why_not);
Json cost_json(const Bill* bill, std::string_view why_not);
Json notes_json(const std::vector<Note>& notes);
std::string term_key(PriceTerm term); // "on_demand", "reserved_1y" …
Json change_json(const std::optional<Change>& change);

template <class T> Json or_null(const std::optional<T>& value)
{
  return value ? Json(*value) : Json(nullptr);
}
template <class Tag, class Rep> Json or_null(const std::optional<Quantity<Tag, Rep>>& value)
{
  return value ? Json(value->value()) : Json(nullptr);
}
inline Json text_or_null(std::string_view text)
{
  return text.empty() ? Json(nullptr) : Json(std::string(text));
}

} // namespace hwadvisor::report
