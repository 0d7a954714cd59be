#pragma once

// Models by the names that people, repositories and engines give them.

#include "hwadvisor/catalog.hpp"

#include <span>
#include <string>
#include <string_view>

namespace hwadvisor::catalog {

struct FoundModel {
  std::string id;
  std::string precision; // implied by the name of a quantised derivative; empty: none
  std::string note;
  bool ollama_tag = false; // named as in ollama's library, without a precision
};

// "Llama 3.1 8B", "llama3.1:8b", "Qwen/Qwen2.5-7B-Instruct-AWQ". Letter case and separators other than dots do not
// count. Where nothing matches so, the words hf, instruct, chat, it, base do not count, nor does the maker. A name that
// still matches nothing is refused with near names, never guessed.
Result<FoundModel> find_model(std::string_view name, std::span<const ModelSummary> models);

// A repository or file name taken apart: "Qwen2.5-7B-Instruct-GPTQ-Int4" is "Qwen2.5-7B-Instruct" at "gptq-int4".
struct QuantisedName {
  std::string_view base; // the front of the name; the whole name where it names no quantisation
  std::string precision; // empty: none, or a format that leaves it open (GGUF)
  bool gguf_untold = false;
};
QuantisedName take_apart(std::string_view name);

} // namespace hwadvisor::catalog
