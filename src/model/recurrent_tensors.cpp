#include "model/decoder_tensors.hpp"

namespace hwadvisor::model {

namespace {

// transformers modeling_mamba.py; Jamba adds norms to dt, B and C.
void add_mamba1(const Shape& shape, TensorTable& table)
{
  const auto inner = shape.ssm_inner;
  table.matrix(TensorRole::recurrent_in, 2 * inner, shape.hidden);
  table.matrix(TensorRole::recurrent_other, inner, shape.conv_kernel);
  table.bias(inner);
  table.matrix(TensorRole::recurrent_in, shape.ssm_rank + 2 * shape.ssm_state, inner); // x_proj
  table.matrix(TensorRole::recurrent_in, inner, shape.ssm_rank);                       // dt_proj
  table.bias(inner);
  table.matrix(TensorRole::recurrent_other, inner, shape.ssm_state); // A
  table.vector(TensorRole::recurrent_other, inner);                  // D
  table.matrix(TensorRole::recurrent_out, shape.hidden, inner);
  if (shape.model_type == "jamba") {
    table.norm(Norm::rms, shape.ssm_rank + 2 * shape.ssm_state);
  }
}

// transformers modeling_mamba2.py: z, x, B, C and dt from one projection; gated norm before the output.
void add_mamba2(const Shape& shape, TensorTable& table)
{
  const auto inner = shape.ssm_inner;
  const auto convolved = inner + 2 * shape.ssm_groups * shape.ssm_state;
  table.matrix(TensorRole::recurrent_in, inner + convolved + shape.ssm_heads, shape.hidden);
  table.matrix(TensorRole::recurrent_other, convolved, shape.conv_kernel);
  table.bias(convolved);
  table.vector(TensorRole::recurrent_other, 3 * shape.ssm_heads); // A, D, dt bias
  if (shape.model_type != "falcon_h1") {
    table.norm(Norm::rms, inner);
  }
  table.matrix(TensorRole::recurrent_out, shape.hidden, inner);
}

// transformers modeling_qwen3_next.py, Qwen3NextGatedDeltaNet.
void add_gated_delta_net(const Shape& shape, TensorTable& table)
{
  const auto keys = shape.linear_k_heads * shape.linear_k_dim;
  const auto values = shape.linear_v_heads * shape.linear_v_dim;
  table.matrix(TensorRole::recurrent_in, 2 * keys + values, shape.hidden);        // q, k, v
  table.matrix(TensorRole::recurrent_in, values, shape.hidden);                   // z
  table.matrix(TensorRole::recurrent_in, 2 * shape.linear_v_heads, shape.hidden); // beta and decay
  table.matrix(TensorRole::recurrent_other, 2 * keys + values, shape.conv_kernel);
  table.vector(TensorRole::recurrent_other, 2 * shape.linear_v_heads); // A and dt bias
  table.norm(Norm::rms, shape.linear_v_dim);
  table.matrix(TensorRole::recurrent_out, shape.hidden, values);
}

// Kimi Linear (arXiv:2510.26692), section 3: per-channel decay through a low-rank pair, full-rank output gate in K3.
void add_kimi_delta(const Shape& shape, TensorTable& table)
{
  const auto width = shape.linear_v_heads * shape.linear_v_dim;
  table.matrix(TensorRole::recurrent_in, width, shape.hidden, 3); // q, k, v
  table.matrix(TensorRole::recurrent_other, width, shape.conv_kernel, 3);
  table.matrix(TensorRole::recurrent_in, shape.linear_k_dim, shape.hidden); // decay, down and up
  table.matrix(TensorRole::recurrent_in, width, shape.linear_k_dim);
  table.matrix(TensorRole::recurrent_in, shape.linear_v_heads, shape.hidden); // beta
  table.matrix(TensorRole::recurrent_in, width, shape.hidden);                // output gate
  table.vector(TensorRole::recurrent_other, shape.linear_v_heads + width);    // A and dt bias
  table.norm(Norm::rms, shape.linear_v_dim);
  table.matrix(TensorRole::recurrent_out, shape.hidden, width);
}

// MiniMaxAI/MiniMax-Text-01 modeling_minimax_text_01.py, MiniMaxText01LightningAttention.
void add_lightning(const Shape& shape, TensorTable& table)
{
  const auto width = shape.heads * shape.head_dim;
  table.matrix(TensorRole::recurrent_in, 3 * width, shape.hidden);
  table.matrix(TensorRole::recurrent_in, width, shape.hidden); // output gate
  table.norm(Norm::rms, width);
  table.matrix(TensorRole::recurrent_out, shape.hidden, width);
}

// transformers modeling_lfm2.py: gate, gate and value in; a depthwise convolution without bias; out.
void add_short_conv(const Shape& shape, TensorTable& table)
{
  table.matrix(TensorRole::recurrent_in, 3 * shape.hidden, shape.hidden);
  table.matrix(TensorRole::recurrent_other, shape.hidden, shape.conv_kernel);
  table.matrix(TensorRole::recurrent_out, shape.hidden, shape.hidden);
}

// RWKV-4 (arXiv:2305.13048): time mixing here; channel mixing is the feed-forward, with a receptance of its own.
void add_rwkv(const Shape& shape, TensorTable& table)
{
  const auto width = shape.recurrent_width;
  table.vector(TensorRole::recurrent_other, 2 * width + 3 * shape.hidden); // decay, first, three time mixes
  table.matrix(TensorRole::recurrent_in, width, shape.hidden, 3);          // receptance, key, value
  table.matrix(TensorRole::recurrent_out, shape.hidden, width);
  table.vector(TensorRole::recurrent_other, 2 * shape.hidden); // channel mixing: two time mixes
  table.matrix(TensorRole::recurrent_in, shape.hidden, shape.hidden);
}

} // namespace

void add_recurrent(const Shape& shape, std::size_t index, TensorTable& table)
{
  switch (shape.layers[index].mixer) {
  case Mixer::mamba1:
    return add_mamba1(shape, table);
  case Mixer::mamba2:
  case Mixer::attention: // beside it
    return add_mamba2(shape, table);
  case Mixer::short_conv:
    return add_short_conv(shape, table);
  case Mixer::rwkv:
    return add_rwkv(shape, table);
  case Mixer::linear_attention:
    return shape.model_type == "kimi_linear" ? add_kimi_delta(shape, table)
           : shape.linear_v_heads > 0        ? add_gated_delta_net(shape, table)
                                             : add_lightning(shape, table);
  default:
    return;
  }
}

} // namespace hwadvisor::model
