#pragma once

// A model: its architecture, layer by layer, and what is known of its parameters.
//
// The layer list decides the KV cache and the recurrent state; the tensor table decides the weights. Both follow from
// a Hugging Face style configuration (src/model/), the same reader for catalog entries and for config.json files.

#include "hwadvisor/result.hpp"
#include "hwadvisor/tensor.hpp"
#include "hwadvisor/units.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hwadvisor {

enum class ModelFamily : std::uint8_t {
  llm_dense,
  llm_moe,
  llm_hybrid,
  ssm,
  encoder,
  encoder_decoder,
  vlm,
  cnn,
  vision_transformer,
  diffusion,
  asr,
  classical,
  embedding,
  other
};
std::string_view family_name(ModelFamily family);

// What mixes tokens in a layer, and so what it must remember of the past.
enum class Mixer : std::uint8_t {
  attention,        // K and V of every token (or of the last `window` tokens)
  latent_attention, // MLA: one compressed vector a token
  linear_attention, // Gated DeltaNet, KDA, lightning attention: a matrix state a sequence
  mamba1,
  mamba2,
  rwkv,
  short_conv,
  cross_attention, // K and V of an image or of another sequence, fixed once that is encoded
  none             // no token mixing (a bare feed-forward layer, or a layer that was pruned away)
};

struct Layer {
  Mixer mixer = Mixer::attention;

  // attention
  std::int32_t heads = 0;
  std::int32_t kv_heads = 0;
  std::int32_t k_head_dim = 0;
  std::int32_t v_head_dim = 0;
  std::int64_t window = 0; // tokens; 0: the whole context
  bool chunked = false;    // the window is a chunk that restarts (Llama 4), not one that slides
  bool shares_kv = false;  // reads the cache of an earlier layer and keeps none of its own
  bool k_is_v = false;     // stores K only and uses it as V

  // latent attention: elements a token a layer = latent_rank + rope_dim
  std::int32_t latent_rank = 0;
  std::int32_t rope_dim = 0;
  std::int32_t indexer_dim = 0; // elements of the index key kept a token (sparse attention); 0: none

  // Compressed attention (DeepSeek V4): besides the window, one entry for every `compression` tokens; 0: none
  std::int32_t compression = 0;

  // recurrent mixers: elements kept a sequence, whatever its length
  std::int64_t state_elements = 0; // kept in fp32 by every engine we know
  std::int64_t conv_elements = 0;  // the last kernel - 1 inputs of each channel

  // feed-forward
  std::int64_t ffn_width = 0; // 0: none. Dense width, or the width of ONE routed expert
  bool gated = true;          // gate and up (SwiGLU, GeGLU), or up alone
  std::int32_t experts = 0;   // 0: dense
  std::int32_t experts_per_token = 0;
  std::int64_t shared_width = 0; // width of all shared experts together; also of a dense block beside the experts

  friend bool operator==(const Layer&, const Layer&) = default;
};

// What one layer's cache holds for one sequence, in elements; their number formats are the engine's choice.
struct CacheElements {
  std::int64_t keys = 0; // MLA: the latent vectors; there are no values then
  std::int64_t values = 0;
  std::int64_t index = 0; // index keys of sparse attention
};

// For a sequence of `tokens`: windows keep the last `window` of them, layers that share a cache or are recurrent keep
// none. Engines that round tokens up to cells, or give windowed layers full length, pass their own count.
CacheElements cache_elements(const Layer& layer, std::int64_t tokens);

struct Architecture {
  std::string model_type; // "llama", "deepseek_v3" …
  std::int64_t hidden = 0;
  std::int64_t vocabulary = 0;
  std::int64_t max_positions = 0; // 0: not stated
  bool tied_embeddings = false;
  bool causal = true;                   // false: encoders; no KV cache
  std::vector<Layer> layers;            // decoder, or the only stack
  std::vector<Layer> encoder_layers;    // of encoder-decoders
  std::int64_t encoder_positions = 0;   // cross-attention caches this many (Whisper 1,500); 0: the input's length
  std::vector<Tensor> tensors;          // the tensor table, vision and audio towers included
  std::vector<Tensor> draft_tensors;    // multi-token-prediction layers: loaded only for speculative decoding
  std::vector<std::string> assumptions; // what the configuration did not say and the reader took for granted

  std::int64_t parameters() const; // the sum over the tensor table
  // What one generated token passes: everything shared, experts_per_token of each expert layer, embedding and head;
  // not an image tower, not a table of per-layer embeddings.
  std::int64_t active_parameters() const;
};

enum class ParametersBasis : std::uint8_t { exact, computed, rounded, inferred, unknown };
std::string_view basis_name(ParametersBasis basis);

// Work per image of a model that has no token architecture here.
struct ImageWork {
  std::int32_t height_px = 0;
  std::int32_t width_px = 0;
  std::int32_t channels = 3;
  double gmacs = 0.0;                        // 1e9 multiply-accumulates of one forward pass; 0: not known
  std::optional<double> activation_elements; // outputs of all convolutions and linears
  std::optional<Bytes> kept_for_backward;    // one image, fp32: what autograd holds after the forward pass, as measured
  std::optional<Bytes> inference_peak;       // one image, fp32: the largest sum of live tensors, as measured
};

struct ModelComponent {
  std::string name; // "text_encoder", "vae" …
  std::optional<std::int64_t> parameters;
  bool in_total = true;      // false: shipped beside the model, loaded only when asked for ("mtp")
  std::optional<Bytes> size; // of its tensors in the model's own files, where they were read
};

// The same weights, published in another number format. Mixed formats: prefer `size` to parameters x bits.
struct Checkpoint {
  std::string id; // "nvidia/Qwen3.6-27B-NVFP4"
  std::string precision;
  std::optional<Bytes> size;
};

struct Model {
  std::string id;   // "meta-llama/Llama-3.1-8B"
  std::string name; // "Llama 3.1 8B"
  ModelFamily family = ModelFamily::other;
  std::string task; // "text-generation" …
  std::optional<std::int64_t> params_total;
  std::optional<std::int64_t> params_active;
  ParametersBasis params_basis = ParametersBasis::unknown;
  std::string params_text; // how the parameters were found, for people
  std::optional<Architecture> architecture;
  std::string params_note;        // why the architecture adds up to something else, where it does
  std::string released_precision; // "bf16"; empty: not known
  std::string other_precision;    // of attention, embeddings and head where the release is mixed; else empty
  std::optional<Bytes> checkpoint_bytes;
  std::vector<ModelComponent> components;
  std::vector<Checkpoint> checkpoints;
  std::optional<ImageWork> image_work;
};

// The architecture that a config.json describes (docs/models.md). `file` only names it in errors.
// ErrorKind::malformed: not JSON, or a value is missing, of the wrong type or out of range.
Result<Architecture> read_config(std::string_view text, std::string_view file);

// A plain decoder of today: gated feed-forward and fewer KV heads than query heads in every layer, no window. Models of
// this kind are what infer_model() takes shapes from.
bool is_plain_decoder(const Model& model);

// A dense decoder of exactly `parameters` parameters whose shape is interpolated between those of `neighbours` of near
// size (others than plain decoders among them are passed over); params_text names the ones used, or the plain rule
// where there is none. ErrorKind::usage: a number that no such model has.
Result<Model> infer_model(std::int64_t parameters, const std::vector<Model>& neighbours);

} // namespace hwadvisor
