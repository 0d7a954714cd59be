#include "cli/run.hpp"

#include "cli/commands.hpp"
#include "hwadvisor/version.hpp"
#include "text/near.hpp"
#include "text/quote.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <new>

namespace hwadvisor::cli {
namespace {

int print(const std::string& text)
{
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  return std::fflush(stdout) == 0 && written ? 0 : 1;
}

// Errors are JSON where JSON is asked for, also when the arguments cannot be read.
bool wants_json(const std::vector<std::string>& args)
{
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (args[i] == "--json" || args[i] == "--format=json" ||
        (args[i] == "--format" && i + 1 < args.size() && args[i + 1] == "json")) {
      return true;
    }
  }
  return false;
}

bool asks_for_help(const std::vector<std::string>& args)
{
  return std::any_of(args.begin(), args.end(), [](const std::string& arg) { return arg == "--help" || arg == "-h"; });
}

// Of the data that are part of the program; overlays are not looked at.
Result<int> version()
{
  return print(fmt::format("hwadvisor {} (data {})\n", k_version, Catalog::built_in_data_version()));
}

Result<int> dispatch(const std::vector<std::string>& args)
{
  if (args.empty() || args[0] == "--help" || args[0] == "-h") {
    const int code = print(program_help());
    return args.empty() ? exit_code(ErrorKind::usage) : code;
  }
  if (args[0] == "--version") {
    return version();
  }
  if (args[0] == "help") {
    const Entry* entry = args.size() > 1 ? find_command(args[1]) : nullptr;
    return print(entry != nullptr ? command_help(entry->command) : program_help());
  }
  const Entry* entry = find_command(args[0]);
  if (entry == nullptr) {
    std::vector<std::string> known;
    for (const Entry& each : commands()) {
      known.emplace_back(each.command.name);
    }
    return Error{ErrorKind::usage,
                 fmt::format("{} is not a {}; see hwadvisor --help", text::quoted(args[0]),
                             args[0].starts_with('-') ? "known flag" : "command"),
                 "", text::near_matches(args[0], known)};
  }
  const std::vector<std::string> rest(args.begin() + 1, args.end());
  if (asks_for_help(rest)) {
    return print(command_help(entry->command));
  }
  HWADVISOR_TRY(arguments, parse_arguments(entry->command.flags(), entry->command.most_words, rest));
  HWADVISOR_TRY(session, Session::open(arguments));
  return entry->run(session);
}

} // namespace

int run(const std::vector<std::string>& args)
{
  const bool json = wants_json(args);
  try {
    const Result<int> result = dispatch(args);
    return result ? *result : report_error(result.error(), json);
  } catch (const std::bad_alloc&) {
    return report_error({ErrorKind::io, "out of memory"}, json);
  } catch (const std::exception& failure) {
    return report_error({ErrorKind::io, fmt::format("internal failure: {}", failure.what())}, json);
  }
}

} // namespace hwadvisor::cli
