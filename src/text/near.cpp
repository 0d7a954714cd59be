#include "text/near.hpp"

#include <algorithm>
#include <cctype>

namespace hwadvisor::text {

int edit_distance(std::string_view a, std::string_view b)
{
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  // Three rows of the distance matrix are enough: the current one and the two before it.
  std::vector<int> before(b.size() + 1);
  std::vector<int> previous(b.size() + 1);
  std::vector<int> current(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) {
    previous[j] = static_cast<int>(j);
  }
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      current[j] = std::min({previous[j] + 1, current[j - 1] + 1, previous[j - 1] + (same ? 0 : 1)});
      if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1])) {
        current[j] = std::min(current[j], before[j - 2] + 1);
      }
    }
    std::swap(before, previous);
    std::swap(previous, current);
  }
  return previous[b.size()];
}

std::vector<std::string> near_matches(std::string_view word, const std::vector<std::string>& known, std::size_t most)
{
  struct Candidate {
    int distance;
    const std::string* text;
  };
  const int allowed = std::max<int>(1, static_cast<int>(word.size()) / 3);
  std::vector<Candidate> near;
  for (const std::string& candidate : known) {
    if (candidate.size() > word.size() + 64 || word.size() > 256) {
      continue;
    }
    const std::size_t longer = std::max(word.size(), candidate.size());
    if (longer - std::min(word.size(), candidate.size()) > static_cast<std::size_t>(allowed)) {
      continue; // the distance is the difference of the lengths at least
    }
    const int distance = edit_distance(word, candidate);
    if (distance <= allowed) {
      near.push_back({distance, &candidate});
    }
  }
  std::stable_sort(near.begin(), near.end(),
                   [](const Candidate& a, const Candidate& b) { return a.distance < b.distance; });
  std::vector<std::string> out;
  for (const Candidate& candidate : near) {
    if (out.size() == most) {
      break;
    }
    if (std::find(out.begin(), out.end(), *candidate.text) == out.end()) {
      out.push_back(*candidate.text);
    }
  }
  return out;
}

} // namespace hwadvisor::text
