#include "catch.hpp"

#include "hwadvisor/catalog.hpp"

using namespace hwadvisor;

namespace {

const Catalog& built_in()
{
  static const Result<Catalog> loaded = Catalog::load();
  return *loaded;
}

struct Case {
  const char* name;
  const char* device; // id; "": none
  std::int32_t count = 1;
  const char* instance = "";
};

Error error_of(const char* name)
{
  const auto choice = built_in().resolve_hardware(name);
  REQUIRE_FALSE(choice.ok());
  CHECK(choice.error().kind == ErrorKind::unknown);
  return choice.error();
}

using Ids = std::vector<std::string>;

} // namespace

TEST_CASE("hardware by the names that people, drivers and clouds use")
{
  const Case cases[] = {
      {"nvidia-rtx-4090", "nvidia-rtx-4090"},
      {"RTX 4090", "nvidia-rtx-4090"},
      {"rtx4090", "nvidia-rtx-4090"},
      {"4090", "nvidia-rtx-4090"},
      {"RTX 4090 24GB", "nvidia-rtx-4090"},
      {"NVIDIA GeForce RTX 4090", "nvidia-rtx-4090"},
      {"NVIDIA A100-SXM4-80GB", "nvidia-a100-sxm-80gb"},
      {"NVIDIA A100 80GB PCIe", "nvidia-a100-pcie-80gb"},
      {"NVIDIA H100 80GB HBM3", "nvidia-h100-sxm-80gb"},
      {"h100 nvl", "nvidia-h100-nvl-94gb"},
      {"Tesla T4", "nvidia-t4"},
      {"A6000", "nvidia-rtx-a6000"},
      {"rtx 6000 ada", "nvidia-rtx-6000-ada"},
      {"DGX Spark", "nvidia-gb10-dgx-spark"},
      {"Intel(R) Arc(TM) B580 Graphics", "intel-arc-b580"},
      {"AMD Instinct MI300X OAM", "amd-mi300x"},
      {"EPYC 9654", "amd-epyc-9654"},
      {"Ryzen 7950X", "amd-ryzen-9-7950x"},
      {"Xeon 8480+", "intel-xeon-platinum-8480plus"},
      {"tpu v5e", "google-tpu-v5e"},
      {"Gaudi 3", "intel-gaudi-3"},
      {"Trainium2", "aws-trainium2"},
      // What tells kin apart is never passed over.
      {"4060", "nvidia-rtx-4060"},
      {"4070", "nvidia-rtx-4070"},
      {"4070 Laptop", "nvidia-rtx-4070-laptop"},
      {"4070 mobile", "nvidia-rtx-4070-laptop"},
      {"4070 Ti", "nvidia-rtx-4070-ti"},
      {"4070 Ti SUPER", "nvidia-rtx-4070-ti-super"},
      {"4080S", "nvidia-rtx-4080-super"},
      {"RTX4060Ti16GB", "nvidia-rtx-4060-ti-16gb"},
      {"3060 12g", "nvidia-rtx-3060-12gb"},
      {"7900 XTX", "amd-rx-7900-xtx"},
      {"7900 XT", "amd-rx-7900-xt"},
      {"M3", "apple-m3"},
      {"M3 Max", "apple-m3-max"},
      // Counts.
      {"8xH100", "nvidia-h100-sxm-80gb", 8},
      {"8 x h100 sxm", "nvidia-h100-sxm-80gb", 8},
      {"H100:8", "nvidia-h100-sxm-80gb", 8},
      {"H100 × 4", "nvidia-h100-sxm-80gb", 4},
      {"8 H100", "nvidia-h100-sxm-80gb", 8},
      {"L40Sx8", "nvidia-l40s", 8}, // also an instance of three providers
      {"2x a100 80gb", "nvidia-a100-sxm-80gb", 2},
      {"RTX 4090 x2", "nvidia-rtx-4090", 2},
      // Instances, with and without provider.
      {"aws/g5.12xlarge", "nvidia-a10g", 4, "aws/g5.12xlarge"},
      {"g5.12xlarge", "nvidia-a10g", 4, "aws/g5.12xlarge"},
      {"G5.12xlarge", "nvidia-a10g", 4, "aws/g5.12xlarge"},
      {"2x p5.48xlarge", "nvidia-h100-sxm-80gb", 16, "aws/p5.48xlarge"},
      {"NC24ads_A100_v4", "nvidia-a100-pcie-80gb", 1, "azure/Standard_NC24ads_A100_v4"},
      {"aws/m7i.large", "", 1, "aws/m7i.large"},
      {"L4", "nvidia-l4"}, // a device comes before scaleway's instance of that name
      {"scaleway/L4", "nvidia-l4", 1, "scaleway/L4"},
      // TPU slices: cores of v3, chips of v5e.
      {"v5litepod-8", "google-tpu-v5e", 8, "gcp/tpu-v5litepod-8"},
      {"v3-8", "google-tpu-v3", 4, "gcp/tpu-v3-8"},
      {"v5litepod-16", "google-tpu-v5e", 16},
      {"v5e-8", "google-tpu-v5e", 8},
      {"v5p-64", "google-tpu-v5p", 32},
  };
  for (const Case& expected : cases) {
    INFO(expected.name);
    const auto choice = built_in().resolve_hardware(expected.name);
    CHECK(choice.ok());
    if (choice.ok()) {
      CHECK((choice->device == nullptr ? "" : choice->device->id) == expected.device);
      CHECK((choice->instance == nullptr ? "" : choice->instance->id) == expected.instance);
      CHECK(choice->count == expected.count);
    }
  }
}

TEST_CASE("a memory size chooses among a chip's options")
{
  CHECK(built_in().resolve_hardware("M3 Max 64GB")->memory_option_gb == 64.0);
  CHECK(built_in().resolve_hardware("apple m2 ultra 192 GB")->memory_option_gb == 192.0);
  CHECK_FALSE(built_in().resolve_hardware("M3 Max")->memory_option_gb);
  CHECK_FALSE(built_in().resolve_hardware("RTX 4090 24GB")->memory_option_gb);

  const Error error = error_of("M3 Max 65GB");
  CHECK(error.message == "'M3 Max 65GB' is not a known device or instance");
  CHECK(error.candidates == Ids{"Apple M3 Max 36GB", "Apple M3 Max 48GB", "Apple M3 Max 64GB", "Apple M3 Max 96GB"});
  CHECK(built_in().resolve_hardware(error.candidates[0])->memory_option_gb == 36.0);
}

TEST_CASE("names whose variants differ in memory list them")
{
  Error error = error_of("A100");
  CHECK(error.message == "'A100' comes with 40, 80 GB: say which");
  CHECK(error.candidates ==
        Ids{"nvidia-a100-pcie-40gb", "nvidia-a100-pcie-80gb", "nvidia-a100-sxm-40gb", "nvidia-a100-sxm-80gb"});
  error = error_of("3080");
  CHECK(error.message == "'3080' comes with 10, 12 GB: say which");
  CHECK(error.candidates == Ids{"nvidia-rtx-3080-10gb", "nvidia-rtx-3080-12gb"});
  error = error_of("4060 Ti");
  CHECK(error.message == "'4060 Ti' comes with 8, 16 GB: say which");
  CHECK(error.candidates == Ids{"nvidia-rtx-4060-ti-16gb", "nvidia-rtx-4060-ti-8gb"});
  error = error_of("4x A100 SXM");
  CHECK(error.message == "'A100 SXM' comes with 40, 80 GB: say which");
  CHECK(error.candidates == Ids{"nvidia-a100-sxm-40gb", "nvidia-a100-sxm-80gb"});
  CHECK(error_of("A100x2").message == "'A100' comes with 40, 80 GB: say which");
  for (const char* name : {"V100", "P100", "RTX 3060", "GTX 1060", "GH200", "Arc A770"}) {
    INFO(name);
    CHECK(error_of(name).message.ends_with(" GB: say which"));
  }
}

TEST_CASE("a name with one common form takes it and names the others")
{
  CHECK(built_in().resolve_hardware("H100")->note ==
        "'H100' is taken as nvidia-h100-sxm-80gb; others: nvidia-h100-nvl-94gb, nvidia-h100-pcie-80gb");
  CHECK(built_in().resolve_hardware("2x a100 80gb")->note ==
        "'a100 80gb' is taken as nvidia-a100-sxm-80gb; others: nvidia-a100-pcie-80gb");
  CHECK(built_in().resolve_hardware("A100-80GB")->note ==
        "'A100-80GB' is taken as nvidia-a100-sxm-80gb; others: nvidia-a100-pcie-80gb");
  CHECK(built_in().resolve_hardware("RTX 4090")->note.empty());
  CHECK(built_in().resolve_hardware("NVIDIA A100-SXM4-80GB")->note.empty());
}

TEST_CASE("an unknown name suggests near ones")
{
  Error error = error_of("RTX 4900");
  CHECK(error.message == "'RTX 4900' is not a known device or instance");
  REQUIRE_FALSE(error.candidates.empty());
  CHECK(error.candidates[0] == "RTX 4090");
  CHECK(error_of("p5").candidates == Ids{"aws/p5.48xlarge", "aws/p5.4xlarge", "aws/p5e.48xlarge", "aws/p5en.48xlarge"});
  CHECK(error_of("aws/p5").candidates ==
        Ids{"aws/p5.48xlarge", "aws/p5.4xlarge", "aws/p5e.48xlarge", "aws/p5en.48xlarge"});
  CHECK(error_of("aws/g5.12xlarg").candidates[0] == "aws/g5.12xlarge");
  error = error_of("RTX 6000"); // three generations have a card of that number
  CHECK(std::count(error.candidates.begin(), error.candidates.end(), "nvidia-rtx-6000-ada") == 1);
  CHECK(error_of("8x foo").message == "'8x foo' is not a known device or instance");
  CHECK(error_of("8x foo").candidates.empty());
  CHECK(error_of("this").message == "'this' is not a known device or instance");
  for (const char* name : {"x", "80GB", "gpu", "/", "0xH100", "1 x", "x8", ":", "aws/", "×"}) {
    INFO(name);
    CHECK_FALSE(built_in().resolve_hardware(name).ok());
  }
  CHECK(error_of(" ").message == "a device or an instance was expected, like 'RTX 4090' or 'aws/g5.12xlarge'");
}

TEST_CASE("an instance name of several providers lists them")
{
  const Error error = error_of("1A100.22V");
  CHECK(error.message == "'1A100.22V' is an instance of 2 providers: say which");
  CHECK(error.candidates == Ids{"datacrunch/1A100.22V", "verda/1A100.22V"});
}

TEST_CASE("every device is found by its id and by its full name, every instance by its id")
{
  for (const Device& device : built_in().devices()) {
    INFO(device.id);
    for (const std::string& name : {device.id, device.name}) {
      const auto choice = built_in().resolve_hardware(name);
      CHECK(choice.ok());
      CHECK((choice.ok() && choice->device == &device));
    }
    for (const std::string& alias : device.aliases) {
      INFO(alias);
      const auto choice = built_in().resolve_hardware(alias);
      CHECK((choice.ok() && choice->device == &device));
    }
  }
  for (const Instance& instance : built_in().instances()) {
    INFO(instance.id);
    const auto choice = built_in().resolve_hardware(instance.id);
    CHECK((choice.ok() && choice->instance == &instance));
  }
}
