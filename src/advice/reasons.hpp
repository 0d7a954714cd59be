#pragma once

// Sentences about an answer: why it stands where it does, what speaks against it, what would change it. Every sentence
// carries the figure it rests on.

#include "advice/ranking.hpp"

namespace hwadvisor::advice {

std::vector<std::string> reasons_for(const Question& question, const Ranked& ranked, const Ranked* next);
std::vector<std::string> caveats_of(const Question& question, const Ranked& ranked, const Catalog& catalog);

// How the horizon makes buying and renting comparable.
std::string horizon_text(const Question& question, const MachineParts& parts);

// What would put another answer first: hours of use for buying against renting, else the next one's price.
std::string what_would_change(const Question& question, const std::vector<const Ranked*>& lines);

// What the founding articles say of this very job, and where the figures differ.
std::vector<Note> article_notes(const Question& question, const std::vector<const Ranked*>& lines);

} // namespace hwadvisor::advice
