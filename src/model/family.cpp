#include "model/config.hpp"

#include <algorithm>

namespace hwadvisor::model {

ModelFamily family_of(const Architecture& architecture)
{
  const auto& layers = architecture.layers;
  const auto any = [&](auto test) { return std::any_of(layers.begin(), layers.end(), test); };
  const bool attention =
      any([](const Layer& l) { return l.mixer == Mixer::attention || l.mixer == Mixer::latent_attention; });
  const bool recurrent = any([](const Layer& l) { return l.state_elements > 0 || l.conv_elements > 0; });
  const bool experts = any([](const Layer& l) { return l.experts > 0; });
  const bool tower = std::any_of(architecture.tensors.begin(), architecture.tensors.end(),
                                 [](const Tensor& t) { return t.role == TensorRole::vision; });
  if (!architecture.encoder_layers.empty()) {
    return ModelFamily::encoder_decoder;
  }
  if (!architecture.causal) {
    return ModelFamily::encoder;
  }
  if (recurrent) {
    return attention ? ModelFamily::llm_hybrid : ModelFamily::ssm;
  }
  if (tower) {
    return ModelFamily::vlm;
  }
  return experts ? ModelFamily::llm_moe : ModelFamily::llm_dense;
}

} // namespace hwadvisor::model
