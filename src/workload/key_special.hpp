#pragma once

// Keys whose value is not just one number, word or list: the model, the device list, "max", "33/33", "224x224" …

#include "workload/key_access.hpp"

namespace hwadvisor::workload {

Status set_model(Request& request, std::string_view text);
Status set_params(Request& request, std::string_view text);
Status set_hardware(Request& request, std::string_view text);
Status set_device_memory(Request& request, std::string_view text);
Status set_concurrency(Request& request, std::string_view text);
Status set_image_size(Request& request, std::string_view text);
Status set_utilization(Request& request, std::string_view text);
Status set_gpu_layers(Request& request, std::string_view text);
Status set_fsdp(Request& request, std::string_view text);
Status set_zero(Request& request, std::string_view text);
Status set_deadline(Request& request, std::string_view text);
Status set_as_of(Request& request, std::string_view text);

std::optional<RequestValue> get_model(const Request& request);
std::optional<RequestValue> get_params(const Request& request);
std::optional<RequestValue> get_task(const Request& request);
Status set_task(Request& request, std::string_view text);
std::optional<RequestValue> get_concurrency(const Request& request);
std::optional<RequestValue> get_image_size(const Request& request);
std::optional<RequestValue> get_gpu_layers(const Request& request);
std::optional<RequestValue> get_deadline(const Request& request);

} // namespace hwadvisor::workload
