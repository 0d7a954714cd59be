#pragma once

// A command of the program: its flags, its help, and what runs it. Commands are described once; parsing (CLI11), help
// pages and shell completion all read the description.

#include "hwadvisor/result.hpp"

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hwadvisor::cli {

struct Flag {
  std::string name;            // "--context"
  std::string short_name = {}; // "-o"; empty: none
  std::string value = {};      // "FILE"; empty: a switch
  std::string help = {};
  std::string group = {}; // heading on the help page
  bool repeatable = false;
  bool hidden = false;    // accepted, not on the help page
  std::string words = {}; // "auto|always|never", for completion
};

struct Command {
  std::string_view name;    // "estimate"
  std::string_view summary; // one line
  std::string_view usage;   // "[MODEL] [job] [--on HARDWARE]"
  std::string_view about;   // a paragraph; may hold line breaks
  std::span<const std::string_view> examples;
  std::size_t most_words = 1; // positional arguments
  std::vector<Flag> (*flags)() = nullptr;
};

// What was given on the command line.
struct Arguments {
  std::map<std::string, std::vector<std::string>, std::less<>> flags; // by name; a switch has the value "true"
  std::vector<std::string> words;

  bool has(std::string_view flag) const { return flags.find(flag) != flags.end(); }
  // The last value, or `fallback`.
  std::string value(std::string_view flag, std::string_view fallback = "") const;
  std::vector<std::string> values(std::string_view flag) const;
};

// Error: ErrorKind::usage, with near matches of an unknown flag.
Result<Arguments> parse_arguments(const std::vector<Flag>& flags, std::size_t most_words,
                                  const std::vector<std::string>& args);

} // namespace hwadvisor::cli
