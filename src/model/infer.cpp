// An architecture from a parameter count alone.

#include "model/decoder_tensors.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace hwadvisor {

namespace {

using model::Shape;

constexpr std::int64_t k_smallest = 10'000;
constexpr std::int64_t k_largest = 1'000'000'000'000'000;

struct Guess {
  double hidden = 0.0;
  double layers = 0.0;
  double kv_heads = 8.0;
  double vocabulary = 32000.0;
};

double scaled(std::int64_t parameters, const Model& from, double value, double power)
{
  const auto ratio = static_cast<double>(parameters) / static_cast<double>(from.architecture->parameters());
  return value * std::pow(ratio, power);
}

// Between two neighbours on a logarithmic scale; beyond the last, width and depth both grow as the cube root.
Guess guess_between(std::int64_t parameters, const Model* below, const Model* above)
{
  Guess guess;
  if (below == nullptr && above == nullptr) {
    // 12 x layers x hidden^2 parameters at a depth of hidden / 128
    guess.hidden = std::cbrt(static_cast<double>(parameters) * 128.0 / 12.0);
    guess.layers = guess.hidden / 128.0;
    return guess;
  }
  const auto& near = below != nullptr ? *below : *above;
  const auto& shape = *near.architecture;
  guess.hidden = scaled(parameters, near, static_cast<double>(shape.hidden), 1.0 / 3.0);
  guess.layers = scaled(parameters, near, static_cast<double>(shape.layers.size()), 1.0 / 3.0);
  guess.kv_heads = shape.layers.front().kv_heads;
  guess.vocabulary = static_cast<double>(shape.vocabulary);
  if (below != nullptr && above != nullptr) {
    const auto low = std::log(static_cast<double>(below->architecture->parameters()));
    const auto high = std::log(static_cast<double>(above->architecture->parameters()));
    const auto share = high > low ? (std::log(static_cast<double>(parameters)) - low) / (high - low) : 0.0;
    const auto between = [&](double a, double b) {
      return std::exp((1.0 - share) * std::log(a) + share * std::log(b));
    };
    const auto& other = *above->architecture;
    guess.hidden = between(static_cast<double>(shape.hidden), static_cast<double>(other.hidden));
    guess.layers = between(static_cast<double>(shape.layers.size()), static_cast<double>(other.layers.size()));
    if (share > 0.5) {
      guess.kv_heads = other.layers.front().kv_heads;
      guess.vocabulary = static_cast<double>(other.vocabulary);
    }
  }
  return guess;
}

Architecture build(std::int64_t hidden, std::int64_t layers, std::int64_t kv_heads, std::int64_t vocabulary,
                   std::int64_t ffn, std::int64_t head_dim)
{
  Shape shape;
  bool known = false;
  shape.model_type = "llama";
  shape.style = model::style_of("llama", known);
  shape.hidden = shape.embedding_width = hidden;
  shape.vocabulary = vocabulary;
  Layer layer;
  layer.heads = static_cast<std::int32_t>(std::max<std::int64_t>(hidden / head_dim, 1));
  layer.kv_heads = static_cast<std::int32_t>(std::clamp<std::int64_t>(kv_heads, 1, layer.heads));
  while (layer.heads % layer.kv_heads != 0) {
    --layer.kv_heads;
  }
  layer.k_head_dim = layer.v_head_dim = static_cast<std::int32_t>(head_dim);
  layer.ffn_width = ffn;
  shape.heads = layer.heads;
  shape.kv_heads = layer.kv_heads;
  shape.head_dim = shape.v_head_dim = head_dim;
  shape.layers.assign(static_cast<std::size_t>(layers), layer);
  Architecture out;
  out.model_type = "llama";
  out.hidden = hidden;
  out.vocabulary = vocabulary;
  out.layers = shape.layers;
  model::TensorTable table(out.tensors);
  model::TensorTable draft(out.draft_tensors);
  model::add_decoder(shape, table, draft);
  return out;
}

// Width and depth as guessed; the feed-forward takes up what is left, and depth gives way when that would be out of
// proportion.
Architecture fit(std::int64_t parameters, const Guess& guess)
{
  const std::int64_t head_dim = guess.hidden >= 2048.0 ? 128 : guess.hidden >= 512.0 ? 64 : 16;
  const auto hidden = std::max<std::int64_t>(round_up(std::llround(guess.hidden) - head_dim / 2, head_dim), head_dim);
  // Embedding and head take a third of a small model at most.
  const auto vocabulary = std::clamp<std::int64_t>(parameters / (6 * hidden), 16, std::llround(guess.vocabulary));
  auto layers = std::max<std::int64_t>(std::llround(guess.layers), 1);
  std::int64_t ffn = 0;
  for (int attempt = 0; attempt < 64; ++attempt) {
    const auto rest =
        parameters - build(hidden, layers, std::llround(guess.kv_heads), vocabulary, 0, head_dim).parameters();
    const auto step = std::int64_t{hidden >= 1024 ? 64 : 8};
    ffn = rest > 0 ? rest / (3 * hidden * layers) / step * step : 0;
    if (ffn < 2 * hidden && layers > 1) {
      --layers;
    } else if (ffn > 6 * hidden) {
      ++layers;
    } else {
      break;
    }
  }
  return build(hidden, layers, std::llround(guess.kv_heads), vocabulary, ffn, head_dim);
}

} // namespace

bool is_plain_decoder(const Model& model)
{
  if (model.family != ModelFamily::llm_dense || !model.architecture || model.architecture->layers.empty()) {
    return false;
  }
  const auto& layers = model.architecture->layers;
  return std::all_of(layers.begin(), layers.end(), [&](const Layer& layer) {
    return layer.mixer == Mixer::attention && layer.gated && layer.experts == 0 && layer.kv_heads < layer.heads &&
           layer.window == 0 && layer == layers.front();
  });
}

Result<Model> infer_model(std::int64_t parameters, const std::vector<Model>& neighbours)
{
  if (parameters < k_smallest || parameters > k_largest) {
    return Error{ErrorKind::usage, "a parameter count between 10,000 and 1,000 trillion was expected", "params", {}};
  }
  const Model* below = nullptr;
  const Model* above = nullptr;
  for (const auto& model : neighbours) {
    if (!is_plain_decoder(model)) {
      continue;
    }
    const auto count = model.architecture->parameters();
    if (count <= parameters && (below == nullptr || count > below->architecture->parameters())) {
      below = &model;
    }
    if (count > parameters && (above == nullptr || count < above->architecture->parameters())) {
      above = &model;
    }
  }
  auto architecture = fit(parameters, guess_between(parameters, below, above));
  const auto rest = parameters - architecture.parameters();
  if (rest < 0 || rest > parameters / 50) {
    return Error{ErrorKind::usage, "no decoder of that many parameters could be shaped", "params", {}};
  }
  if (rest > 0) {
    model::TensorTable(architecture.tensors).vector(TensorRole::other, rest);
    architecture.assumptions.push_back(std::to_string(rest) + " parameters are not given to any layer");
  }

  Model model;
  model.name = std::to_string(parameters) + " parameters";
  model.id = "params/" + std::to_string(parameters);
  model.family = ModelFamily::llm_dense;
  model.task = "text-generation";
  model.params_total = model.params_active = parameters;
  model.params_basis = ParametersBasis::inferred;
  const auto names = below != nullptr && above != nullptr ? below->id + " and " + above->id
                     : below != nullptr                   ? below->id
                     : above != nullptr                   ? above->id
                                                          : std::string();
  model.params_text = names.empty() ? "a dense decoder as deep as a 128th of its width, inferred from the count alone"
                                    : "a dense decoder shaped like " + names + ", inferred from the count alone";
  const auto& layer = architecture.layers.front();
  architecture.assumptions.push_back(model.params_text + ": " + std::to_string(architecture.layers.size()) +
                                     " layers, width " + std::to_string(architecture.hidden) + ", " +
                                     std::to_string(layer.heads) + " heads, " + std::to_string(layer.kv_heads) +
                                     " KV heads");
  model.architecture = std::move(architecture);
  return model;
}

} // namespace hwadvisor
