#pragma once

// A request made ready for the search: the scenario chosen, its defaults taken, and one workload for each engine and
// precision that may be tried.

#include "hwadvisor/advice.hpp"
#include "speed/work.hpp"

namespace hwadvisor::advice {

// One engine at one precision. Variants stand in the order in which they are tried on a device.
struct Variant {
  Workload workload;
  std::optional<speed::Work> work;
};

struct Question {
  Request request; // with the scenario's defaults
  const Scenario* scenario = nullptr;
  CostBasis basis = CostBasis::horizon;
  std::vector<Variant> variants;
  std::vector<Note> notes; // assumptions, the scenario first

  // Training: what the run does, in tokens or, for models of images, in samples.
  double run_work = 0.0;
  bool counts_samples = false;

  double hours_per_month = 0.0;
  double horizon_months = 24.0;
  std::vector<Tier> tiers;
  std::string as_of; // as asked; empty: ages are not told

  bool training() const { return request.task && *request.task != Task::inference; }
  const Workload& first() const { return variants.front().workload; }
};

Result<Question> ask(const Request& request, const Catalog& catalog);

} // namespace hwadvisor::advice
