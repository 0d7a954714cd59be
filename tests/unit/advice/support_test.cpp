#include "advice/support.hpp"

#include "unit/whole_catalog.hpp"

using namespace hwadvisor;
using namespace hwadvisor::advice;

namespace {

Device nvidia(std::string name, double capability)
{
  Device device;
  device.id = name;
  device.name = std::move(name);
  device.vendor = "NVIDIA";
  device.memory = VendorGigabytes(16);
  device.market_class = "datacenter";
  device.compute_capability = capability;
  device.software = {"cuda"};
  return device;
}

const Engine& engine(std::string_view id)
{
  const Engine* found = catalog().find_engine(id);
  REQUIRE(found != nullptr);
  return *found;
}

std::string reason(const std::optional<Veto>& veto)
{
  return veto ? veto->reason : "";
}

} // namespace

TEST_CASE("number formats need a compute capability, and a veto tells both figures", "[advice]")
{
  const Engine& vllm = engine("vllm");
  const Device t4 = nvidia("T4", 7.5);
  CHECK(reason(check_precision(t4, vllm, *find_precision("bf16"), false)) ==
        "bf16 needs compute capability 8.0; T4 has 7.5");
  CHECK(check_precision(t4, vllm, *find_precision("bf16"), false)->misses_by == Approx(0.5));
  CHECK(reason(check_precision(t4, vllm, *find_precision("bf16-mixed"), true)) ==
        "bf16-mixed needs compute capability 8.0; T4 has 7.5");
  CHECK_FALSE(check_precision(t4, vllm, *find_precision("fp16"), false));
  CHECK_FALSE(check_precision(t4, vllm, *find_precision("awq-int4"), false));
  CHECK(reason(check_precision(nvidia("A100", 8.0), vllm, *find_precision("fp8"), false)) ==
        "fp8 needs compute capability 8.9; A100 has 8.0");
  CHECK_FALSE(check_precision(nvidia("L4", 8.9), vllm, *find_precision("fp8"), false));
  CHECK(check_precision(nvidia("V100", 7.0), vllm, *find_precision("awq-int4"), false));
  // llama.cpp expands what the device does not multiply.
  CHECK_FALSE(check_precision(t4, engine("llama.cpp"), *find_precision("bf16"), false));
}

TEST_CASE("engines run where their makers say", "[advice]")
{
  Device radeon = nvidia("Radeon", 0.0);
  radeon.vendor = "AMD";
  radeon.software = {"rocm", "vulkan"};
  CHECK(reason(check_engine(radeon, engine("tensorrt-llm"))) == "TensorRT-LLM runs on NVIDIA, not on AMD");
  radeon.vendor = "Apple";
  CHECK(reason(check_engine(radeon, engine("mlx"))) == "MLX needs mlx; Radeon has rocm, vulkan");
  CHECK(check_engine(nvidia("P40", 6.1), engine("vllm"))->limit == "engine");
  CHECK_FALSE(check_engine(nvidia("P40", 6.1), engine("llama.cpp")));
}

TEST_CASE("formats belong to engines", "[advice]")
{
  CHECK(engine_reads(engine("llama.cpp"), *find_precision("q4_k_m")));
  CHECK_FALSE(engine_reads(engine("vllm"), *find_precision("q4_k_m")));
  CHECK(engine_reads(engine("vllm"), *find_precision("fp8")));
  CHECK_FALSE(engine_reads(engine("llama.cpp"), *find_precision("awq-int4")));
  CHECK(engine_reads(engine("mlx"), *find_precision("mlx-4bit")));
  CHECK(engine_reads(engine("neuron"), *find_precision("bf16")));
  CHECK_FALSE(engine_reads(engine("neuron"), *find_precision("int4")));
  CHECK_FALSE(engine_reads(engine("vllm"), *find_precision("mlx-4bit")));
}

TEST_CASE("only what can be had is offered", "[advice]")
{
  Scenario scenario;
  scenario.id = "team";
  Device device = nvidia("H100 SXM", 9.0);
  device.acquisition = Acquisition::system_only;
  CHECK(reason(check_availability(device, true, scenario)) ==
        "H100 SXM is sold only inside a complete system: no single one for a desk");
  CHECK_FALSE(check_availability(device, false, scenario)); // rented, it is fine
  device.market_class = "unified-desktop";
  CHECK_FALSE(check_availability(device, true, scenario)); // a complete machine
  device.acquisition = Acquisition::announced;
  CHECK(check_availability(device, true, scenario));
  CHECK(check_availability(device, false, scenario));
  device.acquisition = Acquisition::restricted;
  CHECK(check_availability(device, false, scenario));
  device.acquisition = Acquisition::used_only;
  CHECK(check_availability(device, true, scenario));
  scenario.allow_used = true;
  CHECK_FALSE(check_availability(device, true, scenario));
}

TEST_CASE("a scenario says where it starts and what software it plans with", "[advice]")
{
  Scenario scenario;
  scenario.id = "team";
  scenario.min_device_memory_gb = 24;
  scenario.software = {{"cuda", 0.0}};
  Device device = nvidia("T4", 7.5);
  CHECK(reason(check_scenario(device, false, scenario)) == "T4 has 16 GB; scenario team starts at 24 GB");
  scenario.min_device_memory_gb = 8;
  CHECK_FALSE(check_scenario(device, false, scenario));
  device.software = {"rocm"};
  CHECK(reason(check_scenario(device, false, scenario)) == "T4 runs rocm, none of which scenario team plans with");
  device.software = {"cuda"};
  device.market_class = "consumer";
  scenario.allow_consumer = false;
  CHECK(check_scenario(device, true, scenario));
  CHECK_FALSE(check_scenario(device, false, scenario)); // a rented one is the provider's to keep running
}

TEST_CASE("a method needs its libraries, and a device that trains", "[advice]")
{
  const auto workload =
      resolve(request({{"model", "llama-2-7b"}, {"task", "finetuning"}, {"method", "qlora"}}), catalog());
  REQUIRE(workload.ok());
  const Device* tpu = catalog().find_device("google-tpu-v6e");
  REQUIRE(tpu != nullptr);
  CHECK(check_job(*tpu, *workload)->limit == "method");
  CHECK_FALSE(check_job(nvidia("A100", 8.0), *workload));
  const auto full = resolve(request({{"model", "llama-2-7b"}, {"task", "finetuning"}}), catalog());
  REQUIRE(full.ok());
  CHECK_FALSE(check_job(*tpu, *full));
  CHECK(reason(check_job(*catalog().find_device("aws-inferentia2"), *full)) ==
        "AWS Inferentia2 (per chip) is for inference only");
}
