#include "cli/commands.hpp"

#include "text/quote.hpp"

#include <fmt/format.h>

namespace hwadvisor::cli {
namespace {

// Flags of a command, or their values' words, as shells want them.
std::string flag_words(const Command& command)
{
  std::string out;
  for (const Flag& flag : command.flags()) {
    if (!flag.hidden) {
      out += (out.empty() ? "" : " ") + flag.name;
    }
  }
  return out;
}

std::string command_words()
{
  std::string out;
  for (const Entry& entry : commands()) {
    out += (out.empty() ? "" : " ") + std::string(entry.command.name);
  }
  return out;
}

std::string bash()
{
  std::string out = "# bash completion of hwadvisor\n_hwadvisor() {\n  local current=${COMP_WORDS[COMP_CWORD]} words\n"
                    "  if [ \"$COMP_CWORD\" = 1 ]; then\n    words='" +
                    command_words() + "'\n  else\n    case ${COMP_WORDS[1]} in\n";
  for (const Entry& entry : commands()) {
    out += fmt::format("    {}) words='{}' ;;\n", entry.command.name, flag_words(entry.command));
  }
  out += "    esac\n  fi\n  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n"
         "  [ ${#COMPREPLY[@]} -gt 0 ] || compopt -o default\n}\ncomplete -F _hwadvisor hwadvisor\n";
  return out;
}

std::string zsh()
{
  return "#compdef hwadvisor\n# zsh completion of hwadvisor\nautoload -U +X bashcompinit && bashcompinit\n" + bash();
}

std::string fish_quoted(std::string_view text)
{
  std::string out = "'";
  for (const char c : text) {
    out += c == '\'' || c == '\\' ? std::string{'\\', c} : std::string(1, c);
  }
  return out + "'";
}

std::string fish()
{
  std::string out = "# fish completion of hwadvisor\n";
  for (const Entry& entry : commands()) {
    const Command& command = entry.command;
    out += fmt::format("complete -c hwadvisor -n __fish_use_subcommand -f -a {} -d {}\n", command.name,
                       fish_quoted(command.summary));
    for (const Flag& flag : command.flags()) {
      if (flag.hidden) {
        continue;
      }
      out += fmt::format("complete -c hwadvisor -n '__fish_seen_subcommand_from {}' -l {}{} -d {}\n", command.name,
                         flag.name.substr(2), flag.value.empty() ? "" : " -r", fish_quoted(flag.help));
    }
  }
  return out;
}

} // namespace

Result<int> run_completion(Session& session)
{
  const auto& words = session.arguments().words;
  const std::string shell = words.empty() ? "" : words[0];
  std::string script;
  if (shell == "bash") {
    script = bash();
  } else if (shell == "zsh") {
    script = zsh();
  } else if (shell == "fish") {
    script = fish();
  } else {
    return Error{ErrorKind::usage, shell.empty()
                                       ? "which shell? bash, zsh or fish"
                                       : fmt::format("{} is not one of bash, zsh, fish", text::quoted(shell))};
  }
  HWADVISOR_TRY_STATUS(session.write(script));
  return 0;
}

} // namespace hwadvisor::cli
