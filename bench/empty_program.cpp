// What a C++ program costs before it does anything: the yardstick for start-up.
#include <cstdio>

int main()
{
  std::puts("");
  return 0;
}
