// What engines read, and what they and their libraries run on.
#include "hwadvisor/workload.hpp"

#include "workload/resolver.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hwadvisor {
namespace {

bool has(const std::vector<std::string>& words, const std::string& word)
{
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Why `what`, which needs one of `software`, does not run on the device; empty: it does.
std::string lacking(const std::string& what, const std::vector<std::string>& software, const Device& device)
{
  if (software.empty() ||
      std::any_of(software.begin(), software.end(), [&](const auto& word) { return has(device.software, word); })) {
    return "";
  }
  return fmt::format("{} needs {}; {} has {}", what, fmt::join(software, " or "), device.name,
                     device.software.empty() ? "none" : fmt::format("{}", fmt::join(device.software, ", ")));
}

} // namespace

bool engine_reads(const Engine& engine, const Precision& precision)
{
  if (engine.formats.empty()) {
    return precision.kind != PrecisionKind::gguf && !precision.id.starts_with("mlx-");
  }
  return std::any_of(engine.formats.begin(), engine.formats.end(), [&](const std::string& format) {
    return format == "any" || (format == "plain" && precision.kind == PrecisionKind::plain) ||
           (format == "gguf" && precision.kind == PrecisionKind::gguf) || precision.id.starts_with(format);
  });
}

std::string unsupported_reason(const Engine& engine, const Device& device)
{
  if (!engine.vendors.empty() && !has(engine.vendors, device.vendor)) {
    return fmt::format("{} runs on {}, not on {}", engine.name, fmt::join(engine.vendors, ", "), device.vendor);
  }
  return lacking(engine.name, engine.software, device);
}

std::string unsupported_reason(const Workload& workload, const Device& device)
{
  const bool training = workload::is_training(workload.task);
  if (training && device.inference_only) {
    return fmt::format("{} is for inference only", device.name);
  }
  std::vector<std::string_view> used{workload.precision.id};
  if (training) {
    used.insert(used.end(), {method_name(workload.training.method), workload.training.optimizer});
  }
  for (const EngineNeed& need : workload.engine->needs) {
    for (const std::string_view part : used) {
      const bool needed = std::any_of(need.parts.begin(), need.parts.end(),
                                      [&](const std::string& each) { return part.substr(0, each.size()) == each; });
      const std::string what = fmt::format("{} (for {})", need.library, part);
      if (std::string reason = needed ? lacking(what, need.software, device) : ""; !reason.empty()) {
        return reason;
      }
    }
  }
  return "";
}

} // namespace hwadvisor
