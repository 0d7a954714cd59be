#pragma once

#include <string>
#include <vector>

namespace hwadvisor::cli {

// Runs the program with its arguments (without its own name); the exit code.
int run(const std::vector<std::string>& args);

} // namespace hwadvisor::cli
