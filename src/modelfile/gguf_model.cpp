#include "modelfile/model_file.hpp"

#include "model/config.hpp"
#include "modelfile/gguf_architectures.hpp"
#include "modelfile/gguf_config.hpp"
#include "modelfile/roles.hpp"
#include "text/quote.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hwadvisor::modelfile {
namespace {

bool is_expert(TensorRole role)
{
  return role == TensorRole::expert_gate || role == TensorRole::expert_up || role == TensorRole::expert_down;
}

Tensor tensor_of(const GgufTensor& found, const NamedRole& named)
{
  Tensor tensor;
  tensor.role = named.role;
  tensor.layer = named.layer;
  tensor.encoder = named.encoder;
  tensor.row_elements = found.sizes[0];
  if (is_expert(named.role)) {
    tensor.rows = found.sizes[1];
    tensor.copies = found.sizes[2] * found.sizes[3];
  } else {
    tensor.rows = found.sizes[1] * found.sizes[2] * found.sizes[3];
  }
  tensor.stored_bytes = found.bytes;
  tensor.stored = found.type->format;
  return tensor;
}

// The file's tensors in place of those that the configuration would have.
void take_tensors(const GgufFile& file, Architecture& architecture)
{
  architecture.tensors.clear();
  architecture.draft_tensors.clear();
  architecture.tied_embeddings = true;
  const auto layers =
      static_cast<std::int32_t>(std::max(architecture.layers.size(), architecture.encoder_layers.size()));
  for (const GgufTensor& found : file.tensors) {
    const NamedRole named = role_in_gguf(found.name);
    const bool draft = named.draft || (layers > 0 && named.layer >= layers);
    (draft ? architecture.draft_tensors : architecture.tensors).push_back(tensor_of(found, named));
    if (named.role == TensorRole::output_head && !draft) {
      architecture.tied_embeddings = false;
    }
    if (found.name == "token_embd.weight") {
      architecture.vocabulary = found.sizes[1];
    }
  }
}

std::int64_t vocabulary_of(const GgufFile& file)
{
  for (const GgufTensor& tensor : file.tensors) {
    if (tensor.name == "token_embd.weight") {
      return tensor.sizes[1];
    }
  }
  const auto tokens = file.metadata.list_sizes.find("tokenizer.ggml.tokens");
  return tokens == file.metadata.list_sizes.end() ? 0 : static_cast<std::int64_t>(tokens->second & INT32_MAX);
}

std::string precision_of(const GgufFile& file, const std::vector<Tensor>& tensors)
{
  const NumberFormat* most = main_format(tensors);
  const std::string by_bytes(most != nullptr ? most->id : "fp32");
  const auto type = file.metadata.integer("general.file_type");
  const std::string_view named = type ? precision_of_file_type(*type) : std::string_view();
  // Converters that quantise a second time leave "F16" behind.
  const bool plain = named == "fp32" || named == "fp16" || named == "bf16";
  return named.empty() || (plain && named != by_bytes) ? by_bytes : std::string(named);
}

// Text of a file from anywhere, safe to print.
std::string shown(std::string_view given)
{
  const std::string quoted = text::quoted(given);
  return quoted.substr(1, quoted.size() - 2);
}

} // namespace

Result<ModelFile> model_of_gguf(GgufFile file, const std::string& path)
{
  const std::string kind = file.metadata.text("general.type");
  const std::string name = file.metadata.text("general.architecture");
  if (kind == "adapter" || kind == "imatrix") {
    return Error{ErrorKind::malformed, fmt::format("this GGUF file holds an {}, not a model", kind), path};
  }
  if (file.tensors.empty()) {
    return Error{ErrorKind::malformed, "this GGUF file holds no tensors", path};
  }
  ModelFile out;
  Model& model = out.model;
  Architecture architecture;
  const bool projector = name == "clip" || kind == "mmproj";
  if (projector) {
    architecture.model_type = "clip";
    architecture.causal = false;
    out.warnings.emplace_back("this file is a vision or audio projector: it is loaded beside a language model");
  } else {
    const std::int64_t vocabulary = vocabulary_of(file);
    if (vocabulary == 0 && !name.empty()) {
      return Error{ErrorKind::malformed, "the file has neither token_embd.weight nor a vocabulary", path};
    }
    HWADVISOR_TRY(config, config_of_gguf(file.metadata, vocabulary, path));
    auto read = model::read_architecture(config, path + ": ");
    if (!read) {
      return Error{read.error().kind, read.error().message, path};
    }
    architecture = std::move(*read);
    architecture.assumptions.clear(); // they speak of tensors, which are known
    if (!is_known_gguf_architecture(name)) {
      out.notes.push_back(
          fmt::format("the architecture {} is not known: its layers are read as plain attention", text::quoted(name)));
    }
  }
  take_tensors(file, architecture);
  if (!projector && architecture.encoder_layers.empty()) {
    take_feed_forward(architecture);
  }
  if (!architecture.draft_tensors.empty()) {
    out.notes.emplace_back(
        "the file's layers for multi-token prediction are left out: they serve speculative decoding");
  }
  out.precision = precision_of(file, architecture.tensors);
  model.id = path;
  model.name = shown(file.metadata.text("general.name"));
  if (model.name.empty()) {
    model.name = file_name(path);
  }
  model.family = projector ? ModelFamily::vision_transformer : model::family_of(architecture);
  model.task = projector ? "image-feature-extraction" : "text-generation";
  model.params_total = architecture.parameters();
  model.params_active = architecture.active_parameters();
  model.params_basis = ParametersBasis::exact;
  model.params_text = "counted in the file's tensor table";
  model.released_precision = out.precision;
  model.checkpoint_bytes = Bytes(file.file_bytes);
  model.architecture = std::move(architecture);
  return out;
}

} // namespace hwadvisor::modelfile
