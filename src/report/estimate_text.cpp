#include "report/estimate_text.hpp"

#include "report/format.hpp"
#include "report/wording.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace hwadvisor::report {
namespace {

std::string title(const Estimate& estimate)
{
  const Model& model = *estimate.workload.model;
  if (model.params_basis == ParametersBasis::inferred && model.params_total) {
    return fmt::format("A model of {} parameters, its architecture inferred", parameters(*model.params_total));
  }
  std::string out = model.name;
  if (model.params_total) {
    out += fmt::format(" ({} parameters", parameters(*model.params_total));
    // Of a dense model all are active but the embeddings: not worth saying.
    if (model.params_active && *model.params_active * 10 < *model.params_total * 9) {
      out += fmt::format(", {} active", parameters(*model.params_active));
    }
    out += ")";
  }
  return out;
}

// The answer in one line: does it fit, and by how much.
Paragraph verdict(const Estimate& estimate)
{
  const Interval<Bytes>& need = estimate.footprint.per_device;
  const std::string spread =
      need.low == need.high ? "" : fmt::format(" (between {} and {})", gib(need.low), gib(need.high));
  if (!estimate.fit) {
    const char* const where = estimate.placement.count > 1 ? "on each device" : "on one device";
    return {fmt::format("Needs {}{} {}.", gib_unit(need.likely), spread, where), Tone::plain};
  }
  const Fit& fit = *estimate.fit;
  const Device& device = *estimate.placement.device;
  std::string hardware = device_text(device, estimate.placement.count);
  if (estimate.placement.instance != nullptr) {
    hardware += " in " + estimate.placement.instance->id;
  }
  std::string out = fmt::format("{} on {}: needs {}{} of {} usable", verdict_text(fit.verdict), hardware,
                                gib_unit(need.likely), spread, gib_unit(fit.usable.bytes));
  if (estimate.placement.count > 1) {
    out += " on each device";
  }
  out += fit.headroom < Bytes(0) ? fmt::format(", {} too much.", gib_unit(Bytes(0) - fit.headroom))
                                 : fmt::format(", {} free.", gib_unit(fit.headroom));
  out[0] = static_cast<char>(out[0] - 'a' + 'A'); // verdicts are lower-case words
  return {out, verdict_tone(fit.verdict)};
}

void add_parts(const Component& component, const Estimate& estimate, const std::string& indent, bool explain,
               Grid& grid)
{
  std::vector<std::string> row{indent + component_title(component.name), gib(component.bytes.likely),
                               share(component.bytes.likely, estimate.footprint.per_device.likely),
                               std::string(basis_name(component.basis))};
  if (explain) {
    row.insert(row.begin() + 2, component.bytes.low == component.bytes.high
                                    ? std::string()
                                    : fmt::format("{} - {}", gib(component.bytes.low), gib(component.bytes.high)));
  }
  grid.rows.push_back(std::move(row));
  if (explain) {
    for (const Component& part : component.parts) {
      add_parts(part, estimate, indent + "  ", explain, grid);
    }
  }
}

Grid components(const Estimate& estimate, bool explain)
{
  Grid grid;
  grid.columns = {{"memory of one device"}, {"GiB", true}, {"share", true}, {"basis"}};
  if (explain) {
    grid.columns.insert(grid.columns.begin() + 2, Column{"range", true});
  }
  for (const Component& component : estimate.footprint.components) {
    add_parts(component, estimate, "", explain, grid);
  }
  const Interval<Bytes>& need = estimate.footprint.per_device;
  std::vector<std::string> sum{"sum", gib(need.likely), "", ""};
  if (explain) {
    sum.insert(sum.begin() + 2, need.low == need.high ? "" : fmt::format("{} - {}", gib(need.low), gib(need.high)));
  }
  grid.rows.push_back(std::move(sum));
  grid.sum_below = true;
  return grid;
}

void add_formulas(const Component& component, Facts& facts)
{
  if (!component.formula.empty()) {
    facts.rows.emplace_back(component_title(component.name), component.formula);
  }
  for (const Component& part : component.parts) {
    add_formulas(part, facts);
  }
}

Facts memory_facts(const Estimate& estimate)
{
  Facts facts;
  const Footprint& footprint = estimate.footprint;
  facts.rows.emplace_back("rule of thumb", rule_of_thumb_text(footprint, estimate.placement.count));
  if (footprint.weights_file) {
    facts.rows.emplace_back("file", size_of_file(*footprint.weights_file));
  }
  if (footprint.device_used.likely != footprint.per_device.likely) {
    facts.rows.emplace_back("the card shows",
                            fmt::format("about {}: the engine fills its pool", gib_unit(footprint.device_used.likely)));
  }
  if (footprint.kv_bytes_per_token > Bytes(0)) {
    std::string text = fmt::format("{} bytes a token", grouped(footprint.kv_bytes_per_token.value()));
    if (footprint.kv_capacity) {
      text += fmt::format("; the pool holds {} tokens", grouped(footprint.kv_capacity->likely.value()));
    }
    facts.rows.emplace_back("KV cache", text);
  }
  if (footprint.host > Bytes(0)) {
    facts.rows.emplace_back("host memory", gib_unit(footprint.host));
  }
  return facts;
}

Facts fit_facts(const Estimate& estimate)
{
  Facts facts;
  const Fit& fit = *estimate.fit;
  facts.rows.emplace_back("usable memory", fmt::format("{} of {} marketed ({})", gib_unit(fit.usable.bytes),
                                                       gib_unit(fit.capacity), fit.usable.basis));
  std::string most;
  if (fit.max_context) {
    most += fmt::format("context {}", grouped(*fit.max_context));
  }
  if (fit.max_batch) {
    most += fmt::format("{}{} {}", most.empty() ? "" : ", or ",
                        estimate.workload.task == Task::inference ? "batch" : "micro-batch", grouped(*fit.max_batch));
  }
  if (!most.empty() && fit.verdict != Verdict::no) {
    facts.rows.emplace_back("at most", most);
  }
  if (fit.smallest_change) {
    facts.rows.emplace_back("would fit with", fit.smallest_change->text);
  }
  return facts;
}

Facts speed_facts(const Speed& speed)
{
  Facts facts;
  const auto add = [&](const char* label, const std::optional<Interval<double>>& value, const char* unit) {
    if (value) {
      facts.rows.emplace_back(label, fmt::format("{} {}", range(*value), unit));
    }
  };
  add("decode", speed.decode_tokens_per_s, "tokens/s a sequence");
  add("all sequences", speed.total_tokens_per_s, "tokens/s");
  add("prefill", speed.prefill_tokens_per_s, "tokens/s");
  add("first token", speed.ttft_ms, "ms");
  add("further token", speed.tpot_ms, "ms");
  add("requests", speed.requests_per_s, "/s");
  add("training", speed.train_tokens_per_s, "tokens/s");
  add("samples", speed.samples_per_s, "/s");
  add("step", speed.step_ms, "ms");
  add("latency", speed.latency_ms, "ms");
  if (speed.mfu) {
    facts.rows.emplace_back("model FLOPs utilisation", fmt::format("{:.0f} %", *speed.mfu * 100.0));
  }
  if (!speed.bound.empty()) {
    facts.rows.emplace_back("bound by", speed.bound);
  }
  if (!speed.missing.empty()) {
    facts.rows.emplace_back("not known", speed.missing);
  }
  return facts;
}

Facts cost_facts(const Cost& cost)
{
  Facts facts;
  const Bill& bill = cost.bill;
  facts.rows.emplace_back("rent", cost.instance != nullptr && bill.per_hour
                                      ? fmt::format("{} as {}", rate_text(bill), cost.instance->id)
                                      : rate_text(bill));
  if (cost.machine) {
    facts.rows.emplace_back("buy", fmt::format("{} ({}; {} price, {})", usd(bill.upfront ? bill.upfront->value() : 0.0),
                                               cost.machine->platform.empty()
                                                   ? "a whole machine"
                                                   : "with a " + cost.machine->platform + " around it",
                                               kind_name(cost.machine->price_kind), dated(cost.machine->price_date)));
  }
  if (bill.per_million_output) {
    std::string text = fmt::format("{} output", usd(bill.per_million_output->value()));
    if (bill.per_million_input) {
      text += fmt::format(", {} input", usd(bill.per_million_input->value()));
    }
    facts.rows.emplace_back("per million tokens", text);
  }
  if (bill.total && bill.hours) {
    facts.rows.emplace_back("the run", fmt::format("{} in {} hours", usd(bill.total->value()), figure(*bill.hours)));
  }
  if (bill.power) {
    facts.rows.emplace_back("power", fmt::format("{} W", grouped(static_cast<std::int64_t>(bill.power->value()))));
  }
  return facts;
}

} // namespace

Document estimate_document(const Estimate& estimate, Parts parts)
{
  const bool explain = parts.explain;
  Document out;
  out.add(Heading{title(estimate), Tone::plain, true});
  out.add(verdict(estimate));
  std::string job = job_text(estimate.workload);
  if (const std::string split = placement_text(estimate.placement); !split.empty()) {
    job += ", " + split;
  }
  out.add(Facts{{{"job", job}}});
  out.add(components(estimate, explain));
  out.add(memory_facts(estimate));
  if (estimate.fit) {
    out.add(fit_facts(estimate));
  }
  if (estimate.speed) {
    out.add(Heading{"Speed"});
    out.add(speed_facts(*estimate.speed));
  }
  if (estimate.cost) {
    out.add(Heading{"Cost"});
    out.add(cost_facts(*estimate.cost));
  }
  for (const UnmetLimit& limit : estimate.unmet) {
    out.add(Paragraph{"Not met: " + limit.text + ".", Tone::bad});
  }
  if (explain) {
    Facts formulas;
    for (const Component& component : estimate.footprint.components) {
      add_formulas(component, formulas);
    }
    if (!formulas.rows.empty()) {
      out.add(Heading{"Formulas"});
      out.add(std::move(formulas));
    }
  }
  if (const std::string assumed = assumed_text(estimate.notes); !assumed.empty()) {
    out.add(Paragraph{"Assumed: " + assumed + "."});
  }
  if (auto remarks = remark_texts(estimate.notes, explain); parts.notes && !remarks.empty()) {
    out.add(Heading{"Notes"});
    out.add(Bullets{std::move(remarks)});
  }
  return out;
}

Grid estimate_grid(const Estimate& estimate)
{
  Grid grid;
  grid.columns = {{"component"}, {"low_bytes", true}, {"likely_bytes", true}, {"high_bytes", true}, {"basis"}};
  const auto row = [&](std::string_view name, const Interval<Bytes>& bytes, std::string_view basis) {
    grid.rows.push_back({std::string(name), fmt::format("{}", bytes.low.value()),
                         fmt::format("{}", bytes.likely.value()), fmt::format("{}", bytes.high.value()),
                         std::string(basis)});
  };
  for (const Component& component : estimate.footprint.components) {
    row(component.name, component.bytes, basis_name(component.basis));
  }
  row("per_device", estimate.footprint.per_device, "");
  return grid;
}

} // namespace hwadvisor::report
