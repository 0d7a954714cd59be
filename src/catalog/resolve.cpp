// Catalog's look-ups by name.
#include "catalog/hardware_names.hpp"
#include "catalog/model_names.hpp"
#include "catalog/state.hpp"
#include "hwadvisor/catalog.hpp"
#include "model/entry.hpp"

#include <fmt/format.h>

namespace hwadvisor {

Result<HardwareChoice> Catalog::resolve_hardware(std::string_view name) const
{
  return catalog::resolve_hardware(name, {devices(), instances(), providers()});
}

Result<std::shared_ptr<const Model>> Catalog::load_model(std::string_view id) const
{
  const catalog::EntryText entry = m_state->entry(EntryKind::model, id);
  if (entry.text.empty()) {
    return Error{ErrorKind::unknown, fmt::format("there is no model '{}' in the catalog", id)};
  }
  const std::size_t split = entry.origin.rfind(": ");
  const json::Place place{std::string(entry.origin.substr(0, split)), std::string(entry.origin.substr(split + 2))};
  HWADVISOR_TRY(value, json::parse(entry.text, place.file));
  HWADVISOR_TRY(model, model::read_model_entry(value, place));
  return std::shared_ptr<const Model>(std::make_shared<Model>(std::move(model)));
}

Result<ModelMatch> Catalog::resolve_model(std::string_view name) const
{
  HWADVISOR_TRY(found, catalog::find_model(name, m_state->models()));
  HWADVISOR_TRY(model, load_model(found.id));
  return ModelMatch{model, found.precision, found.ollama_tag, found.note};
}

} // namespace hwadvisor
