#include "hwadvisor/speed.hpp"

#include "speed/estimators.hpp"

namespace hwadvisor {

namespace speed {

Speed placed_speed(const std::optional<Work>& work, const Workload& workload, const Placement& placement,
                   const std::vector<Efficiency>& efficiencies)
{
  Speed none;
  if (placement.device == nullptr) {
    none.missing = "no hardware is named";
    return none;
  }
  if (workload.task != Task::inference && (placement.tp > 1 || placement.pp > 1 || placement.cp > 1)) {
    none.missing = "training speed with tensor, pipeline or context parallelism is not estimated yet";
    return none;
  }
  if (work) {
    return workload.task == Task::inference ? serving_speed(*work, workload, placement, efficiencies)
                                            : training_speed(*work, workload, placement, efficiencies);
  }
  if (workload.model != nullptr && workload.model->image_work) {
    return image_speed(workload, placement, efficiencies);
  }
  none.missing = "no work per token or image is known for this model";
  return none;
}

} // namespace speed

Speed estimate_speed(const Workload& workload, const Placement& placement, const std::vector<Efficiency>& efficiencies)
{
  return speed::placed_speed(speed::measure_work(workload), workload, placement, efficiencies);
}

} // namespace hwadvisor
