#include "catalog/model_entry.hpp"

namespace hwadvisor::catalog {

Result<ModelSummary> read_model_summary(const Json& value, const Place& place)
{
  ObjectReader in(value, place);
  ModelSummary summary;
  summary.id = in.text("id");
  summary.name = in.text("name");
  summary.aliases = in.texts("aliases");
  summary.family = in.text("family");
  summary.task = in.maybe_text("task").value_or("");
  summary.params_total = in.maybe_integer("params_total", {1, std::int64_t{1} << 60});
  read_provenance(in);
  in.ignore_rest();
  if (auto fault = in.finish()) {
    return *fault;
  }
  return summary;
}

} // namespace hwadvisor::catalog
