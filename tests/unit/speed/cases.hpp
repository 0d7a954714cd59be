#pragma once

// Hand-made devices, models and efficiencies with round figures, so that a test can do the sum beside it.

#include "hwadvisor/speed.hpp"

namespace speed_cases {

using namespace hwadvisor;

inline Device gpu()
{
  Device device;
  device.id = "gpu";
  device.name = "GPU";
  device.vendor = "NVIDIA";
  device.memory_class = "hbm";
  device.market_class = "datacenter";
  device.bandwidth = BytesPerSecond(1e12);
  device.peaks.bf16 = 100.0;
  device.peaks.fp16 = 100.0;
  device.peaks.fp8 = 200.0;
  device.peaks.fp32 = 20.0;
  device.link = "nvlink";
  device.link_bandwidth = BytesPerSecond(600e9);
  device.scale_up_domain = 8;
  device.pcie_bandwidth = BytesPerSecond(63e9);
  return device;
}

inline Efficiency row(std::string id, std::string phase, double fraction)
{
  Efficiency row;
  row.id = std::move(id);
  row.phase = std::move(phase);
  row.fraction = {fraction / 2.0, fraction, fraction};
  return row;
}

// Perfect machines: every fraction 1, no overheads.
inline std::vector<Efficiency> ideal()
{
  std::vector<Efficiency> rows;
  for (const char* phase : {"decode", "prefill", "train", "image_train", "image_infer", "link"}) {
    rows.push_back(row(phase, phase, 1.0));
  }
  return rows;
}

// One attention layer of 10 heads of 100 over a hidden size of 1,000, and a feed-forward matrix: 1e9 weights in all.
inline std::shared_ptr<const Model> model(std::int32_t experts = 0, std::int32_t per_token = 0)
{
  Model model;
  model.id = "test/one-layer";
  model.family = experts > 0 ? ModelFamily::llm_moe : ModelFamily::llm_dense;
  model.params_total = 1'000'000'000;
  Architecture architecture;
  architecture.hidden = 1000;
  Layer layer;
  layer.heads = 10;
  layer.kv_heads = 10;
  layer.k_head_dim = 100;
  layer.v_head_dim = 100;
  layer.experts = experts;
  layer.experts_per_token = per_token;
  architecture.layers = {layer};
  Tensor weights;
  weights.role = experts > 0 ? TensorRole::expert_up : TensorRole::ffn_up;
  weights.layer = 0;
  weights.rows = experts > 0 ? 1'000'000 / experts : 1'000'000;
  weights.row_elements = 1000;
  weights.copies = experts > 0 ? experts : 1;
  architecture.tensors = {weights};
  model.architecture = architecture;
  return std::make_shared<const Model>(model);
}

inline Workload serving(std::shared_ptr<const Model> of)
{
  Workload workload;
  workload.model = std::move(of);
  workload.precision = *find_precision("bf16");
  workload.inference.k_format = find_format("bf16");
  workload.inference.v_format = find_format("bf16");
  workload.inference.input_tokens = 1000;
  workload.inference.output_tokens = 100;
  return workload;
}

} // namespace speed_cases
