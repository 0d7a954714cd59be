// What docs/library.md shows: load the built-in catalog, ask for an estimate, read the bytes.
#include <hwadvisor/catalog.hpp>
#include <hwadvisor/report.hpp>
#include <hwadvisor/request.hpp>

#include <cstdio>

int main()
{
  using namespace hwadvisor;
  const auto catalog = Catalog::load();
  if (!catalog) {
    std::fprintf(stderr, "%s\n", catalog.error().message.c_str());
    return exit_code(catalog.error().kind);
  }
  Request request;
  request.model.name = "llama-3.1-8b";
  if (const Status set = set_request_key(request, "context", "128k"); !set) {
    return exit_code(set.error().kind);
  }
  const auto answer = estimate(request, *catalog, Detail::numbers);
  if (!answer) {
    std::fprintf(stderr, "%s\n", answer.error().message.c_str());
    return exit_code(answer.error().kind);
  }
  const Component* kv = answer->footprint.find("kv_cache");
  std::printf("%lld\n", static_cast<long long>(kv != nullptr ? kv->bytes.likely.value() : 0));
  return 0;
}
