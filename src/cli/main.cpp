#include "cli/run.hpp"

int main(int argc, char** argv)
{
  return hwadvisor::cli::run({argv + 1, argv + (argc > 0 ? argc : 1)});
}
