#pragma once

// What goes to standard error: notes, warnings, errors. One line each, "hwadvisor: warning: …".

#include <string_view>

namespace hwadvisor::cli {

enum class LogLevel { notes, errors_only };

void set_log_level(LogLevel level);
void log_note(std::string_view text);
void log_warning(std::string_view text);
void log_error(std::string_view text);

} // namespace hwadvisor::cli
