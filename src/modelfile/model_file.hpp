#pragma once

// Models as their own files describe them: GGUF, safetensors, pipelines of several. Bytes are those of the files'
// tensors, one by one.

#include "hwadvisor/model.hpp"
#include "modelfile/gguf.hpp"
#include "modelfile/safetensors.hpp"

#include <optional>
#include <string>
#include <vector>

namespace hwadvisor::modelfile {

struct ModelFile {
  Model model;
  std::string precision;             // what the tensors are stored in, as people call it: "q4_k_m"
  std::vector<std::string> notes;    // what was found or taken for granted
  std::vector<std::string> warnings; // what an estimate from these files must leave out
};

// `path` names the file in errors and is the model's id. ErrorKind::malformed: no model can be made of the metadata.
Result<ModelFile> model_of_gguf(GgufFile file, const std::string& path);

// What the safetensors of a model hold. With `architecture` (from the config.json beside them) its tensors are replaced
// by those of the files; without, it is what the tensors prove, and there is no KV cache to tell. `bits`: of packed
// weights, where a configuration says it. Files of an index that are missing: sizes alone.
ModelFile model_of_safetensors(const SafeTensors& files, const std::string& path,
                               std::optional<Architecture> architecture, std::int64_t bits);

// A diffusers pipeline: the components that its model_index.json names, each a folder of safetensors.
Result<ModelFile> model_of_pipeline(const std::string& folder);

// The format that takes most of the bytes of `tensors`: nullptr where none has a name.
const NumberFormat* main_format(const std::vector<Tensor>& tensors);

// Widths and expert counts of the layers as the tensors have them; a configuration may say less.
void take_feed_forward(Architecture& architecture);

// The last part of a path.
std::string file_name(std::string_view path);

} // namespace hwadvisor::modelfile
