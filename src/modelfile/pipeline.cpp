// diffusers pipelines: model_index.json says which folder holds which component ("unet": ["diffusers", "UNet2D…"]).

#include "modelfile/model_file.hpp"

#include "modelfile/packed.hpp"
#include "text/quote.hpp"
#include "json/json.hpp"

#include <fmt/format.h>

#include <algorithm>

#include <sys/stat.h>

namespace hwadvisor::modelfile {
namespace {

using json::Json;

bool exists(const std::string& path)
{
  struct stat info {};
  return stat(path.c_str(), &info) == 0;
}

// The weights of one component: full files before variants ("….fp16.safetensors"), an index before its parts.
Result<std::optional<SafeTensors>> read_component(const std::string& folder)
{
  for (const std::string_view stem : {"diffusion_pytorch_model", "model"}) {
    for (const std::string_view variant : {"", ".fp16", ".bf16"}) {
      // transformers puts the variant behind "index", diffusers before "safetensors".
      for (const std::string& index : {fmt::format("{}/{}.safetensors.index{}.json", folder, stem, variant),
                                       fmt::format("{}/{}{}.safetensors.index.json", folder, stem, variant)}) {
        if (exists(index)) {
          HWADVISOR_TRY(files, read_safetensors_index(index));
          return std::optional(std::move(files));
        }
      }
      if (const std::string file = fmt::format("{}/{}{}.safetensors", folder, stem, variant); exists(file)) {
        HWADVISOR_TRY(tensors, read_safetensors_file(file));
        return std::optional(std::move(tensors));
      }
    }
  }
  return std::optional<SafeTensors>();
}

void add_component(const std::string& name, const SafeTensors& files, ModelFile& out, std::vector<Tensor>& all)
{
  ModelComponent component{name, std::nullopt, true, std::nullopt};
  if (!files.missing.empty()) {
    component.size = Bytes(*files.total_size);
    out.warnings.push_back(
        fmt::format("{}: files of its index that are missing: {}; its weights are the index's total_size",
                    text::quoted(name), files.missing.size()));
  } else {
    const Packing packing = unpack(files.tensors, 0);
    std::int64_t parameters = 0;
    Bytes bytes;
    for (std::size_t i = 0; i < files.tensors.size(); ++i) {
      Tensor tensor;
      tensor.rows = packing.weights[i].rows;
      tensor.row_elements = packing.weights[i].row_elements;
      tensor.stored_bytes = files.tensors[i].bytes;
      tensor.stored = files.tensors[i].type->format;
      parameters = saturating_add(parameters, tensor.elements());
      bytes += Bytes(tensor.stored_bytes);
      all.push_back(tensor);
    }
    component.parameters = parameters;
    component.size = bytes;
    out.precision = out.precision.empty() ? packing.precision : out.precision;
  }
  Bytes& total = out.model.checkpoint_bytes ? *out.model.checkpoint_bytes : out.model.checkpoint_bytes.emplace(0);
  total += files.missing.empty() ? Bytes(files.file_bytes) : *component.size;
  out.model.params_total = saturating_add(out.model.params_total.value_or(0), component.parameters.value_or(0));
  out.model.components.push_back(std::move(component));
}

} // namespace

Result<ModelFile> model_of_pipeline(const std::string& folder)
{
  const std::string place = folder + "/model_index.json";
  json::ParseLimits limits;
  limits.bytes = std::size_t{1} << 20;
  HWADVISOR_TRY(index, json::parse_file(place, limits));
  if (!index.is_object()) {
    return Error{ErrorKind::malformed, "a model_index.json is an object of components", place};
  }
  ModelFile out;
  std::vector<Tensor> all;
  std::vector<std::string> absent;
  for (const auto& [name, value] : index.items()) {
    // "safety_checker": [null, null] is switched off; "_class_name" and settings are no components.
    const bool component = value.is_array() && value.size() == 2 && value[0].is_string() && value[1].is_string();
    if (!component || name.starts_with('_')) {
      continue;
    }
    if (name.find_first_of("/\\") != std::string::npos || name.starts_with('.')) {
      return Error{ErrorKind::malformed, fmt::format("{} is not the name of a folder", text::quoted(name)), place};
    }
    HWADVISOR_TRY(files, read_component(folder + "/" + name));
    if (files) {
      add_component(name, *files, out, all);
    } else if (exists(folder + "/" + name + "/config.json") &&
               !value[1].get_ref<const std::string&>().ends_with("Scheduler")) {
      absent.push_back(name); // tokenizers and schedulers have other files
    }
  }
  if (out.model.components.empty()) {
    return Error{ErrorKind::io, "no component that model_index.json names has safetensors files in its folder", place};
  }
  for (const std::string& name : absent) {
    out.warnings.push_back(
        fmt::format("{} has a config.json and no safetensors files: its weights are left out", text::quoted(name)));
  }
  Model& model = out.model;
  model.id = folder;
  model.name = file_name(folder);
  model.family = ModelFamily::diffusion;
  model.task = "text-to-image";
  if (const NumberFormat* most = main_format(all); out.precision.empty() && most != nullptr) {
    out.precision = most->id;
  }
  model.params_basis = ParametersBasis::exact;
  model.params_text = "counted in the headers of its components' files";
  model.released_precision = out.precision;
  return out;
}

} // namespace hwadvisor::modelfile
