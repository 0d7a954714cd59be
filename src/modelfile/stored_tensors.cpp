// What tensors alone tell, whatever file they come from.

#include "modelfile/model_file.hpp"

#include <algorithm>
#include <map>

namespace hwadvisor::modelfile {
namespace {

struct Widths {
  std::int64_t dense = 0, dense_up = 0, expert = 0, experts = 0, shared = 0, expert_up = 0;
  bool dense_gate = false, expert_gate = false;
};

void note_tensor(Widths& widths, const Tensor& tensor)
{
  switch (tensor.role) {
  case TensorRole::ffn_down:
    widths.dense = std::max(widths.dense, tensor.row_elements);
    break;
  case TensorRole::ffn_up:
    widths.dense_up = std::max(widths.dense_up, tensor.rows);
    break;
  case TensorRole::ffn_gate:
    widths.dense_gate = true;
    break;
  case TensorRole::expert_down:
    widths.expert = tensor.row_elements;
    widths.experts = std::max(widths.experts + (tensor.copies == 1 ? 1 : 0), tensor.copies);
    break;
  case TensorRole::expert_up:
    widths.expert_up = tensor.rows;
    break;
  case TensorRole::expert_gate:
    widths.expert_gate = true;
    break;
  case TensorRole::shared_expert_down:
    widths.shared = saturating_add(widths.shared, tensor.row_elements);
    break;
  default:
    break;
  }
}

} // namespace

void take_feed_forward(Architecture& architecture)
{
  std::vector<Widths> widths(architecture.layers.size());
  for (const Tensor& tensor : architecture.tensors) {
    if (!tensor.encoder && tensor.layer >= 0 && static_cast<std::size_t>(tensor.layer) < widths.size()) {
      note_tensor(widths[static_cast<std::size_t>(tensor.layer)], tensor);
    }
  }
  for (std::size_t i = 0; i < widths.size(); ++i) {
    Layer& layer = architecture.layers[i];
    const Widths& found = widths[i];
    if (found.expert > 0) {
      layer.ffn_width = found.expert;
      layer.experts = static_cast<std::int32_t>(std::min<std::int64_t>(found.experts, 1 << 20));
      layer.experts_per_token = std::min(layer.experts_per_token, layer.experts);
      layer.shared_width = saturating_add(found.shared, found.dense);
      layer.gated = found.expert_gate || found.expert_up >= 2 * found.expert; // gate and up in one
    } else {
      layer.ffn_width = found.dense;
      layer.experts = layer.experts_per_token = 0;
      layer.shared_width = 0;
      layer.gated = found.dense_gate || found.dense_up >= 2 * found.dense;
    }
  }
}

const NumberFormat* main_format(const std::vector<Tensor>& tensors)
{
  std::map<std::string_view, std::pair<std::int64_t, const NumberFormat*>> bytes;
  for (const Tensor& tensor : tensors) {
    if (tensor.stored != nullptr) {
      auto& [sum, format] = bytes[tensor.stored->id];
      sum = saturating_add(sum, tensor.stored_bytes);
      format = tensor.stored;
    }
  }
  const NumberFormat* best = nullptr;
  std::int64_t most = 0;
  for (const auto& [id, entry] : bytes) {
    if (entry.first > most) {
      most = entry.first;
      best = entry.second;
    }
  }
  return best;
}

std::string file_name(std::string_view path)
{
  while (path.size() > 1 && path.ends_with('/')) {
    path.remove_suffix(1);
  }
  const auto slash = path.rfind('/');
  return std::string(slash == std::string_view::npos || path.size() == 1 ? path : path.substr(slash + 1));
}

} // namespace hwadvisor::modelfile
