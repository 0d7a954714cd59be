#pragma once

// Near matches for a mistyped word: "did you mean".

#include <string>
#include <string_view>
#include <vector>

namespace hwadvisor::text {

// Optimal string alignment distance: insertions, deletions, substitutions and swaps of neighbours, ignoring case.
int edit_distance(std::string_view a, std::string_view b);

// Up to `most` words of `known` near to `word`, nearest first, ties in the order of `known`.
std::vector<std::string> near_matches(std::string_view word, const std::vector<std::string>& known,
                                      std::size_t most = 3);

} // namespace hwadvisor::text
