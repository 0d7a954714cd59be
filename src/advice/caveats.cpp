// What speaks against an answer, with the figure that shows it; only what applies to it.
#include "advice/reasons.hpp"
#include "advice/support.hpp"
#include "advice/wording.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hwadvisor::advice {
namespace {

constexpr double k_little_headroom = 0.1; // of usable memory

void add_price_caveats(const Question& question, const Ranked& ranked, const MachineParts& parts,
                       std::vector<std::string>& caveats)
{
  const Priced& best = ranked.best();
  const Bill& bill = best.offer.bill;
  if (best.machine) {
    const LocalMachine& machine = *best.machine;
    if (machine.host_owned) {
      caveats.push_back(fmt::format(
          "A PC to put it in is taken to be there ({} cores, {:.0f} GB RAM, a {:.0f} W supply); a new one "
          "is about {} more.",
          machine.cpu_cores, machine.ram_gb, machine.power_supply_watts, money(machine.parts_price.value())));
    } else if (!machine.platform.empty()) {
      caveats.push_back(fmt::format(
          "The machine: {}, {} cores, {:.0f} GB RAM, {:.4g} TB disk, a {:.0f} W supply, {} without the cards.",
          machine.platform, machine.cpu_cores, machine.ram_gb, machine.storage_tb, machine.power_supply_watts,
          money(machine.parts_price.value())));
    }
    if (machine.price_kind == PriceKind::list) {
      caveats.push_back(fmt::format("Only a list price is known ({}, {}), and a list price is a floor: {} is counted.",
                                    money(machine.quoted_price.value()), machine.price_date,
                                    money(machine.device_price.value() / machine.device_count)));
    } else if (machine.price_kind == PriceKind::used) {
      caveats.push_back(fmt::format("Second-hand at about {} each ({}): no warranty.",
                                    money(machine.quoted_price.value()), machine.price_date));
    }
  }
  const std::string_view today = question.as_of.empty() ? parts.prices_as_of : question.as_of;
  const auto age = age_in_days(bill.price_date, today);
  const bool list = best.machine && best.machine->price_kind == PriceKind::list;
  if (age && *age > 365 && !list) {
    caveats.push_back(fmt::format("Its price is of {}: counted {} higher for its age.", bill.price_date,
                                  share(parts.age_per_year * *age / 365.25)));
  }
  const Instance* instance = best.offer.instance;
  if (instance == nullptr) {
    return;
  }
  if (instance->shape == InstanceShape::gpu_rate) {
    caveats.push_back("A rate per GPU: the host around it (CPU, RAM, disk) is not stated.");
  }
  if (bill.term == PriceTerm::spot) {
    caveats.push_back(
        fmt::format("Spot machines are taken back at short notice{}.",
                    bill.price_derived ? "; this price is derived from a savings percentage, not listed" : ""));
  } else if (instance->spot && instance->on_demand && !instance->spot->date.empty()) {
    const double saving = 1.0 - instance->spot->price / instance->on_demand->price;
    if (saving > 0.05) {
      caveats.push_back(fmt::format("Spot would be {} an hour, {} less ({}); it needs checkpoints{}.",
                                    money(instance->spot->price.value()), share(saving),
                                    instance->spot->derived ? "derived" : "listed",
                                    question.training() ? "" : " or an on-demand base"));
    }
  }
}

void add_fit_caveats(const Question& question, const Ranked& ranked, std::vector<std::string>& caveats)
{
  const Placed& placed = ranked.placed;
  const double high = in_gibibytes(placed.need.high);
  const double usable = in_gibibytes(placed.usable.bytes);
  if (placed.verdict == Verdict::tight) {
    caveats.push_back(fmt::format(
        "Tight: the need may reach {:.1f} of {:.1f} GiB; it ranks as if it cost 1.5 times as much.", high, usable));
  } else if (const double free = 1.0 - placed.need.likely / placed.usable.bytes; free < k_little_headroom) {
    caveats.push_back(
        fmt::format("Little room: {} of its memory stays free ({:.1f} GiB), for a longer context, a larger "
                    "batch or another process.",
                    share(free), usable - in_gibibytes(placed.need.likely)));
  }
  const Device& device = *placed.hardware->device;
  const std::int32_t count = placed.hardware->count;
  if (question.training() && count > 1) {
    caveats.push_back(
        placed.placement.sharding == Sharding::none
            ? fmt::format("Data parallel: memory is not pooled, each of the {} devices holds all {:.1f} GiB.", count,
                          in_gibibytes(placed.need.likely))
            : fmt::format("Fits only sharded over the {} devices (ZeRO-3 or FSDP).", count));
  }
  if (count > 1 && placed.placement.tp > 1) {
    const bool linked = placed.hardware->local
                            ? device.link != "pcie" && device.link != "none" && count <= device.scale_up_domain
                            : placed.hardware->link != "pcie" && !placed.hardware->link.empty();
    if (!linked) {
      caveats.push_back(
          fmt::format("Its {} devices are joined by PCIe alone: tensor parallelism pays for every layer.", count));
    }
  }
}

void add_speed_caveats(const Question& question, const Ranked& ranked, std::vector<std::string>& caveats)
{
  const Speed& speed = ranked.placed.speed;
  const Request& request = question.request;
  if (request.tpot_ms && speed.tpot_ms && speed.tpot_ms->high > *request.tpot_ms) {
    caveats.push_back(fmt::format("The slow end of the estimate is {} ms a token, above the {} wanted.",
                                  figure(speed.tpot_ms->high), figure(*request.tpot_ms)));
  } else if (request.ttft_ms && speed.ttft_ms && speed.ttft_ms->high > *request.ttft_ms) {
    caveats.push_back(fmt::format("The slow end of the estimate is {} ms to the first token, above the {} wanted.",
                                  figure(speed.ttft_ms->high), figure(*request.ttft_ms)));
  }
  if (!speed.missing.empty()) {
    caveats.push_back(speed.missing + ".");
  }
}

void add_device_caveats(const Question& question, const Ranked& ranked, std::vector<std::string>& caveats)
{
  const Device& device = *ranked.placed.hardware->device;
  if (const SoftwareChoice* software = software_of(device, *question.scenario);
      software != nullptr && software->surcharge > 0.0) {
    caveats.push_back(fmt::format("Runs on {}, not CUDA: {} is added for set-up and missing kernels.",
                                  software->software, share(software->surcharge)));
  }
  if (device.market_class == "laptop") {
    caveats.push_back("A laptop's power limit leaves 60-70 % of the desktop part of the same name (measured 55-68 %).");
  }
  if (device.id == "google-tpu-v2" || device.id == "google-tpu-v3") {
    caveats.push_back("An old TPU: v5e and v6e do more for a dollar.");
  }
  const std::string& precision = ranked.placed.workload.precision.id;
  if (!question.request.precision && !question.training() && ranked.placed.workload.precision.nominal_bits() < 8.0) {
    caveats.push_back(fmt::format("Only {} fits: 4-bit weights cost some quality; check it on your task.", precision));
  }
  if (question.scenario->production && ranked.local()) {
    caveats.push_back(fmt::format("Yours to keep running: {} spare machine is counted, no staff.",
                                  question.scenario->spare_machines));
  }
}

} // namespace

std::vector<std::string> caveats_of(const Question& question, const Ranked& ranked, const Catalog& catalog)
{
  std::vector<std::string> caveats;
  add_fit_caveats(question, ranked, caveats);
  add_price_caveats(question, ranked, catalog.machine_parts(), caveats);
  add_speed_caveats(question, ranked, caveats);
  add_device_caveats(question, ranked, caveats);
  return caveats;
}

std::vector<Note> article_notes(const Question& question, const std::vector<const Ranked*>& lines)
{
  std::vector<Note> notes;
  if (lines.empty() || !question.training() || !question.first().model->architecture) {
    return notes;
  }
  const Placed& first = lines.front()->placed;
  const Model& model = *question.first().model;
  const double parameters = static_cast<double>(model.params_total.value_or(0));
  if (question.first().training.method != Method::lora || parameters < 6e9 || parameters > 8.5e9) {
    return notes;
  }
  // The articles' example: LoRA of a LLaMA-2-like 7B at micro-batch 8 on one A100 40 GB, or on two RTX 3090 with DDP.
  Workload workload = first.workload;
  Placement one = first.placement;
  one.count = 1;
  one.dp = 1;
  one.sharding = Sharding::none;
  double need[2] = {};
  const std::int64_t batches[2] = {1, 8};
  for (int i = 0; i < 2; ++i) {
    workload.training.micro_batch = batches[i];
    const auto footprint = estimate_footprint(workload, one, Detail::numbers);
    if (!footprint.ok()) {
      return notes;
    }
    need[i] = in_gibibytes(footprint->per_device.likely);
  }
  // The smallest of the usual sizes that holds a need and leaves a little free.
  const auto card = [](double gib) {
    for (const int size : {16, 24, 32, 40, 48, 80}) {
      if (gib <= 0.92 * size) {
        return fmt::format("a {} GB card holds it", size);
      }
    }
    return std::string("no single card of 80 GB holds it");
  };
  notes.push_back(
      {"article.lora-7b", Severity::info,
       fmt::format("The articles choose one A100 40 GB for this, or two 24 GB cards with DDP. Here micro-batch 1 needs "
                   "{:.1f} GiB ({}) and micro-batch 8, which the articles use, {:.1f} GiB ({}). DDP does not "
                   "pool memory: two 24 GB cards stay 24 GB each.",
                   need[0], card(need[0]), need[1], card(need[1])),
       "founding articles A and B"});
  return notes;
}

} // namespace hwadvisor::advice
