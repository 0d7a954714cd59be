#include "report/wording.hpp"

#include "report/format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace hwadvisor::report {

std::string component_title(std::string_view name)
{
  if (name == "kv_cache") {
    return "KV cache";
  }
  std::string out(name);
  std::replace(out.begin(), out.end(), '_', ' ');
  return out;
}

std::string job_text(const Workload& workload)
{
  const bool tokens = workload.model->architecture.has_value();
  std::string out = fmt::format("{} in {}", task_name(workload.task), workload.precision.id);
  if (workload.task == Task::inference) {
    if (tokens) {
      out += fmt::format(", context {}", grouped(workload.inference.context));
    }
    return out +
           fmt::format(", {}, engine {}", count_of(workload.inference.sequences, "sequence"), workload.engine->id);
  }
  const TrainingJob& job = workload.training;
  out += fmt::format(", {}", method_name(job.method));
  if (job.method == Method::lora || job.method == Method::qlora) {
    out += fmt::format(" rank {}", job.lora_rank);
  }
  out += fmt::format(", {}, micro-batch {}", job.optimizer, grouped(job.micro_batch));
  if (tokens) {
    out += fmt::format(", sequences of {}", grouped(job.seq_len));
  }
  if (job.checkpointing != Checkpointing::none) {
    out += fmt::format(", {} checkpointing", checkpointing_name(job.checkpointing));
  }
  return out;
}

std::string device_text(const Device& device, std::int32_t count)
{
  std::string out = count > 1 ? fmt::format("{} x {}", count, device.name) : device.name;
  if (device.memory) {
    const std::string size = fmt::format("{:g} GB", device.memory->value());
    if (out.find(size) == std::string::npos &&
        out.find(fmt::format("{:g}GB", device.memory->value())) == std::string::npos) {
      out += " " + size;
    }
  }
  return out;
}

std::string placement_text(const Placement& placement)
{
  std::string out;
  const auto add = [&](std::string_view name, std::int32_t ways) {
    if (ways > 1) {
      out += fmt::format("{}{} {}", out.empty() ? "" : ", ", name, ways);
    }
  };
  add("tp", placement.tp);
  add("pp", placement.pp);
  add("dp", placement.dp);
  add("cp", placement.cp);
  add("ep", placement.ep);
  if (placement.sharding != Sharding::none) {
    out += fmt::format("{}{}", out.empty() ? "" : ", ", sharding_name(placement.sharding));
  }
  return out;
}

std::string verdict_text(Verdict verdict)
{
  switch (verdict) {
  case Verdict::fits:
    return "fits";
  case Verdict::tight:
    return "tight";
  case Verdict::no:
    return "does not fit";
  }
  return "";
}

Tone verdict_tone(Verdict verdict)
{
  return verdict == Verdict::fits ? Tone::good : verdict == Verdict::tight ? Tone::warning : Tone::bad;
}

// The rule is of the whole model; so is what it is compared with.
std::string rule_of_thumb_text(const Footprint& footprint, std::int32_t devices)
{
  const auto rule = static_cast<double>(footprint.rule_of_thumb.value());
  const Bytes all = footprint.per_device.likely * devices;
  const auto need = static_cast<double>(all.value());
  std::string out =
      fmt::format("{} ({}){} by {}", size_of_file(footprint.rule_of_thumb), gib_unit(footprint.rule_of_thumb),
                  devices > 1 ? " on all devices" : "", footprint.rule_of_thumb_text);
  if (need <= 0.0) {
    return out;
  }
  // What the rule is to cover beside the weights, and what is there.
  const Component* weights = footprint.find("weights");
  const Bytes rest = all - (weights != nullptr ? weights->bytes.likely * devices : Bytes(0));
  const Component* largest = nullptr;
  const auto is_covered = [](const Component& component) { // what the rule for training counts
    return component.name == "weights" || component.name == "gradients" || component.name == "optimizer_states" ||
           component.name == "master_weights" || component.name == "adapter";
  };
  for (const Component& component : footprint.components) {
    if (!is_covered(component) && (largest == nullptr || component.bytes.likely > largest->bytes.likely)) {
      largest = &component;
    }
  }
  const double off = rule / need - 1.0;
  if (std::abs(off) < 0.05) {
    return out + ": within 5 % here";
  }
  if (off < 0.0) {
    out += need / rule >= 2.0 ? fmt::format(": {:.1f} times too low here", need / rule)
                              : fmt::format(": {:.0f} % too low here", -100.0 * off);
    if (largest != nullptr) {
      out += fmt::format("; it does not see {} ({})", component_title(largest->name),
                         gib_unit(largest->bytes.likely * devices));
    }
    return out;
  }
  return out +
         fmt::format(": {:.0f} % too high here; beside the weights this job needs {}", 100.0 * off, gib_unit(rest));
}

std::string assumed_text(const std::vector<Note>& notes)
{
  std::string out;
  for (const Note& note : notes) {
    if (note.rule.starts_with("default.")) {
      std::string_view text = note.text;
      while (text.ends_with('.')) {
        text.remove_suffix(1);
      }
      out += out.empty() ? "" : "; ";
      out += text;
    }
  }
  return out;
}

std::vector<std::string> remark_texts(const std::vector<Note>& notes, bool with_source)
{
  std::vector<std::string> out;
  for (const Severity severity : {Severity::veto, Severity::warning, Severity::advice, Severity::info}) {
    for (const Note& note : notes) {
      if (note.severity != severity || note.rule.starts_with("default.")) {
        continue;
      }
      std::string text =
          severity == Severity::warning || severity == Severity::veto ? "warning: " + note.text : note.text;
      if (with_source && !note.source.empty()) {
        text += " (" + note.source + ")";
      }
      if (std::find(out.begin(), out.end(), text) == out.end()) {
        out.push_back(std::move(text));
      }
    }
  }
  return out;
}

std::string dated(const std::string& date)
{
  return date.empty() ? "undated" : date;
}

std::string rate_text(const Bill& bill)
{
  if (!bill.per_hour) {
    return bill.missing.empty() ? "unknown" : "unknown: " + bill.missing;
  }
  std::string kind(term_name(bill.term));
  std::replace(kind.begin(), kind.end(), '_', ' ');
  std::string out = fmt::format("{}/h ({}, {}{}", usd(bill.per_hour->value()), kind, dated(bill.price_date),
                                bill.price_derived ? ", derived" : "");
  if (bill.price_age_days) {
    out += *bill.price_age_days < 0 ? fmt::format(", {} days after the day asked for", -*bill.price_age_days)
                                    : fmt::format(", {} days old", *bill.price_age_days);
  }
  return out + ")";
}

} // namespace hwadvisor::report
