#pragma once

// Results as text. Writers compute nothing; every number they show was computed below.

#include "hwadvisor/advice.hpp"
#include "hwadvisor/footprint.hpp"
#include "hwadvisor/speed.hpp"

#include <optional>
#include <string>

namespace hwadvisor {

enum class OutputFormat : std::uint8_t { table, json, markdown, csv, html };

struct ReportStyle {
  OutputFormat format = OutputFormat::table;
  bool colour = false;
  bool explain = false; // the long form: formulas, every component, the rest of the list
  int width = 100;
};

// The answer of `hwadvisor estimate`.
struct Estimate {
  Request request;
  Workload workload;
  Placement placement;
  Footprint footprint;
  std::optional<Fit> fit;     // with hardware
  std::optional<Speed> speed; // with hardware that it fits
  std::optional<Bill> bill;
  std::vector<Note> notes;
};

Result<Estimate> estimate(const Request& request, const Catalog& catalog, Detail detail);

std::string write_estimate(const Estimate& estimate, const Catalog& catalog, const ReportStyle& style);
std::string write_recommendation(const Recommendation& recommendation, const Request& request, const Workload& workload,
                                 const Catalog& catalog, const ReportStyle& style);
std::string write_error_json(const Error& error);

} // namespace hwadvisor
