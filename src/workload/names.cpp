#include "hwadvisor/workload.hpp"

namespace hwadvisor {

std::string_view severity_name(Severity severity)
{
  switch (severity) {
  case Severity::info:
    return "info";
  case Severity::advice:
    return "advice";
  case Severity::warning:
    return "warning";
  case Severity::veto:
    return "veto";
  }
  return "info";
}

std::string_view method_name(Method method)
{
  switch (method) {
  case Method::full:
    return "full";
  case Method::lora:
    return "lora";
  case Method::qlora:
    return "qlora";
  case Method::freeze:
    return "freeze";
  }
  return "full";
}

std::string_view checkpointing_name(Checkpointing checkpointing)
{
  switch (checkpointing) {
  case Checkpointing::none:
    return "none";
  case Checkpointing::selective:
    return "selective";
  case Checkpointing::full:
    return "full";
  }
  return "none";
}

std::string_view sharding_name(Sharding sharding)
{
  switch (sharding) {
  case Sharding::none:
    return "none";
  case Sharding::zero1:
    return "zero1";
  case Sharding::zero2:
    return "zero2";
  case Sharding::zero3:
    return "zero3";
  }
  return "none";
}

std::string_view backend_name(Backend backend)
{
  switch (backend) {
  case Backend::any:
    return "";
  case Backend::cpu:
    return "cpu";
  case Backend::cuda:
    return "cuda";
  case Backend::vulkan:
    return "vulkan";
  case Backend::metal:
    return "metal";
  case Backend::rocm:
    return "rocm";
  case Backend::sycl:
    return "sycl";
  case Backend::opencl:
    return "opencl";
  }
  return "";
}

} // namespace hwadvisor
