#include "catch.hpp"
#include "text/near.hpp"

using hwadvisor::text::edit_distance;
using hwadvisor::text::near_matches;

TEST_CASE("edit distance counts swaps once and ignores case", "[text]")
{
  CHECK(edit_distance("", "") == 0);
  CHECK(edit_distance("", "abc") == 3);
  CHECK(edit_distance("contxet", "context") == 1);
  CHECK(edit_distance("RTX 4900", "rtx 4090") == 1);
  CHECK(edit_distance("kitten", "sitting") == 3);
}

TEST_CASE("near matches come nearest first and stop at a third of the word", "[text]")
{
  const std::vector<std::string> known = {"context", "concurrency", "batch", "contest"};
  CHECK(near_matches("contxt", known) == std::vector<std::string>{"context", "contest"});
  CHECK(near_matches("zebra", known).empty());
}
