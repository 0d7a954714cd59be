#pragma once

// Results as text. Writers compute nothing; every number they show was computed below.

#include "hwadvisor/advice.hpp"
#include "hwadvisor/estimate.hpp"
#include "hwadvisor/validation.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hwadvisor {

enum class OutputFormat : std::uint8_t { table, json, markdown, csv, html };

struct ReportStyle {
  OutputFormat format = OutputFormat::table;
  bool colour = false;
  bool explain = false; // the long form: formulas, every component, the rest of the list
  int width = 100;
};

std::string write_estimate(const Estimate& estimate, const Catalog& catalog, const ReportStyle& style);
// `request` is the one that was asked.
std::string write_recommendation(const Recommendation& recommendation, const Request& request, const Catalog& catalog,
                                 const ReportStyle& style);
// Errors by metric and tag; below them the `worst` cases of each metric, by error.
std::string write_validation(const std::vector<Comparison>& rows, const std::vector<ErrorSummary>& summary,
                             std::size_t worst, const ReportStyle& style);
std::string write_error_json(const Error& error); // {"error": {code, kind, message, where, candidates}}

// An array of JSON results in the order of a batch (each as written above), one a line group.
std::string write_batch_json(const std::vector<std::string>& results);

// The JSON Schemas that describe results, requests and errors ("estimate", "recommend", "request", "error").
std::vector<std::string_view> schema_names();
std::optional<std::string_view> schema_text(std::string_view name);

} // namespace hwadvisor
