#pragma once

// Workloads and placements of the tests: models of data/models, engines with their rules written out.

#include "hwadvisor/footprint.hpp"

#include <string>

hwadvisor::Engine generic_engine();
hwadvisor::Engine llama_cpp_engine();
hwadvisor::Engine vllm_engine();
hwadvisor::Engine pytorch_engine();

hwadvisor::Workload inference(const std::string& model, const std::string& precision, const hwadvisor::Engine& engine,
                              std::int64_t context, std::int64_t sequences = 1);
hwadvisor::Workload training(const std::string& model, const std::string& precision, hwadvisor::Method method);

hwadvisor::Device card(double gigabytes); // whose driver shows all of it
hwadvisor::Placement on(const hwadvisor::Device& device, std::int32_t count = 1);

// Fails the running test when there is no estimate.
hwadvisor::Footprint footprint_of(const hwadvisor::Workload& workload, const hwadvisor::Placement& placement = {});
std::int64_t likely(const hwadvisor::Footprint& footprint, const char* component); // 0: no such component
