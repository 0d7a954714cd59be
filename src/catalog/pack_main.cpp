// pack_catalog DATA_FOLDER OUTPUT: reads data/ as an overlay is read and writes the pack that the library embeds. Part
// of the build, not installed.
#include "catalog/embedded_pack.hpp"
#include "catalog/pack.hpp"
#include "text/file.hpp"

#include <fmt/format.h>

#include <cstdio>

namespace hwadvisor::catalog {

std::string_view embedded_pack()
{
  return {};
}

} // namespace hwadvisor::catalog

int main(int argc, char* argv[])
{
  using namespace hwadvisor;
  if (argc != 3) {
    fmt::print(stderr, "usage: pack_catalog DATA_FOLDER OUTPUT\n");
    return exit_code(ErrorKind::usage);
  }
  auto collection = catalog::read_path(argv[1], {});
  if (!collection) {
    fmt::print(stderr, "{}: error: {}\n", collection.error().where, collection.error().message);
    return exit_code(collection.error().kind);
  }
  const std::string pack = catalog::write_pack(*collection, std::string(argv[1]) + "/");
  const Status written = text::write_file(argv[2], pack);
  if (!written) {
    fmt::print(stderr, "{}: error: {}\n", written.error().where, written.error().message);
    return exit_code(written.error().kind);
  }
  return 0;
}
