#pragma once

// Whole files as text, with a size cap. The path "-" is standard input.

#include "hwadvisor/result.hpp"

#include <cstddef>
#include <string>

namespace hwadvisor::text {

Result<std::string> read_file(const std::string& path, std::size_t largest = std::size_t{256} << 20);
Status write_file(const std::string& path, const std::string& content);

} // namespace hwadvisor::text
