#pragma once

#include "hwadvisor/report.hpp"
#include "report/document.hpp"

namespace hwadvisor::report {

// `notes`: whether the document ends with them; on a terminal they go to standard error instead.
struct Parts {
  bool explain = false;
  bool notes = false;
};

Document estimate_document(const Estimate& estimate, Parts parts);
Grid estimate_grid(const Estimate& estimate); // for CSV: a row a component, in bytes

Document recommendation_document(const Recommendation& recommendation, Parts parts);
Grid recommendation_grid(const Recommendation& recommendation); // for CSV: a row an answer

std::string estimate_json(const Estimate& estimate, const Catalog& catalog);
std::string recommendation_json(const Recommendation& recommendation, const Request& request, const Catalog& catalog);

} // namespace hwadvisor::report
