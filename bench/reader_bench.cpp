// Times the readers of model files inside one process: a GGUF header with a vocabulary of 128,000 tokens, 280,000
// merges and scores, a safetensors index's worth of tensors, and a config.json. The last column is the process's peak
// memory.

#include "hwadvisor/model.hpp"
#include "modelfile/model_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include <sys/resource.h>
#include <unistd.h>

namespace {

using namespace hwadvisor;

template <class T> std::string raw(T value)
{
  std::string out(sizeof value, '\0');
  std::memcpy(out.data(), &value, sizeof value);
  return out;
}
std::string text(std::string_view value)
{
  return raw<std::uint64_t>(value.size()) + std::string(value);
}
std::string number(std::string_view key, std::uint32_t value)
{
  return text(key) + raw<std::uint32_t>(4) + raw(value);
}
std::string texts(std::string_view key, std::uint64_t count, std::string_view stem)
{
  std::string out = text(key) + raw<std::uint32_t>(9) + raw<std::uint32_t>(8) + raw(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    out += text(fmt::format("{}{}", stem, i));
  }
  return out;
}

// Llama 3.1 8B's tensors in F16, all holes.
bool write_gguf(const std::string& path)
{
  std::vector<std::string> pairs = {text("general.architecture") + raw<std::uint32_t>(8) + text("llama"),
                                    number("llama.block_count", 32),
                                    number("llama.embedding_length", 4096),
                                    number("llama.attention.head_count", 32),
                                    number("llama.attention.head_count_kv", 8),
                                    number("llama.feed_forward_length", 14336),
                                    texts("tokenizer.ggml.tokens", 128'000, "token"),
                                    texts("tokenizer.ggml.merges", 280'000, "some merge "),
                                    text("tokenizer.ggml.scores") + raw<std::uint32_t>(9) + raw<std::uint32_t>(6) +
                                        raw<std::uint64_t>(128'000) + std::string(4 * 128'000, '\0')};
  std::string infos;
  std::uint64_t offset = 0;
  std::uint64_t count = 0;
  const auto add = [&](const std::string& name, std::uint64_t row, std::uint64_t rows) {
    infos += text(name) + raw<std::uint32_t>(2) + raw(row) + raw(rows) + raw<std::uint32_t>(1) + raw(offset);
    offset += row * rows * 2;
    ++count;
  };
  add("token_embd.weight", 4096, 128'256);
  add("output.weight", 4096, 128'256);
  for (int layer = 0; layer < 32; ++layer) {
    const std::string block = fmt::format("blk.{}.", layer);
    add(block + "attn_q.weight", 4096, 4096);
    add(block + "attn_k.weight", 4096, 1024);
    add(block + "attn_v.weight", 4096, 1024);
    add(block + "attn_output.weight", 4096, 4096);
    add(block + "ffn_gate.weight", 4096, 14336);
    add(block + "ffn_up.weight", 4096, 14336);
    add(block + "ffn_down.weight", 14336, 4096);
    add(block + "attn_norm.weight", 4096, 1);
    add(block + "ffn_norm.weight", 4096, 1);
  }
  std::string head = "GGUF" + raw<std::uint32_t>(3) + raw(count) + raw<std::uint64_t>(pairs.size());
  for (const std::string& pair : pairs) {
    head += pair;
  }
  head += infos;
  head.resize((head.size() + 31) / 32 * 32);
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) {
    return false;
  }
  const bool written = std::fwrite(head.data(), 1, head.size(), file) == head.size();
  return std::fclose(file) == 0 && written && truncate(path.c_str(), static_cast<off_t>(head.size() + offset)) == 0;
}

constexpr const char* k_config = R"({"architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": 4096,
  "num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": 8, "intermediate_size": 14336,
  "vocab_size": 128256, "max_position_embeddings": 131072, "tie_word_embeddings": false, "torch_dtype": "bfloat16"})";

template <class Read> bool timed(const char* title, int runs, Read read)
{
  std::vector<double> milliseconds;
  for (int i = 0; i < runs; ++i) {
    const auto start = std::chrono::steady_clock::now();
    if (!read()) {
      fmt::print(stderr, "{} failed\n", title);
      return false;
    }
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    milliseconds.push_back(took.count());
  }
  std::sort(milliseconds.begin(), milliseconds.end());
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  fmt::print("{:36} {:9.3f} {:9.3f} {:11.1f}\n", title, milliseconds.front(), milliseconds[milliseconds.size() / 2],
             static_cast<double>(usage.ru_maxrss) / 1024.0);
  return true;
}

} // namespace

int main(int argc, char* argv[])
{
  // A child of the program itself writes the file, so that its memory does not count.
  if (argc == 3 && std::strcmp(argv[1], "--write") == 0) {
    return write_gguf(argv[2]) ? 0 : 1;
  }
  if (argc != 2) {
    std::fputs("usage: reader_bench FILE, written before by reader_bench --write FILE\n", stderr);
    return 2;
  }
  fmt::print("{:36} {:>9} {:>9} {:>11}\n", "reader", "min ms", "median ms", "peak MiB");
  const std::string path = argv[1];
  bool done = timed("config.json of Llama 3.1 8B", 200, [] { return read_config(k_config, "config.json").ok(); });
  done = done && timed("GGUF, 128k tokens and 280k merges", 50, [&] {
           auto file = modelfile::read_gguf_parts(path);
           return file && modelfile::model_of_gguf(std::move(*file), path).ok();
         });
  std::remove(path.c_str());
  return done ? 0 : 1;
}
