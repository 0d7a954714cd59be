#include "workload/key_access.hpp"
#include "workload/resolver.hpp"

#include "text/quote.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hwadvisor {
namespace {

using workload::is_training;

Error usage(std::string message, std::string_view flag)
{
  return Error{ErrorKind::usage, std::move(message), std::string(flag)};
}

std::int32_t ways(const std::optional<std::int64_t>& asked)
{
  return static_cast<std::int32_t>(asked.value_or(1)); // at most a million, as the keys' range has it
}

// Fills what was not asked with the rest of `count`: the engine's own way of using several devices.
void take_rest(const Request& request, const Workload& workload, std::int32_t rest, Placement& placement)
{
  if (is_training(workload.task)) {
    (!request.dp ? placement.dp : !request.tp ? placement.tp : placement.pp) = rest;
  } else if (workload.engine && workload.engine->layer_split && !request.pp) {
    placement.pp = rest;
  } else if (const std::int32_t each = placement.instance != nullptr ? placement.instance->device_count : 0;
             !request.tp && !request.dp && each > 0 && rest > each && rest % each == 0) {
    placement.tp = each; // tensor parallelism stays inside a machine; each machine is a replica
    placement.dp = rest / each;
  } else {
    (!request.tp ? placement.tp : !request.dp ? placement.dp : placement.pp) = rest;
  }
}

// count = tp x pp x dp x cp; `fixed` is the count that the hardware's name or --count says, `least` what a machine has.
Status divide(const Request& request, const Workload& workload, std::optional<std::int32_t> fixed, std::int32_t usual,
              Placement& placement)
{
  placement.tp = ways(request.tp);
  placement.pp = ways(request.pp);
  placement.dp = ways(request.dp);
  placement.cp = ways(request.cp);
  placement.ep = ways(request.ep);
  const std::int64_t product =
      saturating_mul(saturating_mul(placement.tp, placement.pp), saturating_mul(placement.dp, placement.cp));
  const std::string factors = fmt::format("tp {} x pp {} x dp {} x cp {} = {} devices", placement.tp, placement.pp,
                                          placement.dp, placement.cp, product);
  if (product > workload::k_most_devices) {
    return usage(fmt::format("{}: more than anyone has", factors), "--tp");
  }
  const bool asked = request.tp || request.pp || request.dp || request.cp;
  const bool all_asked = request.tp && request.pp && request.dp;
  std::int64_t count = fixed ? *fixed : asked ? product : usual;
  if (count % product != 0 || (all_asked && count != product)) {
    return usage(fmt::format("{}, which contradicts a count of {}", factors, count),
                 fixed && request.count ? "--count" : "--tp");
  }
  placement.count = static_cast<std::int32_t>(count);
  if (const auto rest = static_cast<std::int32_t>(count / product); rest > 1) {
    take_rest(request, workload, rest, placement);
  }
  if (count % placement.ep != 0 || placement.ep > placement.tp * placement.dp) {
    return usage(
        fmt::format("expert-parallel ways of {} do not divide tp {} x dp {}", placement.ep, placement.tp, placement.dp),
        "--ep");
  }
  return {};
}

Status set_sharding(const Request& request, const Workload& workload, Placement& placement)
{
  if (!is_training(workload.task)) {
    return {};
  }
  if (request.zero && request.fsdp) {
    return usage("ZeRO and FSDP are two ways of the same; give one", "--zero");
  }
  if (request.zero) {
    placement.sharding = static_cast<Sharding>(*request.zero);
  } else if (request.fsdp) {
    if (*request.fsdp == "hybrid_shard" && placement.nodes > 1) {
      return usage("hybrid_shard over several machines is not supported yet; full_shard and shard_grad_op are",
                   "--fsdp");
    }
    placement.sharding = *request.fsdp == "shard_grad_op" ? Sharding::zero2 : Sharding::zero3;
  }
  return {};
}

void warn_of_heads(const Workload& workload, const Placement& placement, std::vector<Note>& notes)
{
  if (placement.tp == 1 || !workload.model || !workload.model->architecture) {
    return;
  }
  for (const Layer& layer : workload.model->architecture->layers) {
    if (layer.heads > 0 && layer.heads % placement.tp != 0) {
      notes.push_back(
          {"parallelism.heads", Severity::warning,
           fmt::format("{} attention heads do not divide by tp {}: engines refuse this", layer.heads, placement.tp)});
      return;
    }
  }
}

std::string gigabytes(double gb)
{
  return fmt::format("{:g} GB", gb);
}

// The memory that is fitted where the device alone does not say it: a CPU's host memory, one of a chip's sizes. Empty:
// the device's own.
Result<std::optional<double>> memory_size(const Request& request, const std::string& hardware,
                                          const HardwareChoice& choice, std::vector<Note>& notes)
{
  const Device& device = *choice.device;
  const std::vector<double>& options = device.memory_options_gb;
  const std::optional<double> asked = request.device_memory_gb;
  if (asked && choice.memory_option_gb && *asked != *choice.memory_option_gb) {
    return usage(fmt::format("{} contradicts {}", gigabytes(*asked), text::quoted(hardware)), "--device-memory-gb");
  }
  if (!device.memory) {
    if (!asked) {
      return usage(fmt::format("the memory of {} is {}: say how much there is with --device-memory-gb", device.name,
                               device.kind == DeviceKind::cpu ? "its host's" : "not known"),
                   "--on");
    }
    return asked;
  }
  const std::optional<double> size = asked ? asked : choice.memory_option_gb;
  if (size && std::find(options.begin(), options.end(), *size) == options.end() && *size != device.memory->value()) {
    return usage(
        options.empty()
            ? fmt::format("{} has {}, not {}", device.name, gigabytes(device.memory->value()), gigabytes(*size))
            : fmt::format("{} comes with {} GB, not {}", device.name, fmt::join(options, ", "), gigabytes(*size)),
        "--device-memory-gb");
  }
  if (size || options.size() < 2) {
    return size;
  }
  if (hardware != device.id) {
    Error error{ErrorKind::unknown,
                fmt::format("{} comes with {} GB: say which", text::quoted(hardware), fmt::join(options, ", ")),
                "--on"};
    for (const double option : options) {
      error.candidates.push_back(fmt::format("{} {:g}GB", hardware, option));
    }
    return error;
  }
  notes.push_back({"hardware.memory", Severity::info,
                   fmt::format("{} is taken with {}, the largest of {} GB", device.id,
                               gigabytes(device.memory->value()), fmt::join(options, ", "))});
  return std::optional<double>();
}

Result<Placement> finish(const Request& request, const Workload& workload, std::optional<std::int32_t> fixed,
                         std::int32_t usual, Placement placement, std::vector<Note>& notes)
{
  HWADVISOR_TRY_STATUS(divide(request, workload, fixed, usual, placement));
  if (placement.instance != nullptr && placement.instance->device_count > 0) {
    const std::int32_t each = placement.instance->device_count;
    if (placement.count > each && placement.count % each != 0) {
      return usage(fmt::format("{} devices are no whole number of {}, which has {}", placement.count,
                               placement.instance->id, each),
                   "--count");
    }
    placement.nodes = std::max(1, placement.count / each);
    if (placement.count < each) {
      notes.push_back({"placement.part", Severity::warning,
                       fmt::format("{} of the {} devices of {} are used; all are paid for", placement.count, each,
                                   placement.instance->id)});
    }
  }
  HWADVISOR_TRY_STATUS(set_sharding(request, workload, placement));
  warn_of_heads(workload, placement, notes);
  return placement;
}

} // namespace

Result<Placement> place_on(const Request& request, const Device* device, const Workload& workload,
                           std::vector<Note>& notes)
{
  Placement placement;
  placement.device = device;
  std::optional<std::int32_t> fixed;
  if (request.count) {
    fixed = static_cast<std::int32_t>(*request.count);
  }
  return finish(request, workload, fixed, 1, std::move(placement), notes);
}

Result<Placement> resolve_placement(const Request& request, const std::string& hardware, const Workload& workload,
                                    const Catalog& catalog, std::vector<Note>& notes)
{
  if (hardware == "this") {
    return usage("detecting this machine is not supported yet; name its device", "--on");
  }
  auto resolved = catalog.resolve_hardware(hardware);
  if (!resolved) {
    Error error = resolved.error();
    if (error.where.empty()) {
      error.where = "--on";
    }
    return error;
  }
  const HardwareChoice& choice = *resolved;
  Placement placement;
  placement.device = choice.device;
  placement.instance = choice.instance;
  if (placement.device == nullptr) {
    return Error{ErrorKind::unknown,
                 placement.instance != nullptr && !placement.instance->device_named.empty()
                     ? fmt::format("the catalog has no device for what {} calls {}", placement.instance->id,
                                   text::quoted(placement.instance->device_named))
                     : fmt::format("{} has no device to run this on", text::quoted(hardware)),
                 "--on"};
  }
  if (workload.engine != nullptr) {
    if (std::string reason = unsupported_reason(*workload.engine, *placement.device); !reason.empty()) {
      return usage(std::move(reason), "--engine");
    }
    if (std::string reason = unsupported_reason(workload, *placement.device); !reason.empty()) {
      return usage(std::move(reason), "--on");
    }
  }
  if (!choice.note.empty()) {
    notes.push_back({"hardware.name", Severity::info, choice.note});
  }
  HWADVISOR_TRY(size, memory_size(request, hardware, choice, notes));
  if (size) {
    auto own = std::make_shared<Device>(*choice.device);
    own->memory = VendorGigabytes(*size);
    own->usable_memory.reset(); // measured on another size
    placement.own_device = own;
    placement.device = own.get();
  }
  if (auto usable = usable_memory(*placement.device, catalog.memory_classes())) {
    placement.usable = *usable;
  }
  std::optional<std::int32_t> fixed;
  std::int32_t usual = 1;
  if (choice.instance != nullptr) {
    usual = std::max(1, choice.count);
  } else if (choice.count > 1) {
    fixed = choice.count;
  }
  if (request.count) {
    if (fixed && *fixed != *request.count) {
      return usage(fmt::format("a count of {} contradicts {}", *request.count, text::quoted(hardware)), "--count");
    }
    fixed = static_cast<std::int32_t>(*request.count);
  }
  return finish(request, workload, fixed, usual, std::move(placement), notes);
}

} // namespace hwadvisor
