#pragma once

// The hardware that is looked at: each device as a machine one buys, in 1, 2, 4 or 8, and each device and count that
// is rented, with all instances that rent it in that shape.

#include "advice/question.hpp"

namespace hwadvisor::advice {

struct Hardware {
  const Device* device = nullptr;
  std::int32_t count = 1; // devices of one machine
  bool local = false;     // bought
  std::string link;       // how an instance joins its devices: "nvlink", "pcie" …; empty: not said
  std::vector<const Instance*> instances;

  std::string name() const; // "2x nvidia-l40s"; one: the bare id
  // One instance of them where there is one: a placement names it to tell how devices are joined.
  const Instance* sample() const { return instances.empty() ? nullptr : instances.front(); }
};

struct Candidates {
  std::vector<Hardware> hardware; // by device id, local first, then count
  std::vector<Rejection> rejected;
  std::int64_t devices = 0;
  std::int64_t instances = 0;
};

Candidates list_candidates(const Question& question, std::span<const Device> devices,
                           std::span<const Instance> instances);

} // namespace hwadvisor::advice
