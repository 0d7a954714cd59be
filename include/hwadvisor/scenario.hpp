#pragma once

// A scenario is a kind of user with a kind of job: what is assumed when the request does not say, what may be
// recommended, and how cost is counted. Scenarios are data (data/scenarios/*.json).

#include "hwadvisor/hardware.hpp"

#include <string>
#include <utility>
#include <vector>

namespace hwadvisor {

struct Scenario {
  std::string id;    // "learning"
  std::string title; // "Learning and small projects on a tight budget"
  std::string summary;
  // Request keys taken when the request does not set them, as text ("concurrency": "16").
  std::vector<std::pair<std::string, std::string>> defaults;
  std::vector<std::string> precision_ladder; // tried in this order, best quality first, when none is asked
  std::vector<Tier> tiers;                   // offers that may be shown
  bool allow_used = false;                   // second-hand parts may be recommended
  bool allow_consumer = true;                // consumer and laptop parts may be recommended
  bool production = false;                   // wants ECC, support, an on-demand base
  double hours_per_month = 0.0;              // of use
  double horizon_months = 24.0;              // over which buying and renting are compared
  double prudent_headroom = 0.0;             // share of usable memory that should stay free
  std::vector<std::string> preferred_engines;
  std::vector<std::string> sources;
};

} // namespace hwadvisor
