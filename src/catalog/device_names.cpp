// One device by its name.
//
// Whoever writes a device's full name, id or an alias gets it. Else a device fits when the words that make out its
// series (or one of its other names) are all in the query, and the query has no word that is strange to the device:
// "4060" has the words of "RTX 4060" but not of "RTX 4060 Ti", and "4070 Laptop" has a word that the RTX 4070 has not.
// Of several that fit: one size of memory among them, the common form, else the SXM one; several sizes: ambiguous,
// unless one is marked as the common form and the query names no size.
#include "catalog/hardware_names.hpp"
#include "catalog/name_text.hpp"
#include "text/quote.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

namespace hwadvisor::catalog {
namespace {

using Words = std::vector<std::string>;

bool has(const Words& words, std::string_view word)
{
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Words that tell no device from another of its maker.
bool is_filler(std::string_view word)
{
  constexpr std::array<std::string_view, 16> fillers{"nvidia",   "amd",   "intel", "google", "apple", "geforce",
                                                     "tesla",    "gpu",   "gpus",  "card",   "cards", "radeon",
                                                     "instinct", "cloud", "chip",  "chips"};
  return std::find(fillers.begin(), fillers.end(), word) != fillers.end();
}

// Words of a series that are left out when people write the number alone.
bool is_brand(std::string_view word)
{
  constexpr std::array<std::string_view, 5> brands{"rtx", "gtx", "rx", "arc", "tpu"};
  return is_filler(word) || std::find(brands.begin(), brands.end(), word) != brands.end();
}

// What a name must have to mean this one: its words without brand, size and form.
Words core_of(std::string_view name)
{
  Words core;
  for (std::string& word : hardware_words(name)) {
    if (!is_brand(word) && gigabytes_of(word) == 0.0) {
      core.push_back(std::move(word));
    }
  }
  return core;
}

bool is_sxm(std::string_view word)
{
  return word == "sxm" || (word.size() == 4 && word.starts_with("sxm"));
}

// Every word that may stand in a name of the device.
Words vocabulary_of(const Device& device)
{
  Words all;
  const auto add = [&](std::string_view text) {
    for (std::string& word : hardware_words(text)) {
      all.push_back(std::move(word));
    }
  };
  add(device.id);
  add(device.name);
  add(device.series);
  add(device.vendor);
  add(device.architecture);
  add(device.form_factor);
  add(device.memory_type);
  for (const std::string& alias : device.aliases) {
    add(alias);
  }
  if (device.memory) {
    all.push_back(fmt::format("{}gb", device.memory->value()));
  }
  for (const double option : device.memory_options_gb) {
    all.push_back(fmt::format("{}gb", option));
  }
  return all;
}

bool is_in(std::string_view word, const Words& vocabulary)
{
  return has(vocabulary, word) || is_filler(word) || (is_sxm(word) && has(vocabulary, "sxm")) ||
         (word == "laptop" && has(vocabulary, "mobile")) || (word == "mobile" && has(vocabulary, "laptop"));
}

bool is_subset(const Words& core, const Words& query)
{
  return !core.empty() && std::all_of(core.begin(), core.end(), [&](const std::string& w) { return has(query, w); });
}

// Cheap test before vocabularies are built: the longest word with a digit must occur in some name of the device.
bool may_fit(const Device& device, std::string_view key)
{
  const auto occurs = [&](std::string_view text) { return compact(text).find(key) != std::string::npos; };
  return occurs(device.name) || occurs(device.series) || occurs(device.id) ||
         std::any_of(device.aliases.begin(), device.aliases.end(), occurs);
}

bool fits(const Device& device, const Words& query)
{
  const Words vocabulary = vocabulary_of(device);
  if (!std::all_of(query.begin(), query.end(), [&](const std::string& word) { return is_in(word, vocabulary); })) {
    return false;
  }
  return is_subset(core_of(device.series), query) || is_subset(core_of(device.name), query) ||
         std::any_of(device.aliases.begin(), device.aliases.end(),
                     [&](const std::string& alias) { return is_subset(core_of(alias), query); });
}

std::string key_of(const Words& query)
{
  std::string key;
  for (const std::string& word : query) {
    const bool has_digit = std::any_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
    const bool tells = has_digit && gigabytes_of(word) == 0.0 && !is_sxm(word);
    if (tells && word.size() > key.size()) {
      key = word;
    }
  }
  return key;
}

std::string sizes_text(const std::set<double>& sizes)
{
  return fmt::format("{} GB", fmt::join(sizes, ", "));
}

std::vector<std::string> ids(const std::vector<const Device*>& devices)
{
  std::vector<std::string> out;
  for (const Device* device : devices) {
    out.push_back(device->id);
  }
  return out;
}

Error ambiguous(std::string_view name, const std::vector<const Device*>& fitting, const std::set<double>& sizes)
{
  Error error{ErrorKind::unknown, {}, {}, ids(fitting)};
  error.message = sizes.size() > 1
                      ? fmt::format("{} comes with {}: say which", text::quoted(name), sizes_text(sizes))
                      : fmt::format("{} may be any of {} devices: say which", text::quoted(name), fitting.size());
  return error;
}

// The one that is meant among those that fit, or nullptr.
const Device* preferred(const std::vector<const Device*>& fitting, bool one_size, bool size_named)
{
  const auto only = [&](auto accepts) -> const Device* {
    const auto first = std::find_if(fitting.begin(), fitting.end(), accepts);
    const bool alone = first != fitting.end() && std::find_if(first + 1, fitting.end(), accepts) == fitting.end();
    return alone ? *first : nullptr;
  };
  if (!one_size && size_named) {
    return nullptr;
  }
  if (const Device* common = only([](const Device* d) { return d->common_form; })) {
    return common;
  }
  return one_size ? only([](const Device* d) { return d->form_factor == "sxm"; }) : nullptr;
}

std::string note_of(std::string_view name, const Device& taken, const std::vector<const Device*>& fitting)
{
  std::vector<std::string> others;
  for (const Device* device : fitting) {
    if (device != &taken) {
      others.push_back(device->id);
    }
  }
  return others.empty()
             ? ""
             : fmt::format("{} is taken as {}; others: {}", text::quoted(name), taken.id, fmt::join(others, ", "));
}

HardwareChoice choice_of(const Device& device, const Words& query, std::string note)
{
  HardwareChoice choice;
  choice.device = &device;
  choice.note = std::move(note);
  for (const std::string& word : query) {
    const double gb = gigabytes_of(word);
    const auto& options = device.memory_options_gb;
    if (gb > 0.0 && std::find(options.begin(), options.end(), gb) != options.end()) {
      choice.memory_option_gb = gb;
    }
  }
  return choice;
}

} // namespace

std::vector<std::string> devices_like(std::string_view name, std::span<const Device> devices)
{
  Words query = hardware_words(name);
  const auto is_size = [](const std::string& word) { return gigabytes_of(word) > 0.0; };
  const bool sized = std::any_of(query.begin(), query.end(), is_size);
  query.erase(std::remove_if(query.begin(), query.end(), is_size), query.end());
  std::vector<std::string> out;
  if (key_of(query).empty()) {
    return out;
  }
  for (const Device& device : devices) {
    const Words vocabulary = vocabulary_of(device);
    if (!std::all_of(query.begin(), query.end(), [&](const std::string& word) { return has(vocabulary, word); })) {
      continue;
    }
    if (sized && fits(device, query) && !device.memory_options_gb.empty()) {
      for (const double option : device.memory_options_gb) {
        out.push_back(fmt::format("{} {}GB", device.name, option));
      }
    } else {
      out.push_back(device.id);
    }
  }
  return out;
}

Result<std::optional<HardwareChoice>> resolve_device(std::string_view name, std::span<const Device> devices)
{
  for (const Device& device : devices) {
    if (same_compact(device.id, name) || same_compact(device.name, name)) {
      return std::optional(choice_of(device, {}, ""));
    }
  }
  const Device* alias_of = nullptr;
  for (const Device& device : devices) {
    for (const std::string& alias : device.aliases) {
      alias_of = same_compact(alias, name) ? &device : alias_of;
    }
  }
  const Words query = hardware_words(name);
  const std::string key = key_of(query);
  std::vector<const Device*> fitting;
  for (const Device& device : devices) {
    if (!query.empty() && (key.empty() || may_fit(device, key)) && fits(device, query)) {
      fitting.push_back(&device);
    }
  }
  if (alias_of != nullptr) {
    return std::optional(choice_of(*alias_of, query, note_of(name, *alias_of, fitting)));
  }
  if (fitting.empty()) {
    return std::optional<HardwareChoice>();
  }
  if (fitting.size() == 1) {
    return std::optional(choice_of(*fitting.front(), query, ""));
  }
  std::set<double> sizes;
  for (const Device* device : fitting) {
    sizes.insert(device->memory ? device->memory->value() : 0.0);
  }
  const bool size_named = std::any_of(query.begin(), query.end(), [](const auto& w) { return gigabytes_of(w) > 0.0; });
  if (const Device* taken = preferred(fitting, sizes.size() == 1, size_named)) {
    return std::optional(choice_of(*taken, query, note_of(name, *taken, fitting)));
  }
  return ambiguous(name, fitting, sizes);
}

} // namespace hwadvisor::catalog
