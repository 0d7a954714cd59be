#pragma once

// Hardware as the catalog knows it. A Device is one GPU, TPU chip, NPU, CPU or SoC; an Instance is a machine with
// devices in it that can be rented. Unknown figures are empty, never 0; `catalog show` gives the reason and sources.

#include "hwadvisor/result.hpp"
#include "hwadvisor/units.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hwadvisor {

enum class DeviceKind : std::uint8_t { gpu, cpu, tpu, soc, npu, accelerator };
std::string_view kind_name(DeviceKind kind);

// How the device can be had.
enum class Acquisition : std::uint8_t {
  card,        // a part one can buy new today
  system_only, // only inside a server or a complete machine (SXM modules, Macs, DGX Spark)
  rent_only,   // only in a cloud
  used_only,   // no longer sold new
  announced,   // not shipping yet
  restricted,  // sold in one market, or barred from another
  part_of_system
};
std::string_view acquisition_name(Acquisition acquisition);

enum class PriceKind : std::uint8_t { typical, lowest, used, list };
std::string_view kind_name(PriceKind kind);

// What one gets for a purchase price.
enum class PriceIncludes : std::uint8_t {
  device,          // the card or processor alone: it needs a computer around it
  module,          // a board that needs a carrier board
  complete_machine // a computer that runs as it is
};
std::string_view includes_name(PriceIncludes includes);

struct PurchasePrice {
  Usd price;
  PriceKind kind = PriceKind::typical;
  std::string date; // "2026-06-22", "2026-06"; empty: undated
  PriceIncludes includes = PriceIncludes::device;
  std::optional<double> memory_gb = std::nullopt; // of the priced machine, where one chip is sold with several sizes
};

// Dense peaks. Empty: not known or not supported.
struct Peaks {
  std::optional<double> fp64, fp32, tf32, fp16, bf16, fp8, fp4; // TFLOP/s, fp32 accumulate
  std::optional<double> fp16_accumulate;                        // TFLOP/s with fp16 accumulate (GeForce)
  std::optional<double> int8, int4;                             // TOP/s
};

struct CpuFacts {
  std::int32_t cores = 0;
  std::int32_t threads = 0;
  double base_ghz = 0.0;     // 0: not known
  double boost_ghz = 0.0;    // of one core; 0: not known
  std::int32_t channels = 0; // 0: not known
  std::int32_t sockets = 1;
  std::optional<double> max_memory_gb;
  std::vector<std::string> isa; // "avx2", "avx512", "amx" …
};

struct Device {
  std::string id; // "nvidia-h100-sxm-80gb"
  std::string name;
  std::string vendor; // "NVIDIA"
  DeviceKind kind = DeviceKind::gpu;
  std::string series;               // the bare name that several variants share: "H100"
  std::vector<std::string> aliases; // other names of exactly this variant
  bool common_form = false;         // the variant people mean by the bare series name
  std::string market_class;         // "datacenter", "workstation", "consumer", "laptop", "edge" …
  std::string architecture;
  std::optional<double> compute_capability; // NVIDIA: 8.9
  std::string form_factor;                  // "sxm", "pcie" …
  std::string released;                     // "2022-09"; empty: not known
  std::string status;                       // "shipping", "announced", "end-of-sale"
  Acquisition acquisition = Acquisition::card;
  std::string acquisition_market; // "cn"; empty: none in particular
  std::string acquisition_reason;

  std::optional<VendorGigabytes> memory;
  std::optional<Bytes> usable_memory; // as measured; else memory x the ratio of its memory class
  std::string memory_class;
  std::string memory_type;
  std::optional<BytesPerSecond> bandwidth;
  bool unified_memory = false;
  std::vector<double> memory_options_gb;

  Peaks peaks;
  std::string peak_basis; // "published", "derived", "calibrated", "mixed"

  std::string link;                             // "nvlink", "pcie", "ici" …
  std::optional<BytesPerSecond> link_bandwidth; // both directions
  std::int32_t scale_up_domain = 1;             // devices that one fast domain joins
  std::int32_t cores_per_chip = 1;              // where software counts cores (Neuron)
  std::optional<BytesPerSecond> pcie_bandwidth; // both directions

  std::optional<Watts> tdp;
  std::optional<CpuFacts> cpu;
  std::vector<std::string> software; // "cuda", "rocm", "mlx" …
  bool inference_only = false;       // its maker does not support training on it
  std::vector<PurchasePrice> prices;
};

// What share of the marketed memory a job can use, by kind of memory.
struct MemoryClass {
  std::string id;
  double ratio = 1.0; // likely
  double low = 1.0;
  double high = 1.0;
  std::string basis; // "measured", "assumed"
};

enum class Tier : std::uint8_t { hyperscaler, specialist, marketplace };
std::string_view tier_name(Tier tier);

// Who rents machines out.
struct Provider {
  std::string id;   // "aws"
  std::string name; // "Amazon Web Services"
  Tier tier = Tier::specialist;
  std::string url; // empty: not known
};

struct RentalPrice {
  UsdPerHour price;
  std::string date;     // empty: undated
  bool derived = false; // computed from a savings percentage, not listed
};

enum class InstanceShape : std::uint8_t {
  vm,
  bare_metal,
  gpu_rate,  // a price per GPU without a machine's shape
  tpu_slice, // TPU chips with their hosts
  fraction   // a part of one device
};
std::string_view shape_name(InstanceShape shape);

struct Instance {
  std::string id;       // "aws/g5.12xlarge"
  std::string provider; // "aws"
  std::string name;     // "g5.12xlarge"
  Tier tier = Tier::specialist;
  InstanceShape shape = InstanceShape::vm;
  std::string region; // empty: not known
  std::optional<std::int32_t> vcpus;
  std::optional<Bytes> memory;
  std::string cpu_model;
  std::string cpu_arch;
  std::string device;       // device id; empty: no accelerator, or one the catalog does not know
  std::string device_named; // the provider's words; empty: no accelerator
  std::int32_t device_count = 0;
  std::optional<double> device_fraction; // the share of ONE device that is rented
  std::optional<double> device_memory_gib;
  std::optional<std::int32_t> device_cores; // cores of the whole machine, where sold by cores (Neuron, TPU)
  std::int32_t nodes = 1;                   // hosts it spans
  std::string interconnect;
  std::optional<double> network_gbps;
  std::optional<double> local_storage_gb;
  std::optional<RentalPrice> on_demand, spot, reserved_1y, reserved_3y;
  std::optional<RentalPrice> capacity_block; // reserved ahead for some days
};

// Bytes of one device that a job may use, and how they are known.
struct UsableMemory {
  Bytes bytes;
  std::string basis; // "measured", "class hbm-nvidia x 0.98" …
};

// What of one device's memory a job may use: as measured, else the marketed size by its memory class. `option_gb` is
// the size fitted, where a chip is sold with several. Error: the memory or its class is not known (ErrorKind::usage).
Result<UsableMemory> usable_memory(const Device& device, const std::vector<MemoryClass>& classes,
                                   std::optional<double> option_gb = std::nullopt);

} // namespace hwadvisor
