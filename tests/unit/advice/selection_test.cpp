#include "advice/ranking.hpp"

#include "catch.hpp"

#include <deque>

using namespace hwadvisor;
using namespace hwadvisor::advice;

namespace {

// Ranked lines by hand: a device of a family, a count, bought or rented, and a score.
class Lines {
public:
  void add(const std::string& id, const std::string& family, std::int32_t count, bool local, double score)
  {
    Device* device = nullptr;
    for (Device& known : m_devices) {
      device = known.id == id ? &known : device;
    }
    if (device == nullptr) {
      device = &m_devices.emplace_back();
      device->id = id;
      device->series = family;
      device->memory = VendorGigabytes(static_cast<double>(m_devices.size())); // each another idea
    }
    Hardware& hardware = m_hardware.emplace_back();
    hardware.device = device;
    hardware.count = count;
    hardware.local = local;
    Ranked& ranked = m_lines.emplace_back();
    ranked.placed.hardware = &hardware;
    ranked.score = score;
  }

  void same_memory(const std::string& id, const std::string& as)
  {
    std::optional<VendorGigabytes> memory;
    for (const Device& device : m_devices) {
      memory = device.id == as ? device.memory : memory;
    }
    for (Device& device : m_devices) {
      device.memory = device.id == id ? memory : device.memory;
    }
  }

  std::vector<std::string> told()
  {
    sort_by_score(m_lines);
    std::vector<std::string> names;
    for (const Ranked* line : select(m_lines)) {
      names.push_back(line->placed.hardware->name() + (line->local() ? " local" : ""));
    }
    return names;
  }

private:
  std::deque<Device> m_devices;
  std::deque<Hardware> m_hardware;
  std::vector<Ranked> m_lines;
};

} // namespace

TEST_CASE("at most two lines of a family", "[advice]")
{
  Lines lines;
  lines.add("a100-40", "A100", 1, false, 10.0);
  lines.add("a100-80", "A100", 1, false, 11.0);
  lines.add("a100-sxm", "A100", 1, false, 12.0);
  lines.add("h100", "H100", 1, false, 13.0);
  CHECK(lines.told() == std::vector<std::string>{"a100-40", "a100-80", "h100"});
}

TEST_CASE("more of a device is told only where it is cheaper", "[advice]")
{
  Lines lines;
  lines.add("l4", "L4", 1, false, 10.0);
  lines.add("l4", "L4", 2, false, 11.0);
  lines.add("h100", "H100", 1, false, 20.0);
  lines.add("h100", "H100", 8, false, 15.0);
  CHECK(lines.told() == std::vector<std::string>{"l4", "8x h100", "h100"});
}

TEST_CASE("the first five lines hold a bought and a rented one where there are such", "[advice]")
{
  Lines lines;
  for (int i = 0; i < 6; ++i) {
    lines.add("cloud" + std::to_string(i), "", 1, false, 1.0 + i);
  }
  lines.add("own", "", 1, true, 50.0);
  lines.add("own2", "", 1, true, 51.0);
  CHECK(lines.told() == std::vector<std::string>{"cloud0", "cloud1", "cloud2", "cloud3", "own local", "cloud4",
                                                 "cloud5", "own2 local"});
}

TEST_CASE("the first five lines are of five memory sizes or counts", "[advice]")
{
  Lines lines;
  lines.add("small", "", 1, false, 1.0);
  lines.add("other", "", 1, false, 2.0);
  lines.same_memory("other", "small");
  lines.add("large", "", 1, false, 3.0);
  lines.add("pair", "", 2, true, 4.0);
  lines.same_memory("pair", "small"); // the same size, another count
  CHECK(lines.told() == std::vector<std::string>{"small", "large", "2x pair local", "other"});
}

TEST_CASE("equal scores stand by id; the same card rented is no new idea", "[advice]")
{
  Lines lines;
  lines.add("b", "", 1, false, 1.0);
  lines.add("a", "", 1, true, 1.0);
  lines.add("a", "", 1, false, 1.0);
  CHECK(lines.told() == std::vector<std::string>{"a local", "b", "a"});
}
