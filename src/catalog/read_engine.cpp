#include "catalog/readers.hpp"

#include <array>

namespace hwadvisor::catalog {
namespace {

template <class Enum, std::size_t Count> using Words = std::array<std::pair<std::string_view, Enum>, Count>;

constexpr Words<PoolRule, 3> k_pool_rules{{{"exact", PoolRule::exact},
                                           {"fraction_of_total", PoolRule::fraction_of_total},
                                           {"fraction_of_free", PoolRule::fraction_of_free}}};
constexpr Words<WindowRule, 3> k_window_rules{
    {{"window", WindowRule::window}, {"full", WindowRule::full}, {"padded", WindowRule::padded}}};
constexpr Words<ActivationRule, 4> k_activation_rules{{{"generic", ActivationRule::generic},
                                                       {"llama_cpp", ActivationRule::llama_cpp},
                                                       {"profiled", ActivationRule::profiled},
                                                       {"eager", ActivationRule::eager}}};

template <class Value, class Found> void take(Value& value, const std::optional<Found>& found)
{
  if (found) {
    value = static_cast<Value>(*found);
  }
}

template <class Enum, class Names>
void take_word(ObjectReader& in, std::string_view key, Enum& value, const Names& names)
{
  if (in.has(key)) {
    value = in.one_of<Enum>(key, names);
  }
}

void take_mebibytes(ObjectReader& in, std::string_view key, Interval<Bytes>& interval)
{
  in.object(key, [&](ObjectReader& mib) {
    constexpr json::NumberRange range{0.0, 1e7};
    const double low = mib.number("low", range);
    const double likely = mib.number("likely", range);
    const double high = mib.number("high", range);
    if (!mib.failed() && !(low <= likely && likely <= high)) {
      mib.fail("low", "low, likely and high must not fall");
    }
    interval = {mebibytes(low), mebibytes(likely), mebibytes(high)};
  });
}

void take_spread(ObjectReader& in, std::string_view key, Spread& spread)
{
  in.object(key, [&](ObjectReader& factors) {
    spread.low = factors.number("low", {0.0, 1.0});
    spread.high = factors.number("high", {1.0, 100.0});
    (void)factors.maybe_integer("n", {0, 1'000'000'000});
    (void)factors.maybe_text("source");
  });
}

// What the object leaves out stays as `rules` had it.
void read_rules(ObjectReader& in, EngineRules& rules)
{
  constexpr json::IntegerRange tokens{0, std::int64_t{1} << 40};
  constexpr json::IntegerRange step{1, std::int64_t{1} << 20};
  take_word(in, "pool", rules.pool, k_pool_rules);
  take(rules.pool_fraction, in.maybe_number("pool_fraction", {0.0, 1.0}));
  take_word(in, "window", rules.window, k_window_rules);
  take_word(in, "activations", rules.activations, k_activation_rules);
  take(rules.kv_block_tokens, in.maybe_integer("kv_block_tokens", step));
  take(rules.context_padding, in.maybe_integer("context_padding", step));
  take(rules.max_batched_tokens, in.maybe_integer("max_batched_tokens", tokens));
  take(rules.max_batched_tokens_large, in.maybe_integer("max_batched_tokens_large", tokens));
  take(rules.max_sequences, in.maybe_integer("max_sequences", tokens));
  take(rules.max_sequences_large, in.maybe_integer("max_sequences_large", tokens));
  take_mebibytes(in, "context_overhead_mib", rules.context_overhead);
  take_mebibytes(in, "graphs_mib", rules.graphs);
  take_mebibytes(in, "workspace_mib", rules.workspace);
  take_mebibytes(in, "non_torch_mib", rules.non_torch);
  take(rules.sampler_bytes_per_logit, in.maybe_number("sampler_bytes_per_logit", {0.0, 1024.0}));
  take(rules.profile_factor, in.maybe_number("profile_factor", {1.0, 10.0}));
  take_mebibytes(in, "non_torch_switched_mib", rules.non_torch_switched);
  take(rules.pool_holds_activations, in.maybe_boolean("pool_holds_activations"));
  take(rules.host_token_embedding, in.maybe_boolean("host_token_embedding"));
  take(rules.layer_split, in.maybe_boolean("layer_split"));
  take(rules.uniform_windows, in.maybe_boolean("uniform_windows"));
  take(rules.indexed_cache, in.maybe_boolean("indexed_cache"));
  take(rules.fuses_queries, in.maybe_boolean("fuses_queries"));
  take(rules.grouped_scores, in.maybe_boolean("grouped_scores"));
  take(rules.untied_fp8_head, in.maybe_boolean("untied_fp8_head"));
  take(rules.index_cache, in.maybe_boolean("index_cache"));
  take(rules.latent_cache, in.maybe_boolean("latent_cache"));
  take(rules.flash_attention, in.maybe_boolean("flash_attention"));
  take_spread(in, "weights_spread", rules.weights_spread);
  take_spread(in, "activations_spread", rules.activations_spread);
}

// Oldest first, and each takes what it leaves out from the one after it: so they are read from the newest back.
void read_older(ObjectReader& in, Engine& engine)
{
  EngineRules newer = engine;
  in.objects_backwards("older", [&](ObjectReader& older) {
    OlderRules& out = *engine.older.emplace(engine.older.begin());
    out.before = older.text("before");
    (void)older.text("name");
    out.until = older.maybe_text("until").value_or("");
    out.generation = older.maybe_text("generation").value_or("");
    out.rules = newer;
    read_rules(older, out.rules);
    newer = out.rules;
  });
}

} // namespace

Result<Engine> read_engine(const Json& value, const Place& place)
{
  ObjectReader in(value, place);
  Engine engine;
  engine.id = in.text("id");
  engine.name = in.text("name");
  engine.kind = in.text("kind");
  engine.vendors = in.texts("vendors");
  engine.software = in.texts("software");
  take(engine.compute_capability, in.maybe_number("compute_capability", {0.0, 100.0}));
  engine.formats = in.texts("formats");
  take(engine.expands_formats, in.maybe_boolean("expands_formats"));
  in.objects("needs", [&](ObjectReader& need) {
    EngineNeed& out = engine.needs.emplace_back();
    out.library = need.text("library");
    out.parts = need.texts("parts");
    out.software = need.texts("software");
    (void)need.maybe_text("source");
  });
  read_rules(in, engine);
  read_older(in, engine);
  read_provenance(in);
  if (auto fault = in.finish()) {
    return *fault;
  }
  return engine;
}

} // namespace hwadvisor::catalog
