#pragma once

// Targets and budgets: what a placement or an offer must meet. A target that was asked, or that the scenario assumes,
// is a constraint that saturates: meeting it by more is worth nothing.

#include "advice/search.hpp"

namespace hwadvisor::advice {

// The speed target that is missed by most, relative to its size.
std::optional<Rejection> check_targets(const Question& question, const Placed& placed);

// Hours that the run takes on `machines` machines; empty: no speed is known, or nothing is counted by runs.
std::optional<double> run_hours(const Question& question, const Placed& placed);

// Hours of set-up before and after a run on a rented machine: they are paid, and the deadline counts them.
double setup_hours(const Question& question, const Placed& placed);

// Budgets of one offer.
std::optional<Rejection> check_budgets(const Question& question, const Placed& placed, const Bill& bill);

} // namespace hwadvisor::advice
