#include "catch.hpp"
#include "footprint/backward.hpp"
#include "unit/footprint/jobs.hpp"
#include "unit/model/catalog_files.hpp"

using namespace hwadvisor;

namespace {

Placement ranks(std::int32_t count, Sharding sharding)
{
  Placement placement;
  placement.count = placement.dp = count;
  placement.sharding = sharding;
  return placement;
}

std::int64_t states(const Footprint& footprint)
{
  return likely(footprint, "weights") + likely(footprint, "adapter") + likely(footprint, "gradients") +
         likely(footprint, "optimizer_states") + likely(footprint, "master_weights");
}

// A model of 7.5e9 parameters without layers: states alone.
Workload paper_model()
{
  Workload workload = training("meta-llama/Llama-2-7b-hf", "bf16-mixed", Method::full);
  Model model = *workload.model;
  model.architecture.reset();
  model.params_total = 7'500'000'000;
  workload.model = std::make_shared<const Model>(model);
  return workload;
}

Workload llama_lora(std::int64_t micro_batch)
{
  Workload workload = training("meta-llama/Llama-2-7b-hf", "bf16-mixed", Method::lora);
  workload.training.micro_batch = micro_batch;
  workload.training.checkpointing = Checkpointing::full;
  return workload;
}

} // namespace

TEST_CASE("states of the ZeRO paper: 7.5B parameters, 64 ranks", "[footprint][training]")
{
  // arXiv 1910.02054, figure 1: 120, 31.4, 16.6 and 1.9 GB
  const Workload workload = paper_model();
  CHECK(in_gigabytes(Bytes(states(footprint_of(workload)))) == Approx(120.0).epsilon(1e-9));
  CHECK(in_gigabytes(Bytes(states(footprint_of(workload, ranks(64, Sharding::zero1))))) == Approx(31.4).margin(0.05));
  CHECK(in_gigabytes(Bytes(states(footprint_of(workload, ranks(64, Sharding::zero2))))) == Approx(16.6).margin(0.05));
  CHECK(in_gigabytes(Bytes(states(footprint_of(workload, ranks(64, Sharding::zero3))))) == Approx(1.9).margin(0.05));
}

TEST_CASE("bytes a parameter by recipe and optimizer", "[footprint][training]")
{
  const auto per_parameter = [](const char* precision, const char* optimizer) {
    Workload workload = paper_model();
    auto found = find_precision(precision);
    REQUIRE(found.ok());
    workload.precision = *found;
    workload.training.optimizer = optimizer;
    return static_cast<double>(states(footprint_of(workload))) / 7.5e9;
  };
  CHECK(per_parameter("fp32", "adamw") == Approx(16));
  CHECK(per_parameter("bf16-mixed", "adamw") == Approx(16));
  CHECK(per_parameter("bf16", "adamw") == Approx(8));
  CHECK(per_parameter("fp32", "sgd") == Approx(8));
  CHECK(per_parameter("fp32", "sgd_momentum") == Approx(12));
  CHECK(per_parameter("fp32", "lion") == Approx(12));
  CHECK(per_parameter("bf16", "adamw_8bit") == Approx(6.03));
}

TEST_CASE("trainable parameters of LoRA", "[footprint][training]")
{
  Workload workload = training("meta-llama/Llama-2-7b-hf", "bf16-mixed", Method::lora);
  workload.training.lora_rank = 8;
  workload.training.lora_targets = {"q", "v"};
  CHECK(trainable_parameters(workload) == 4'194'304);
  workload.training.lora_targets = {"q_proj", "v_proj"};
  CHECK(trainable_parameters(workload) == 4'194'304);
  workload.training.lora_targets.clear(); // all linear layers
  CHECK(trainable_parameters(workload) == 19'988'480);
  workload.training.method = Method::full;
  CHECK(trainable_parameters(workload) == 6'738'415'616);
}

TEST_CASE("what blocks keep for the backward pass, as measured", "[footprint][training]")
{
  BackwardShape shape;
  shape.seq_len = 512;
  Recipe bf16;
  bf16.weights = bf16.gradients = bf16.moment = 2.0;
  bf16.compute = bf16.residual = 2;
  const Trainable full;

  // Korthikanti et al., arXiv 2205.05198: s b h (34 + 5 a s / h) for a GPT block with dropout, 16 bit
  Layer gpt;
  gpt.heads = gpt.kv_heads = 12;
  gpt.k_head_dim = gpt.v_head_dim = 64;
  gpt.ffn_width = 4 * 768;
  gpt.gated = false;
  shape.flash_attention = false;
  CHECK(block_bytes(gpt, 768, 0, shape, bf16, full, false).per_token == Approx(34.0 * 768 + 5.0 * 12 * 512));

  // Llama block, fused attention, bf16: 12 + 4 g/a + 8 f times h, and 4 h more for each RMSNorm that is written out
  Layer llama;
  llama.heads = 32;
  llama.kv_heads = 8;
  llama.k_head_dim = llama.v_head_dim = 64;
  llama.ffn_width = 8192;
  shape.flash_attention = true;
  const double h = 2048;
  const double fused_norms = (12.0 + 4.0 * 8 / 32 + 8.0 * 4) * h + 4.0 * 32;
  CHECK(block_bytes(llama, 2048, 0, shape, bf16, full, false).per_token == Approx(fused_norms + 2 * 4.0 * h));

  // LoRA on q and v: the normed rows, the inputs of o, gate, up and down are not needed any more
  Trainable adapters;
  adapters.adapters = true;
  adapters.attention_output = adapters.feed_forward_input = adapters.down_input = false;
  const double lora = block_bytes(llama, 2048, 0, shape, bf16, adapters, false).per_token;
  CHECK(fused_norms + 2 * 4.0 * h - lora == Approx((2 + 2 + 2 + 2 * 4) * h));
}

TEST_CASE("the founding example: LoRA of a LLaMA-2-like 7B", "[footprint][training]")
{
  // Micro-batch 8 at 2,048 tokens: 25 to 26 GB; one 24 GB card holds micro-batch 1.
  const auto eight = footprint_of(llama_lora(8));
  CHECK(in_gigabytes(eight.per_device.likely) > 25.0);
  CHECK(in_gigabytes(eight.per_device.likely) < 28.0);
  CHECK(eight.per_device.high < gibibytes(40));
  const auto one = footprint_of(llama_lora(1));
  CHECK(one.per_device.high < gibibytes(23.5));
  CHECK(likely(one, "weights") == 2 * 6'738'415'616);
}

TEST_CASE("a 4-bit base is not half a byte a parameter", "[footprint][training]")
{
  // LitGPT loads Llama-2-7B at 0.68 (nf4) and 0.63 (nf4-dq) bytes a parameter
  const auto nf4 = footprint_of(training("meta-llama/Llama-2-7b-hf", "nf4", Method::qlora));
  CHECK(static_cast<double>(likely(nf4, "weights")) / 6'738'415'616.0 == Approx(0.68).margin(0.04));
  const auto dq = footprint_of(training("meta-llama/Llama-2-7b-hf", "nf4-dq", Method::qlora));
  CHECK(static_cast<double>(likely(dq, "weights")) / 6'738'415'616.0 == Approx(0.63).margin(0.04));
}

TEST_CASE("levers lower the need", "[footprint][training]")
{
  Workload workload = training("meta-llama/Llama-3.1-8B", "bf16", Method::full);
  workload.training.micro_batch = 4;
  const Bytes plain = footprint_of(workload).per_device.likely;
  workload.training.checkpointing = Checkpointing::full;
  const Bytes checkpointed = footprint_of(workload).per_device.likely;
  CHECK(checkpointed < plain);
  workload.training.fused_loss = true;
  const Bytes fused = footprint_of(workload).per_device.likely;
  CHECK(fused < checkpointed);
  workload.training.optimizer = "adamw_8bit";
  CHECK(footprint_of(workload).per_device.likely < fused);
  Placement four = ranks(4, Sharding::zero3);
  CHECK(footprint_of(workload, four).per_device.likely <
        footprint_of(workload, ranks(4, Sharding::zero2)).per_device.likely);
}

TEST_CASE("training requests that cannot be", "[footprint][training]")
{
  Workload workload = training("meta-llama/Llama-2-7b-hf", "nf4", Method::full);
  auto footprint = estimate_footprint(workload, {}, Detail::numbers);
  REQUIRE_FALSE(footprint.ok());
  CHECK(footprint.error().message == "weights in nf4 cannot be trained: use method qlora, or bf16-mixed, bf16 or fp32");
  workload = training("meta-llama/Llama-2-7b-hf", "bf16", Method::full);
  workload.training.optimizer = "adamww";
  footprint = estimate_footprint(workload, {}, Detail::numbers);
  REQUIRE_FALSE(footprint.ok());
  CHECK(footprint.error().message.rfind("'adamww' is not an optimizer that is known: adamw, adam, sgd", 0) == 0);
}

TEST_CASE("training components add up, for every model and method", "[footprint][training][property]")
{
  for (const CatalogEntry& entry : catalog_entries()) {
    if (!entry.model.architecture && !entry.model.params_total) {
      continue;
    }
    for (const Method method : {Method::full, Method::lora, Method::qlora, Method::freeze}) {
      INFO(entry.model.id << " method " << static_cast<int>(method));
      Workload workload = training("meta-llama/Llama-2-7b-hf", "bf16-mixed", method);
      workload.model = std::make_shared<const Model>(entry.model);
      for (const auto& placement : {Placement{}, ranks(4, Sharding::zero2), ranks(4, Sharding::zero3)}) {
        const auto footprint = footprint_of(workload, placement);
        Interval<Bytes> sum;
        for (const Component& component : footprint.components) {
          sum = sum + component.bytes;
          CHECK(component.bytes.low <= component.bytes.likely);
          CHECK(component.bytes.likely <= component.bytes.high);
          CHECK(component.bytes.low >= Bytes(0));
          CHECK_FALSE(component.formula.empty());
        }
        CHECK(sum == footprint.per_device);
        CHECK(footprint.allocated->likely <= footprint.reserved->likely);
        CHECK(footprint.reserved->likely <= footprint.per_device.likely);
      }
    }
  }
}

TEST_CASE("a diffusion pipeline trains its denoiser; the rest is frozen at 16 bit", "[footprint][training]")
{
  // SDXL: 2,567,463,684 parameters of the UNet, 901,374,183 of text encoders and VAE.
  const Footprint sdxl = footprint_of(training("stabilityai/stable-diffusion-xl-base-1.0", "bf16-mixed", Method::full));
  CHECK(likely(sdxl, "weights") == 2'567'463'684 * 4 + 901'374'183 * 2);
  CHECK(likely(sdxl, "gradients") == 2'567'463'684 * 4);
  CHECK(likely(sdxl, "optimizer_states") == 2'567'463'684 * 8);
}

TEST_CASE("an encoder keeps activations for its own length", "[footprint][training]")
{
  Workload whisper = training("openai/whisper-large-v3", "bf16-mixed", Method::full);
  whisper.training.seq_len = 448;
  whisper.training.checkpointing = Checkpointing::full;
  const auto recipe = recipe_of(whisper, Sharding::none);
  REQUIRE(recipe.ok());
  const Backward backward = backward_pass(whisper, {}, *recipe, trainable_of(whisper));
  CHECK(backward.encoder_tokens == 1500); // 30 s of audio in frames of 20 ms
  // 32 layers each of encoder and decoder, 1,280 wide, an fp32 input a layer; embeddings and last norm of the decoder.
  CHECK(backward.kept.likely == Bytes(std::int64_t{1500} * 32 * 1280 * 4 + std::int64_t{448} * (32 + 2) * 1280 * 4));
}
