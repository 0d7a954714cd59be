#include "cli/session.hpp"

#include "cli/log.hpp"
#include "text/file.hpp"
#include "text/quote.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <sys/ioctl.h>
#include <unistd.h>

namespace hwadvisor::cli {
namespace {

constexpr std::pair<std::string_view, OutputFormat> k_formats[] = {{"table", OutputFormat::table},
                                                                   {"json", OutputFormat::json},
                                                                   {"markdown", OutputFormat::markdown},
                                                                   {"csv", OutputFormat::csv},
                                                                   {"html", OutputFormat::html}};
constexpr int k_width = 100;

Error usage(std::string message, std::string where)
{
  return Error{ErrorKind::usage, std::move(message), std::move(where)};
}

Result<OutputFormat> read_format(const Arguments& arguments)
{
  const bool json = arguments.has("--json");
  if (!arguments.has("--format")) {
    return json ? OutputFormat::json : OutputFormat::table;
  }
  const std::string word = arguments.value("--format");
  for (const auto& [name, format] : k_formats) {
    if (word == name) {
      if (json && format != OutputFormat::json) {
        return usage(fmt::format("--json contradicts --format {}", word), "--format");
      }
      return format;
    }
  }
  return usage(fmt::format("{} is not one of table, json, markdown, csv, html", text::quoted(word)), "--format");
}

Result<bool> read_colour(const Arguments& arguments)
{
  const std::string when = arguments.value("--color", "auto");
  if (when == "always") {
    return true;
  }
  if (when == "never") {
    return false;
  }
  if (when != "auto") {
    return usage(fmt::format("{} is not one of auto, always, never", text::quoted(when)), "--color");
  }
  const char* const no_color = std::getenv("NO_COLOR"); // https://no-color.org: present and not empty
  const char* const terminal = std::getenv("TERM");
  const bool dumb = terminal != nullptr && std::strcmp(terminal, "dumb") == 0;
  return !arguments.has("--output") && isatty(STDOUT_FILENO) != 0 && !dumb &&
         (no_color == nullptr || *no_color == '\0');
}

// 100 columns, fewer on a narrower terminal.
int read_width(const Arguments& arguments)
{
  winsize size{};
  if (arguments.has("--output") || isatty(STDOUT_FILENO) == 0 || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 ||
      size.ws_col == 0) {
    return k_width;
  }
  return std::clamp<int>(size.ws_col, 60, k_width);
}

// The keys that the flags set, on top of what a file said.
Status apply_flags(const Arguments& arguments, Request& request)
{
  if (!arguments.words.empty()) {
    if (arguments.has("--model")) {
      return usage("the model is named twice", "--model");
    }
    request.model = ModelChoice{};
    request.model.name = arguments.words.front();
  }
  for (const RequestKey& key : request_keys()) {
    const std::string flag = flag_of(key);
    if (!arguments.has(flag)) {
      continue;
    }
    const std::vector<std::string> values = arguments.values(flag);
    if (key.name == "hardware" && values.size() > 1) {
      request.hardware = values;
      continue;
    }
    std::string text;
    for (const std::string& value : values) {
      text += (text.empty() ? "" : ",") + value;
    }
    if (key.name == "params" && arguments.words.empty() && !arguments.has("--model")) {
      request.model = ModelChoice{}; // takes the place of a model that a file names
    }
    HWADVISOR_TRY_STATUS(set_request_key(request, key.name, text));
  }
  return {};
}

} // namespace

Result<Session> Session::open(const Arguments& arguments)
{
  Session session(arguments);
  HWADVISOR_TRY(format, read_format(arguments));
  HWADVISOR_TRY(colour, read_colour(arguments));
  session.m_style.format = format;
  session.m_style.colour = colour;
  session.m_style.explain = arguments.has("--explain");
  session.m_style.width = read_width(arguments);
  if (arguments.has("--quiet")) {
    set_log_level(LogLevel::errors_only);
  }
  if (arguments.has("--output") && arguments.value("--output").empty()) {
    return usage("a file name is expected, not an empty text", "--output");
  }
  if (const std::string lang = arguments.value("--lang", "en"); lang != "en") {
    return usage(fmt::format("only 'en' is supported yet, not {}", text::quoted(lang)), "--lang");
  }
  return session;
}

Result<const Catalog*> Session::catalog()
{
  if (!m_catalog) {
    HWADVISOR_TRY(loaded, Catalog::load(m_arguments.values("--catalog")));
    m_catalog.emplace(std::move(loaded));
    for (const std::string& warning : m_catalog->warnings()) {
      log_warning(warning);
    }
  }
  return static_cast<const Catalog*>(&*m_catalog);
}

Result<RequestFile> Session::requests() const
{
  RequestFile file;
  if (m_arguments.has("--request")) {
    const std::string path = m_arguments.value("--request");
    constexpr std::size_t largest = std::size_t{64} << 20;
    HWADVISOR_TRY(text, text::read_file(path, largest));
    HWADVISOR_TRY(parsed, parse_request_file(text, path == "-" ? "standard input" : path));
    file = std::move(parsed);
  } else {
    file.requests.push_back({Request{}, std::nullopt});
  }
  for (ParsedRequest& each : file.requests) {
    if (each.request) {
      HWADVISOR_TRY_STATUS(apply_flags(m_arguments, *each.request));
    }
  }
  return file;
}

Status Session::write(const std::string& text) const
{
  if (m_arguments.has("--output") && m_arguments.value("--output") != "-") {
    return text::write_file(m_arguments.value("--output"), text);
  }
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (std::fflush(stdout) != 0 || !written) {
    return Error{ErrorKind::io, fmt::format("cannot write the result: {}", std::strerror(errno)), "standard output"};
  }
  return {};
}

std::string error_text(const Error& error)
{
  std::string line = error.where.empty() ? error.message : error.where + ": " + error.message;
  for (std::size_t i = 0; i < error.candidates.size(); ++i) {
    line += i == 0 ? "; did you mean " : i + 1 == error.candidates.size() ? " or " : ", ";
    line += error.candidates[i];
  }
  return error.candidates.empty() ? line : line + "?";
}

int report_error(const Error& error, bool as_json)
{
  if (as_json) {
    const std::string line = write_error_json(error) + "\n";
    std::fwrite(line.data(), 1, line.size(), stderr);
  } else {
    log_error(error_text(error));
  }
  return exit_code(error.kind);
}

} // namespace hwadvisor::cli
