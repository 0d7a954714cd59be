#include "advice/ranking.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace hwadvisor::advice {
namespace {

constexpr std::size_t k_lines_of_a_family = 2;
constexpr std::size_t k_most_lines = 20;
constexpr std::size_t k_first_screen = 5;

auto key_of(const Ranked& ranked)
{
  return std::tuple(ranked.score, std::string_view(ranked.placed.hardware->device->id), ranked.placed.hardware->count,
                    ranked.local() ? 0 : 1, std::string_view(ranked.placed.hardware->link));
}

std::string_view family_of(const Ranked& ranked)
{
  const Device& device = *ranked.placed.hardware->device;
  return device.series.empty() ? std::string_view(device.id) : std::string_view(device.series);
}

// The same device, bought or rented alike, in a number no larger, stands before it: speed beyond the target is worth
// nothing, and the same devices in other boxes are no other answer.
bool repeats(const Ranked& ranked, const std::vector<const Ranked*>& lines)
{
  const auto devices = [](const Ranked& r) { return r.placed.hardware->count * r.placed.machines; };
  return std::any_of(lines.begin(), lines.end(), [&](const Ranked* other) {
    return other->placed.hardware->device == ranked.placed.hardware->device && other->local() == ranked.local() &&
           devices(*other) <= devices(ranked);
  });
}

// When a full first screen holds bought lines alone, or rented ones alone, the best of the other kind takes its last
// place.
void show_both_kinds(std::vector<const Ranked*>& first, std::vector<const Ranked*>& rest)
{
  for (const bool local : {true, false}) {
    const auto is_kind = [local](const Ranked* line) { return line->local() == local; };
    const auto other = std::find_if(rest.begin(), rest.end(), is_kind);
    if (first.size() == k_first_screen && std::none_of(first.begin(), first.end(), is_kind) && other != rest.end()) {
      const Ranked* shown = *other;
      rest.erase(other);
      rest.insert(rest.begin(), first.back());
      first.back() = shown;
    }
  }
}

} // namespace

void sort_by_score(std::vector<Ranked>& feasible)
{
  std::sort(feasible.begin(), feasible.end(), [](const Ranked& a, const Ranked& b) { return key_of(a) < key_of(b); });
}

std::vector<const Ranked*> select(const std::vector<Ranked>& feasible)
{
  std::vector<const Ranked*> told;
  std::map<std::string_view, std::size_t> of_family;
  for (const Ranked& ranked : feasible) {
    std::size_t& lines = of_family[family_of(ranked)];
    if (lines < k_lines_of_a_family && !repeats(ranked, told)) {
      ++lines;
      told.push_back(&ranked);
    }
  }
  // The first screen shows different ideas: each line another size of memory or another number of devices.
  std::vector<const Ranked*> first, rest;
  std::set<std::pair<double, std::int32_t>> ideas;
  for (const Ranked* line : told) {
    const Hardware& hardware = *line->placed.hardware;
    const double memory = hardware.device->memory.value_or(VendorGigabytes(0)).value();
    if (first.size() < k_first_screen && ideas.emplace(memory, hardware.count).second) {
      first.push_back(line);
    } else {
      rest.push_back(line);
    }
  }
  show_both_kinds(first, rest);
  first.insert(first.end(), rest.begin(), rest.end());
  first.resize(std::min(first.size(), k_most_lines));
  return first;
}

} // namespace hwadvisor::advice
