#include "hardware/names.hpp"

namespace hwadvisor {
namespace {

template <class Enum, std::size_t Count> std::string_view word_of(const Words<Enum, Count>& words, Enum value)
{
  for (const auto& [word, meaning] : words) {
    if (meaning == value) {
      return word;
    }
  }
  return {};
}

} // namespace

std::string_view kind_name(DeviceKind kind)
{
  return word_of(k_device_kinds, kind);
}

std::string_view acquisition_name(Acquisition acquisition)
{
  return word_of(k_acquisitions, acquisition);
}

std::string_view kind_name(PriceKind kind)
{
  return word_of(k_price_kinds, kind);
}

std::string_view includes_name(PriceIncludes includes)
{
  return word_of(k_price_includes, includes);
}

std::string_view tier_name(Tier tier)
{
  return word_of(k_tiers, tier);
}

std::string_view shape_name(InstanceShape shape)
{
  return word_of(k_instance_shapes, shape);
}

} // namespace hwadvisor
