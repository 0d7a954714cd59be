#pragma once

// Plain lists: a grid as a table, CSV, or a JSON array of objects with the column titles as keys.

#include "cli/session.hpp"
#include "report/document.hpp"

namespace hwadvisor::cli {

std::string write_listing(const report::Grid& grid, const ReportStyle& style);

} // namespace hwadvisor::cli
