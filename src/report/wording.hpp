#pragma once

// Sentences and names that both reports use.

#include "hwadvisor/estimate.hpp"
#include "report/document.hpp"

#include <string>
#include <vector>

namespace hwadvisor::report {

std::string component_title(std::string_view name);                // "kv_cache" -> "KV cache"
std::string job_text(const Workload& workload);                    // "inference in bf16, context 4,096, batch 1"
std::string device_text(const Device& device, std::int32_t count); // "2 x NVIDIA A100 PCIe 40 GB"
std::string placement_text(const Placement& placement);            // "tp 2", "dp 4, zero3"; empty for one device
std::string verdict_text(Verdict verdict);
Tone verdict_tone(Verdict verdict);

// The rule of thumb beside the estimate: how far off it is here, and why.
std::string rule_of_thumb_text(const Footprint& footprint, std::int32_t devices);

// "context 4,096 tokens; batch 1": the defaults among the notes, in one line; empty: there are none.
std::string assumed_text(const std::vector<Note>& notes);
// The other notes, warnings first.
std::vector<std::string> remark_texts(const std::vector<Note>& notes, bool with_source);

// "$3.67/h" with its date and kind; or why there is none.
std::string rate_text(const Bill& bill);
std::string dated(const std::string& date); // "of 2026-06-12", "undated"

} // namespace hwadvisor::report
