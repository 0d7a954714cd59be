#include "modelfile/model_file.hpp"

#include "model/config.hpp"
#include "modelfile/packed.hpp"
#include "modelfile/roles.hpp"
#include "text/grouped.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hwadvisor::modelfile {
namespace {

std::vector<Tensor> tensors_of(const SafeTensors& files, const Packing& packing, const Architecture& architecture,
                               std::vector<Tensor>& draft)
{
  std::vector<Tensor> out;
  const auto layers = static_cast<std::int32_t>(architecture.layers.size());
  for (std::size_t i = 0; i < files.tensors.size(); ++i) {
    const SafeTensor& found = files.tensors[i];
    const NamedRole named = role_in_checkpoint(found.name);
    Tensor tensor;
    tensor.role = named.role;
    tensor.layer = named.layer;
    tensor.encoder = named.encoder && !architecture.encoder_layers.empty();
    tensor.rows = packing.weights[i].rows;
    tensor.row_elements = packing.weights[i].row_elements;
    const bool expert = named.role == TensorRole::expert_gate || named.role == TensorRole::expert_up ||
                        named.role == TensorRole::expert_down;
    if (expert && found.shape.size() >= 3 && found.shape.front() > 0 && tensor.rows % found.shape.front() == 0) {
      tensor.copies = found.shape.front(); // a stack of all experts
      tensor.rows /= tensor.copies;
    }
    tensor.stored_bytes = found.bytes;
    tensor.stored = tensor.elements() == found.elements ? found.type->format : nullptr;
    const bool is_draft = named.draft || (layers > 0 && !tensor.encoder && named.layer >= layers);
    (is_draft ? draft : out).push_back(tensor);
  }
  return out;
}

// Hidden size, vocabulary and depth as the tensors have them; heads leave no trace in a matrix.
void describe_tensors(Architecture& architecture, ModelFile& out)
{
  std::int32_t layers = 0;
  for (const Tensor& tensor : architecture.tensors) {
    layers = std::max(layers, tensor.layer + 1);
    if (tensor.role == TensorRole::token_embedding && tensor.rows > architecture.vocabulary) {
      architecture.vocabulary = tensor.rows;
      architecture.hidden = tensor.row_elements;
    }
  }
  if (architecture.hidden > 0 && layers > 0) {
    out.notes.push_back(
        fmt::format("the tensors show {} layers, a hidden size of {} and a vocabulary of {}; they do not "
                    "show the attention heads",
                    layers, text::grouped(architecture.hidden), text::grouped(architecture.vocabulary)));
  }
  out.warnings.emplace_back(
      "the KV cache cannot be told from tensors alone and is left out; put the model's config.json "
      "beside the file");
}

} // namespace

ModelFile model_of_safetensors(const SafeTensors& files, const std::string& path,
                               std::optional<Architecture> architecture, std::int64_t bits)
{
  ModelFile out;
  Model& model = out.model;
  const bool configured = architecture.has_value();
  Architecture built = configured ? std::move(*architecture) : Architecture{};
  model.id = path;
  model.name = file_name(path);
  if (!files.missing.empty()) {
    out.warnings.push_back(
        fmt::format("files of the index that are not beside it: {}; the weights are its total_size, {} bytes",
                    files.missing.size(), text::grouped(*files.total_size)));
    model.checkpoint_bytes = Bytes(*files.total_size);
    if (!configured) {
      out.warnings.emplace_back("the KV cache cannot be told from an index alone and is left out");
      out.notes.emplace_back("parameters counted as 2 bytes each, which the index does not say");
      model.params_total = *files.total_size / 2;
      model.params_basis = ParametersBasis::rounded;
      model.params_text = "half the bytes of the index's total_size";
      model.components.push_back({"model", model.params_total, true, model.checkpoint_bytes});
      model.family = ModelFamily::other;
      return out;
    }
  } else {
    const Packing packing = unpack(files.tensors, bits);
    built.draft_tensors.clear();
    built.tensors = tensors_of(files, packing, built, built.draft_tensors);
    built.tied_embeddings = std::none_of(built.tensors.begin(), built.tensors.end(),
                                         [](const Tensor& t) { return t.role == TensorRole::output_head; });
    if (!configured) {
      describe_tensors(built, out);
    }
    if (packing.unproven > 0) {
      out.notes.push_back(fmt::format("{} packed tensors do not prove their width: counted as 4 bits a weight; their "
                                      "bytes are exact",
                                      packing.unproven));
    }
    const NumberFormat* most = main_format(built.tensors);
    out.precision = !packing.precision.empty() ? packing.precision : std::string(most != nullptr ? most->id : "");
    model.checkpoint_bytes = Bytes(files.file_bytes);
    model.params_text = "counted in the headers of its files";
    model.params_basis = packing.unproven > 0 ? ParametersBasis::computed : ParametersBasis::exact;
  }
  if (configured && !files.missing.empty()) {
    model.params_text = "computed from the configuration";
    model.params_basis = ParametersBasis::computed;
  }
  model.params_total = built.parameters();
  model.params_active = built.active_parameters();
  model.family = configured ? model::family_of(built) : ModelFamily::other;
  model.released_precision = out.precision;
  model.architecture = std::move(built);
  return out;
}

} // namespace hwadvisor::modelfile
