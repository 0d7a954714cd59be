#include "model/towers.hpp"

#include <algorithm>

namespace hwadvisor::model {

namespace {

constexpr auto k_role = TensorRole::vision;

// transformers modeling_qwen3_vl.py; Qwen3.5 uses the same tower without deepstack mergers.
void add_qwen3_tower(const Fields& in, std::int64_t text_hidden, TensorTable& table)
{
  const auto vit = read_vit(in);
  const auto positions = in.count_or({"num_position_embeddings"}, 2304);
  const auto temporal = in.count_or({"temporal_patch_size"}, 2, 64);
  const auto merge = in.count_or({"spatial_merge_size"}, 2, 64);
  const auto out = in.count_or({"out_hidden_size"}, text_hidden);
  const auto mergers = 1 + static_cast<std::int64_t>(in.counts({"deepstack_visual_indexes"}).size());
  add_linear(k_role, vit.hidden, vit.channels * temporal * vit.patch * vit.patch, true, table);
  table.matrix(k_role, positions, vit.hidden);
  for (std::int64_t i = 0; i < vit.layers; ++i) {
    add_vit_block(k_role, vit.hidden, vit.ffn, table);
  }
  const auto merged = vit.hidden * merge * merge;
  for (std::int64_t i = 0; i < mergers; ++i) {
    table.vector(k_role, 2 * (i == 0 ? vit.hidden : merged)); // the deepstack mergers norm after merging
    add_linear(k_role, merged, merged, true, table);
    add_linear(k_role, out, merged, true, table);
  }
}

// transformers modeling_qwen2_vl.py and modeling_qwen2_5_vl.py: the newer one is gated with RMS norms.
void add_qwen2_tower(const Fields& in, std::int64_t text_hidden, bool newer, TensorTable& table)
{
  const auto hidden = newer ? in.count_or({"hidden_size"}, 1280) : in.count_or({"embed_dim"}, 1280);
  const auto layers = in.count_or({"depth"}, 32, k_max_layers);
  const auto ffn = newer ? in.count_or({"intermediate_size"}, 3420) : hidden * in.count_or({"mlp_ratio"}, 4, 64);
  const auto patch = in.count_or({"patch_size"}, 14, k_max_heads);
  const auto temporal = in.count_or({"temporal_patch_size"}, 2, 64);
  const auto merge = in.count_or({"spatial_merge_size"}, 2, 64);
  const auto out = newer ? in.count_or({"out_hidden_size"}, text_hidden) : in.count_or({"hidden_size"}, text_hidden);
  table.matrix(k_role, hidden, 3 * temporal * patch * patch);
  const auto norm = newer ? hidden : 2 * hidden;
  for (std::int64_t i = 0; i < layers; ++i) {
    table.vector(k_role, 2 * norm);
    add_linear(k_role, 3 * hidden, hidden, true, table);
    add_linear(k_role, hidden, hidden, true, table);
    add_linear(k_role, newer ? 2 * ffn : ffn, hidden, true, table);
    add_linear(k_role, hidden, ffn, true, table);
  }
  const auto merged = hidden * merge * merge;
  table.vector(k_role, norm);
  add_linear(k_role, merged, merged, true, table);
  add_linear(k_role, out, merged, true, table);
}

// transformers modeling_gemma4.py: gated blocks with four norms, query and key norms, two position tables.
void add_gemma4_tower(const Fields& in, TensorTable& table)
{
  const auto vit = read_vit(in);
  const auto head_dim = in.count_or({"head_dim"}, 64, k_max_heads);
  table.matrix(k_role, vit.hidden, vit.channels * vit.patch * vit.patch);
  table.matrix(k_role, 2 * in.count_or({"position_embedding_size"}, 10240), vit.hidden);
  for (std::int64_t i = 0; i < vit.layers; ++i) {
    table.vector(k_role, 4 * vit.hidden + 2 * head_dim);
    table.matrix(k_role, 4 * vit.hidden, vit.hidden);
    table.matrix(k_role, 2 * vit.ffn, vit.hidden);
    table.matrix(k_role, vit.hidden, vit.ffn);
  }
}

// transformers modeling_llama4.py: ViT with a class token, a pixel-shuffle adapter, a projector.
void add_llama4_tower(const Fields& in, std::int64_t text_hidden, TensorTable& table)
{
  auto vit = read_vit(in);
  vit.patch = in.count_or({"patch_size"}, 14, k_max_heads);
  vit.image = in.count_or({"image_size"}, 336, k_max_heads);
  const auto side = vit.image / std::max<std::int64_t>(vit.patch, 1);
  const auto out = in.count_or({"projector_output_dim", "vision_output_dim"}, 4096);
  table.matrix(k_role, vit.hidden, 3 * vit.patch * vit.patch);
  table.matrix(k_role, side * side + 2, vit.hidden); // positions and the class token
  for (std::int64_t i = 0; i < vit.layers; ++i) {
    add_vit_block(k_role, vit.hidden, vit.ffn, table);
  }
  table.vector(k_role, 4 * vit.hidden); // norms before and after
  table.matrix(k_role, out, 4 * vit.hidden);
  table.matrix(k_role, out, out);
  table.matrix(k_role, text_hidden, out);
}

// transformers modeling_mllama.py: tiles with gated position tables, local then global blocks without attention bias.
void add_mllama_tower(const Fields& in, std::int64_t text_hidden, TensorTable& table)
{
  const auto vit = read_vit(in);
  const auto side = vit.image / std::max<std::int64_t>(vit.patch, 1);
  const auto tokens = side * side + 1;
  const auto tiles = in.count_or({"max_num_tiles"}, 4, 64);
  const auto ratios = tiles * (tiles + 1) / 2 - 2 + 1; // aspect ratios of up to four tiles, and none: 9
  const auto global = in.count_or({"num_global_layers"}, 8, k_max_layers);
  table.matrix(k_role, vit.hidden, 3 * vit.patch * vit.patch);
  table.vector(k_role, vit.hidden);
  table.matrix(k_role, tokens, vit.hidden);
  table.matrix(k_role, ratios * tiles, tokens * vit.hidden);
  table.matrix(k_role, 2 * ratios, tiles * vit.hidden); // before and after the tower
  table.vector(k_role, 3);                              // their gates
  table.vector(k_role, 4 * vit.hidden);
  for (std::int64_t i = 0; i < vit.layers + global; ++i) {
    table.vector(k_role, 4 * vit.hidden);
    table.matrix(k_role, 4 * vit.hidden, vit.hidden);
    add_linear(k_role, vit.ffn, vit.hidden, true, table);
    add_linear(k_role, vit.hidden, vit.ffn, true, table);
  }
  table.vector(k_role, 2 * global);
  add_linear(k_role, text_hidden, in.count_or({"vision_output_dim"}, 7680), true, table);
}

// MoonViT-3D of Kimi K2.5: pre-norm blocks with biases, a position table, a two-layer projector.
void add_moonvit(const Fields& in, std::int64_t text_hidden, TensorTable& table)
{
  const auto hidden = in.count_or({"vt_hidden_size", "hidden_size"}, 1152);
  const auto layers = in.count_or({"vt_num_hidden_layers", "num_hidden_layers"}, 27, k_max_layers);
  const auto ffn = in.count_or({"vt_intermediate_size", "intermediate_size"}, 4304);
  const auto patch = in.count_or({"patch_size"}, 14, k_max_heads);
  const auto height = in.count_or({"init_pos_emb_height"}, 64, k_max_heads);
  const auto width = in.count_or({"init_pos_emb_width"}, 64, k_max_heads);
  add_linear(k_role, hidden, 3 * patch * patch, true, table);
  table.matrix(k_role, height * width, hidden);
  for (std::int64_t i = 0; i < layers; ++i) {
    add_vit_block(k_role, hidden, ffn, table);
  }
  table.vector(k_role, 4 * hidden); // final norm, projector norm
  add_linear(k_role, 4 * hidden, 4 * hidden, true, table);
  add_linear(k_role, text_hidden, 4 * hidden, true, table);
}

} // namespace

VitShape read_vit(const Fields& in)
{
  VitShape vit;
  vit.hidden = in.needed({"hidden_size", "embed_dim", "vt_hidden_size", "width"});
  vit.layers = in.needed({"num_hidden_layers", "depth", "vt_num_hidden_layers", "layers"}, k_max_layers);
  vit.ffn = in.count_or({"intermediate_size", "vt_intermediate_size"}, vit.hidden * in.count_or({"mlp_ratio"}, 4, 64));
  vit.patch = in.count_or({"patch_size"}, 16, k_max_heads);
  vit.image = in.count_or({"image_size"}, 224, k_max_heads);
  vit.channels = in.count_or({"num_channels", "in_channels"}, 3, 4096);
  return vit;
}

void add_linear(TensorRole role, std::int64_t rows, std::int64_t row_elements, bool bias, TensorTable& table)
{
  table.matrix(role, rows, row_elements);
  if (bias) {
    table.vector(role == TensorRole::vision || role == TensorRole::audio ? role : TensorRole::bias, rows);
  }
}

void add_vit_block(TensorRole role, std::int64_t hidden, std::int64_t ffn, TensorTable& table)
{
  table.vector(role, 4 * hidden); // two norms
  add_linear(role, 3 * hidden, hidden, true, table);
  add_linear(role, hidden, hidden, true, table);
  add_linear(role, ffn, hidden, true, table);
  add_linear(role, hidden, ffn, true, table);
}

// transformers modeling_clip.py
void add_clip_vision(const VitShape& vit, TensorTable& table)
{
  const auto side = vit.image / std::max<std::int64_t>(vit.patch, 1);
  table.matrix(k_role, vit.hidden, vit.channels * vit.patch * vit.patch);
  table.matrix(k_role, side * side + 2, vit.hidden); // positions and the class token
  for (std::int64_t i = 0; i < vit.layers; ++i) {
    add_vit_block(k_role, vit.hidden, vit.ffn, table);
  }
  table.vector(k_role, 4 * vit.hidden); // norms before and after
}

// transformers modeling_siglip.py; the pooling head is an attention block of one learned query.
void add_siglip_vision(const VitShape& vit, bool pooling_head, TensorTable& table)
{
  const auto side = vit.image / std::max<std::int64_t>(vit.patch, 1);
  add_linear(k_role, vit.hidden, vit.channels * vit.patch * vit.patch, true, table);
  table.matrix(k_role, side * side, vit.hidden);
  for (std::int64_t i = 0; i < vit.layers; ++i) {
    add_vit_block(k_role, vit.hidden, vit.ffn, table);
  }
  table.vector(k_role, 2 * vit.hidden);
  if (pooling_head) {
    table.vector(k_role, 3 * vit.hidden); // the query and one norm
    add_linear(k_role, 3 * vit.hidden, vit.hidden, true, table);
    add_linear(k_role, vit.hidden, vit.hidden, true, table);
    add_linear(k_role, vit.ffn, vit.hidden, true, table);
    add_linear(k_role, vit.hidden, vit.ffn, true, table);
  }
}

// transformers modeling_pixtral.py, and modeling_mistral3.py: merger of 2 x 2 patches and two linear layers. No biases.
void add_pixtral_tower(const Fields& vision, std::int64_t text_hidden, TensorTable& table)
{
  const auto vit = read_vit(vision);
  constexpr std::int64_t merged = 4;
  table.matrix(k_role, vit.hidden, vit.channels * vit.patch * vit.patch);
  table.vector(k_role, vit.hidden);
  for (std::int64_t i = 0; i < vit.layers; ++i) {
    table.matrix(k_role, vit.hidden, vit.hidden, 4);
    table.matrix(k_role, vit.ffn, vit.hidden, 2);
    table.matrix(k_role, vit.hidden, vit.ffn);
    table.vector(k_role, 2 * vit.hidden);
  }
  table.vector(k_role, vit.hidden);
  table.matrix(k_role, vit.hidden, merged * vit.hidden);
  table.matrix(k_role, text_hidden, vit.hidden);
  table.matrix(k_role, text_hidden, text_hidden);
}

bool add_vision_tower(const Fields& vision, std::string_view model_type, std::int64_t text_hidden, TensorTable& table)
{
  const auto kind = vision.text({"model_type"});
  if (model_type == "qwen2_vl" || model_type == "qwen2_5_vl") {
    add_qwen2_tower(vision, text_hidden, model_type == "qwen2_5_vl", table);
  } else if (model_type.rfind("qwen3", 0) == 0) {
    add_qwen3_tower(vision, text_hidden, table);
  } else if (model_type == "gemma4") {
    add_gemma4_tower(vision, table);
  } else if (model_type == "llama4") {
    add_llama4_tower(vision, text_hidden, table);
  } else if (model_type == "mllama") {
    add_mllama_tower(vision, text_hidden, table);
  } else if (model_type == "mistral3") {
    add_pixtral_tower(vision, text_hidden, table);
  } else if (model_type == "kimi_k25") {
    add_moonvit(vision, text_hidden, table);
  } else if (model_type == "gemma3") {
    const auto vit = read_vit(vision);
    add_siglip_vision(vit, false, table);
    table.matrix(k_role, text_hidden, vit.hidden);
    table.vector(k_role, vit.hidden);
  } else if (kind == "clip_vision_model") { // LLaVA: two linear layers join tower and text
    const auto vit = read_vit(vision);
    add_clip_vision(vit, table);
    add_linear(k_role, text_hidden, vit.hidden, true, table);
    add_linear(k_role, text_hidden, text_hidden, true, table);
  } else if (kind == "siglip_vision_model") {
    const auto vit = read_vit(vision);
    add_siglip_vision(vit, vision.flag({"vision_use_head"}, false), table);
    add_linear(k_role, text_hidden, vit.hidden, true, table);
  } else {
    return false;
  }
  return true;
}

} // namespace hwadvisor::model
