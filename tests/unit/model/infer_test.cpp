#include "catalog_files.hpp"
#include "catch.hpp"

#include <cmath>

using namespace hwadvisor;

namespace {

std::vector<Model> neighbours()
{
  std::vector<Model> models;
  for (const auto& entry : catalog_entries()) {
    models.push_back(entry.model);
  }
  return models;
}

} // namespace

TEST_CASE("a parameter count alone yields a decoder of exactly that size", "[model][infer]")
{
  const auto models = neighbours();
  for (double count = 1e5; count < 2e12; count *= 1.37) {
    const auto asked = static_cast<std::int64_t>(count);
    const auto model = infer_model(asked, models);
    INFO(asked);
    REQUIRE(model.ok());
    const auto& architecture = *model->architecture;
    CHECK(architecture.parameters() == asked);
    CHECK(*model->params_total == asked);
    CHECK(model->params_basis == ParametersBasis::inferred);
    std::int64_t unassigned = 0;
    for (const auto& tensor : architecture.tensors) {
      unassigned += tensor.role == TensorRole::other ? tensor.elements() : 0;
    }
    CHECK(unassigned <= asked / 50);
    const auto& layer = architecture.layers.front();
    CHECK(layer.heads % layer.kv_heads == 0);
    CHECK(layer.ffn_width >= architecture.hidden);
  }
}

TEST_CASE("the shape of an inferred model is that of its neighbours, and they are named", "[model][infer]")
{
  const auto model = infer_model(7'000'000'000, neighbours());
  REQUIRE(model.ok());
  const auto& architecture = *model->architecture;
  CHECK(architecture.hidden >= 3072);
  CHECK(architecture.hidden <= 5120);
  CHECK(architecture.layers.size() >= 24);
  CHECK(architecture.layers.size() <= 40);
  CHECK(model->params_text.find(" and ") != std::string::npos);
  CHECK(architecture.assumptions.back().find("KV heads") != std::string::npos);
}

TEST_CASE("without neighbours a plain rule shapes the model", "[model][infer]")
{
  const auto model = infer_model(7'000'000'000, {});
  REQUIRE(model.ok());
  CHECK(model->architecture->parameters() == 7'000'000'000);
  CHECK(model->params_text == "a dense decoder as deep as a 128th of its width, inferred from the count alone");
  CHECK(!infer_model(12, {}).ok());
  CHECK(!infer_model(std::int64_t{1} << 62, {}).ok());
}
