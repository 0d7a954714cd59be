#include "advice/ranking.hpp"

#include <algorithm>
#include <map>
#include <tuple>

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

// Moves the best of a kind up to the end of the first screen when the first screen has none of it.
void show_both_kinds(std::vector<const Ranked*>& lines, const std::vector<const Ranked*>& rest)
{
  if (lines.size() < k_first_screen) {
    return;
  }
  const auto first_end = lines.begin() + k_first_screen;
  for (const bool local : {true, false}) {
    const auto is_kind = [local](const Ranked* line) { return line->local() == local; };
    if (std::any_of(lines.begin(), first_end, is_kind)) {
      continue;
    }
    if (const auto later = std::find_if(first_end, lines.end(), is_kind); later != lines.end()) {
      std::rotate(first_end - 1, later, later + 1);
    } else if (const auto other = std::find_if(rest.begin(), rest.end(), is_kind); other != rest.end()) {
      lines.insert(first_end - 1, *other);
    }
    return;
  }
}

} // namespace

void sort_by_score(std::vector<Ranked>& feasible)
{
  std::sort(feasible.begin(), feasible.end(), [](const Ranked& a, const Ranked& b) { return key_of(a) < key_of(b); });
}

std::vector<const Ranked*> select(const std::vector<Ranked>& feasible)
{
  std::vector<const Ranked*> lines;
  std::vector<const Ranked*> rest;
  std::map<std::string_view, std::size_t> of_family;
  for (const Ranked& ranked : feasible) {
    std::size_t& told = of_family[family_of(ranked)];
    if (told < k_lines_of_a_family && !repeats(ranked, lines)) {
      ++told;
      lines.push_back(&ranked);
    }
  }
  for (std::size_t i = k_most_lines; i < lines.size(); ++i) {
    rest.push_back(lines[i]);
  }
  lines.resize(std::min(lines.size(), k_most_lines));
  show_both_kinds(lines, rest);
  return lines;
}

} // namespace hwadvisor::advice
