#pragma once

// The fields of every record of the pack, each struct once: writing and reading walk the same list. Whoever adds a
// field to one of these structs adds it here and to its JSON reader.

#include "catalog/wire.hpp"
#include "hwadvisor/catalog.hpp"

namespace hwadvisor::catalog {

// `Io::Field<T>` is T for the reader and const T for the writer.
template <class Io> void visit_fields(Io& io, typename Io::template Field<PurchasePrice>& p)
{
  io(p.price, p.kind, p.date, p.includes, p.memory_gb);
}

template <class Io> void visit_fields(Io& io, typename Io::template Field<Peaks>& p)
{
  io(p.fp64, p.fp32, p.tf32, p.fp16, p.bf16, p.fp8, p.fp4, p.fp16_accumulate, p.int8, p.int4);
}

template <class Io> void visit_fields(Io& io, typename Io::template Field<CpuFacts>& c)
{
  io(c.cores, c.threads, c.base_ghz, c.boost_ghz, c.channels, c.sockets, c.max_memory_gb, c.isa);
}

template <class Io> void visit_fields(Io& io, typename Io::template Field<Device>& d)
{
  io(d.id, d.name, d.vendor, d.kind, d.series, d.aliases, d.common_form, d.market_class, d.architecture,
     d.compute_capability, d.form_factor, d.released, d.status, d.acquisition, d.acquisition_market,
     d.acquisition_reason);
  io(d.memory, d.usable_memory, d.memory_class, d.memory_type, d.bandwidth, d.unified_memory, d.memory_options_gb);
  io(d.peaks, d.peak_basis, d.link, d.link_bandwidth, d.scale_up_domain, d.cores_per_chip, d.pcie_bandwidth);
  io(d.tdp, d.cpu, d.software, d.inference_only, d.prices);
}

template <class Io> void visit_fields(Io& io, typename Io::template Field<MemoryClass>& c)
{
  io(c.id, c.ratio, c.low, c.high, c.basis);
}

template <class Io> void visit_fields(Io& io, typename Io::template Field<Provider>& p)
{
  io(p.id, p.name, p.tier, p.url);
}

template <class Io> void visit_fields(Io& io, typename Io::template Field<RentalPrice>& p)
{
  io(p.price, p.date, p.derived);
}

template <class Io> void visit_fields(Io& io, typename Io::template Field<Instance>& i)
{
  io(i.id, i.provider, i.name, i.tier, i.shape, i.region, i.vcpus, i.memory, i.cpu_model, i.cpu_arch);
  io(i.device, i.device_named, i.device_count, i.device_fraction, i.device_memory_gib, i.device_cores, i.nodes);
  io(i.interconnect, i.network_gbps, i.local_storage_gb);
  io(i.on_demand, i.spot, i.reserved_1y, i.reserved_3y, i.capacity_block);
}

template <class Io> void visit_fields(Io& io, typename Io::template Field<Spread>& s)
{
  io(s.low, s.high);
}

template <class Io> void visit_fields(Io& io, typename Io::template Field<EngineRules>& r)
{
  io(r.pool, r.pool_fraction, r.window, r.activations, r.kv_block_tokens, r.context_padding, r.max_batched_tokens,
     r.max_sequences, r.context_overhead, r.graphs, r.workspace, r.non_torch, r.sampler_bytes_per_logit,
     r.profile_factor, r.non_torch_switched, r.pool_holds_activations, r.max_batched_tokens_large,
     r.max_sequences_large, r.host_token_embedding, r.layer_split, r.uniform_windows, r.indexed_cache, r.fuses_queries,
     r.grouped_scores, r.untied_fp8_head, r.index_cache, r.latent_cache, r.flash_attention, r.weights_spread,
     r.activations_spread);
}

template <class Io> void visit_fields(Io& io, typename Io::template Field<OlderRules>& o)
{
  io(o.before, o.until, o.generation, o.rules);
}

template <class Io> void visit_fields(Io& io, typename Io::template Field<EngineNeed>& n)
{
  io(n.library, n.parts, n.software);
}

template <class Io> void visit_fields(Io& io, typename Io::template Field<Engine>& e)
{
  typename Io::template Field<EngineRules>& rules = e;
  io(rules, e.id, e.name, e.kind, e.vendors, e.software, e.compute_capability, e.formats, e.expands_formats, e.needs,
     e.older);
}

template <class Io> void visit_fields(Io& io, typename Io::template Field<SoftwareChoice>& s)
{
  io(s.software, s.surcharge);
}

template <class Io> void visit_fields(Io& io, typename Io::template Field<Scenario>& s)
{
  io(s.id, s.title, s.summary, s.defaults, s.precision_ladder, s.training_ladder, s.cost_basis, s.tiers);
  io(s.allow_used, s.allow_consumer, s.production, s.hours_per_month, s.horizon_months, s.prudent_headroom,
     s.min_device_memory_gb, s.max_local_devices, s.host_owned, s.spare_machines, s.runs_per_month, s.setup_hours,
     s.train_tokens, s.train_samples);
  io(s.software, s.preferred_engines, s.sources);
}

template <class Io> void visit_fields(Io& io, typename Io::template Field<Efficiency>& e)
{
  io(e.id, e.phase, e.devices, e.memory_classes, e.market_classes, e.vendors, e.links, e.engines, e.fraction);
  io(e.reference_tflops, e.exponent, e.kv_fraction, e.step_overhead_ms, e.layer_overhead_us, e.sequence_overhead_us,
     e.latency_us, e.bytes_per_mac, e.cap_per_second);
}

template <class Io> void visit_fields(Io& io, typename Io::template Field<MachineParts::Platform>& p)
{
  io(p.id, p.name, p.max_devices, p.max_device_watts, p.cpu_cores, p.usd, p.base_watts);
}

template <class Io> void visit_fields(Io& io, typename Io::template Field<MachineParts>& m)
{
  io(m.platforms, m.ram_usd_per_gb, m.storage_usd_per_tb, m.usd_per_kwh, m.colocation_usd_per_kw_month,
     m.cooling_factor, m.load_factor, m.resale_after_24_months, m.street_over_list, m.age_per_year, m.prices_as_of);
}

template <class Io> void visit_fields(Io& io, typename Io::template Field<ModelSummary>& m)
{
  io(m.id, m.name, m.aliases, m.family, m.task, m.params_total);
}

} // namespace hwadvisor::catalog
