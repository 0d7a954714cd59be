#pragma once

// A request as asked: the flags of the command line and the keys of a request file are the same list, and both are
// read through request_keys(). Nothing is resolved or defaulted here; resolve() in workload.hpp does that.

#include "hwadvisor/result.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace hwadvisor {

enum class Task : std::uint8_t { inference, training, finetuning };
std::string_view task_name(Task task);

// The model as it was named: exactly one of the members is set.
struct ModelChoice {
  std::string name;                   // catalog id, alias, or a path that exists
  bool is_path = false;               // {"path": …}: the name is a path whether or not it exists
  std::optional<std::int64_t> params; // --params 7B
  std::string config_json;            // {"config": {…}}: the text of a Hugging Face configuration
  std::string shape_json;             // {"llamacpp_shape": {…}}: sizes by llama.cpp's names
  std::string config_place;           // where that text stands, for errors
  bool empty() const { return name.empty() && !params && config_json.empty() && shape_json.empty(); }
};

struct Request {
  // What
  ModelChoice model;
  std::optional<Task> task;
  std::optional<std::string> engine;
  std::optional<std::string> engine_version;
  std::optional<std::string> framework;
  std::optional<std::string> precision;
  std::optional<std::string> kv_precision; // one format, or "k/v"
  std::vector<std::string> hardware;       // --on, repeated for compare
  std::optional<std::int64_t> count;
  std::optional<double> device_memory_gb; // a card known only by its size
  std::optional<std::string> scenario;
  std::optional<std::string> solve; // estimate: the largest context, batch, concurrency, precision or params that fits

  // Load
  std::optional<std::int64_t> context;
  std::optional<std::int64_t> batch;
  std::optional<std::int64_t> concurrency;
  bool concurrency_max = false; // "max": as many as the KV pool admits
  std::optional<std::int64_t> sequences;
  std::optional<std::int64_t> input_tokens;
  std::optional<std::int64_t> output_tokens;
  std::optional<std::int64_t> image_height;
  std::optional<std::int64_t> image_width;
  std::optional<double> requests_per_s;

  // Engine settings
  std::optional<double> gpu_memory_utilization;
  std::optional<std::int64_t> max_batched_tokens;
  std::optional<std::int64_t> ubatch;
  std::optional<bool> flash_attention;
  std::optional<std::int64_t> gpu_layers;
  std::optional<bool> kv_offload;
  std::optional<std::int64_t> outputs; // logit rows reserved
  std::optional<bool> embeddings;      // the engine returns embeddings beside logits
  std::optional<bool> swa_full;
  std::optional<bool> kv_unified;
  std::optional<bool> enforce_eager;    // no captured graphs
  std::optional<std::string> attention; // eager, sdpa, flash, xformers
  std::optional<std::string> backend;   // cpu, cuda, vulkan, metal, rocm, sycl, opencl

  // Training
  std::optional<std::string> method; // full, lora, qlora, freeze
  std::optional<std::int64_t> lora_rank;
  std::vector<std::string> lora_targets;
  std::optional<std::string> optimizer;
  std::optional<std::int64_t> micro_batch;
  std::optional<std::int64_t> seq_len;
  std::optional<std::int64_t> grad_accum;
  std::optional<std::string> checkpointing; // none, selective, full
  std::optional<bool> fused_loss;
  std::optional<std::int64_t> train_tokens;
  std::optional<double> epochs;
  std::optional<std::int64_t> dataset_rows;

  // Parallelism
  std::optional<std::int64_t> tp, pp, dp, ep, cp, zero;
  std::optional<std::string> fsdp;
  std::vector<std::string> offload;

  // Limits and wishes
  std::optional<std::string> objective; // cost, speed, value
  std::optional<double> budget;         // USD, one-off
  std::optional<double> budget_hourly;
  std::optional<double> budget_monthly;
  std::optional<double> hours_per_month;
  std::optional<double> horizon_months;
  std::optional<double> ttft_ms;
  std::optional<double> tpot_ms;
  std::optional<double> min_tokens_per_s;
  std::optional<double> deadline_hours;
  std::vector<std::string> allow_precisions;
  std::vector<std::string> provider;
  std::vector<std::string> tier;
  std::vector<std::string> region;
  std::vector<std::string> vendor;
  std::optional<bool> spot;
  std::optional<double> max_power_w;
  std::optional<std::string> only;  // cloud, local
  std::optional<std::string> as_of; // YYYY-MM-DD: the day from which prices' ages count

  // Keys that are part of the request and change no figure yet, by name, as text.
  std::vector<std::pair<std::string, std::string>> carried;
};

inline constexpr std::int64_t k_all_layers = std::numeric_limits<std::int32_t>::max(); // gpu_layers "all"

using RequestValue = std::variant<bool, std::int64_t, double, std::string, std::vector<std::string>>;

// Whether a key of the request format has an effect.
enum class KeyUse : std::uint8_t {
  honoured,
  carried, // accepted and repeated in results; it changes no figure yet, and a note says so
  refused  // not supported yet, and ignoring it would give a wrong answer: an error
};

// One key of a request: "input_tokens" in JSON, --input-tokens on the command line.
struct RequestKey {
  std::string_view name;  // snake_case
  std::string_view group; // "what", "load", "engine", "training", "parallelism", "limits"
  std::string_view value; // what the help shows for the value: "N", "TOKENS", "USD"; empty: a switch
  std::string_view help;
  std::string_view words; // a closed list: "inference|training|finetuning"; empty: open
  Status (*set)(Request& request, std::string_view text) = nullptr; // lists: divided by commas
  std::optional<RequestValue> (*get)(const Request& request) = nullptr;
  KeyUse use = KeyUse::honoured;
};

std::span<const RequestKey> request_keys();
const RequestKey* find_request_key(std::string_view name); // nullptr: no such key

// The flag of a key: "--input-tokens"; of hardware: "--on".
std::string flag_of(const RequestKey& key);

// Sets one key from text as a person writes it ("8k", "7B", "24GB", "3.5/h"). Error: ErrorKind::usage, where = flag.
Status set_request_key(Request& request, std::string_view name, std::string_view text);

// Whether the request says anything about this key.
bool has_request_key(const Request& request, std::string_view name);

// A request from a file, or why this element of the file is none.
struct ParsedRequest {
  std::optional<Request> request;
  std::optional<Error> error;
};

struct RequestFile {
  bool batch = false; // an array was given
  std::vector<ParsedRequest> requests;
};

// One request object, or an array of them. `file` names it in errors: malformed JSON, and anything but an object or
// an array of objects, fails as a whole (ErrorKind::malformed); a fault inside one element stays with that element
// (ErrorKind::usage, where = file and JSON pointer). Keys ending in "_as_named" are ignored.
Result<RequestFile> parse_request_file(std::string_view json_text, std::string_view file);

// The same where every element must be right: the first fault is the error.
Result<std::vector<Request>> parse_requests(std::string_view json_text, std::string_view file);

// The request as a JSON object of its keys (text), as results repeat it.
std::string request_json(const Request& request);

} // namespace hwadvisor
