#include "catalog/model_entry.hpp"

#include "model/entry.hpp"

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
  // The whole entry is read again when the model is asked for; a fault in it is to be known now.
  HWADVISOR_TRY(model, model::read_model_entry(value, place));
  (void)model;
  return summary;
}

} // namespace hwadvisor::catalog
