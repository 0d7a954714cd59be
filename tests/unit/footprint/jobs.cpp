#include "unit/footprint/jobs.hpp"

#include "catch.hpp"
#include "unit/model/catalog_files.hpp"

using namespace hwadvisor;

Engine generic_engine()
{
  Engine engine;
  engine.id = "generic";
  engine.max_batched_tokens = 2048;
  engine.context_overhead = {mebibytes(256), mebibytes(512), mebibytes(1024)};
  engine.activations_spread = {0.5, 2.0};
  return engine;
}

Engine llama_cpp_engine()
{
  Engine engine;
  engine.id = "llama.cpp";
  engine.window = WindowRule::padded;
  engine.activations = ActivationRule::llama_cpp;
  engine.context_padding = 256;
  engine.max_batched_tokens = 512;
  engine.context_overhead = {mebibytes(100), mebibytes(300), mebibytes(500)};
  engine.host_token_embedding = true;
  engine.layer_split = true;
  return engine;
}

Engine vllm_engine()
{
  Engine engine;
  engine.id = "vllm";
  engine.pool = PoolRule::fraction_of_total;
  engine.pool_fraction = 0.9;
  engine.activations = ActivationRule::profiled;
  engine.kv_block_tokens = 16;
  engine.max_batched_tokens = 2048;
  engine.max_sequences = 256;
  engine.sampler_bytes_per_logit = 38.6;
  engine.context_overhead = {mebibytes(130), mebibytes(400), mebibytes(700)};
  engine.graphs = {mebibytes(100), mebibytes(600), mebibytes(2600)};
  engine.workspace = {mebibytes(30), mebibytes(133), mebibytes(340)};
  return engine;
}

Engine pytorch_engine()
{
  Engine engine;
  engine.id = "pytorch";
  engine.activations = ActivationRule::eager;
  engine.context_overhead = {mebibytes(110), mebibytes(600), mebibytes(1300)};
  return engine;
}

Workload inference(const std::string& model, const std::string& precision, const Engine& engine, std::int64_t context,
                   std::int64_t sequences)
{
  Workload workload;
  workload.model = std::make_shared<const Model>(catalog_model(model));
  auto found = find_precision(precision);
  REQUIRE(found.ok());
  workload.precision = *found;
  workload.engine = std::make_shared<const Engine>(engine);
  workload.inference.context = context;
  workload.inference.sequences = sequences;
  workload.inference.k_format = workload.inference.v_format = find_format("fp16");
  return workload;
}

Workload training(const std::string& model, const std::string& precision, Method method)
{
  Workload workload = inference(model, precision, pytorch_engine(), 4096);
  workload.task = Task::finetuning;
  workload.training.method = method;
  return workload;
}

Device card(double gigabytes)
{
  Device device;
  device.id = "card";
  device.memory = VendorGigabytes(gigabytes);
  device.usable_memory = gibibytes(gigabytes);
  return device;
}

Placement on(const Device& device, std::int32_t count)
{
  Placement placement;
  placement.device = &device;
  placement.count = count;
  return placement;
}

Footprint footprint_of(const Workload& workload, const Placement& placement)
{
  auto footprint = estimate_footprint(workload, placement, Detail::explained);
  if (!footprint.ok()) {
    FAIL(footprint.error().message);
  }
  return *footprint;
}

std::int64_t likely(const Footprint& footprint, const char* component)
{
  const Component* found = footprint.find(component);
  return found == nullptr ? 0 : found->bytes.likely.value();
}
