#include "model/encoders.hpp"

#include "model/tensor_table.hpp"

#include <algorithm>

namespace hwadvisor::model {

namespace {

using enum TensorRole;

// A stack of layers of one shape.
struct Stack {
  std::int64_t hidden = 0, layers = 0, heads = 1, head_dim = 0, ffn = 0;
};

std::vector<Layer> layers_of(const Stack& stack, bool gated)
{
  Layer layer;
  layer.heads = layer.kv_heads = static_cast<std::int32_t>(stack.heads);
  layer.k_head_dim = layer.v_head_dim = static_cast<std::int32_t>(stack.head_dim);
  layer.ffn_width = stack.ffn;
  layer.gated = gated;
  return std::vector<Layer>(static_cast<std::size_t>(stack.layers), layer);
}

Stack read_stack(const Fields& in, Names layers, Names heads, Names ffn)
{
  Stack stack;
  stack.hidden = in.needed({"hidden_size", "d_model", "dim", "n_embd"});
  stack.layers = in.needed(layers, k_max_layers);
  stack.heads = in.needed(heads, k_max_heads);
  stack.head_dim = std::max<std::int64_t>(stack.hidden / stack.heads, 1);
  const auto width = in.count(ffn);
  stack.ffn = width && *width > 0 ? *width : 4 * stack.hidden;
  return stack;
}

struct AttentionBiases {
  bool q = true, k = true, v = true, out = true;
};

void add_attention(std::int64_t hidden, std::int64_t width, AttentionBiases bias, TensorTable& table)
{
  table.matrix(attention_q, width, hidden);
  table.matrix(attention_k, width, hidden);
  table.matrix(attention_v, width, hidden);
  table.matrix(attention_output, hidden, width);
  table.bias((bias.q + bias.k + bias.v) * width + bias.out * hidden);
}

void add_ffn(std::int64_t hidden, std::int64_t ffn, bool gated, bool bias, TensorTable& table)
{
  if (gated) {
    table.matrix(ffn_gate, ffn, hidden);
  }
  table.matrix(ffn_up, ffn, hidden);
  table.matrix(ffn_down, hidden, ffn);
  if (bias) {
    table.bias(ffn + hidden);
  }
}

// transformers modeling_bert.py, _roberta, _xlm_roberta, _distilbert, _deberta_v2; nomic-ai modeling_hf_nomic_bert.py.
void read_bert(const Fields& in, std::string_view type, Architecture& out)
{
  const auto stack =
      read_stack(in, {"num_hidden_layers", "n_layers", "n_layer"}, {"num_attention_heads", "n_heads", "n_head"},
                 {"intermediate_size", "hidden_dim", "n_inner"});
  const bool nomic = type == "nomic_bert";
  const bool deberta = type == "deberta-v2";
  TensorTable table(out.tensors);
  out.hidden = stack.hidden;
  out.vocabulary = in.needed({"vocab_size"}, k_max_vocabulary);
  out.max_positions = in.count_or({"max_position_embeddings", "n_positions"}, 512, k_max_positions);
  out.causal = false;
  out.tied_embeddings = true;
  out.layers = layers_of(stack, nomic);
  table.matrix(token_embedding, out.vocabulary, stack.hidden);
  if (!nomic && !deberta) {
    table.matrix(position_embedding, std::min(out.max_positions, k_max_width), stack.hidden);
  }
  const std::int64_t types = type == "distilbert" || deberta ? 0 : type == "roberta" || type == "xlm-roberta" ? 1 : 2;
  table.matrix(token_embedding, in.count_or({"type_vocab_size"}, types), stack.hidden);
  table.norm(Norm::layer, stack.hidden);
  for (std::int64_t i = 0; i < stack.layers; ++i) {
    table.layer(i);
    const bool bias = !nomic;
    add_attention(stack.hidden, stack.hidden, {bias, bias, bias, bias}, table);
    add_ffn(stack.hidden, stack.ffn, nomic, bias, table);
    table.norm(Norm::layer, stack.hidden);
    table.norm(Norm::layer, stack.hidden);
  }
  table.layer(-1);
  if (deberta) { // relative positions both ways, normed
    table.matrix(position_embedding, 2 * in.count_or({"position_buckets"}, 256), stack.hidden);
    table.norm(Norm::layer, stack.hidden);
  } else if (!nomic && type != "distilbert") { // the pooler
    table.matrix(other, stack.hidden, stack.hidden);
    table.bias(stack.hidden);
  }
}

// transformers modeling_t5.py: no biases; relative positions in the first layer of each stack (in every layer: umT5).
void read_t5(const Fields& in, std::string_view type, Architecture& out)
{
  auto stack = read_stack(in, {"num_layers"}, {"num_heads"}, {"d_ff"});
  stack.head_dim = in.count_or({"d_kv"}, stack.head_dim, k_max_heads);
  const auto decoder_layers = in.count_or({"num_decoder_layers"}, stack.layers, k_max_layers);
  const auto buckets = in.count_or({"relative_attention_num_buckets"}, 32, k_max_heads);
  const bool gated = in.text({"feed_forward_proj"}, "relu").rfind("gated", 0) == 0;
  const auto width = stack.heads * stack.head_dim;
  const bool every_layer = type == "umt5";
  TensorTable table(out.tensors);
  out.hidden = stack.hidden;
  out.vocabulary = in.needed({"vocab_size"}, k_max_vocabulary);
  out.tied_embeddings = in.flag({"tie_word_embeddings"}, true);
  out.encoder_layers = layers_of(stack, gated);
  auto decoder = stack;
  decoder.layers = decoder_layers;
  out.layers = layers_of(decoder, gated);
  table.matrix(token_embedding, out.vocabulary, stack.hidden);
  for (const bool encoder : {true, false}) {
    const auto layers = encoder ? stack.layers : decoder_layers;
    for (std::int64_t i = 0; i < layers; ++i) {
      table.layer(i, encoder);
      add_attention(stack.hidden, width, {false, false, false, false}, table);
      if (i == 0 || every_layer) {
        table.matrix(position_embedding, buckets, stack.heads);
      }
      if (!encoder) {
        add_attention(stack.hidden, width, {false, false, false, false}, table);
      }
      add_ffn(stack.hidden, stack.ffn, gated, false, table);
      for (int n = 0; n < (encoder ? 2 : 3); ++n) {
        table.norm(Norm::rms, stack.hidden);
      }
    }
    table.layer(-1, encoder);
    table.norm(Norm::rms, stack.hidden);
  }
  if (!out.tied_embeddings) {
    table.matrix(output_head, out.vocabulary, stack.hidden);
  }
}

// transformers modeling_bart.py and modeling_whisper.py. Whisper: convolutions in front, no key bias, final norms.
void read_bart(const Fields& in, bool whisper, Architecture& out)
{
  const auto encoder = read_stack(in, {"encoder_layers"}, {"encoder_attention_heads"}, {"encoder_ffn_dim"});
  const auto decoder = read_stack(in, {"decoder_layers"}, {"decoder_attention_heads"}, {"decoder_ffn_dim"});
  const auto hidden = encoder.hidden;
  TensorTable table(out.tensors);
  out.hidden = hidden;
  out.vocabulary = in.needed({"vocab_size"}, k_max_vocabulary);
  out.tied_embeddings = true;
  out.encoder_layers = layers_of(encoder, false);
  out.layers = layers_of(decoder, false);
  const AttentionBiases bias{true, !whisper, true, true};
  table.layer(-1, true);
  std::int64_t decoder_positions = 0;
  if (whisper) {
    out.encoder_positions = in.count_or({"max_source_positions"}, 1500);
    out.max_positions = decoder_positions = in.count_or({"max_target_positions"}, 448);
    table.matrix(audio, hidden, 3 * in.count_or({"num_mel_bins"}, 80, k_max_heads));
    table.matrix(audio, hidden, 3 * hidden);
    table.vector(audio, 2 * hidden);
    table.matrix(position_embedding, out.encoder_positions, hidden);
  } else {
    out.max_positions = in.count_or({"max_position_embeddings"}, 1024);
    decoder_positions = out.max_positions + 2; // offset of two
    table.matrix(position_embedding, decoder_positions, hidden);
    table.norm(Norm::layer, hidden);
  }
  for (std::int64_t i = 0; i < encoder.layers; ++i) {
    table.layer(i, true);
    add_attention(hidden, hidden, bias, table);
    add_ffn(hidden, encoder.ffn, false, true, table);
    table.norm(Norm::layer, hidden);
    table.norm(Norm::layer, hidden);
  }
  if (whisper) {
    table.layer(-1, true);
    table.norm(Norm::layer, hidden);
  }
  table.layer(-1);
  table.matrix(token_embedding, out.vocabulary, hidden);
  table.matrix(position_embedding, decoder_positions, hidden);
  table.norm(Norm::layer, hidden); // Whisper: after the layers; BART: of the embedding
  for (std::int64_t i = 0; i < decoder.layers; ++i) {
    table.layer(i);
    add_attention(hidden, hidden, bias, table);
    add_attention(hidden, hidden, bias, table);
    add_ffn(hidden, decoder.ffn, false, true, table);
    for (int n = 0; n < 3; ++n) {
      table.norm(Norm::layer, hidden);
    }
  }
}

// transformers modeling_wav2vec2.py: strided convolutions over raw audio, a grouped positional convolution, a CTC head.
void read_wav2vec2(const Fields& in, Architecture& out)
{
  const auto stack = read_stack(in, {"num_hidden_layers"}, {"num_attention_heads"}, {"intermediate_size"});
  auto widths = in.counts({"conv_dim"});
  auto kernels = in.counts({"conv_kernel"});
  if (widths.empty()) {
    widths.assign(7, 512);
  }
  if (kernels.empty()) {
    kernels = {10, 3, 3, 3, 3, 2, 2};
  }
  const bool bias = in.flag({"conv_bias"}, false);
  const bool layer_norms = in.text({"feat_extract_norm"}, "group") == "layer";
  TensorTable table(out.tensors);
  out.hidden = stack.hidden;
  out.vocabulary = in.count_or({"vocab_size"}, 32, k_max_vocabulary);
  out.causal = false;
  out.layers = layers_of(stack, false);
  std::int64_t inputs = 1;
  for (std::size_t i = 0; i < std::min(widths.size(), kernels.size()); ++i) {
    table.matrix(audio, widths[i], inputs * kernels[i]);
    table.vector(audio, (bias ? widths[i] : 0) + (layer_norms || i == 0 ? 2 * widths[i] : 0));
    inputs = widths[i];
  }
  table.vector(audio, 2 * inputs);
  table.matrix(audio, stack.hidden, inputs);
  const auto positions = in.count_or({"num_conv_pos_embeddings"}, 128, k_max_heads);
  const auto groups = std::max<std::int64_t>(in.count_or({"num_conv_pos_embedding_groups"}, 16, k_max_heads), 1);
  table.matrix(audio, stack.hidden, stack.hidden / groups * positions);
  table.vector(audio, 2 * stack.hidden + positions); // biases, and the weight norm's scale
  table.vector(audio, stack.hidden);                 // the mask embedding
  table.norm(Norm::layer, stack.hidden);
  for (std::int64_t i = 0; i < stack.layers; ++i) {
    table.layer(i);
    add_attention(stack.hidden, stack.hidden, {}, table);
    add_ffn(stack.hidden, stack.ffn, false, true, table);
    table.norm(Norm::layer, stack.hidden);
    table.norm(Norm::layer, stack.hidden);
  }
  table.layer(-1);
  table.matrix(output_head, out.vocabulary, stack.hidden);
  table.bias(out.vocabulary);
}

} // namespace

bool read_encoder(const Fields& in, std::string_view model_type, Architecture& architecture)
{
  constexpr std::string_view k_berts[] = {"bert",       "roberta",    "xlm-roberta", "camembert",
                                          "distilbert", "deberta-v2", "nomic_bert"};
  if (std::find(std::begin(k_berts), std::end(k_berts), model_type) != std::end(k_berts)) {
    read_bert(in, model_type, architecture);
  } else if (model_type == "t5" || model_type == "umt5" || model_type == "mt5") {
    read_t5(in, model_type, architecture);
  } else if (model_type == "bart" || model_type == "whisper") {
    read_bart(in, model_type == "whisper", architecture);
  } else if (model_type == "wav2vec2") {
    read_wav2vec2(in, architecture);
  } else {
    return false;
  }
  return true;
}

} // namespace hwadvisor::model
