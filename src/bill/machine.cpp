#include "hwadvisor/bill.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace hwadvisor {
namespace {

// Host memory: weights pass through it on their way to the devices, and data loading wants room beside them. Twice the
// devices' memory is the rule of workstation builders (for instance T. Dettmers, "A Full Hardware Guide to Deep
// Learning", 2018: at least as much as the largest GPU; twice leaves room for data).
constexpr double k_ram_per_device_gb = 2.0;
constexpr double k_smallest_ram_gb = 16.0;
constexpr double k_storage_tb = 1.0;    // system, environments and one data set
constexpr double k_supply_margin = 1.3; // power supplies run well at three quarters of their rating
constexpr double k_supply_step = 50.0;
constexpr double k_unknown_device_watts = 300.0; // when a card's power is not known: the common PCIe slot limit

// Host memory as kits are sold.
double sold_ram_gb(double gb)
{
  double size = k_smallest_ram_gb;
  while (size < gb) {
    size *= 2.0;
  }
  return size;
}

bool is_current(Acquisition acquisition)
{
  return acquisition == Acquisition::card || acquisition == Acquisition::system_only ||
         acquisition == Acquisition::part_of_system;
}

// The order in which kinds of price are believed.
int rank_of(PriceKind kind)
{
  switch (kind) {
  case PriceKind::typical:
    return 0;
  case PriceKind::lowest:
    return 1;
  case PriceKind::used:
    return 2;
  case PriceKind::list:
    return 3;
  }
  return 4;
}

} // namespace

std::optional<DevicePrice> device_price(const Device& device, const MachineParts& parts, bool allow_used)
{
  const bool used_part = device.acquisition == Acquisition::used_only;
  const PurchasePrice* best = nullptr;
  for (const PurchasePrice& price : device.prices) {
    if (used_part && price.kind == PriceKind::list) {
      continue; // what it cost when it was sold new says nothing of today
    }
    if (price.kind == PriceKind::used && !allow_used) {
      continue;
    }
    // A dated price over an undated one, then by kind, then the newest, then the dearer of the same day.
    const auto key = [&](const PurchasePrice& p) { return std::tuple(p.date.empty() ? 1 : 0, rank_of(p.kind)); };
    if (best == nullptr || key(price) < key(*best) ||
        (key(price) == key(*best) &&
         (price.date > best->date || (price.date == best->date && price.price > best->price)))) {
      best = &price;
    }
  }
  if (best == nullptr) {
    return std::nullopt;
  }
  DevicePrice found;
  found.quoted = best->price;
  found.counted = best->kind == PriceKind::list ? best->price * std::max(1.0, parts.street_over_list) : best->price;
  found.kind = best->kind;
  found.date = best->date;
  return found;
}

std::optional<LocalMachine> build_machine(const Device& device, std::int32_t count, const MachineParts& parts,
                                          bool allow_used, bool host_owned)
{
  const bool whole = device.acquisition == Acquisition::system_only;
  if (!is_current(device.acquisition) && !(allow_used && device.acquisition == Acquisition::used_only)) {
    return std::nullopt;
  }
  const std::optional<DevicePrice> price = device_price(device, parts, allow_used);
  if (!price || count < 1 || (whole && count > 1)) {
    return std::nullopt;
  }
  LocalMachine machine;
  machine.device_count = count;
  machine.quoted_price = price->quoted;
  machine.device_price = price->counted * count;
  machine.price_kind = price->kind;
  machine.price_date = price->date;
  const double device_watts = device.tdp ? device.tdp->value() : k_unknown_device_watts;
  if (whole) {
    machine.cpu_cores = device.cpu ? device.cpu->cores : 0;
    machine.ram_gb = device.memory ? device.memory->value() : 0.0;
    machine.power = Watts(device_watts * parts.load_factor * parts.cooling_factor);
    return machine;
  }
  const double all_watts = device_watts * count;
  for (const MachineParts::Platform& platform : parts.platforms) {
    if (platform.max_devices < count || platform.max_device_watts < all_watts) {
      continue;
    }
    machine.platform = platform.name;
    machine.host_owned = host_owned && count == 1 && &platform == &parts.platforms.front();
    machine.cpu_cores = platform.cpu_cores;
    const double memory_gb = device.memory ? device.memory->value() * count : 0.0;
    machine.ram_gb = sold_ram_gb(k_ram_per_device_gb * memory_gb);
    machine.storage_tb = k_storage_tb * std::max(1, count / 2);
    machine.power_supply_watts =
        std::ceil((all_watts + platform.base_watts) * k_supply_margin / k_supply_step) * k_supply_step;
    machine.power = Watts((all_watts + platform.base_watts) * parts.load_factor * parts.cooling_factor);
    machine.parts_price =
        Usd(platform.usd + machine.ram_gb * parts.ram_usd_per_gb + machine.storage_tb * parts.storage_usd_per_tb);
    return machine;
  }
  return std::nullopt;
}

} // namespace hwadvisor
