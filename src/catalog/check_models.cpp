#include "catalog/check.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace hwadvisor::catalog {
namespace {

constexpr double k_tolerance = 0.02;

void compare(Findings& findings, const Model& model, std::string_view from, std::int64_t counted)
{
  const auto stated = static_cast<double>(*model.params_total);
  if (std::abs(static_cast<double>(counted) - stated) > k_tolerance * stated) {
    findings.add(EntryKind::model, model.id, "parameters",
                 fmt::format("{} parameters stated, {} counted from {} ({:+.1f} %)", *model.params_total, counted, from,
                             100.0 * (static_cast<double>(counted) / stated - 1.0)));
  }
}

void check_parameters(Findings& findings, const Model& model, const json::Json& entry)
{
  const json::Json* reasons = value_at(entry, "unknown");
  const auto is_explained = [&](const char* field) { return reasons != nullptr && reasons->contains(field); };
  if (!model.params_note.empty() || is_explained("architecture") || is_explained("params_total")) {
    return;
  }
  if (!model.params_total) {
    findings.add(EntryKind::model, model.id, "parameters", "no parameter count, and no reason is given");
    return;
  }
  std::int64_t parts = 0;
  for (const ModelComponent& component : model.components) {
    parts += component.in_total ? component.parameters.value_or(0) : 0;
  }
  const json::Json* config = value_at(entry, "config");
  if (model.architecture && !model.architecture->tensors.empty()) {
    compare(findings, model, "the architecture", model.architecture->parameters());
  } else if (parts > 0) {
    compare(findings, model, "the components", parts);
  } else if (config != nullptr && !config->empty()) {
    findings.add(EntryKind::model, model.id, "parameters",
                 "its configuration describes no architecture to count, and no note says why");
  }
  if (model.params_active && *model.params_active > *model.params_total) {
    findings.add(EntryKind::model, model.id, "parameters",
                 fmt::format("{} active of {} parameters", *model.params_active, *model.params_total));
  }
}

} // namespace

void check_models(Findings& findings)
{
  constexpr std::array<std::string_view, 6> nullable{"params_total",     "params_active", "dtype_released",
                                                     "checkpoint_bytes", "licence",       "per_image.gmacs"};
  NameOwners owners;
  for (const ModelSummary& summary : findings.catalog().models()) {
    owners.claim(findings, EntryKind::model, "names", summary.id, summary.id);
    owners.claim(findings, EntryKind::model, "names", summary.name, summary.id);
    for (const std::string& alias : summary.aliases) {
      owners.claim(findings, EntryKind::model, "names", alias, summary.id);
    }
    const auto model = findings.catalog().load_model(summary.id);
    if (!model.ok()) {
      findings.add(EntryKind::model, summary.id, "parameters", model.error().message);
      continue;
    }
    const json::Json entry = findings.entry(EntryKind::model, summary.id);
    check_parameters(findings, **model, entry);
    check_reasons(findings, EntryKind::model, summary.id, entry, nullable);
    check_dates(findings, EntryKind::model, summary.id, entry, "2022-01-01");
    const json::Json* sources = value_at(entry, "sources");
    if (sources == nullptr || sources->empty()) {
      findings.add(EntryKind::model, summary.id, "sources", "no source is given");
    }
  }
}

} // namespace hwadvisor::catalog
