#include "modelfile/gguf_architectures.hpp"

#include <algorithm>
#include <iterator>

namespace hwadvisor::modelfile {
namespace {

using enum Recurrent;

constexpr GgufArchitecture k_rows[] = {
    {.name = "llama", .model_type = "llama"},
    {.name = "llama4", .model_type = "llama4_text", .full_every = 4, .window = 8192},
    {.name = "deci", .model_type = "nemotron-nas"},
    {.name = "mistral3", .model_type = "ministral3"},
    {.name = "mistral4", .model_type = "mistral4"},
    {.name = "falcon", .model_type = "falcon"},
    {.name = "grok", .model_type = "grok-1"},
    {.name = "gpt2", .model_type = "gpt2"},
    {.name = "gptj", .model_type = "gptj"},
    {.name = "gptneox", .model_type = "gpt_neox"},
    {.name = "mpt", .model_type = "mpt"},
    {.name = "baichuan", .model_type = "baichuan"},
    {.name = "starcoder", .model_type = "gpt_bigcode"},
    {.name = "starcoder2", .model_type = "starcoder2"},
    {.name = "bert", .model_type = "bert"},
    {.name = "nomic-bert", .model_type = "nomic_bert"},
    {.name = "nomic-bert-moe", .model_type = "nomic_bert"},
    {.name = "jina-bert-v2", .model_type = "nomic_bert"},
    {.name = "jina-bert-v3", .model_type = "nomic_bert"},
    {.name = "modern-bert", .model_type = "nomic_bert"},
    {.name = "neo-bert", .model_type = "nomic_bert"},
    {.name = "eurobert", .model_type = "nomic_bert"},
    {.name = "bloom", .model_type = "bloom"},
    {.name = "stablelm", .model_type = "stablelm"},
    {.name = "qwen", .model_type = "qwen"},
    {.name = "qwen2", .model_type = "qwen2"},
    {.name = "qwen2moe", .model_type = "qwen2_moe"},
    {.name = "qwen2vl", .model_type = "qwen2_vl_text"},
    {.name = "qwen3", .model_type = "qwen3"},
    {.name = "qwen3moe", .model_type = "qwen3_moe"},
    {.name = "qwen3vl", .model_type = "qwen3_vl_text"},
    {.name = "qwen3vlmoe", .model_type = "qwen3_vl_moe_text"},
    {.name = "qwen3next",
     .model_type = "qwen3_next",
     .recurrent_layer = "linear_attention",
     .recurrent = but_every_nth},
    {.name = "qwen35", .model_type = "qwen3_5_text", .recurrent_layer = "linear_attention", .recurrent = but_every_nth},
    {.name = "qwen35moe",
     .model_type = "qwen3_5_moe_text",
     .recurrent_layer = "linear_attention",
     .recurrent = but_every_nth},
    {.name = "phi2", .model_type = "phi"},
    {.name = "phi3", .model_type = "phi3"}, // its window is ignored
    {.name = "phimoe", .model_type = "phimoe"},
    {.name = "internlm2", .model_type = "internlm2"},
    {.name = "gemma", .model_type = "gemma"},
    {.name = "gemma2", .model_type = "gemma2", .full_every = 2, .window = 4096},
    {.name = "gemma3", .model_type = "gemma3_text", .full_every = 6},
    {.name = "gemma3n", .model_type = "gemma3n_text", .full_every = 5},
    {.name = "gemma4", .model_type = "gemma4_text"},
    {.name = "gemma-embedding", .model_type = "gemma3_text", .full_every = 6},
    {.name = "plamo3", .model_type = "plamo3", .full_every = 8},
    {.name = "mamba", .model_type = "mamba", .recurrent_layer = "mamba", .recurrent = all},
    {.name = "mamba2", .model_type = "mamba2", .recurrent_layer = "mamba", .recurrent = all},
    {.name = "jamba", .model_type = "jamba", .recurrent_layer = "mamba", .recurrent = where_no_kv_heads},
    {.name = "falcon-h1", .model_type = "falcon_h1", .recurrent_layer = "hybrid", .recurrent = beside_attention},
    {.name = "granitehybrid",
     .model_type = "granitemoehybrid",
     .recurrent_layer = "mamba",
     .recurrent = where_no_kv_heads},
    {.name = "nemotron_h", .model_type = "nemotron_h", .recurrent_layer = "mamba", .recurrent = where_no_kv_heads},
    {.name = "nemotron_h_moe", .model_type = "nemotron_h", .recurrent_layer = "mamba", .recurrent = where_no_kv_heads},
    {.name = "lfm2", .model_type = "lfm2", .recurrent_layer = "conv", .recurrent = where_no_kv_heads},
    {.name = "lfm2moe", .model_type = "lfm2_moe", .recurrent_layer = "conv", .recurrent = where_no_kv_heads},
    {.name = "kimi-linear",
     .model_type = "kimi_linear",
     .recurrent_layer = "linear_attention",
     .recurrent = where_no_kv_heads},
    {.name = "kimi-k3",
     .model_type = "kimi_linear",
     .recurrent_layer = "linear_attention",
     .recurrent = where_no_kv_heads},
    {.name = "minimax-01",
     .model_type = "minimax_text_01",
     .recurrent_layer = "lightning_attention",
     .recurrent = but_every_nth,
     .interval = 8},
    {.name = "rwkv6", .model_type = "rwkv6", .recurrent_layer = "rwkv", .recurrent = all},
    {.name = "rwkv6qwen2", .model_type = "rwkv6", .recurrent_layer = "rwkv", .recurrent = all},
    {.name = "rwkv7", .model_type = "rwkv7", .recurrent_layer = "rwkv", .recurrent = all},
    {.name = "arwkv7", .model_type = "rwkv7", .recurrent_layer = "rwkv", .recurrent = all},
    {.name = "command-r", .model_type = "cohere"},
    {.name = "cohere2", .model_type = "cohere2", .full_every = 4},
    {.name = "cohere2moe", .model_type = "cohere2", .full_every = 4, .full_first = true},
    {.name = "dbrx", .model_type = "dbrx"},
    {.name = "olmo2", .model_type = "olmo2", .full_every = 4},
    {.name = "olmoe", .model_type = "olmoe"},
    {.name = "deepseek", .model_type = "deepseek"},
    {.name = "deepseek2", .model_type = "deepseek_v2"},
    {.name = "deepseek32", .model_type = "deepseek_v32"},
    {.name = "deepseek4", .model_type = "deepseek_v4"},
    {.name = "glm-dsa", .model_type = "glm_moe_dsa"},
    {.name = "chatglm", .model_type = "chatglm"},
    {.name = "glm4", .model_type = "glm4"},
    {.name = "glm4moe", .model_type = "glm4_moe"},
    {.name = "t5", .model_type = "t5"},
    {.name = "exaone4", .model_type = "exaone4", .full_every = 4},
    {.name = "exaone-moe", .model_type = "exaone_moe", .full_every = 4, .window = 128},
    {.name = "granite", .model_type = "granite"},
    {.name = "afmoe", .model_type = "afmoe", .full_every = 4},
    {.name = "laguna", .model_type = "laguna", .full_every = 4, .full_first = true},
    {.name = "mellum", .model_type = "mellum", .full_every = 4},
    {.name = "muse-glimmer", .model_type = "muse-glimmer", .full_every = 4},
    {.name = "ernie4_5-moe", .model_type = "ernie4_5_moe"},
    {.name = "hy_v3", .model_type = "hy_v3"},
    {.name = "smollm3", .model_type = "smollm3"},
    {.name = "smallthinker", .model_type = "smallthinker", .full_every = 4, .full_first = true},
    {.name = "gpt-oss", .model_type = "gpt_oss", .full_every = 2},
    {.name = "seed_oss", .model_type = "seed_oss"},
    {.name = "apertus", .model_type = "apertus"},
    {.name = "minimax-m2", .model_type = "minimax_m2"},
    {.name = "minimax-m3", .model_type = "minimax_m3"},
    {.name = "mimo2", .model_type = "mimo_v2_flash"},
    {.name = "step35", .model_type = "step3p5"},
};

} // namespace

GgufArchitecture gguf_architecture(std::string_view name)
{
  const auto* row =
      std::find_if(std::begin(k_rows), std::end(k_rows), [&](const GgufArchitecture& r) { return r.name == name; });
  return row != std::end(k_rows) ? *row : GgufArchitecture{.name = name, .model_type = name};
}

bool is_known_gguf_architecture(std::string_view name)
{
  return std::any_of(std::begin(k_rows), std::end(k_rows), [&](const GgufArchitecture& r) { return r.name == name; });
}

} // namespace hwadvisor::modelfile
