#pragma once

// Everything the program knows about the world, read from data/: devices, instances, models, engines, scenarios,
// efficiencies. The built-in catalog is part of the program; overlay folders add entries or replace them by id.
//
// Devices and instances are decoded when they are first asked for, a model when it is: a question about one model pays
// for one model.
//
// Overlays, later ones win: $XDG_CONFIG_HOME/hwadvisor/catalog (or ~/.config/…), $HWADVISOR_CATALOG (folders divided
// by ":"), then each --catalog DIR. A folder holds any of devices/, instances/, models/, engines/, scenarios/ and the
// tables beside them, with files as in data/; a single file does as well.

#include "hwadvisor/bill.hpp"
#include "hwadvisor/engine.hpp"
#include "hwadvisor/hardware.hpp"
#include "hwadvisor/model.hpp"
#include "hwadvisor/result.hpp"
#include "hwadvisor/scenario.hpp"
#include "hwadvisor/speed.hpp"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hwadvisor {

enum class EntryKind : std::uint8_t {
  device,
  instance,
  model,
  engine,
  scenario,
  provider,
  memory_class,
  efficiency,
  machine_parts
};
std::string_view kind_name(EntryKind kind);

// What lists and name look-ups need of a model; Catalog::load_model reads the whole.
struct ModelSummary {
  std::string id;   // "meta-llama/Llama-3.1-8B"
  std::string name; // "Llama 3.1 8B"
  std::vector<std::string> aliases;
  std::string family; // "llm-dense", as in data/models
  std::string task;
  std::optional<std::int64_t> params_total;
};

// A name resolved to hardware: a device and how many, or an instance.
struct HardwareChoice {
  const Device* device = nullptr;
  const Instance* instance = nullptr;     // set when an instance was named; device is then its accelerator, if known
  std::int32_t count = 1;                 // "2x a100 80gb" -> 2; an instance: its device count
  std::optional<double> memory_option_gb; // "M3 Max 64GB": the memory size chosen among a chip's options
  std::string note;                       // when one common form was taken among several
};

struct ModelMatch {
  std::shared_ptr<const Model> model;
  std::string precision;   // implied by the name of a quantised derivative ("…-AWQ" -> "awq-int4"); empty: none
  bool ollama_tag = false; // named as in ollama's library, without a precision: "llama3.1:8b"
  std::string note;
};

class Catalog {
public:
  // The built-in catalog with `overlays` on top. A malformed overlay is an error that names file and JSON pointer.
  static Result<Catalog> load(const std::vector<std::string>& overlays = {});

  Catalog(Catalog&&) noexcept;
  Catalog& operator=(Catalog&&) noexcept;
  ~Catalog();

  std::span<const Device> devices() const;
  std::span<const Instance> instances() const;
  std::span<const Engine> engines() const;
  std::span<const Scenario> scenarios() const;
  std::span<const Provider> providers() const;
  const std::vector<MemoryClass>& memory_classes() const;
  const std::vector<Efficiency>& efficiencies() const;
  const MachineParts& machine_parts() const;
  std::span<const ModelSummary> models() const; // all of these lists are sorted by id

  const Device* find_device(std::string_view id) const; // exact id
  const Instance* find_instance(std::string_view id) const;
  const Engine* find_engine(std::string_view id) const;
  const Scenario* find_scenario(std::string_view id) const;
  const Provider* find_provider(std::string_view id) const;
  Result<std::shared_ptr<const Model>> load_model(std::string_view id) const; // exact id; read from its entry

  // Names as people and tools write them. Errors are ErrorKind::unknown: near names, or the variants to choose from.
  Result<HardwareChoice> resolve_hardware(std::string_view name) const;
  Result<ModelMatch> resolve_model(std::string_view name) const;

  // The entry as it stands in its file (JSON text with provenance), and where that file is.
  Result<std::string> entry_json(EntryKind kind, std::string_view id) const;
  std::string entry_origin(EntryKind kind, std::string_view id) const;

  // Files of overlays that nothing was read from, a sentence each.
  const std::vector<std::string>& warnings() const;

  std::string data_version() const;           // date of the newest entry and a digest of the data
  static std::string built_in_data_version(); // the same without overlays, which are not read

private:
  struct State;
  explicit Catalog(std::unique_ptr<State> state);
  std::unique_ptr<State> m_state;
};

} // namespace hwadvisor
