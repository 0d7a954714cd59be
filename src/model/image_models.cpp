#include "model/towers.hpp"

#include <algorithm>

namespace hwadvisor::model {

namespace {

constexpr auto k_role = TensorRole::vision;

void add_vit(const Fields& in, TensorTable& table)
{
  const auto vit = read_vit(in);
  const auto side = vit.image / std::max<std::int64_t>(vit.patch, 1);
  add_linear(k_role, vit.hidden, vit.channels * vit.patch * vit.patch, true, table);
  table.matrix(k_role, side * side + 2, vit.hidden);
  for (std::int64_t i = 0; i < vit.layers; ++i) {
    add_vit_block(k_role, vit.hidden, vit.ffn, table);
  }
  table.vector(k_role, 2 * vit.hidden);
  add_linear(k_role, in.count_or({"num_labels"}, 1000), vit.hidden, true, table); // ImageNet-1k head
}

// facebookresearch/dinov2: layer scales, a mask token, SwiGLU in the giant (8/3 of the width, to a multiple of 8).
void add_dinov2(const Fields& in, TensorTable& table)
{
  const auto vit = read_vit(in);
  const auto side = vit.image / std::max<std::int64_t>(vit.patch, 1);
  const bool gated = in.flag({"use_swiglu_ffn"}, false);
  add_linear(k_role, vit.hidden, vit.channels * vit.patch * vit.patch, true, table);
  table.matrix(k_role, side * side + 3, vit.hidden); // positions, class token, mask token
  for (std::int64_t i = 0; i < vit.layers; ++i) {
    table.vector(k_role, 2 * vit.hidden);
    if (gated) {
      const auto width = round_up(8 * vit.hidden / 3, 8);
      table.vector(k_role, 4 * vit.hidden);
      add_linear(k_role, 3 * vit.hidden, vit.hidden, true, table);
      add_linear(k_role, vit.hidden, vit.hidden, true, table);
      add_linear(k_role, 2 * width, vit.hidden, true, table);
      add_linear(k_role, vit.hidden, width, true, table);
    } else {
      add_vit_block(k_role, vit.hidden, vit.ffn, table);
    }
  }
  table.vector(k_role, 2 * vit.hidden);
}

void add_clip(const Fields& in, TensorTable& table)
{
  const auto text = in.object({"text_config"});
  const auto vit = read_vit(in.object({"vision_config"}));
  const auto hidden = text.count_or({"hidden_size"}, 512);
  const auto layers = text.count_or({"num_hidden_layers"}, 12, k_max_layers);
  const auto ffn = text.count_or({"intermediate_size"}, 2048);
  const auto projection = in.count_or({"projection_dim"}, 512);
  add_clip_vision(vit, table);
  table.matrix(TensorRole::token_embedding, text.count_or({"vocab_size"}, 49408, k_max_vocabulary), hidden);
  table.matrix(TensorRole::position_embedding, text.count_or({"max_position_embeddings"}, 77), hidden);
  for (std::int64_t i = 0; i < layers; ++i) {
    add_vit_block(TensorRole::other, hidden, ffn, table);
  }
  table.vector(TensorRole::norm, 2 * hidden);
  table.matrix(k_role, projection, vit.hidden);
  table.matrix(TensorRole::other, projection, hidden);
  table.vector(TensorRole::other, 1); // the logit scale
}

// microsoft/Swin-Transformer: four stages, each twice as wide; a bias table a head; patch merging between stages.
void add_swin(const Fields& in, TensorTable& table)
{
  const auto depths = in.counts({"depths"});
  const auto heads = in.counts({"num_heads"});
  const auto window = in.count_or({"window_size"}, 7, 1024);
  const auto patch = in.count_or({"patch_size"}, 4, 1024);
  const auto ratio = in.count_or({"mlp_ratio"}, 4, 64);
  if (depths.size() > 8) { // the width doubles with each
    in.fail("more stages than any such model has", "depths");
    return;
  }
  auto width = in.needed({"embed_dim"});
  add_linear(k_role, width, 3 * patch * patch, true, table);
  table.vector(k_role, 2 * width);
  for (std::size_t stage = 0; stage < std::min(depths.size(), heads.size()); ++stage) {
    for (std::int64_t i = 0; i < std::min(depths[stage], k_max_layers); ++i) {
      add_vit_block(k_role, width, ratio * width, table);
      table.matrix(k_role, (2 * window - 1) * (2 * window - 1), heads[stage]);
    }
    if (stage + 1 < depths.size()) {
      table.vector(k_role, 8 * width);
      table.matrix(k_role, 2 * width, 4 * width);
      width *= 2;
    }
  }
  table.vector(k_role, 2 * width);
  add_linear(k_role, in.count_or({"num_labels"}, 1000), width, true, table);
}

// facebookresearch/ConvNeXt: depthwise 7x7, two pointwise layers, a layer scale; a 2x2 convolution between stages.
void add_convnext(const Fields& in, TensorTable& table)
{
  const auto widths = in.counts({"hidden_sizes"});
  const auto depths = in.counts({"depths"});
  const auto stages = std::min(widths.size(), depths.size());
  if (stages == 0) {
    in.fail("the configuration lacks hidden_sizes and depths");
    return;
  }
  add_linear(k_role, widths[0], 3 * 4 * 4, true, table);
  table.vector(k_role, 2 * widths[0]);
  for (std::size_t stage = 0; stage < stages; ++stage) {
    const auto width = widths[stage];
    if (stage > 0) {
      table.vector(k_role, 2 * widths[stage - 1]);
      add_linear(k_role, width, 4 * widths[stage - 1], true, table);
    }
    for (std::int64_t i = 0; i < std::min(depths[stage], k_max_layers); ++i) {
      add_linear(k_role, width, 7 * 7, true, table);
      table.vector(k_role, 3 * width);
      add_linear(k_role, 4 * width, width, true, table);
      add_linear(k_role, width, 4 * width, true, table);
    }
  }
  table.vector(k_role, 2 * widths[stages - 1]);
  add_linear(k_role, in.count_or({"num_labels"}, 1000), widths[stages - 1], true, table);
}

// facebookresearch/segment-anything image encoder: windows of 14 with four global layers, relative positions, a neck.
void add_sam(const Fields& in, TensorTable& table)
{
  const auto vit = read_vit(in);
  const auto side = vit.image / std::max<std::int64_t>(vit.patch, 1);
  const auto head_dim = vit.hidden / std::max<std::int64_t>(in.count_or({"num_attention_heads"}, 12, k_max_heads), 1);
  const auto window = in.count_or({"window_size"}, 14, 1024);
  const std::int64_t neck = 256;
  add_linear(k_role, vit.hidden, vit.channels * vit.patch * vit.patch, true, table);
  table.matrix(k_role, side * side, vit.hidden);
  for (std::int64_t i = 0; i < vit.layers; ++i) {
    add_vit_block(k_role, vit.hidden, vit.ffn, table);
    const bool global = vit.layers >= 4 && (i + 1) % (vit.layers / 4) == 0;
    table.matrix(k_role, 2 * (2 * (global ? side : window) - 1), head_dim);
  }
  table.matrix(k_role, neck, vit.hidden);
  table.matrix(k_role, neck, 9 * neck);
  table.vector(k_role, 4 * neck);
}

} // namespace

bool add_image_model(const Fields& in, std::string_view model_type, TensorTable& table)
{
  if (model_type == "vit") {
    add_vit(in, table);
  } else if (model_type == "dinov2") {
    add_dinov2(in, table);
  } else if (model_type == "siglip_vision_model") {
    add_siglip_vision(read_vit(in), in.flag({"vision_use_head"}, true), table);
  } else if (model_type == "clip_vision_model") {
    add_clip_vision(read_vit(in), table);
  } else if (model_type == "clip") {
    add_clip(in, table);
  } else if (model_type == "swin") {
    add_swin(in, table);
  } else if (model_type == "convnext") {
    add_convnext(in, table);
  } else if (model_type == "sam") {
    add_sam(in, table);
  } else {
    return false;
  }
  return true;
}

} // namespace hwadvisor::model
