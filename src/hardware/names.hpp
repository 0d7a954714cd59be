#pragma once

// The words of the data files for the enumerations of hardware.hpp: one list each, for reading and for writing.

#include "hwadvisor/hardware.hpp"

#include <array>
#include <string_view>
#include <utility>

namespace hwadvisor {

template <class Enum, std::size_t Count> using Words = std::array<std::pair<std::string_view, Enum>, Count>;

inline constexpr Words<DeviceKind, 6> k_device_kinds{{{"gpu", DeviceKind::gpu},
                                                      {"cpu", DeviceKind::cpu},
                                                      {"tpu", DeviceKind::tpu},
                                                      {"soc", DeviceKind::soc},
                                                      {"npu", DeviceKind::npu},
                                                      {"accelerator", DeviceKind::accelerator}}};

inline constexpr Words<Acquisition, 7> k_acquisitions{{{"card", Acquisition::card},
                                                       {"system-only", Acquisition::system_only},
                                                       {"rent-only", Acquisition::rent_only},
                                                       {"used-only", Acquisition::used_only},
                                                       {"announced", Acquisition::announced},
                                                       {"restricted", Acquisition::restricted},
                                                       {"part-of-system", Acquisition::part_of_system}}};

inline constexpr Words<PriceKind, 4> k_price_kinds{{{"typical", PriceKind::typical},
                                                    {"lowest", PriceKind::lowest},
                                                    {"used", PriceKind::used},
                                                    {"list", PriceKind::list}}};

inline constexpr Words<PriceIncludes, 3> k_price_includes{{{"device", PriceIncludes::device},
                                                           {"module", PriceIncludes::module},
                                                           {"complete-machine", PriceIncludes::complete_machine}}};

inline constexpr Words<Tier, 3> k_tiers{
    {{"hyperscaler", Tier::hyperscaler}, {"specialist", Tier::specialist}, {"marketplace", Tier::marketplace}}};

inline constexpr Words<InstanceShape, 5> k_instance_shapes{{{"vm", InstanceShape::vm},
                                                            {"bare-metal", InstanceShape::bare_metal},
                                                            {"gpu-rate", InstanceShape::gpu_rate},
                                                            {"tpu-slice", InstanceShape::tpu_slice},
                                                            {"fraction", InstanceShape::fraction}}};

} // namespace hwadvisor
