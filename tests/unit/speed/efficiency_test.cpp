#include "speed/efficiency.hpp"

#include "catch.hpp"
#include "unit/speed/cases.hpp"

using namespace hwadvisor;
using namespace hwadvisor::speed;
using namespace speed_cases;

TEST_CASE("the row with the most specific selectors holds, in whatever order they stand", "[speed]")
{
  Efficiency any = row("any", "decode", 0.1);
  Efficiency vendor = row("vendor", "decode", 0.2);
  vendor.vendors = {"NVIDIA"};
  Efficiency memory = row("memory", "decode", 0.3);
  memory.memory_classes = {"hbm"};
  Efficiency engine = row("engine", "decode", 0.4);
  engine.engines = {"llama.cpp"};
  Efficiency device = row("device", "decode", 0.5);
  device.devices = {"gpu"};
  Efficiency other = row("other", "decode", 0.9);
  other.devices = {"another"};
  Efficiency prefill = row("prefill", "prefill", 0.9);
  prefill.devices = {"gpu"};

  const Device d = gpu();
  const auto id = [&](std::vector<Efficiency> rows, std::string_view name) {
    const Efficiency* found = find_efficiency(rows, "decode", d, name);
    return found != nullptr ? found->id : "none";
  };
  CHECK(id({other, any}, "vllm") == "any");
  CHECK(id({any, vendor, other}, "vllm") == "vendor");
  CHECK(id({memory, vendor, any}, "vllm") == "memory");
  CHECK(id({engine, memory, vendor}, "llama.cpp") == "engine");
  CHECK(id({engine, memory, vendor}, "vllm") == "memory");
  CHECK(id({any, device, engine, prefill}, "llama.cpp") == "device");
  CHECK(id({other, prefill}, "vllm") == "none");
}

TEST_CASE("efficiency falls with the peak where the row says so", "[speed]")
{
  Efficiency falling = row("falling", "train", 0.52);
  falling.reference_tflops = 312.0;
  falling.exponent = -0.2;
  CHECK(fraction_at(falling, 312.0).likely == Approx(0.52));
  // 989 TFLOP/s: published runs on H100 reach 0.38-0.46 where A100 reach 0.50-0.55.
  CHECK(fraction_at(falling, 989.4).likely == Approx(0.413).margin(0.005));
  CHECK(fraction_at(row("flat", "train", 0.3), 5000.0).likely == 0.3);
}

TEST_CASE("the peak is that of the arithmetic, not of the storage", "[speed]")
{
  Device d = gpu();
  CHECK(*matrix_peak(d, *find_precision("bf16")) == Approx(100e12));
  CHECK(*matrix_peak(d, *find_precision("fp8")) == Approx(200e12));
  CHECK(*matrix_peak(d, *find_precision("q4_k_m")) == Approx(100e12)); // weights expand to 16 bit
  CHECK(*matrix_peak(d, *find_precision("awq-int4")) == Approx(100e12));
  CHECK(*matrix_peak(d, *find_precision("fp32")) == Approx(20e12));
  d.peaks = {};
  CHECK_FALSE(matrix_peak(d, *find_precision("bf16")).has_value()); // unknown stays unknown
}

TEST_CASE("a fast link counts within its domain and where the instance has it", "[speed]")
{
  const Device d = gpu();
  Placement placement;
  placement.device = &d;
  CHECK(link_between(placement, 2)->kind == "nvlink");
  CHECK(link_between(placement, 2)->one_way_bytes == Approx(300e9));
  CHECK(link_between(placement, 16)->kind == "pcie"); // beyond its scale-up domain
  Instance instance;
  instance.interconnect = "pcie";
  placement.instance = &instance;
  CHECK(link_between(placement, 2)->kind == "pcie");
  CHECK(link_between(placement, 2)->one_way_bytes == Approx(31.5e9));
  instance.interconnect = "nvswitch";
  CHECK(link_between(placement, 8)->kind == "nvlink");
}
