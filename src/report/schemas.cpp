#include "hwadvisor/report.hpp"

#include <algorithm>
#include <iterator>

namespace hwadvisor {
namespace {

struct Schema {
  std::string_view name;
  std::string_view text;
};

constexpr Schema k_schemas[] = {
#include "schemas.inc"
};

} // namespace

std::vector<std::string_view> schema_names()
{
  std::vector<std::string_view> out;
  for (const Schema& schema : k_schemas) {
    out.push_back(schema.name);
  }
  return out;
}

std::optional<std::string_view> schema_text(std::string_view name)
{
  const auto found = std::find_if(std::begin(k_schemas), std::end(k_schemas),
                                  [&](const Schema& schema) { return schema.name == name; });
  return found == std::end(k_schemas) ? std::nullopt : std::optional(found->text);
}

} // namespace hwadvisor
