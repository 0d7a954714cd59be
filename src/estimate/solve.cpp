// The inverse question: the largest context, batch, concurrency, precision or model that fits one hardware. Every
// answer is an estimate of its own, so that what is printed is what was checked.

#include "estimate/steps.hpp"

#include "text/grouped.hpp"
#include "workload/resolver.hpp"

#include <fmt/format.h>

#include <cmath>
#include <span>

namespace hwadvisor::estimating {
namespace {

Error usage(std::string message)
{
  return Error{ErrorKind::usage, std::move(message), "--solve"};
}

bool fits(const Result<Estimate>& estimate)
{
  return estimate.ok() && estimate->fit && estimate->fit->verdict != Verdict::no;
}

// From the most to the fewest bits. A format that the engine is not known to read is a warning of its estimate.
constexpr std::string_view k_gguf_ladder[] = {"f16", "q8_0", "q6_k", "q5_k_m", "q4_k_m", "q3_k_m", "q2_k"};
constexpr std::string_view k_ladder[] = {"bf16", "fp8", "int8", "awq-int4", "int4"};
constexpr std::string_view k_training_ladder[] = {"fp32", "bf16-mixed", "bf16"};

Result<Estimate> largest_precision(Request request, const Estimate& plain, const Catalog& catalog, Detail detail)
{
  std::span<const std::string_view> ladder = k_ladder;
  if (workload::is_training(plain.workload.task)) {
    ladder = k_training_ladder;
  } else if (plain.workload.engine->layer_split) {
    ladder = k_gguf_ladder;
  }
  std::optional<Estimate> smallest;
  for (const std::string_view precision : ladder) {
    request.precision = std::string(precision);
    auto tried = estimate(request, catalog, detail);
    if (fits(tried)) {
      tried->notes.push_back({"solve", Severity::info, fmt::format("most precise that fits: {}", precision)});
      return tried;
    }
    if (tried.ok()) {
      smallest = *std::move(tried);
    }
  }
  if (!smallest) {
    return usage("no number format of the ladder can be estimated for this engine");
  }
  return *std::move(smallest); // its verdict says that it does not fit
}

// Two significant digits: what a person would ask for.
std::int64_t rounded_down(double parameters)
{
  const double step = std::pow(10.0, std::floor(std::log10(parameters)) - 1.0);
  return static_cast<std::int64_t>(std::floor(parameters / step + 1e-9) * step + 0.5);
}

Result<Estimate> largest_model(Request request, const Catalog& catalog, Detail detail)
{
  double low = 1e7;
  double high = 1e14;
  const auto try_size = [&](double parameters, Detail wanted) {
    request.model = ModelChoice{};
    request.model.params = rounded_down(parameters);
    return estimate(request, catalog, wanted);
  };
  const auto least = try_size(low, Detail::numbers);
  if (!least.ok()) {
    return least.error();
  }
  if (!fits(least)) {
    return try_size(low, detail);
  }
  while (high / low > 1.005) {
    const double middle = std::sqrt(low * high);
    (fits(try_size(middle, Detail::numbers)) ? low : high) = middle;
  }
  auto found = try_size(low, detail);
  if (found.ok()) {
    found->notes.push_back(
        {"solve", Severity::info,
         fmt::format("largest model that fits: {} parameters", text::grouped(*request.model.params))});
  }
  return found;
}

// Sets the key that is asked for to `value` and estimates again.
Result<Estimate> at_value(Request request, std::string_view key, std::optional<std::int64_t> value,
                          const Estimate& plain, const Catalog& catalog, Detail detail)
{
  if (!value || *value < 1) {
    return plain; // nothing fits; its verdict says so
  }
  HWADVISOR_TRY_STATUS(set_request_key(request, key, std::to_string(*value)));
  auto found = estimate(request, catalog, detail);
  if (found.ok()) {
    found->notes.push_back(
        {"solve", Severity::info,
         fmt::format("largest {} that fits: {}", key == "micro_batch" ? "micro-batch" : std::string(key),
                     text::grouped(*value))});
  }
  return found;
}

} // namespace

Result<Estimate> solve(const Request& asked, const Catalog& catalog, Detail detail)
{
  Request request = asked;
  const std::string key = *request.solve;
  request.solve.reset();
  if (request.hardware.empty() && !request.device_memory_gb) {
    return usage("the largest that fits depends on the hardware; name it with --on");
  }
  if (key == "params") {
    if (!request.model.name.empty() || !request.model.config_json.empty()) {
      return usage("the size is what is asked for: no model is to be named");
    }
    return largest_model(std::move(request), catalog, detail);
  }
  HWADVISOR_TRY(plain, estimate(request, catalog, detail));
  if (!plain.fit) {
    return usage("there is no verdict on this hardware");
  }
  const bool training = workload::is_training(plain.workload.task);
  if (key == "precision") {
    return largest_precision(std::move(request), plain, catalog, detail);
  }
  if (key == "context") {
    if (!plain.fit->max_context) {
      return usage(training ? "contexts are for inference; training has --solve batch" : "this model has no context");
    }
    const std::int64_t positions = plain.workload.model->architecture->max_positions;
    const std::int64_t most = *plain.fit->max_context;
    return at_value(std::move(request), "context", positions > 0 ? std::min(most, positions) : most, plain, catalog,
                    detail);
  }
  if (key == "batch") {
    return at_value(std::move(request), training ? "micro_batch" : "batch", plain.fit->max_batch, plain, catalog,
                    detail);
  }
  if (training) {
    return usage("concurrency is for inference; training has --solve batch");
  }
  return at_value(std::move(request), "concurrency", plain.max_concurrency, plain, catalog, detail);
}

} // namespace hwadvisor::estimating
