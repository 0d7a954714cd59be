#include "catalog/readers.hpp"
#include "hardware/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace hwadvisor::catalog {
namespace {

constexpr json::NumberRange k_positive{1e-9, 1e12};

bool is_id(std::string_view id)
{
  return !id.empty() && std::all_of(id.begin(), id.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.';
  });
}

// CUDA's "8.9"; AMD's gfx targets are no number and yield nothing.
std::optional<double> capability(const std::optional<std::string>& text)
{
  double value = 0.0;
  if (!text) {
    return std::nullopt;
  }
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), value);
  return error == std::errc() && end == text->data() + text->size() ? std::optional(value) : std::nullopt;
}

// Both directions. Rates a lane: PCI-SIG's GT/s less the line code (8b/10b to gen 2, 128b/130b to gen 5, 242/256 of a
// flit from gen 6).
std::optional<BytesPerSecond> pcie_bandwidth(std::string_view generation, std::int64_t lanes)
{
  constexpr double gigabytes_per_lane[] = {0.25,
                                           0.5,
                                           8.0 / 8 * 128 / 130,
                                           16.0 / 8 * 128 / 130,
                                           32.0 / 8 * 128 / 130,
                                           64.0 / 8 * 242 / 256,
                                           128.0 / 8 * 242 / 256};
  if (lanes == 0 || generation.size() != 3 || generation[0] < '1' || generation[0] > '7') {
    return std::nullopt;
  }
  return BytesPerSecond(2.0 * static_cast<double>(lanes) * gigabytes_per_lane[generation[0] - '1'] * 1e9);
}

void read_memory(ObjectReader& in, Device& device)
{
  if (const auto gb = in.maybe_number("marketed_gb", k_positive)) {
    device.memory = VendorGigabytes(*gb);
  }
  if (const auto gib = in.maybe_number("usable_gib", k_positive)) {
    device.usable_memory = gibibytes(*gib);
  }
  if (const auto rate = in.maybe_number("bandwidth_gb_s", k_positive)) {
    device.bandwidth = BytesPerSecond(*rate * 1e9);
  }
  device.memory_class = in.maybe_text("class").value_or("");
  device.memory_type = in.maybe_text("type").value_or("");
  device.unified_memory = in.maybe_boolean("unified").value_or(false);
  device.memory_options_gb = in.numbers("options_gb", k_positive);
  if (device.memory && device.memory_class.empty() && !device.usable_memory) {
    in.fail("class", "a memory class (memory-classes.json) or usable_gib is required beside marketed_gb");
  }
}

void read_peaks(ObjectReader& in, Peaks& peaks)
{
  in.object("peak_tflops", [&](ObjectReader& flops) {
    peaks.fp64 = flops.maybe_number("fp64", k_positive);
    peaks.fp32 = flops.maybe_number("fp32", k_positive);
    peaks.tf32 = flops.maybe_number("tf32", k_positive);
    peaks.fp16 = flops.maybe_number("fp16", k_positive);
    peaks.bf16 = flops.maybe_number("bf16", k_positive);
    peaks.fp8 = flops.maybe_number("fp8", k_positive);
    peaks.fp4 = flops.maybe_number("fp4", k_positive);
    peaks.fp16_accumulate = flops.maybe_number("fp16_accumulate", k_positive);
  });
  in.object("peak_tops", [&](ObjectReader& ops) {
    peaks.int8 = ops.maybe_number("int8", k_positive);
    peaks.int4 = ops.maybe_number("int4", k_positive);
  });
}

void read_cpu(ObjectReader& in, CpuFacts& cpu)
{
  cpu.cores = static_cast<std::int32_t>(in.maybe_integer("cores", {1, 100'000}).value_or(0));
  cpu.threads = static_cast<std::int32_t>(in.maybe_integer("threads", {1, 100'000}).value_or(0));
  cpu.base_ghz = in.maybe_number("base_ghz", {0.1, 20}).value_or(0.0);
  cpu.boost_ghz = in.maybe_number("boost_ghz", {0.1, 20}).value_or(0.0);
  cpu.channels = static_cast<std::int32_t>(in.maybe_integer("channels", {1, 128}).value_or(0));
  cpu.sockets = static_cast<std::int32_t>(in.maybe_integer("sockets", {1, 64}).value_or(1));
  cpu.max_memory_gb = in.maybe_number("max_memory_gb", k_positive);
  cpu.isa = in.texts("isa");
  (void)in.maybe_number("l2_mb", k_positive);
  (void)in.maybe_number("l3_mb", k_positive);
  (void)in.maybe_text("memory");
}

} // namespace

Result<Device> read_device(const Json& value, const Place& place)
{
  ObjectReader in(value, place);
  Device device;
  device.id = in.text("id");
  if (!in.failed() && !is_id(device.id)) {
    in.fail("id", fmt::format("'{}' is not an id: small letters, digits, '-' and '.' only", device.id));
  }
  device.name = in.text("name");
  device.vendor = in.text("vendor");
  device.kind = in.one_of<DeviceKind>("kind", k_device_kinds);
  device.series = in.maybe_text("series").value_or(device.name);
  device.aliases = in.texts("aliases");
  device.common_form = in.maybe_boolean("common_form").value_or(false);
  device.market_class = in.text("class");
  device.architecture = in.maybe_text("architecture").value_or("");
  device.compute_capability = capability(in.maybe_text("compute_capability"));
  device.form_factor = in.maybe_text("form_factor").value_or("");
  device.released = read_date(in, "released");
  device.status = in.maybe_text("status").value_or("shipping");
  in.object("acquisition", [&](ObjectReader& acquisition) {
    device.acquisition = acquisition.one_of<Acquisition>("kind", k_acquisitions);
    device.acquisition_market = acquisition.maybe_text("market").value_or("");
    device.acquisition_reason = acquisition.maybe_text("reason").value_or("");
    (void)read_date(acquisition, "date");
  });
  in.object("memory", [&](ObjectReader& memory) { read_memory(memory, device); });
  read_peaks(in, device.peaks);
  device.peak_basis = in.maybe_text("peak_basis").value_or("");
  in.object("interconnect", [&](ObjectReader& link) {
    device.link = link.maybe_text("type").value_or("");
    if (device.link == "none") {
      device.link.clear();
    }
    if (const auto rate = link.maybe_number("gb_s_bidirectional", k_positive)) {
      device.link_bandwidth = BytesPerSecond(*rate * 1e9);
    }
    device.scale_up_domain =
        static_cast<std::int32_t>(link.maybe_integer("scale_up_domain", {1, 1'000'000}).value_or(1));
  });
  device.cores_per_chip = static_cast<std::int32_t>(in.maybe_integer("cores_per_chip", {1, 1024}).value_or(1));
  const std::string generation = in.maybe_text("pcie_gen").value_or("");
  device.pcie_bandwidth = pcie_bandwidth(generation, in.maybe_integer("pcie_lanes", {1, 32}).value_or(0));
  if (const auto watts = in.maybe_number("tdp_w", k_positive)) {
    device.tdp = Watts(*watts);
  }
  in.object("cpu", [&](ObjectReader& cpu) { read_cpu(cpu, device.cpu.emplace()); });
  device.software = in.texts("software");
  device.inference_only = in.maybe_boolean("inference_only").value_or(false);
  in.objects("prices", [&](ObjectReader& price) {
    PurchasePrice& out = device.prices.emplace_back();
    out.price = Usd(price.number("usd", k_positive));
    out.kind = price.one_of<PriceKind>("kind", k_price_kinds);
    if (price.has("includes")) {
      out.includes = price.one_of<PriceIncludes>("includes", k_price_includes);
    }
    out.memory_gb = price.maybe_number("memory_gb", k_positive);
    out.date = read_date(price, "date");
    (void)price.maybe_text("source");
    (void)price.maybe_text("note");
  });
  read_provenance(in);
  (void)in.texts("checks");
  (void)in.maybe_boolean("checked_in_two_places");
  if (auto fault = in.finish()) {
    return *fault;
  }
  return device;
}

} // namespace hwadvisor::catalog
