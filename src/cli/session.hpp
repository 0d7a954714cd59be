#pragma once

// What every command has at hand: the flags common to all, the catalog on demand, and where results go.

#include "cli/command.hpp"
#include "hwadvisor/catalog.hpp"
#include "hwadvisor/report.hpp"

#include <optional>
#include <string>
#include <vector>

namespace hwadvisor::cli {

std::vector<Flag> common_flags();                   // --catalog, --color, --quiet …
std::vector<Flag> output_flags();                   // --format, --json, --output, --explain
std::vector<Flag> request_flags(bool limits_first); // one a key of the request format, and --request

class Session {
public:
  // Reads the common flags. Error: ErrorKind::usage.
  static Result<Session> open(const Arguments& arguments);

  const Arguments& arguments() const { return m_arguments; }
  const ReportStyle& style() const { return m_style; }
  bool json() const { return m_style.format == OutputFormat::json; }
  bool strict() const { return m_arguments.has("--strict"); }

  // The catalog, loaded when first asked for.
  Result<const Catalog*> catalog();

  // The requests of --request and of the flags, which win; with neither, an empty request.
  Result<RequestFile> requests() const;

  // Writes the result to -o FILE or standard output.
  Status write(const std::string& text) const;

private:
  explicit Session(Arguments arguments) : m_arguments(std::move(arguments)) {}

  Arguments m_arguments;
  ReportStyle m_style;
  std::optional<Catalog> m_catalog;
};

// "where: what is wrong; did you mean this or that?"
std::string error_text(const Error& error);

// Says an error on standard error, as a line or as JSON; its exit code.
int report_error(const Error& error, bool as_json);

} // namespace hwadvisor::cli
