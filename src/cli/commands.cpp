#include "cli/commands.hpp"

#include <algorithm>

namespace hwadvisor::cli {
namespace {

std::vector<Flag> joined(std::vector<std::vector<Flag>> lists)
{
  std::vector<Flag> out;
  for (auto& list : lists) {
    out.insert(out.end(), list.begin(), list.end());
  }
  return out;
}

std::vector<Flag> estimate_flags()
{
  return joined({request_flags(false), output_flags(), common_flags()});
}

std::vector<Flag> recommend_flags()
{
  return joined({request_flags(true), output_flags(), common_flags()});
}

std::vector<Flag> plain_output()
{
  return {
      {"--format", "", "FORMAT", "table (default), json or csv", "Output", false, false, "table|json|csv"},
      {"--json", "", "", "the same as --format json", "Output", false, false, ""},
      {"--output", "-o", "FILE", "write the result to FILE", "Output", false, false, ""},
  };
}

std::vector<Flag> catalog_flags()
{
  return joined(
      {{
           {"--kind", "", "KIND", "gpu, cpu, tpu, soc, npu or accelerator; or what is listed", "Filters", false, false,
            ""},
           {"--vendor", "", "NAME", "of devices: NVIDIA, AMD, Intel, Apple, Google, ...", "Filters", false, false, ""},
           {"--min-memory", "", "SIZE", "of devices: 24GB", "Filters", false, false, ""},
           {"--family", "", "NAME", "of models (llm-dense, cnn, ...) and of devices (architecture)", "Filters", false,
            false, ""},
           {"--provider", "", "NAME", "of instances: aws, gcp, azure, ...", "Filters", false, false, ""},
           {"--device", "", "ID", "of instances: what they hold", "Filters", false, false, ""},
           {"--search", "", "TEXT", "in ids and names", "Filters", false, false, ""},
       },
       plain_output(),
       common_flags()});
}

std::vector<Flag> scenario_flags()
{
  return joined({plain_output(), common_flags()});
}

std::vector<Flag> validate_flags()
{
  return joined({{
                     {"--metric", "", "NAME", "only this metric: memory.kv_cache_bytes", "Filters", true, false, ""},
                     {"--tag", "", "NAME", "only cases with this tag", "Filters", true, false, ""},
                     {"--worst", "", "N", "list the N worst cases of each metric", "Output", false, false, ""},
                 },
                 output_flags(),
                 common_flags()});
}

std::vector<Flag> schema_flags()
{
  return joined({{{"--output", "-o", "FILE", "write the schema to FILE", "Output", false, false, ""}}, common_flags()});
}

constexpr std::string_view k_estimate_examples[] = {
    "hwadvisor estimate --params 7B --precision fp16",
    "hwadvisor estimate llama-3.1-8b --context 128k --on 'RTX 4090'",
    "hwadvisor estimate llama-3.1-70b --precision q4_k_m --engine llama.cpp --on '2x RTX 3090'",
    "hwadvisor estimate llama-2-7b --task finetuning --method lora --micro-batch 8 --explain",
    "hwadvisor estimate ./config.json --precision fp8 --json",
    "hwadvisor estimate ./model.gguf --engine llama.cpp --context 32k",
};
constexpr std::string_view k_recommend_examples[] = {
    "hwadvisor recommend llama-2-7b --task finetuning --method lora --scenario team-training",
    "hwadvisor recommend resnet-50 --task training --scenario learning --budget 800usd",
    "hwadvisor recommend llama-3.1-70b --scenario high-concurrency-serving --concurrency 64",
};
constexpr std::string_view k_catalog_examples[] = {
    "hwadvisor catalog list devices --vendor NVIDIA --min-memory 80GB",
    "hwadvisor catalog list models --family llm-moe",
    "hwadvisor catalog show 'RTX 4090'",
    "hwadvisor catalog validate --catalog ./my-catalog",
};
constexpr std::string_view k_scenario_examples[] = {"hwadvisor scenarios list", "hwadvisor scenarios show learning"};
constexpr std::string_view k_validate_examples[] = {
    "hwadvisor validate",
    "hwadvisor validate my-runs.json --worst 5",
    "hwadvisor validate --metric memory.kv_cache_bytes --json",
};
constexpr std::string_view k_schema_examples[] = {"hwadvisor schema",
                                                  "hwadvisor schema estimate > estimate.schema.json"};
constexpr std::string_view k_completion_examples[] = {
    "hwadvisor completion bash > /etc/bash_completion.d/hwadvisor",
    "hwadvisor completion fish > ~/.config/fish/completions/hwadvisor.fish"};

constexpr Entry k_commands[] = {
    {{"estimate", "Memory, speed and cost of one job; on one hardware or in general", "[MODEL] [flags]",
      "MODEL is a catalog name, a file (.gguf, .safetensors or its index, config.json), a model folder, or\n"
      "--params 7B alone.\n"
      "Exit 0: it fits, or no hardware was named. Exit 3: it does not fit, or a limit is not met.",
      k_estimate_examples, 1, &estimate_flags},
     &run_estimate},
    {{"recommend", "Hardware that does the job, ranked by the cost of doing it", "[MODEL] [flags]",
      "Every device that can be bought and every instance that can be rented is placed, judged, priced and\n"
      "ranked; what was rejected is listed with its reason. Exit 3: nothing qualifies.",
      k_recommend_examples, 1, &recommend_flags},
     &run_recommend},
    {{"catalog", "Devices, instances, models and engines that are known", "list [WHAT] | show NAME | validate | path",
      "list      WHAT is devices (default), instances, models, engines, scenarios or providers\n"
      "show      one entry with its sources and dates, as it stands in its file\n"
      "validate  reads every entry, overlays included, and counts them\n"
      "path      the folders from which entries come",
      k_catalog_examples, 2, &catalog_flags},
     &run_catalog},
    {{"scenarios", "Kinds of users and jobs that recommend knows", "list | show NAME", "", k_scenario_examples, 2,
      &scenario_flags},
     &run_scenarios},
    {{"validate", "Predictions against measurements: errors by metric and engine", "[FILE...]",
      "FILE holds cases: {\"cases\": [{\"id\", \"request\", \"measured\": {KEY: number}, \"tags\"}]}.\n"
      "Without FILE: the measurements that the program carries. Unsupported cases are counted, never an error.",
      k_validate_examples, 1000, &validate_flags},
     &run_validate},
    {{"schema", "JSON Schemas of results, requests and catalog files", "[NAME]", "Without NAME: the names.",
      k_schema_examples, 1, &schema_flags},
     &run_schema},
    {{"completion", "Completion script for a shell", "bash | zsh | fish", "", k_completion_examples, 1, &common_flags},
     &run_completion},
};

} // namespace

std::span<const Entry> commands()
{
  return k_commands;
}

const Entry* find_command(std::string_view name)
{
  const auto found = std::find_if(std::begin(k_commands), std::end(k_commands),
                                  [&](const Entry& entry) { return entry.command.name == name; });
  return found == std::end(k_commands) ? nullptr : found;
}

} // namespace hwadvisor::cli
