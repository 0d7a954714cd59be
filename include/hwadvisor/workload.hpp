#pragma once

// A workload is a request with everything decided: the model resolved, defaults filled in, names turned into values.
// A placement is one way to run it: hardware, count, parallelism, engine settings. Both are plain values; everything
// from here to the ranking is pure.

#include "hwadvisor/engine.hpp"
#include "hwadvisor/hardware.hpp"
#include "hwadvisor/model.hpp"
#include "hwadvisor/precision.hpp"
#include "hwadvisor/request.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hwadvisor {

class Catalog;

enum class Severity : std::uint8_t { info, advice, warning, veto };
std::string_view severity_name(Severity severity);

// A sentence for the reader, with the rule it comes from ("default.context") and the source of its claim.
struct Note {
  std::string rule;
  Severity severity = Severity::info;
  std::string text;
  std::string source = {};
};

enum class Method : std::uint8_t { full, lora, qlora, freeze };
std::string_view method_name(Method method);
enum class Checkpointing : std::uint8_t { none, selective, full };
std::string_view checkpointing_name(Checkpointing checkpointing);

// Where llama.cpp computes. `any`: on the device that is named, by its usual library.
enum class Backend : std::uint8_t { any, cpu, cuda, vulkan, metal, rocm, sycl, opencl };
std::string_view backend_name(Backend backend); // empty for `any`

struct InferenceJob {
  std::int64_t context = 4096; // tokens a sequence may hold
  std::int64_t sequences = 1;  // held at once: batch or concurrency
  std::int64_t input_tokens = 512;
  std::int64_t output_tokens = 128;
  const NumberFormat* k_format = nullptr;
  const NumberFormat* v_format = nullptr;
  std::int64_t batched_tokens = 0; // tokens of one forward pass at most (chunked prefill, ubatch)
  bool flash_attention = true;
  std::optional<std::int64_t> gpu_layers;
  bool swa_full = false;
  bool kv_unified = false;
  bool kv_offload = true;              // llama.cpp: the cache lies on the device, and attention is computed there
  std::optional<std::int64_t> outputs; // llama.cpp: rows of logits reserved; unset: one for each token of a batch
  bool embeddings = false;             // llama.cpp: hands embeddings out
  Backend backend = Backend::any;      // cpu: the host is the one device
  double pool_fraction = 0.0;
  std::optional<double> requests_per_s;
};

struct TrainingJob {
  Method method = Method::full;
  std::string optimizer = "adamw";
  std::int64_t micro_batch = 1;
  std::int64_t seq_len = 2048;
  std::int64_t grad_accum = 1;
  Checkpointing checkpointing = Checkpointing::none;
  bool flash_attention = true;
  bool fused_loss = false;
  std::int64_t lora_rank = 16;
  std::vector<std::string> lora_targets;    // empty: all linear layers
  std::optional<std::int64_t> train_tokens; // the whole job; sequences for models without tokens: samples
  bool offload_optimizer = false;
  bool offload_params = false;
};

struct Workload {
  std::shared_ptr<const Request> request; // as asked, with what its scenario sets
  std::shared_ptr<const Model> model;
  Task task = Task::inference;
  Precision precision;
  bool precision_named = false; // by the model's name or configuration, where the request asks for none
  std::shared_ptr<const Engine> engine;
  std::string engine_version;
  InferenceJob inference;  // for Task::inference
  TrainingJob training;    // for the others
  std::vector<Note> notes; // defaults taken, names resolved
};

// Why an engine cannot run on a device, or empty: its makers support other vendors, or other software than it carries.
std::string unsupported_reason(const Engine& engine, const Device& device);
// Why a job cannot, whatever the bytes: the device does not train, or a library that the job needs does not run there.
std::string unsupported_reason(const Workload& workload, const Device& device);

// Whether `engine` reads weights of this kind (Engine::formats).
bool engine_reads(const Engine& engine, const Precision& precision);

enum class Sharding : std::uint8_t { none, zero1, zero2, zero3 }; // FSDP full_shard = zero3, shard_grad_op = zero2

struct Placement {
  const Device* device = nullptr;     // nullptr: hardware in general
  const Instance* instance = nullptr; // nullptr: not rented
  std::int32_t count = 1;             // devices in all = tp x pp x dp x cp
  std::int32_t nodes = 1;
  std::int32_t tp = 1, pp = 1, dp = 1, ep = 1, cp = 1;
  Sharding sharding = Sharding::none;
  // Set when `device` is none of the catalog's: a chip with one of its memory options, a card known by its size.
  std::shared_ptr<const Device> own_device = nullptr;
  // What a job may use of one device (usable_memory()); empty: what the device's own entry tells.
  std::optional<UsableMemory> usable = std::nullopt;
};

std::string_view sharding_name(Sharding sharding); // "none", "zero1" …

// Turns a request into a workload: the scenario's defaults taken, model looked up or inferred, the rest of the defaults
// filled in; what was taken is said in the notes ("default.context").
// Errors: unknown or ambiguous names, unreadable files, values that contradict each other or the task.
Result<Workload> resolve(const Request& request, const Catalog& catalog);

// The placement that `request` asks for on one hardware ("2x a100 80gb", "aws/p4d.24xlarge"). The device, like all the
// catalog's records, lives as long as the catalog.
Result<Placement> resolve_placement(const Request& request, const std::string& hardware, const Workload& workload,
                                    const Catalog& catalog, std::vector<Note>& notes);

// The placement on hardware in general, or on a card known only by its size: `device` may be nullptr.
Result<Placement> place_on(const Request& request, const Device* device, const Workload& workload,
                           std::vector<Note>& notes);

// The request that asks for exactly this: every default filled in, as results repeat it.
Request normalised(const Request& request, const Workload& workload, const Placement& placement);

} // namespace hwadvisor
