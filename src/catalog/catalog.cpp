#include "hwadvisor/catalog.hpp"

#include "catalog/embedded_pack.hpp"
#include "catalog/overlays.hpp"
#include "catalog/state.hpp"

#include <fmt/format.h>

#include <array>

namespace hwadvisor {
namespace {

constexpr std::array<std::string_view, 9> k_kind_names{
    "device", "instance", "model", "engine", "scenario", "provider", "memory class", "efficiency", "machine parts"};

std::string version_text(std::string_view date, std::uint64_t digest)
{
  return fmt::format("{}+{:08x}", date, static_cast<std::uint32_t>(digest ^ (digest >> 32)));
}

} // namespace

std::string_view kind_name(EntryKind kind)
{
  return k_kind_names[static_cast<std::size_t>(kind)];
}

Catalog::Catalog(std::unique_ptr<State> state) : m_state(std::move(state))
{
}
Catalog::Catalog(Catalog&&) noexcept = default;
Catalog& Catalog::operator=(Catalog&&) noexcept = default;
Catalog::~Catalog() = default;

Result<Catalog> Catalog::load(const std::vector<std::string>& overlays)
{
  auto state = std::make_unique<State>();
  HWADVISOR_TRY(pack, catalog::Pack::open(catalog::embedded_pack()));
  state->pack = pack;
  const std::vector<std::string> paths = catalog::overlay_paths(overlays);
  for (const std::string& path : paths) {
    catalog::Known known;
    known.providers = catalog::decode(pack, EntryKind::provider, state->overlay.providers);
    for (MachineParts& parts : catalog::decode(pack, EntryKind::machine_parts, state->overlay.machine_parts)) {
      known.machine_parts = std::move(parts);
    }
    HWADVISOR_TRY(collection, catalog::read_path(path, known));
    catalog::merge(state->overlay, std::move(collection));
  }
  return Catalog(std::move(state));
}

std::span<const Device> Catalog::devices() const
{
  return m_state->devices();
}

std::span<const Instance> Catalog::instances() const
{
  return m_state->instances();
}

std::span<const ModelSummary> Catalog::models() const
{
  return m_state->models();
}

std::span<const Engine> Catalog::engines() const
{
  return m_state->engines();
}

std::span<const Scenario> Catalog::scenarios() const
{
  return m_state->scenarios();
}

std::span<const Provider> Catalog::providers() const
{
  return m_state->providers();
}

const std::vector<MemoryClass>& Catalog::memory_classes() const
{
  return m_state->memory_classes();
}

const std::vector<Efficiency>& Catalog::efficiencies() const
{
  return m_state->efficiencies();
}

const MachineParts& Catalog::machine_parts() const
{
  static const MachineParts none;
  const auto& parts = m_state->machine_parts();
  return parts.empty() ? none : parts.front();
}

const Device* Catalog::find_device(std::string_view id) const
{
  return catalog::find_sorted(m_state->devices(), id);
}

const Instance* Catalog::find_instance(std::string_view id) const
{
  return catalog::find_sorted(m_state->instances(), id);
}

const Engine* Catalog::find_engine(std::string_view id) const
{
  return catalog::find_sorted(m_state->engines(), id);
}

const Scenario* Catalog::find_scenario(std::string_view id) const
{
  return catalog::find_sorted(m_state->scenarios(), id);
}

const Provider* Catalog::find_provider(std::string_view id) const
{
  return catalog::find_sorted(m_state->providers(), id);
}

catalog::EntryText Catalog::State::entry(EntryKind kind, std::string_view id)
{
  catalog::EntryText found;
  std::size_t index = 0;
  overlay.each([&](const auto& entries) {
    if (index++ == static_cast<std::size_t>(kind)) {
      for (const auto& entry : entries) {
        if (catalog::id_of_entry(entry) == id) {
          found = {entry.text, entry.origin, false};
        }
      }
    }
  });
  if (found.text.empty()) {
    if (const auto packed = pack.entry(kind, id)) {
      found = {packed->text, packed->origin, true};
    }
  }
  return found;
}

Result<std::string> Catalog::entry_json(EntryKind kind, std::string_view id) const
{
  const catalog::EntryText entry = m_state->entry(kind, id);
  if (entry.text.empty()) {
    return Error{ErrorKind::unknown, fmt::format("there is no {} '{}' in the catalog", kind_name(kind), id)};
  }
  HWADVISOR_TRY(value, json::parse(entry.text, entry.origin));
  return json::dump(value, 2);
}

std::string Catalog::entry_origin(EntryKind kind, std::string_view id) const
{
  const catalog::EntryText entry = m_state->entry(kind, id);
  return entry.built_in ? fmt::format("built-in {}", entry.origin) : std::string(entry.origin);
}

const std::vector<std::string>& Catalog::warnings() const
{
  return m_state->overlay.ignored;
}

std::string Catalog::data_version() const
{
  std::string date(m_state->pack.date());
  std::uint64_t digest = m_state->pack.digest();
  m_state->overlay.each([&](const auto& entries) {
    for (const auto& entry : entries) {
      date = std::max(date, entry.date);
      digest = catalog::digest_of(entry.text, digest);
    }
  });
  return version_text(date, digest);
}

std::string Catalog::built_in_data_version()
{
  const auto pack = catalog::Pack::open(catalog::embedded_pack());
  return pack ? version_text(pack->date(), pack->digest()) : "none";
}

} // namespace hwadvisor
