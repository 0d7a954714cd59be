#include "hwadvisor/request.hpp"

#include "text/near.hpp"
#include "text/quote.hpp"
#include "workload/key_special.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hwadvisor {
namespace {

using namespace workload;
using R = Request;

constexpr auto k_batch = set_count<&R::batch, 1, k_most_jobs>;
constexpr auto k_sequences = set_count<&R::sequences, 1, k_most_jobs>;
constexpr auto k_lora_rank = set_count<&R::lora_rank, 1, 65536>;
constexpr auto k_micro_batch = set_count<&R::micro_batch, 1, k_most_jobs>;
constexpr auto k_grad_accum = set_count<&R::grad_accum, 1, k_most_jobs>;
constexpr auto k_train_tokens = set_count<&R::train_tokens, 1, k_most_tokens_trained>;
constexpr auto k_dataset_rows = set_count<&R::dataset_rows, 1, k_most_tokens_trained>;

constexpr KeyUse k_carried = KeyUse::carried;
constexpr KeyUse k_refused = KeyUse::refused;

// The one list: flags, JSON keys, help, and docs/json.md all come from it. Columns: name, group, value, help, words
// (for a refused key: the value that is assumed anyway, and so accepted), set, get, use.
constexpr RequestKey k_keys[] = {
    // what
    {"model", "what", "NAME", "catalog name, alias, model file or folder", "", set_model, get_model},
    {"params", "what", "N", "parameters alone, e.g. 7B: the architecture is inferred", "", set_params, get_params},
    {"task", "what", "WORD", "inference (default), training or finetuning", "", set_task, get_task},
    {"precision", "what", "NAME", "fp16, bf16, fp8, int4, q4_k_m, awq-int4, nf4, bf16-mixed, ...", "",
     set_text<&R::precision>, get_value<&R::precision>},
    {"kv_precision", "what", "NAME", "format of the KV cache: one, or K/V as in q8_0/f16", "",
     set_text<&R::kv_precision>, get_value<&R::kv_precision>},
    {"engine", "what", "NAME", "generic (default), vllm, llama.cpp, ...", "", set_text<&R::engine>,
     get_value<&R::engine>},
    {"engine_version", "what", "VERSION", "engines change their rules: the version decides", "",
     set_text<&R::engine_version>, get_value<&R::engine_version>},
    {"framework", "what", "NAME", "training framework: deepspeed, torchtune, ...", "", nullptr, nullptr, k_carried},
    {"hardware", "what", "NAME", "device or instance: 'RTX 4090', '2x a100-80gb', aws/g5.xlarge", "", set_hardware,
     get_list<&R::hardware>},
    {"device_memory_gb", "what", "GB", "a card known only by its memory: 24GB; with --on, what is fitted", "",
     set_device_memory, get_value<&R::device_memory_gb>},
    {"count", "what", "N", "devices in all", "", set_devices<&R::count>, get_value<&R::count>},
    {"scenario", "what", "NAME", "learning, team-training, high-concurrency-serving, ...", "", set_text<&R::scenario>,
     get_value<&R::scenario>},
    {"solve", "what", "WORD", "the largest that fits: context, batch, concurrency, precision, params",
     "context|batch|concurrency|precision|params", set_text<&R::solve>, get_value<&R::solve>},

    // load
    {"context", "load", "TOKENS", "tokens a sequence may hold (8k = 8,192; default 4,096)", "",
     set_tokens<&R::context, 1>, get_value<&R::context>},
    {"batch", "load", "N", "static batch; in training the whole job's batch", "", k_batch, get_value<&R::batch>},
    {"concurrency", "load", "N|max", "sequences served at once", "", set_concurrency, get_concurrency},
    {"sequences", "load", "N", "llama.cpp slots that share the context", "", k_sequences, get_value<&R::sequences>},
    {"input_tokens", "load", "TOKENS", "prompt length (default 512; 0: decode from an empty context)", "",
     set_count<&R::input_tokens, 0, k_most_tokens>, get_value<&R::input_tokens>},
    {"output_tokens", "load", "TOKENS", "answer length (default 128; 0: prefill alone)", "",
     set_count<&R::output_tokens, 0, k_most_tokens>, get_value<&R::output_tokens>},
    {"requests_per_s", "load", "RATE", "requests arriving a second", "", set_real<&R::requests_per_s>,
     get_value<&R::requests_per_s>},
    {"image_size", "load", "HxW", "input image of a vision model", "", set_image_size, get_image_size},
    {"dataset_gb", "load", "GB", "size of the data set", "", nullptr, nullptr, k_carried},
    {"cached_tokens", "load", "TOKENS", "prompt tokens found in the prefix cache", "0", nullptr, nullptr, k_refused},
    {"cache_hit_rate", "load", "SHARE", "share of prompt tokens in the prefix cache", "0", nullptr, nullptr, k_refused},
    {"total_requests", "load", "N", "requests of an offline batch", "", nullptr, nullptr, k_refused},
    {"peak_requests_per_s", "load", "RATE", "requests a second at the peak", "", nullptr, nullptr, k_refused},
    {"replicas", "load", "N", "copies of the model", "1", nullptr, nullptr, k_refused},
    {"streams", "load", "N", "video or audio streams at once", "", nullptr, nullptr, k_refused},
    {"fps", "load", "RATE", "frames a second a stream", "", nullptr, nullptr, k_refused},
    {"audio_hours", "load", "HOURS", "hours of audio to transcribe", "", nullptr, nullptr, k_refused},
    {"steps", "load", "N", "diffusion steps an image", "", nullptr, nullptr, k_refused},

    // engine
    {"gpu_memory_utilization", "engine", "SHARE", "share of the card the engine takes (vLLM: 0.9)", "", set_utilization,
     get_value<&R::gpu_memory_utilization>},
    {"max_batched_tokens", "engine", "TOKENS", "tokens of one forward pass at most", "",
     set_count<&R::max_batched_tokens, 1, k_most_tokens>, get_value<&R::max_batched_tokens>},
    {"ubatch", "engine", "TOKENS", "llama.cpp's physical batch (default 512)", "",
     set_count<&R::ubatch, 1, k_most_tokens>, get_value<&R::ubatch>},
    {"flash_attention", "engine", "on|off", "attention without the score matrix", "", set_switch<&R::flash_attention>,
     get_value<&R::flash_attention>},
    {"attention", "engine", "WORD", "eager, sdpa, flash or xformers", "eager|sdpa|flash|xformers",
     set_text<&R::attention>, get_value<&R::attention>},
    {"gpu_layers", "engine", "N|all", "layers on the GPU (llama.cpp)", "", set_gpu_layers, get_gpu_layers},
    {"backend", "engine", "WORD", "cpu, cuda, vulkan, metal, rocm, sycl or opencl",
     "cpu|cuda|vulkan|metal|rocm|sycl|opencl", set_text<&R::backend>, get_value<&R::backend>},
    {"swa_full", "engine", "", "sliding-window layers keep the whole context (llama.cpp)", "", set_switch<&R::swa_full>,
     get_value<&R::swa_full>},
    {"kv_unified", "engine", "", "one KV buffer for all sequences (llama.cpp)", "", set_switch<&R::kv_unified>,
     get_value<&R::kv_unified>},
    {"enforce_eager", "engine", "", "no captured graphs (vLLM)", "", set_switch<&R::enforce_eager>,
     get_value<&R::enforce_eager>},
    {"kv_offload", "engine", "on|off", "KV cache on the GPU (llama.cpp)", "", set_switch<&R::kv_offload>,
     get_value<&R::kv_offload>},
    {"outputs", "engine", "N", "rows of logits reserved (llama.cpp; its server: one a slot)", "",
     set_count<&R::outputs, 1, k_most_tokens>, get_value<&R::outputs>},
    {"embeddings", "engine", "", "embeddings are handed out (llama.cpp)", "", set_switch<&R::embeddings>,
     get_value<&R::embeddings>},
    {"speculative", "engine", "JSON", "speculative decoding: {draft, acceptance}", "", nullptr, nullptr, k_refused},

    // training
    {"method", "training", "NAME", "full, lora, qlora or freeze", "", set_text<&R::method>, get_value<&R::method>},
    {"lora_rank", "training", "N", "rank of the adapters (default 16)", "", k_lora_rank, get_value<&R::lora_rank>},
    {"lora_targets", "training", "LIST", "adapted layers: q,v or all-linear (default)", "", set_list<&R::lora_targets>,
     get_list<&R::lora_targets>},
    {"optimizer", "training", "NAME", "adamw (default), sgd, adamw_8bit, adafactor, ...", "", set_text<&R::optimizer>,
     get_value<&R::optimizer>},
    {"micro_batch", "training", "N", "sequences a device takes at once (default 1)", "", k_micro_batch,
     get_value<&R::micro_batch>},
    {"seq_len", "training", "TOKENS", "training sequence (8k = 8,192; default 2,048)", "", set_tokens<&R::seq_len, 1>,
     get_value<&R::seq_len>},
    {"grad_accum", "training", "N", "micro-batches an optimizer step", "", k_grad_accum, get_value<&R::grad_accum>},
    {"checkpointing", "training", "WORD", "activations recomputed: none, selective or full", "none|selective|full",
     set_text<&R::checkpointing>, get_value<&R::checkpointing>},
    {"fused_loss", "training", "", "the loss never holds all logits", "", set_switch<&R::fused_loss>,
     get_value<&R::fused_loss>},
    {"train_tokens", "training", "N", "tokens of the whole job (samples where there are no tokens)", "", k_train_tokens,
     get_value<&R::train_tokens>},
    {"epochs", "training", "N", "passes over the data set", "", set_real<&R::epochs>, get_value<&R::epochs>},
    {"dataset_rows", "training", "N", "rows of the data set", "", k_dataset_rows, get_value<&R::dataset_rows>},
    {"packed", "training", "", "short rows packed into full sequences", "", nullptr, nullptr, k_carried},
    {"compile", "training", "", "torch.compile", "", nullptr, nullptr, k_carried},
    {"async_tp", "training", "", "tensor-parallel communication overlapped", "", nullptr, nullptr, k_carried},
    {"algorithm", "training", "WORD", "sft, dpo, grpo or ppo", "sft", nullptr, nullptr, k_refused},
    {"train_embeddings", "training", "", "embeddings trained beside the adapters", "off", nullptr, nullptr, k_refused},
    {"pp_schedule", "training", "NAME", "pipeline schedule", "1f1b", nullptr, nullptr, k_refused},
    {"dataset_features", "training", "N", "columns of tabular data", "", nullptr, nullptr, k_refused},

    // parallelism
    {"tp", "parallelism", "N", "tensor-parallel ways", "", set_devices<&R::tp>, get_value<&R::tp>},
    {"pp", "parallelism", "N", "pipeline stages", "", set_devices<&R::pp>, get_value<&R::pp>},
    {"dp", "parallelism", "N", "data-parallel replicas", "", set_devices<&R::dp>, get_value<&R::dp>},
    {"ep", "parallelism", "N", "expert-parallel ways", "", set_devices<&R::ep>, get_value<&R::ep>},
    {"cp", "parallelism", "N", "context-parallel ways", "", set_devices<&R::cp>, get_value<&R::cp>},
    {"zero", "parallelism", "0|1|2|3", "DeepSpeed ZeRO stage", "", set_zero, get_value<&R::zero>},
    {"fsdp", "parallelism", "WORD", "full_shard, hybrid_shard or shard_grad_op", "", set_fsdp, get_value<&R::fsdp>},
    {"offload", "parallelism", "LIST", "kept in host memory: optimizer, params", "", set_list<&R::offload>,
     get_list<&R::offload>},

    // limits
    {"objective", "limits", "WORD", "cost (default), speed or value", "cost|speed|value", set_text<&R::objective>,
     get_value<&R::objective>},
    {"budget", "limits", "USD", "one-off: 800usd, 2k", "", set_usd<&R::budget>, get_value<&R::budget>},
    {"budget_hourly", "limits", "USD", "an hour: 3.5/h", "", set_usd_per_hour<&R::budget_hourly>,
     get_value<&R::budget_hourly>},
    {"budget_monthly", "limits", "USD", "a month: 500/month", "", set_usd_per_month<&R::budget_monthly>,
     get_value<&R::budget_monthly>},
    {"hours_per_month", "limits", "N", "hours of use a month", "", set_real<&R::hours_per_month>,
     get_value<&R::hours_per_month>},
    {"horizon_months", "limits", "N", "months over which buying and renting compare", "", set_real<&R::horizon_months>,
     get_value<&R::horizon_months>},
    {"ttft_ms", "limits", "MS", "time to the first token at most", "", set_real<&R::ttft_ms>, get_value<&R::ttft_ms>},
    {"tpot_ms", "limits", "MS", "time a further token at most", "", set_real<&R::tpot_ms>, get_value<&R::tpot_ms>},
    {"min_tokens_per_s", "limits", "RATE", "tokens a second of one sequence at least", "",
     set_real<&R::min_tokens_per_s>, get_value<&R::min_tokens_per_s>},
    {"deadline", "limits", "DURATION", "the run ends within: 24h, 30d", "", set_deadline, get_deadline},
    {"allow_precisions", "limits", "LIST", "precisions that may be tried", "", set_list<&R::allow_precisions>,
     get_list<&R::allow_precisions>},
    {"provider", "limits", "LIST", "aws, gcp, runpod, ...", "", set_list<&R::provider>, get_list<&R::provider>},
    {"tier", "limits", "LIST", "hyperscaler, specialist, marketplace", "", set_list<&R::tier>, get_list<&R::tier>},
    {"region", "limits", "LIST", "regions of offers", "", set_list<&R::region>, get_list<&R::region>},
    {"vendor", "limits", "LIST", "nvidia, amd, intel, apple, google, ...", "", set_list<&R::vendor>,
     get_list<&R::vendor>},
    {"spot", "limits", "", "spot offers count", "", set_switch<&R::spot>, get_value<&R::spot>},
    {"max_power_w", "limits", "W", "what a machine of one's own may draw", "", set_real<&R::max_power_w>,
     get_value<&R::max_power_w>},
    {"only", "limits", "WORD", "cloud or local", "cloud|local", set_text<&R::only>, get_value<&R::only>},
    {"as_of", "limits", "DATE", "the day from which the age of prices counts", "", set_as_of, get_value<&R::as_of>},
    {"budget_scope", "limits", "WORD", "the budget buys the part or the machine", "machine", nullptr, nullptr,
     k_refused},
    {"currency", "limits", "CODE", "currency of budgets", "USD", nullptr, nullptr, k_refused},
    {"market", "limits", "CODE", "market in which a part is bought", "", nullptr, nullptr, k_refused},
    {"latency_ms", "limits", "MS", "time of one batch at most", "", nullptr, nullptr, k_refused},
    {"percentile", "limits", "N", "percentile that latency limits hold for", "mean", nullptr, nullptr, k_refused},
    {"have", "limits", "NAME", "hardware at hand", "", nullptr, nullptr, k_refused},
};

Error at_flag(Error error, const RequestKey& key)
{
  error.where = flag_of(key);
  return error;
}

std::string listed(std::string_view words)
{
  std::string out;
  for (const char c : words) {
    out += c == '|' ? std::string(", ") : std::string(1, c);
  }
  return out;
}

bool is_word(std::string_view words, std::string_view word)
{
  while (!words.empty()) {
    const auto bar = words.find('|');
    if (words.substr(0, bar) == word) {
      return true;
    }
    words.remove_prefix(bar == std::string_view::npos ? words.size() : bar + 1);
  }
  return false;
}

// A refused key is accepted with the value that is assumed anyway ("off" also as false, no, 0).
bool is_assumed(const RequestKey& key, std::string_view text)
{
  const auto same = [](char a, char b) { return (a | 0x20) == (b | 0x20); };
  if (key.words.empty()) {
    return false;
  }
  if (text.size() == key.words.size() && std::equal(text.begin(), text.end(), key.words.begin(), same)) {
    return true;
  }
  const auto asked = parse_switch(text);
  const auto assumed = parse_switch(key.words);
  return asked.ok() && assumed.ok() && *asked == *assumed;
}

void carry(Request& request, const RequestKey& key, std::string_view text)
{
  for (auto& [name, value] : request.carried) {
    if (name == key.name) {
      value = std::string(text);
      return;
    }
  }
  request.carried.emplace_back(key.name, text);
}

} // namespace

std::span<const RequestKey> request_keys()
{
  return k_keys;
}

const RequestKey* find_request_key(std::string_view name)
{
  const auto found =
      std::find_if(std::begin(k_keys), std::end(k_keys), [&](const RequestKey& key) { return key.name == name; });
  return found == std::end(k_keys) ? nullptr : found;
}

std::string flag_of(const RequestKey& key)
{
  std::string flag = key.name == "hardware" ? "--on" : "--" + std::string(key.name);
  std::replace(flag.begin(), flag.end(), '_', '-');
  return flag;
}

Status set_request_key(Request& request, std::string_view name, std::string_view text)
{
  const RequestKey* key = find_request_key(name);
  if (key == nullptr) {
    std::vector<std::string> known;
    for (const RequestKey& each : k_keys) {
      known.emplace_back(each.name);
    }
    return Error{ErrorKind::usage, fmt::format("{} is not a known key", text::quoted(name)), "",
                 text::near_matches(name, known)};
  }
  switch (key->use) {
  case KeyUse::refused:
    if (is_assumed(*key, text)) {
      return {};
    }
    return at_flag({ErrorKind::usage, key->words.empty() ? "not supported yet"
                                                         : fmt::format("only '{}' is supported yet, not {}", key->words,
                                                                       text::quoted(text))},
                   *key);
  case KeyUse::carried:
    carry(request, *key, text);
    return {};
  case KeyUse::honoured:
    break;
  }
  if (!key->words.empty() && !is_word(key->words, text)) {
    return at_flag({ErrorKind::usage, fmt::format("{} is not one of {}", text::quoted(text), listed(key->words))},
                   *key);
  }
  if (Status status = key->set(request, text); !status) {
    return at_flag(status.error(), *key);
  }
  return {};
}

bool has_request_key(const Request& request, std::string_view name)
{
  const RequestKey* key = find_request_key(name);
  if (key != nullptr && key->get != nullptr) {
    return key->get(request).has_value();
  }
  return std::any_of(request.carried.begin(), request.carried.end(),
                     [&](const auto& pair) { return pair.first == name; });
}

} // namespace hwadvisor
