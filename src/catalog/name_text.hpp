#pragma once

// Names as people and tools write them, brought to forms that can be compared.

#include <string>
#include <string_view>
#include <vector>

namespace hwadvisor::catalog {

// Small letters, digits and dots: "NVIDIA A100-SXM4-80GB" -> "nvidiaa100sxm480gb". Dots stay, since opt-1.3b is not
// opt-13b.
std::string compact(std::string_view name);

// Whether two names have the same compact form; takes no memory.
bool same_compact(std::string_view a, std::string_view b);

// The words of a hardware's name, in small letters: divided at all but letters, digits and dots, glued ones divided
// ("RTX4060Ti16GB" -> rtx 4060 ti 16gb), sizes in one form ("80 GiB" -> 80gb), marks like (TM) dropped.
std::vector<std::string> hardware_words(std::string_view name);

// The number of a word like "80gb", or 0.
double gigabytes_of(std::string_view word);

} // namespace hwadvisor::catalog
