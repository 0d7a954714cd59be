#include "cli/commands.hpp"

#include "text/near.hpp"
#include "text/quote.hpp"

#include <fmt/format.h>

namespace hwadvisor::cli {

Result<int> run_schema(Session& session)
{
  const auto& words = session.arguments().words;
  std::vector<std::string> known;
  std::string names;
  for (const std::string_view name : schema_names()) {
    known.emplace_back(name);
    names += std::string(name) + "\n";
  }
  if (words.empty()) {
    HWADVISOR_TRY_STATUS(session.write(names));
    return 0;
  }
  const auto schema = schema_text(words[0]);
  if (!schema) {
    return Error{ErrorKind::usage,
                 fmt::format("{} is not a known schema; see hwadvisor schema", text::quoted(words[0])), "",
                 text::near_matches(words[0], known)};
  }
  HWADVISOR_TRY_STATUS(session.write(std::string(*schema)));
  return 0;
}

} // namespace hwadvisor::cli
