// The one file that includes spdlog.

#include "cli/log.hpp"

#include <spdlog/logger.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/stdout_sinks.h>

#include <memory>

namespace hwadvisor::cli {
namespace {

// Made on first use: most runs say nothing.
spdlog::logger& logger()
{
  static const auto the_logger = [] {
    auto made = std::make_unique<spdlog::logger>("hwadvisor", std::make_shared<spdlog::sinks::stderr_sink_st>());
    // No time: the same input gives the same bytes.
    made->set_formatter(std::make_unique<spdlog::pattern_formatter>("%n: %v", spdlog::pattern_time_type::utc, "\n"));
    return made;
  }();
  return *the_logger;
}

bool notes_wanted = true;

} // namespace

void set_log_level(LogLevel level)
{
  notes_wanted = level == LogLevel::notes;
}

void log_note(std::string_view text)
{
  if (notes_wanted) {
    logger().info("note: {}", text);
  }
}

void log_warning(std::string_view text)
{
  if (notes_wanted) {
    logger().warn("warning: {}", text);
  }
}

void log_error(std::string_view text)
{
  logger().error("error: {}", text);
}

} // namespace hwadvisor::cli
