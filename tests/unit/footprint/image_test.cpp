#include "catch.hpp"
#include "unit/footprint/jobs.hpp"
#include "unit/model/catalog_files.hpp"
#include "json/json.hpp"

using namespace hwadvisor;

TEST_CASE("training a CNN keeps what was measured for each image", "[footprint][image]")
{
  Workload workload = training("torchvision/resnet50", "fp32", Method::full);
  workload.training.optimizer = "sgd_momentum";
  workload.training.micro_batch = 32;
  const auto footprint = footprint_of(workload);
  CHECK(likely(footprint, "activations") == std::int64_t{32} * 85'909'504);
  CHECK(likely(footprint, "weights") == 4 * 25'557'032);
  CHECK(likely(footprint, "optimizer_states") == 4 * 25'557'032);
  CHECK(footprint.per_device.high < gibibytes(8)); // ResNet-50 at 32 images trains on a card of 8 GB
  workload = training("torchvision/resnet50", "bf16-mixed", Method::full);
  workload.training.micro_batch = 32;
  // 16-bit maps, max-pooling indices of 64 bit, and 2 bytes a parameter of autocast copies: 1.40e9 + 51e6 measured
  CHECK(static_cast<double>(likely(footprint_of(workload), "activations")) ==
        Approx(32.0 * 43'757'568 + 51'218'304).epsilon(0.01));
}

TEST_CASE("images in inference take far less", "[footprint][image]")
{
  Workload workload = inference("torchvision/resnet50", "fp32", generic_engine(), 4096, 8);
  const auto footprint = footprint_of(workload);
  CHECK(likely(footprint, "activations") > std::int64_t{8} * 11'038'720);
  CHECK(likely(footprint, "activations") < std::int64_t{8} * 2 * 11'038'720);
  CHECK(footprint.find("kv_cache") == nullptr);
}

TEST_CASE("figures of image models are those measured, scaled to their input", "[footprint][image]")
{
  const auto table = json::parse_file(HWADVISOR_SOURCE_DIR "/data/activations.json");
  REQUIRE(table.ok());
  int compared = 0;
  for (const auto& row : (*table)["activations"]) {
    for (const CatalogEntry& entry : catalog_entries()) {
      const auto& work = entry.model.image_work;
      if (entry.model.id != row["model"].get<std::string>() || !work || !work->kept_for_backward) {
        continue;
      }
      const auto& input = row["input"];
      const double area = input[input.size() - 1].get<double>() * input[input.size() - 2].get<double>();
      const double own = static_cast<double>(work->height_px) * work->width_px;
      if (std::abs(own / area - 1.0) > 0.05) {
        continue;
      }
      INFO(entry.model.id);
      CHECK(static_cast<double>(work->kept_for_backward->value()) ==
            Approx(row["kept_bytes_fp32"].get<double>() * own / area).epsilon(1e-6));
      ++compared;
    }
  }
  CHECK(compared >= 25);
}
