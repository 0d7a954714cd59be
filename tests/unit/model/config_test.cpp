#include "catch.hpp"
#include "hwadvisor/model.hpp"

#include <string>

using namespace hwadvisor;

namespace {

Architecture read(const std::string& text)
{
  auto architecture = read_config(text, "config.json");
  INFO((architecture.ok() ? "" : architecture.error().where + ": " + architecture.error().message));
  REQUIRE(architecture.ok());
  return std::move(*architecture);
}

std::string fault(const std::string& text)
{
  const auto architecture = read_config(text, "config.json");
  return architecture.ok() ? "accepted" : architecture.error().where + " | " + architecture.error().message;
}

} // namespace

TEST_CASE("old and new field names describe the same model", "[model][config]")
{
  const auto fresh = read(R"({"model_type":"falcon","hidden_size":4544,"num_hidden_layers":32,"num_attention_heads":71,
    "multi_query":true,"new_decoder_architecture":false,"parallel_attn":true,"bias":false,"vocab_size":65024})");
  const auto old = read(R"({"model_type":"RefinedWebModel","hidden_size":4544,"n_layer":32,"n_head":71,
    "multi_query":true,"num_kv_heads":71,"parallel_attn":true,"bias":false,"vocab_size":65024})");
  CHECK(fresh.parameters() == 6'921'720'704);
  CHECK(old.parameters() == fresh.parameters());
  CHECK(old.layers.front().kv_heads == 1); // multi_query wins over the copy's num_kv_heads
}

TEST_CASE("absent keys mean what the class means by them", "[model][config]")
{
  // BLOOM: no intermediate size, no maximum length
  const auto bloom =
      read(R"({"model_type":"bloom","n_embed":14336,"n_layer":70,"num_attention_heads":112,"vocab_size":250880})");
  CHECK(bloom.parameters() == 176'247'271'424);
  CHECK(bloom.tied_embeddings);
  // Gemma 3 4B: no heads, KV heads, head width or vocabulary
  const auto gemma = read(R"({"model_type":"gemma3","text_config":{"model_type":"gemma3_text","hidden_size":2560,
    "intermediate_size":10240,"num_hidden_layers":34,"sliding_window":1024},"vision_config":{"model_type":
    "siglip_vision_model","hidden_size":1152,"image_size":896,"intermediate_size":4304,"num_hidden_layers":27,
    "num_attention_heads":16,"patch_size":14,"vision_use_head":false}})");
  CHECK(gemma.parameters() == 4'300'079'472);
  // LLaVA 1.5: no shape at all in its text part
  const auto llava = read(R"({"model_type":"llava","text_config":{"model_type":"llama","vocab_size":32064,
    "max_position_embeddings":4096},"vision_config":{"model_type":"clip_vision_model","hidden_size":1024,"image_size":336,
    "intermediate_size":4096,"num_hidden_layers":24,"num_attention_heads":16,"patch_size":14},"tie_word_embeddings":false})");
  CHECK(llava.parameters() == 7'063'427'072);
  // T5: neither model_type nor num_decoder_layers
  const auto t5 = read(R"({"architectures":["T5ForConditionalGeneration"],"d_model":512,"num_layers":6,"num_heads":8,
    "d_kv":64,"d_ff":2048,"vocab_size":32128})");
  CHECK(t5.parameters() == 60'506'624);
  CHECK(t5.encoder_layers.size() == 6);
}

TEST_CASE("head width is what the configuration says, not hidden / heads", "[model][config]")
{
  const auto qwen = read(R"({"model_type":"qwen3","hidden_size":1024,"num_hidden_layers":28,"num_attention_heads":16,
    "num_key_value_heads":8,"head_dim":128,"intermediate_size":3072,"vocab_size":151936,"tie_word_embeddings":true})");
  CHECK(qwen.layers.front().k_head_dim == 128);
  CHECK(qwen.parameters() == 596'049'920);
}

TEST_CASE("ChatGLM counts KV heads in groups", "[model][config]")
{
  const auto glm = read(R"({"model_type":"chatglm","add_qkv_bias":true,"ffn_hidden_size":13696,"hidden_size":4096,
    "kv_channels":128,"multi_query_attention":true,"multi_query_group_num":2,"num_attention_heads":32,"num_layers":28,
    "padded_vocab_size":65024,"seq_length":8192,"tie_word_embeddings":false})");
  CHECK(glm.layers.front().kv_heads == 2);
  CHECK(glm.parameters() == 6'243'584'000);
  CHECK(glm.max_positions == 8192);
}

TEST_CASE("embedding models have no output head", "[model][config]")
{
  const std::string shape =
      R"("model_type":"mistral","hidden_size":4096,"num_hidden_layers":32,"num_attention_heads":32,
    "num_key_value_heads":8,"intermediate_size":14336,"vocab_size":32000)";
  const auto causal = read(R"({"architectures":["MistralForCausalLM"],)" + shape + "}");
  const auto embedding = read(R"({"architectures":["MistralModel"],)" + shape + "}");
  CHECK(causal.parameters() - embedding.parameters() == 32000LL * 4096);
}

TEST_CASE("an unknown family is read as a Llama-like decoder and says so", "[model][config]")
{
  const auto model =
      read(R"({"model_type":"brand_new","hidden_size":4096,"num_hidden_layers":32,"num_attention_heads":32,
    "num_key_value_heads":8,"intermediate_size":14336,"vocab_size":128256})");
  CHECK(model.parameters() == 8'030'261'248);
  REQUIRE(model.assumptions.size() == 1);
  CHECK(model.assumptions.front() ==
        "model type 'brand_new' is not known: counted as a Llama-like decoder (RMS norms, gated feed-forward)");
}

TEST_CASE("Infinity in a configuration is no reason to refuse it", "[model][config]")
{
  const auto model =
      read(R"({"model_type":"nemotron_h","hidden_size":64,"hybrid_override_pattern":"M*-","num_hidden_layers":3,
    "num_attention_heads":4,"num_key_value_heads":2,"attention_head_dim":16,"intermediate_size":128,"vocab_size":1000,
    "mamba_num_heads":8,"mamba_head_dim":16,"ssm_state_size":16,"n_groups":1,"time_step_limit":[0.0,Infinity]})");
  REQUIRE(model.layers.size() == 3);
  CHECK(model.layers[0].mixer == Mixer::mamba2);
  CHECK(model.layers[1].mixer == Mixer::attention);
  CHECK(model.layers[2].mixer == Mixer::none);
  CHECK(model.layers[2].ffn_width == 128);
}

TEST_CASE("a pattern of another length than the layers is refused", "[model][config]")
{
  CHECK(fault(R"({"model_type":"nemotron_h","hidden_size":64,"hybrid_override_pattern":"M*-","num_hidden_layers":118,
    "num_attention_heads":4,"vocab_size":1000})") ==
        "config.json | the layer pattern has 3 layers, the configuration 118");
}

TEST_CASE("what is wrong in a configuration is named with its place", "[model][config]")
{
  CHECK(fault("[]") == "config.json | a model configuration is a JSON object");
  CHECK(
      fault(R"({"model_type":"qwen3","num_hidden_layers":2})") ==
      "config.json | the configuration lacks a value above 0 under any of: hidden_size, n_embd, n_embed, d_model, dim");
  CHECK(fault(R"({"model_type":"llama","hidden_size":-1})") ==
        "config.json/hidden_size | expected a whole number from 0 to 16777216 for hidden_size, n_embd, n_embed, "
        "d_model, dim");
  CHECK(fault(R"({"model_type":"llama","num_hidden_layers":2.7})") ==
        "config.json/num_hidden_layers | expected a whole number from 0 to 4096 for num_hidden_layers, n_layer, "
        "n_layers, "
        "num_layers, depth");
  CHECK(fault(R"({"model_type":"gemma2","layer_types":["sliding_attention"]})") ==
        "config.json | the list of layer types has 1 entries for 26 layers");
  CHECK(fault(R"({"model_type":"gemma2","num_hidden_layers":1,"layer_types":["astral"]})") ==
        "config.json/layer_types | layer type 'astral' is not known");
  CHECK(fault(R"({"model_type":"llama","text_config":7})") == "config.json/text_config | expected an object");
  CHECK(fault(R"({"model_type":"mixtral","hidden_size":16777216,"num_hidden_layers":4096,"num_attention_heads":65536,
    "intermediate_size":16777216,"num_local_experts":65536,"vocab_size":1000})") ==
        "config.json | the sizes in the configuration multiply to an implausible number of parameters");
}
