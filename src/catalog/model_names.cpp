#include "catalog/model_names.hpp"

#include "catalog/name_text.hpp"
#include "text/near.hpp"
#include "text/quote.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <vector>

namespace hwadvisor::catalog {
namespace {

using Found = std::vector<const ModelSummary*>;

std::string_view last_part(std::string_view name)
{
  const std::size_t slash = name.rfind('/');
  return slash == std::string_view::npos ? name : name.substr(slash + 1);
}

// The compact form without the words that variants of one architecture differ in.
std::string loosened(std::string_view name)
{
  constexpr std::array<std::string_view, 7> fillers{"hf", "instruct", "chat", "it", "base", "meta", "bf16"};
  std::string out;
  for (std::size_t start = 0; start < name.size();) {
    const std::size_t end = std::min(name.find_first_of("-_: ", start), name.size());
    const std::string word = compact(name.substr(start, end - start));
    if (std::find(fillers.begin(), fillers.end(), word) == fillers.end()) {
      out += word;
    }
    start = end + 1;
  }
  return out;
}

template <class Accepts> Found all_of(std::span<const ModelSummary> models, Accepts accepts)
{
  Found found;
  for (const ModelSummary& model : models) {
    if (accepts(model)) {
      found.push_back(&model);
    }
  }
  return found;
}

template <class Accepts> bool any_name(const ModelSummary& model, Accepts accepts)
{
  return accepts(last_part(model.id)) || accepts(model.name) ||
         std::any_of(model.aliases.begin(), model.aliases.end(), accepts);
}

// All models that `name` fits equally well, the strictest reading that fits any.
Found matches(std::string_view name, std::span<const ModelSummary> models)
{
  const auto is = [](std::string_view wanted) {
    return [wanted](std::string_view own) { return same_compact(own, wanted); };
  };
  Found found = all_of(models, [&](const ModelSummary& m) { return same_compact(m.id, name); });
  if (found.empty()) {
    found = all_of(models, [&](const ModelSummary& m) { return any_name(m, is(name)); });
  }
  const std::string_view own_part = last_part(name);
  if (found.empty()) {
    found = all_of(models, [&](const ModelSummary& m) {
      return any_name(m, [&](std::string_view own) { return same_compact(last_part(own), own_part); });
    });
  }
  const std::string wanted = loosened(own_part);
  if (found.empty() && !wanted.empty()) {
    found = all_of(models, [&](const ModelSummary& m) {
      return any_name(m, [&](std::string_view own) { return loosened(last_part(own)) == wanted; });
    });
  }
  return found;
}

// Of several variants of one architecture the plain one, whose name has no word that was passed over; else the first.
const ModelSummary& plainest(const Found& found)
{
  const auto plain = std::find_if(found.begin(), found.end(), [](const ModelSummary* m) {
    return compact(last_part(m->id)) == loosened(last_part(m->id));
  });
  return plain == found.end() ? *found.front() : **plain;
}

std::string joined(const Found& found, const ModelSummary* without)
{
  std::vector<std::string> ids;
  for (const ModelSummary* model : found) {
    if (model != without) {
      ids.push_back(model->id);
    }
  }
  return fmt::format("{}", fmt::join(ids, ", "));
}

Result<std::optional<FoundModel>> choose(std::string_view name, const Found& found)
{
  if (found.empty()) {
    return std::optional<FoundModel>();
  }
  const bool one_size = std::all_of(found.begin(), found.end(), [&](const ModelSummary* m) {
    return m->params_total == found.front()->params_total && m->family == found.front()->family;
  });
  if (!one_size) {
    Error error{ErrorKind::unknown,
                fmt::format("{} may be any of {} models: say which", text::quoted(name), found.size())};
    for (const ModelSummary* model : found) {
      error.candidates.push_back(model->id);
    }
    return error;
  }
  const ModelSummary& taken = plainest(found);
  FoundModel out{taken.id, {}, {}};
  if (found.size() > 1) {
    out.note =
        fmt::format("{} is taken as {}; of the same size: {}", text::quoted(name), taken.id, joined(found, &taken));
  }
  return std::optional(out);
}

// Names that begin like the one asked for come first ("llama3.1" -> its sizes), then those a few letters away.
Error unknown_model(std::string_view name, std::span<const ModelSummary> models)
{
  constexpr std::size_t most = 4;
  Error error{ErrorKind::unknown, fmt::format("{} is not a known model", text::quoted(name))};
  const auto add = [&](const std::string& id) {
    if (error.candidates.size() < most &&
        std::find(error.candidates.begin(), error.candidates.end(), id) == error.candidates.end()) {
      error.candidates.push_back(id);
    }
  };
  const std::string wanted = loosened(last_part(take_apart(name).base));
  for (const ModelSummary& model : models) {
    if (wanted.size() >= 3 &&
        any_name(model, [&](std::string_view own) { return loosened(last_part(own)).starts_with(wanted); })) {
      add(model.id);
    }
  }
  std::vector<std::string> known;
  std::vector<const ModelSummary*> owners;
  const auto know = [&](std::string key, const ModelSummary& owner) {
    known.push_back(std::move(key));
    owners.push_back(&owner);
  };
  for (const ModelSummary& model : models) {
    know(loosened(last_part(model.id)), model);
    for (const std::string& alias : model.aliases) {
      know(loosened(last_part(alias)), model);
    }
  }
  for (const std::string& near : text::near_matches(wanted, known, most)) {
    add(owners[static_cast<std::size_t>(std::find(known.begin(), known.end(), near) - known.begin())]->id);
  }
  return error;
}

// "someone/Llama-3.1-8B": the name matched by its last part alone.
bool is_of_another_maker(std::string_view name, std::string_view id, std::span<const ModelSummary> models)
{
  const std::string_view maker = name.substr(0, name.size() - last_part(name).size());
  const std::string_view own = id.substr(0, id.size() - last_part(id).size());
  const auto model = std::find_if(models.begin(), models.end(), [&](const ModelSummary& m) { return m.id == id; });
  return !maker.empty() && !same_compact(maker, own) &&
         std::none_of(model->aliases.begin(), model->aliases.end(),
                      [&](const std::string& alias) { return same_compact(alias, name); });
}

// "llama3.1:8b": a model and its tag in ollama's library.
bool has_ollama_tag(std::string_view name)
{
  const std::size_t colon = name.find(':');
  return colon != std::string_view::npos && colon > 0 && colon + 1 < name.size() &&
         name.find_first_of("/ ") == std::string_view::npos;
}

std::string_view without_tag(std::string_view name)
{
  constexpr std::string_view latest = ":latest";
  return name.ends_with(latest) ? name.substr(0, name.size() - latest.size()) : name;
}

} // namespace

Result<FoundModel> find_model(std::string_view name, std::span<const ModelSummary> models)
{
  const auto exact = std::lower_bound(models.begin(), models.end(), name,
                                      [](const ModelSummary& m, std::string_view id) { return m.id < id; });
  if (exact != models.end() && exact->id == name) {
    return FoundModel{exact->id, {}, {}};
  }
  const bool ollama_tag = has_ollama_tag(name);
  name = without_tag(name);
  HWADVISOR_TRY(whole, choose(name, matches(name, models)));
  if (whole) {
    whole->ollama_tag = ollama_tag;
    if (whole->note.empty() && is_of_another_maker(name, whole->id, models)) {
      whole->note = fmt::format("{} is taken as {}", text::quoted(name), whole->id);
    }
    return *whole;
  }
  const QuantisedName parts = take_apart(name);
  if (parts.base.size() < name.size()) {
    HWADVISOR_TRY(base, choose(parts.base, matches(parts.base, models)));
    if (base) {
      base->precision = parts.precision;
      std::string note = parts.precision.empty()
                             ? fmt::format("{} is taken as {}", text::quoted(name), base->id)
                             : fmt::format("{} is taken as {} at {}", text::quoted(name), base->id, parts.precision);
      if (parts.gguf_untold) {
        note += "; the name does not say which GGUF type";
      }
      base->note = base->note.empty() ? note : note + "; " + base->note;
      return *base;
    }
  }
  return unknown_model(name, models);
}

} // namespace hwadvisor::catalog
