// The one file that includes CLI11.

#include "cli/command.hpp"

#include "text/near.hpp"
#include "text/quote.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <deque>

namespace hwadvisor::cli {
namespace {

Error usage(std::string message, std::string where = {}, std::vector<std::string> candidates = {})
{
  return Error{ErrorKind::usage, std::move(message), std::move(where), std::move(candidates)};
}

bool occurs(const std::string& name, const std::vector<std::string>& args)
{
  return !name.empty() && std::any_of(args.begin(), args.end(), [&](const std::string& arg) {
    return arg.starts_with(name) && (arg.size() == name.size() || arg[name.size()] == '=' || name.size() == 2);
  });
}

Error unknown_flag(const std::string& given, const std::vector<Flag>& flags)
{
  const std::string name = given.substr(0, given.find('='));
  std::vector<std::string> known;
  for (const Flag& flag : flags) {
    known.push_back(flag.name);
  }
  return usage(fmt::format("{} is not a known flag", text::quoted(name)), "", text::near_matches(name, known));
}

} // namespace

std::string Arguments::value(std::string_view flag, std::string_view fallback) const
{
  const auto found = flags.find(flag);
  return found == flags.end() || found->second.empty() ? std::string(fallback) : found->second.back();
}

std::vector<std::string> Arguments::values(std::string_view flag) const
{
  const auto found = flags.find(flag);
  return found == flags.end() ? std::vector<std::string>() : found->second;
}

Result<Arguments> parse_arguments(const std::vector<Flag>& flags, std::size_t most_words,
                                  const std::vector<std::string>& args)
{
  Arguments out;
  CLI::App app;
  app.set_help_flag();
  app.allow_extras();
  app.prefix_command(false);
  // Only flags that occur are built: a hundred of them cost more than the rest of a start.
  std::deque<std::vector<std::string>> values;
  std::vector<std::pair<const Flag*, std::vector<std::string>*>> built;
  for (const Flag& flag : flags) {
    if (!occurs(flag.name, args) && !occurs(flag.short_name, args)) {
      continue;
    }
    auto& slot = values.emplace_back();
    const std::string names = flag.short_name.empty() ? flag.name : flag.short_name + "," + flag.name;
    if (flag.value.empty()) {
      app.add_flag(names, slot, "");
    } else {
      app.add_option(names, slot, "")->type_size(1)->expected(1)->allow_extra_args(false)->take_all();
    }
    built.emplace_back(&flag, &slot);
  }
  app.add_option("words", out.words, "")->expected(-1);
  try {
    std::vector<std::string> reversed(args.rbegin(), args.rend()); // as CLI11 wants them
    app.parse(reversed);
  } catch (const CLI::ParseError&) {
    // The texts of CLI11 differ between versions; what is possible here is a flag without its value.
    for (const auto& [flag, slot] : built) {
      if (!flag->value.empty() && std::find(args.begin(), args.end(), flag->name) != args.end() && slot->empty()) {
        return usage(fmt::format("a value is missing: {} {}", flag->name, flag->value), flag->name);
      }
    }
    return usage("the flags cannot be read; see --help");
  }
  for (const std::string& rest : app.remaining()) {
    if (rest == "--") {
      continue;
    }
    if (rest.starts_with('-') && rest.size() > 1) {
      return unknown_flag(rest, flags);
    }
    out.words.push_back(rest);
  }
  if (out.words.size() > most_words) {
    return usage(fmt::format("{} is one word too many", text::quoted(out.words[most_words])));
  }
  for (const auto& [flag, slot] : built) {
    if (slot->size() > 1 && !flag->repeatable && !flag->value.empty()) {
      return usage("given more than once", flag->name);
    }
    if (!slot->empty()) {
      out.flags[flag->name] = std::move(*slot);
    }
  }
  return out;
}

} // namespace hwadvisor::cli
