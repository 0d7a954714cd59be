#include "cli/commands.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hwadvisor::cli {
namespace {

std::string left_column(const Flag& flag)
{
  std::string out = flag.short_name.empty() ? "      " : "  " + flag.short_name + ", ";
  out += flag.name;
  if (!flag.value.empty()) {
    out += " " + flag.value;
  }
  return out;
}

void add_flags(const std::vector<Flag>& flags, std::string& out)
{
  std::size_t left = 0;
  for (const Flag& flag : flags) {
    if (!flag.hidden) {
      left = std::max(left, left_column(flag).size());
    }
  }
  std::string group;
  for (const Flag& flag : flags) {
    if (flag.hidden) {
      continue;
    }
    if (flag.group != group) {
      group = flag.group;
      out += fmt::format("\n{}:\n", group);
    }
    out += fmt::format("{:<{}}  {}\n", left_column(flag), left, flag.help);
  }
}

} // namespace

std::string program_help()
{
  std::string out = "hwadvisor turns a model and a job into bytes, seconds and dollars on the hardware it knows.\n"
                    "\n"
                    "Usage: hwadvisor COMMAND [arguments]\n"
                    "\n"
                    "Commands:\n";
  for (const Entry& entry : commands()) {
    out += fmt::format("  {:<12}{}\n", entry.command.name, entry.command.summary);
  }
  out += "\n"
         "  -h, --help    this page; of a command: hwadvisor COMMAND --help\n"
         "  --version     versions of the program and its data\n"
         "\n"
         "Examples:\n"
         "  hwadvisor estimate --params 7B --precision fp16\n"
         "  hwadvisor estimate llama-3.1-8b --context 32k --on 'RTX 4090'\n"
         "  hwadvisor recommend llama-2-7b --task finetuning --method lora --scenario team-training\n"
         "\n"
         "Exit codes: 0 done; 1 unreadable file or internal failure; 2 wrong usage; 3 a requirement is not\n"
         "met; 4 a malformed input file; 5 a name is unknown or ambiguous.\n";
  return out;
}

std::string command_help(const Command& command)
{
  std::string out = fmt::format("{}.\n\nUsage: hwadvisor {} {}\n", command.summary, command.name, command.usage);
  if (!command.about.empty()) {
    out += fmt::format("\n{}\n", command.about);
  }
  out += "\nExamples:\n";
  for (const std::string_view example : command.examples) {
    out += fmt::format("  {}\n", example);
  }
  add_flags(command.flags(), out);
  return out;
}

} // namespace hwadvisor::cli
