#include "footprint/backward.hpp"

#include <algorithm>
#include <array>

namespace hwadvisor {

namespace {

// A norm: RMSNorm written out keeps an fp32 copy, the normed value (for its own weight's gradient) and its output;
// LayerNorm keeps input and output. The output is kept because the matrices after it need their input.
double norm_bytes(std::int64_t hidden, bool rms, int element, bool own_gradient, bool output_needed)
{
  const double in = rms ? 4.0 : element;
  const double normed = rms && own_gradient ? element : 0.0;
  const double out = output_needed ? element : 0.0;
  return static_cast<double>(hidden) * (in + normed + out);
}

// Scores of eager attention, bytes a (head, token, token): softmax output, and with fp32 softmax its 16-bit cast; GPT
// blocks drop some (mask and result).
double score_bytes(bool gpt_style, int element, bool autocast)
{
  if (gpt_style) {
    return element == 4 ? 9.0 : autocast ? 7.0 : 5.0;
  }
  return element == 4 ? 4.0 : 6.0;
}

double attention_bytes(const Layer& layer, const BackwardShape& shape, int element, bool gpt_style, bool autocast,
                       bool output_needed, double& scores)
{
  const auto heads = static_cast<double>(layer.heads);
  // Eager attention expands K and V to every head; fused kernels keep them as they are. Latent attention expands.
  const bool expanded = !shape.flash_attention || layer.mixer == Mixer::latent_attention;
  const double kv_heads = expanded ? heads : static_cast<double>(layer.kv_heads);
  const double query = heads * layer.k_head_dim;
  const double key = kv_heads * layer.k_head_dim;
  const double value = kv_heads * layer.v_head_dim;
  const double output = heads * layer.v_head_dim;
  double bytes = element * (query + key + value);
  if (shape.flash_attention) {
    return bytes + element * output + 4.0 * heads; // the kernel needs its output and a log-sum-exp
  }
  const double span = layer.window > 0
                          ? std::min<double>(static_cast<double>(layer.window), static_cast<double>(shape.seq_len))
                          : static_cast<double>(shape.seq_len);
  scores = heads * (layer.window > 0 && layer.chunked ? span : static_cast<double>(shape.seq_len)) *
           score_bytes(gpt_style, element, autocast);
  return bytes + (output_needed ? element * output : 0.0);
}

double feed_forward_bytes(const Layer& layer, std::int64_t hidden, int element, bool down_needed)
{
  // Gated: gate, up, activated gate, and their product (the input of down). Plain: before and after the activation.
  const double tensors = layer.gated ? (down_needed ? 4.0 : 3.0) : (down_needed ? 2.0 : 1.0);
  const auto width = static_cast<double>(layer.ffn_width);
  if (layer.experts <= 0) {
    return tensors * element * width;
  }
  const auto chosen = static_cast<double>(layer.experts_per_token);
  return chosen * (tensors * element * width + 2.0 * element * static_cast<double>(hidden)) +
         tensors * element * static_cast<double>(layer.shared_width) + 8.0 * static_cast<double>(layer.experts);
}

constexpr double k_scan_chunk = 64.0; // chunked scans keep a state every 64 tokens

} // namespace

BlockBytes block_bytes(const Layer& layer, std::int64_t hidden, double recurrent_width, const BackwardShape& shape,
                       const Recipe& recipe, const Trainable& trained, bool quantised_base)
{
  const int element = recipe.compute;
  const bool gpt_style = !layer.gated && layer.experts == 0;
  const bool full = !trained.adapters;
  // bitsandbytes' 4-bit product keeps its input though the weight is frozen.
  const bool inputs = full || quantised_base;

  double inside = 0.0; // cut by tensor parallelism
  double around = 0.0; // norms and residual stream: cut by sequence parallelism only
  double scores = 0.0;
  if (layer.mixer != Mixer::none) {
    around += norm_bytes(hidden, !gpt_style, element, full, inputs || trained.attention_input);
  }
  if (layer.heads > 0) {
    inside +=
        attention_bytes(layer, shape, element, gpt_style, recipe.autocast, inputs || trained.attention_output, scores);
    if (layer.mixer == Mixer::latent_attention) {
      inside += 2.0 * element * (layer.latent_rank + layer.rope_dim);
    }
  }
  if (recurrent_width > 0.0) {
    inside += 2.0 * element * recurrent_width + 4.0 * static_cast<double>(layer.state_elements) / k_scan_chunk;
  }
  if (layer.ffn_width > 0) {
    around += norm_bytes(hidden, !gpt_style, element, full, inputs || trained.feed_forward_input);
    inside += feed_forward_bytes(layer, hidden, element, inputs || trained.down_input);
  }
  if (gpt_style) {
    around += 2.0 * static_cast<double>(hidden); // two dropout masks
  }
  if (recipe.autocast && !gpt_style) { // q, k, v, gate and up each keep their own cast of the norm's output
    around += 10.0 * static_cast<double>(hidden);
  } else if (recipe.autocast) {
    around += 4.0 * static_cast<double>(hidden);
  }
  const auto tensor = static_cast<double>(std::max<std::int64_t>(1, shape.tensor));
  BlockBytes block;
  block.scores_per_token = scores / tensor;
  block.per_token = inside / tensor + around + block.scores_per_token;
  return block;
}

namespace {

// Bytes a logit (token x vocabulary entry) at the peak of the loss: 16-bit logits, their fp32 copy, its gradient and
// the 16-bit gradient are 12; shifted copies make it 16. Measured peaks: 12 to 18 by framework; fused or chunked
// losses hold about one.
Interval<double> logit_bytes(const Recipe& recipe, bool fused)
{
  if (fused) {
    return {0.3, 1.0, 2.0};
  }
  return recipe.compute == 4 ? Interval<double>{8.0, 12.0, 20.0} : Interval<double>{10.0, 14.0, 24.0};
}

// Outputs of the input projections and inputs of the output projections of each layer's recurrent mixer.
std::vector<double> recurrent_widths(const Architecture& architecture)
{
  std::vector<double> widths(architecture.layers.size(), 0.0);
  for (const Tensor& tensor : architecture.tensors) {
    if (tensor.encoder || tensor.layer < 0 || static_cast<std::size_t>(tensor.layer) >= widths.size()) {
      continue;
    }
    double& width = widths[static_cast<std::size_t>(tensor.layer)];
    if (tensor.role == TensorRole::recurrent_in) {
      width += static_cast<double>(tensor.rows * tensor.copies);
    } else if (tensor.role == TensorRole::recurrent_out) {
      width += static_cast<double>(tensor.row_elements * tensor.copies);
    }
  }
  return widths;
}

} // namespace

Backward backward_pass(const Workload& workload, const Placement& placement, const Recipe& recipe,
                       const Trainable& trained)
{
  const Architecture& architecture = *workload.model->architecture;
  const TrainingJob& job = workload.training;
  BackwardShape shape;
  shape.flash_attention = job.flash_attention || job.checkpointing == Checkpointing::selective;
  shape.seq_len = job.seq_len;
  shape.tensor = std::max(1, placement.tp);
  const bool quantised = workload.precision.kind == PrecisionKind::quantised || job.method == Method::qlora;

  Backward backward;
  backward.tokens = ceil_div(saturating_mul(job.micro_batch, job.seq_len), std::max(1, placement.cp));
  backward.vocabulary = architecture.vocabulary;
  const std::int64_t stages = std::max(1, placement.pp);
  // The first stage of a 1F1B pipeline holds as many micro-batches as there are stages (arXiv 2104.04473).
  backward.copies = stages > 1 ? std::min<std::int64_t>(stages, std::max<std::int64_t>(1, job.grad_accum)) : 1;

  const bool any_recurrent =
      std::any_of(architecture.layers.begin(), architecture.layers.end(),
                  [](const Layer& layer) { return layer.state_elements + layer.conv_elements > 0; });
  const std::vector<double> widths = any_recurrent ? recurrent_widths(architecture) : std::vector<double>{};
  // Where the encoder's length is the model's own (Whisper: 1,500 frames), it is not that of the decoder's sequences.
  const std::int64_t encoder_seq = architecture.encoder_positions > 0 ? architecture.encoder_positions : job.seq_len;
  const std::int64_t encoder_tokens = ceil_div(saturating_mul(job.micro_batch, encoder_seq), std::max(1, placement.cp));
  double encoder_sum = 0.0;
  double sum = 0.0;
  double encoder_widest = 0.0;
  double widest = 0.0;
  const auto first_trained = static_cast<std::int64_t>(architecture.layers.size()) - 2;
  std::int64_t index = 0;
  const auto add_layers = [&](const std::vector<Layer>& layers, bool decoder, double& added, double& most) {
    shape.seq_len = decoder ? job.seq_len : encoder_seq;
    const Layer* previous = nullptr;
    double previous_bytes = 0.0;
    index = 0;
    for (const Layer& layer : layers) {
      const double width = decoder && any_recurrent ? widths[static_cast<std::size_t>(index)] : 0.0;
      if (previous == nullptr || !(layer == *previous) || any_recurrent) {
        previous_bytes = block_bytes(layer, architecture.hidden, width, shape, recipe, trained, quantised).per_token;
      }
      previous = &layer;
      most = std::max(most, previous_bytes);
      // A frozen layer below the first trained one keeps nothing: no gradient flows there.
      if (job.method != Method::freeze || (decoder && index >= first_trained)) {
        added += job.checkpointing == Checkpointing::full
                     ? static_cast<double>(recipe.residual) * static_cast<double>(architecture.hidden)
                     : previous_bytes;
        ++backward.layers;
      }
      ++index;
    }
  };
  add_layers(architecture.encoder_layers, false, encoder_sum, encoder_widest);
  add_layers(architecture.layers, true, sum, widest);

  const auto tokens = static_cast<double>(backward.tokens);
  const double in_flight = static_cast<double>(backward.copies) / static_cast<double>(stages);
  // Embedding output and last norm.
  const double ends = 2.0 * recipe.residual * static_cast<double>(architecture.hidden);
  const auto frames = static_cast<double>(encoder_tokens);
  const Bytes kept(tokens * (sum * in_flight + ends) + frames * encoder_sum * in_flight);
  const bool checkpointed = job.checkpointing == Checkpointing::full;
  backward.kept =
      checkpointed ? Interval<Bytes>{kept, kept, kept * 1.2} : Interval<Bytes>{kept * 0.85, kept, kept * 1.35};
  const Bytes live(checkpointed ? std::max(tokens * widest, frames * encoder_widest) : 0.0);
  backward.live = {live * 0.8, live, live * 1.8};
  backward.per_token_layer = std::max(widest, encoder_widest);
  backward.encoder_tokens = architecture.encoder_positions > 0 ? encoder_tokens : 0;

  if (architecture.causal && architecture.vocabulary > 0) {
    const Interval<double> each = logit_bytes(recipe, job.fused_loss);
    const double logits = tokens * static_cast<double>(architecture.vocabulary) / static_cast<double>(shape.tensor);
    backward.logits = {Bytes(logits * each.low), Bytes(logits * each.likely), Bytes(logits * each.high)};
    backward.logit_bytes = each.likely;
  }
  return backward;
}

} // namespace hwadvisor
