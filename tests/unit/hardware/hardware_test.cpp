#include "catch.hpp"

#include "hwadvisor/hardware.hpp"

using namespace hwadvisor;

namespace {

const std::vector<MemoryClass> k_classes = {{"hbm", 0.99, 0.98, 1.0, "measured"},
                                            {"apple-unified", 0.78, 0.75, 0.84, "measured"},
                                            {"apple-unified-small", 0.74, 0.66, 0.78, "measured"}};

Device device(std::optional<double> gb, const std::string& memory_class)
{
  Device out;
  out.name = "Acme X1";
  out.memory_class = memory_class;
  if (gb) {
    out.memory = VendorGigabytes(*gb);
  }
  return out;
}

} // namespace

TEST_CASE("measured memory comes before the class's ratio")
{
  Device card = device(80, "hbm");
  card.usable_memory = gibibytes(79.65);
  const auto usable = usable_memory(card, k_classes);
  REQUIRE(usable.ok());
  CHECK(usable->bytes == gibibytes(79.65));
  CHECK(usable->basis == "measured");
}

TEST_CASE("else the marketed size by the ratio of the memory class")
{
  const auto usable = usable_memory(device(80, "hbm"), k_classes);
  REQUIRE(usable.ok());
  CHECK(usable->bytes == gibibytes(79.2));
  CHECK(usable->basis == "class hbm x 0.99");
}

TEST_CASE("a size chosen among a chip's options decides the class of a Mac")
{
  const Device chip = device(128, "apple-unified");
  CHECK(usable_memory(chip, k_classes)->bytes == gibibytes(128 * 0.78));
  CHECK(usable_memory(chip, k_classes, 64.0)->bytes == gibibytes(64 * 0.78));
  CHECK(usable_memory(chip, k_classes, 36.0)->basis == "class apple-unified-small x 0.74");
  CHECK(usable_memory(device(32, "apple-unified-small"), k_classes, 48.0)->basis == "class apple-unified x 0.78");
}

TEST_CASE("unknown memory is an error, not zero")
{
  const auto no_size = usable_memory(device(std::nullopt, "hbm"), k_classes);
  REQUIRE_FALSE(no_size.ok());
  CHECK(no_size.error().kind == ErrorKind::usage);
  CHECK(no_size.error().message == "the memory of Acme X1 is not known; say how much it has");
  const auto no_class = usable_memory(device(8, "foam"), k_classes);
  REQUIRE_FALSE(no_class.ok());
  CHECK(no_class.error().message == "the memory class 'foam' of Acme X1 is not in the catalog");
}

TEST_CASE("enumerations have the words of the data files")
{
  CHECK(kind_name(DeviceKind::accelerator) == "accelerator");
  CHECK(acquisition_name(Acquisition::part_of_system) == "part-of-system");
  CHECK(kind_name(PriceKind::lowest) == "lowest");
  CHECK(includes_name(PriceIncludes::complete_machine) == "complete-machine");
  CHECK(tier_name(Tier::marketplace) == "marketplace");
  CHECK(shape_name(InstanceShape::bare_metal) == "bare-metal");
}
