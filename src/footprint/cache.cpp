#include "footprint/cache.hpp"

#include "footprint/explain.hpp"

#include <algorithm>

namespace hwadvisor {

bool same_shape(const CacheGroup& a, const CacheGroup& b)
{
  return a.kind == b.kind && a.heads == b.heads && a.k_dim == b.k_dim && a.v_dim == b.v_dim && a.index == b.index &&
         a.tokens == b.tokens && a.streams == b.streams && a.grows == b.grows;
}

namespace {

// Bytes of `elements` in `format`; engines pad neither heads nor layers (checked on 1,918 llama.cpp loads).
Bytes element_bytes(std::int64_t elements, const NumberFormat& format)
{
  return Bytes(ceil_div(saturating_mul(elements, format.block_bytes), format.block_elements));
}

std::int64_t heads_on_device(std::int64_t heads, std::int64_t tensor)
{
  return heads <= 0 ? 0 : std::max<std::int64_t>(1, ceil_div(heads, tensor)); // fewer heads than devices: copied
}

struct Scope {
  const InferenceJob& job;
  const EngineRules& rules;
  Division division;
  std::int64_t context;
  std::int64_t sequences;
  std::int64_t streams;
  std::int64_t cells;
  std::int64_t batched;
  bool windows; // false: the engine gives windowed layers the whole context
};

// Some engines know windows only where they alternate with full attention (Gemma, gpt-oss, Llama 4 …): models whose
// every layer has one (Mistral 7B v0.1, Phi-3, StarCoder2) run with full attention (llama-model.cpp: swa_type by
// architecture).
bool alternates(const Architecture& architecture)
{
  return std::any_of(architecture.layers.begin(), architecture.layers.end(),
                     [](const Layer& layer) { return layer.window == 0 && layer.kv_heads > 0; });
}

// Cells of a sliding-window layer, one stream. llama.cpp: llama_kv_cache_iswa, n_swa x sequences + n_ubatch.
std::int64_t window_tokens(std::int64_t window, const Scope& in)
{
  switch (in.rules.window) {
  case WindowRule::full:
    return in.cells;
  case WindowRule::window:
    return std::min(in.cells, window);
  case WindowRule::padded:
    if (in.job.swa_full) {
      return in.cells;
    }
    return round_up(std::min(in.cells, saturating_mul(window, in.job.kv_unified ? in.sequences : 1) + in.batched), 256);
  }
  return in.cells;
}

// What `layer` keeps; no layers (count 0) when it keeps nothing.
CacheGroup group_of(const Layer& layer, const Scope& in, std::int64_t cross_tokens)
{
  CacheGroup group;
  group.streams = in.streams;
  group.tokens = in.cells;
  group.index = in.rules.index_cache ? layer.indexer_dim : 0;
  if (layer.shares_kv) {
    return group;
  }
  switch (layer.mixer) {
  case Mixer::latent_attention:
    group.layers = 1;
    if (in.rules.latent_cache) {
      group.kind = CacheKind::latent; // one vector for all heads: every device holds it whole
      group.heads = 1;
      group.k_dim = layer.latent_rank + layer.rope_dim;
    } else {
      group.heads = heads_on_device(layer.heads, in.division.tensor);
      group.k_dim = layer.k_head_dim;
      group.v_dim = layer.v_head_dim;
    }
    break;
  case Mixer::cross_attention:
    group.layers = 1;
    group.kind = CacheKind::cross;
    group.tokens = cross_tokens;
    group.streams = in.sequences;
    group.grows = false;
    group.heads = heads_on_device(layer.kv_heads, in.division.tensor);
    group.k_dim = layer.k_head_dim;
    group.v_dim = layer.v_head_dim;
    break;
  default: // attention, and hybrids that keep a state beside it
    if (layer.kv_heads <= 0) {
      return group;
    }
    group.layers = 1;
    group.heads = heads_on_device(layer.kv_heads, in.division.tensor);
    group.k_dim = layer.k_head_dim;
    group.v_dim = layer.k_is_v ? 0 : layer.v_head_dim;
    break;
  }
  if (layer.window > 0 && in.windows) {
    group.tokens = window_tokens(layer.window, in);
    group.grows = in.rules.window == WindowRule::full;
    group.kind = group.kind == CacheKind::latent ? group.kind : CacheKind::window;
  }
  if (layer.compression > 0) {
    group.tokens += ceil_div(in.cells, layer.compression);
    group.kind = CacheKind::compressed;
  }
  return group;
}

void add_group(std::vector<CacheGroup>& groups, const CacheGroup& group)
{
  if (group.layers == 0) {
    return;
  }
  for (CacheGroup& known : groups) {
    if (same_shape(known, group)) {
      ++known.layers;
      return;
    }
  }
  groups.push_back(group);
}

// The cache of an encoder-decoder's decoder for what the encoder read (Whisper: 1,500 positions).
void add_encoder_caches(const Architecture& architecture, const Scope& in, std::vector<CacheGroup>& groups)
{
  const std::int64_t positions = architecture.encoder_positions > 0 ? architecture.encoder_positions
                                                                    : std::max<std::int64_t>(in.job.input_tokens, 1);
  for (const Layer& layer : architecture.layers) {
    if (layer.mixer != Mixer::attention) {
      continue;
    }
    CacheGroup group;
    group.kind = CacheKind::cross;
    group.layers = 1;
    group.heads = heads_on_device(layer.kv_heads, in.division.tensor);
    group.k_dim = layer.k_head_dim;
    group.v_dim = layer.v_head_dim;
    group.tokens = positions;
    group.streams = in.sequences;
    group.grows = false;
    add_group(groups, group);
  }
}

// Without a manager for several kinds of layers, a page of every layer has the size of the largest (vLLM: Gemma 4 31B
// at 983,040 bytes a token, 60 layers of 16,384).
void pad_to_largest(std::vector<CacheGroup>& groups, const InferenceJob& job)
{
  const auto bytes = [&](const CacheGroup& group) {
    CacheGroup one = group;
    one.layers = 1;
    return one.bytes_per_token(*job.k_format, *job.v_format);
  };
  const auto largest = std::max_element(groups.begin(), groups.end(),
                                        [&](const CacheGroup& a, const CacheGroup& b) { return bytes(a) < bytes(b); });
  if (largest == groups.end()) {
    return;
  }
  const CacheGroup widest = *largest;
  for (CacheGroup& group : groups) {
    if (group.kind == CacheKind::full || group.kind == CacheKind::window) {
      group.heads = widest.heads;
      group.k_dim = widest.k_dim;
      group.v_dim = widest.v_dim;
    }
  }
}

bool has_cross_layers(const Architecture& architecture)
{
  return std::any_of(architecture.layers.begin(), architecture.layers.end(),
                     [](const Layer& layer) { return layer.mixer == Mixer::cross_attention; });
}

Bytes bytes_of(const CacheGroup& group, const InferenceJob& job)
{
  return group.bytes_per_token(*job.k_format, *job.v_format) * saturating_mul(group.tokens, group.streams);
}

// Tokens of one image where vision layers attend to it and the configuration does not say: four 560-pixel tiles of
// 1,601 patches, Llama 3.2 Vision.
constexpr std::int64_t image_positions = 6404;

} // namespace

Bytes CacheGroup::bytes_per_token(const NumberFormat& k, const NumberFormat& v) const
{
  return (element_bytes(heads * k_dim + index, k) + element_bytes(heads * v_dim, v)) * layers;
}

std::int64_t batched_tokens(const InferenceJob& job, const EngineRules& rules, const Placement& placement)
{
  const bool large =
      placement.device != nullptr && placement.device->memory && placement.device->memory->value() >= 70.0;
  std::int64_t most = job.batched_tokens;
  if (most <= 0) {
    most = large && rules.max_batched_tokens_large > 0 ? rules.max_batched_tokens_large : rules.max_batched_tokens;
  }
  return most;
}

CacheLayout lay_out_cache(const Architecture& architecture, const InferenceJob& job, const EngineRules& rules,
                          const Placement& placement, const WeightShare& share)
{
  CacheLayout layout;
  const Division division = division_of(placement, rules);
  layout.sequences = std::max<std::int64_t>(1, ceil_div(job.sequences, division.replicas));
  layout.context = round_up(std::max<std::int64_t>(job.context, 1), std::max<std::int64_t>(rules.context_padding, 1));
  if (rules.kv_block_tokens > 1) {
    layout.context = round_up(layout.context, rules.kv_block_tokens);
  }
  if (placement.cp > 1) {
    layout.context = ceil_div(layout.context, placement.cp);
  }
  const bool unified = rules.window == WindowRule::padded && job.kv_unified;
  Scope in{job,
           rules,
           division,
           layout.context,
           layout.sequences,
           unified ? 1 : layout.sequences,
           unified ? saturating_mul(layout.context, layout.sequences) : layout.context,
           batched_tokens(job, rules, placement),
           rules.uniform_windows || alternates(architecture)};
  layout.full_cells = in.cells;
  layout.streams = in.streams;

  if (architecture.causal) {
    const auto total = static_cast<std::int64_t>(architecture.layers.size());
    const std::int64_t offloaded = std::min(total, saturating_mul(share.layers, division.layers));
    for (std::int64_t i = 0; i < total; ++i) {
      const Layer& layer = architecture.layers[static_cast<std::size_t>(i)];
      const CacheGroup group = group_of(layer, in, image_positions);
      if (group.kind == CacheKind::window && rules.window == WindowRule::padded) {
        layout.window_cells = std::max(layout.window_cells, group.tokens);
      }
      if (group.layers > 0) {
        layout.largest_layer = std::max(layout.largest_layer, bytes_of(group, job));
      }
      if (i < total - offloaded || !job.kv_offload) { // llama.cpp offloads the last layers
        layout.kv_host += bytes_of(group, job) * group.layers;
      } else {
        add_group(layout.groups, group);
      }
      const std::int64_t elements = layer.state_elements + layer.conv_elements;
      if (elements > 0) {
        ++layout.recurrent_layers;
        layout.state_per_sequence += Bytes(elements) * 4; // fp32 in every engine measured
      }
    }
    if (!architecture.encoder_layers.empty() && !has_cross_layers(architecture)) {
      add_encoder_caches(architecture, in, layout.groups);
    }
  }

  if (rules.window == WindowRule::full && rules.pool == PoolRule::fraction_of_total) {
    pad_to_largest(layout.groups, job);
  }
  // A stage of several holds its part of each group; whole layers, the fullest stage.
  if (division.layers > 1) {
    for (CacheGroup& group : layout.groups) {
      group.layers = ceil_div(group.layers, division.layers);
    }
    layout.state_per_sequence = Bytes(ceil_div(layout.state_per_sequence.value(), division.layers));
  }
  layout.state_per_sequence = Bytes(ceil_div(layout.state_per_sequence.value(), division.tensor));
  layout.state = layout.state_per_sequence * layout.sequences;

  for (const CacheGroup& group : layout.groups) {
    layout.kv += bytes_of(group, job);
    const Bytes token = group.bytes_per_token(*job.k_format, *job.v_format);
    layout.one_sequence += token * (unified && group.kind == CacheKind::full ? layout.context : group.tokens);
    if (group.grows) {
      layout.per_token += token;
    }
  }
  if (layout.per_token == Bytes(0)) { // windows alone: what a token takes while it is in them
    for (const CacheGroup& group : layout.groups) {
      layout.per_token +=
          group.kind == CacheKind::window ? group.bytes_per_token(*job.k_format, *job.v_format) : Bytes(0);
    }
  }
  return layout;
}

namespace {

std::string group_formula(const CacheGroup& group, const InferenceJob& job)
{
  using explain::count;
  std::string text = count(group.layers) + (group.kind == CacheKind::window ? " sliding-window layers" : " layers");
  if (group.kind == CacheKind::latent) {
    text += " x " + count(group.k_dim) + " latent elements";
  } else {
    text += " x " + count(group.heads) + (group.heads == 1 ? " KV head x " : " KV heads x ");
    text += group.v_dim > 0 ? "(" + count(group.k_dim) + " + " + count(group.v_dim) + ")" : count(group.k_dim);
  }
  if (group.index > 0) {
    text += " + index keys of " + count(group.index);
  }
  text += " x " + count(group.tokens) + (group.kind == CacheKind::cross ? " encoder positions" : " tokens");
  if (group.streams > 1) {
    text += " x " + count(group.streams) + " sequences";
  }
  text += " x " + explain::element_size(*job.k_format);
  if (job.v_format != job.k_format && group.v_dim > 0) {
    text += " (V: " + explain::element_size(*job.v_format) + ")";
  }
  return text;
}

const char* group_name(CacheKind kind)
{
  switch (kind) {
  case CacheKind::full:
    return "full";
  case CacheKind::window:
    return "window";
  case CacheKind::latent:
    return "latent";
  case CacheKind::cross:
    return "cross";
  case CacheKind::compressed:
    return "compressed";
  }
  return "full";
}

} // namespace

Component kv_component(const CacheLayout& layout, const InferenceJob& job, Detail detail)
{
  Component component{"kv_cache", Interval<Bytes>::exactly(layout.kv), Basis::exact};
  if (detail == Detail::numbers) {
    return component;
  }
  for (const CacheGroup& group : layout.groups) {
    component.parts.push_back({group_name(group.kind), Interval<Bytes>::exactly(bytes_of(group, job)), Basis::exact,
                               group_formula(group, job)});
    component.formula += (component.formula.empty() ? "" : " + ") + component.parts.back().formula;
  }
  if (layout.groups.empty()) {
    component.formula = "no layer keeps keys and values";
  }
  if (component.parts.size() == 1) {
    component.parts.clear();
  }
  return component;
}

Component state_component(const CacheLayout& layout, Detail detail)
{
  Component component{"state", Interval<Bytes>::exactly(layout.state), Basis::exact};
  if (detail == Detail::explained) {
    component.formula = explain::count(layout.recurrent_layers) +
                        " recurrent layers: " + explain::count(layout.state_per_sequence.value()) +
                        " bytes of fp32 state a sequence x " + explain::count(layout.sequences) +
                        (layout.sequences == 1 ? " sequence" : " sequences");
  }
  return component;
}

} // namespace hwadvisor
