#pragma once

// The commands of the program. Each runs with its own arguments and returns the exit code, or the error to report.

#include "cli/session.hpp"

#include <span>

namespace hwadvisor::cli {

Result<int> run_estimate(Session& session);
Result<int> run_recommend(Session& session);
Result<int> run_catalog(Session& session);
Result<int> run_scenarios(Session& session);
Result<int> run_validate(Session& session);
Result<int> run_schema(Session& session);
Result<int> run_completion(Session& session);

struct Entry {
  Command command;
  Result<int> (*run)(Session& session);
};

std::span<const Entry> commands();
const Entry* find_command(std::string_view name);

std::string program_help();
std::string command_help(const Command& command);

} // namespace hwadvisor::cli
