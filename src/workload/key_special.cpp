#include "workload/key_special.hpp"

#include "text/quote.hpp"

#include <fmt/format.h>

namespace hwadvisor::workload {
namespace {

using ::hwadvisor::text::quoted;

Error usage(std::string message)
{
  return Error{ErrorKind::usage, std::move(message)};
}

bool blank(std::string_view text)
{
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

bool all_digits(std::string_view text)
{
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

} // namespace

std::vector<std::string> split_words(std::string_view text)
{
  std::vector<std::string> out;
  while (!text.empty()) {
    const auto comma = text.find(',');
    std::string_view word = text.substr(0, comma);
    text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
    while (!word.empty() && word.front() == ' ') {
      word.remove_prefix(1);
    }
    while (!word.empty() && word.back() == ' ') {
      word.remove_suffix(1);
    }
    if (!word.empty()) {
      out.emplace_back(word);
    }
  }
  return out;
}

Status set_model(Request& request, std::string_view text)
{
  if (blank(text)) {
    return usage("a model name or a file is expected, not an empty text");
  }
  request.model = ModelChoice{};
  request.model.name = std::string(text);
  return {};
}

Status set_params(Request& request, std::string_view text)
{
  HWADVISOR_TRY(params, parse_count(text, {1, 1'000'000'000'000'000}));
  request.model.params = params;
  return {};
}

Status set_hardware(Request& request, std::string_view text)
{
  if (blank(text)) {
    return usage("a device or an instance is expected, not an empty text");
  }
  request.hardware = {std::string(text)};
  return {};
}

Status set_device_memory(Request& request, std::string_view text)
{
  HWADVISOR_TRY(gb, parse_vendor_gb(text));
  request.device_memory_gb = gb;
  return {};
}

Status set_concurrency(Request& request, std::string_view text)
{
  if (text == "max") {
    request.concurrency = std::nullopt;
    request.concurrency_max = true;
    return {};
  }
  HWADVISOR_TRY(value, parse_count(text, {1, k_most_jobs}));
  request.concurrency = value;
  request.concurrency_max = false;
  return {};
}

// "800x1333" is height x width; one number is a square.
Status set_image_size(Request& request, std::string_view text)
{
  const auto cross = text.find_first_of("xX");
  const auto side = [&](std::string_view part) { return parse_count(part, {1, 100'000}); };
  const auto height = side(text.substr(0, cross));
  const auto width = cross == std::string_view::npos ? height : side(text.substr(cross + 1));
  if (!height || !width) {
    return usage(
        fmt::format("{} is not an image size; accepted: 224x224 (height x width), 512, at most 100000", quoted(text)));
  }
  request.image_height = *height;
  request.image_width = *width;
  return {};
}

Status set_utilization(Request& request, std::string_view text)
{
  HWADVISOR_TRY(share, parse_real(text, {0.01, 1.0}, true));
  request.gpu_memory_utilization = share;
  return {};
}

// llama.cpp's log says "offloaded 33/33 layers"; the part before the slash counts.
Status set_gpu_layers(Request& request, std::string_view text)
{
  if (text == "all") {
    request.gpu_layers = k_all_layers;
    return {};
  }
  std::string_view count = text;
  if (const auto slash = text.find('/'); slash != std::string_view::npos && all_digits(text.substr(slash + 1))) {
    count = text.substr(0, slash);
  }
  const auto value = parse_count(count, {0, k_all_layers});
  if (!value) {
    return usage(fmt::format("{} is not a number of layers; accepted: 33, 33/33, all", quoted(text)));
  }
  request.gpu_layers = *value;
  return {};
}

Status set_fsdp(Request& request, std::string_view text)
{
  if (text == "true" || text == "on") {
    request.fsdp = "full_shard"; // what every framework shards when it is only switched on
    return {};
  }
  for (const std::string_view word : {"full_shard", "hybrid_shard", "shard_grad_op"}) {
    if (text == word) {
      request.fsdp = std::string(word);
      return {};
    }
  }
  return usage(fmt::format("{} is not one of full_shard, hybrid_shard, shard_grad_op", quoted(text)));
}

Status set_zero(Request& request, std::string_view text)
{
  HWADVISOR_TRY(stage, parse_count(text, {0, 3}));
  request.zero = stage;
  return {};
}

Status set_deadline(Request& request, std::string_view text)
{
  HWADVISOR_TRY(hours, parse_hours(text));
  request.deadline_hours = hours;
  return {};
}

Status set_as_of(Request& request, std::string_view text)
{
  const bool shaped = text.size() == 10 && text[4] == '-' && text[7] == '-' && all_digits(text.substr(0, 4)) &&
                      all_digits(text.substr(5, 2)) && all_digits(text.substr(8, 2));
  const auto two = [&](std::size_t at) { return (text[at] - '0') * 10 + (text[at + 1] - '0'); };
  if (!shaped || two(5) < 1 || two(5) > 12 || two(8) < 1 || two(8) > 31) {
    return usage(fmt::format("{} is not a date; accepted: 2026-06-30", quoted(text)));
  }
  request.as_of = std::string(text);
  return {};
}

Status set_task(Request& request, std::string_view text)
{
  for (const Task task : {Task::inference, Task::training, Task::finetuning}) {
    if (text == task_name(task)) {
      request.task = task;
      return {};
    }
  }
  return usage(fmt::format("{} is not one of inference, training, finetuning", quoted(text)));
}

std::optional<RequestValue> get_task(const Request& request)
{
  return request.task ? std::optional<RequestValue>(std::string(task_name(*request.task))) : std::nullopt;
}

std::optional<RequestValue> get_model(const Request& request)
{
  return request.model.name.empty() ? std::nullopt : std::optional<RequestValue>(request.model.name);
}

std::optional<RequestValue> get_params(const Request& request)
{
  return request.model.params ? std::optional<RequestValue>(*request.model.params) : std::nullopt;
}

std::optional<RequestValue> get_concurrency(const Request& request)
{
  if (request.concurrency_max) {
    return RequestValue(std::string("max"));
  }
  return request.concurrency ? std::optional<RequestValue>(*request.concurrency) : std::nullopt;
}

std::optional<RequestValue> get_image_size(const Request& request)
{
  if (!request.image_height || !request.image_width) {
    return std::nullopt;
  }
  return RequestValue(fmt::format("{}x{}", *request.image_height, *request.image_width));
}

std::optional<RequestValue> get_gpu_layers(const Request& request)
{
  if (!request.gpu_layers) {
    return std::nullopt;
  }
  return *request.gpu_layers == k_all_layers ? RequestValue(std::string("all")) : RequestValue(*request.gpu_layers);
}

std::optional<RequestValue> get_deadline(const Request& request)
{
  return request.deadline_hours ? std::optional<RequestValue>(fmt::format("{}h", *request.deadline_hours))
                                : std::nullopt;
}

} // namespace hwadvisor::workload

namespace hwadvisor {

std::string_view task_name(Task task)
{
  switch (task) {
  case Task::inference:
    return "inference";
  case Task::training:
    return "training";
  case Task::finetuning:
    return "finetuning";
  }
  return "inference";
}

} // namespace hwadvisor
