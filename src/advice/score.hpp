#pragma once

// From a placement to dollars: the offers of its hardware, what the job costs at each, and the score that ranks.

#include "advice/search.hpp"

namespace hwadvisor::advice {

// An offer with the figure it ranks by. Undated offers carry no score.
struct Priced {
  Offer offer;
  std::optional<LocalMachine> machine;
  std::optional<double> score;
};

struct Prices {
  std::vector<Priced> offers; // dated ones by score, then undated ones by price; ties by id
  std::vector<Rejection> rejected;
};

Prices price(const Question& question, const Placed& placed, const Catalog& catalog);

// Of hardware that fails another test: the budget that it misses too, whatever the offer. Empty: an offer is within the
// budgets, or none is asked.
std::optional<Rejection> budget_missed(const Question& question, const Placed& placed, const Catalog& catalog);

// What a dollar of the bill counts in the ranking: what a verdict, missing headroom, sharding, software and a price's
// age add. Each factor is absolute (it looks at nothing but this candidate) and 1 where there is nothing to add.
struct Factors {
  double verdict = 1.0;
  double headroom = 1.0;
  double sharding = 1.0;
  double software = 1.0;
  double age = 1.0;
  double all() const { return verdict * headroom * sharding * software * age; }
};
Factors factors_of(const Question& question, const Placed& placed, std::string_view price_date, bool list_price,
                   const MachineParts& parts);

// USD of one machine-set for the job: a run, a month, or the horizon, as the question counts. Empty: unknown.
std::optional<double> job_cost(const Question& question, const Bill& bill);

} // namespace hwadvisor::advice
