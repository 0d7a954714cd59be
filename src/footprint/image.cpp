#include "footprint/image.hpp"

#include "footprint/explain.hpp"

#include <algorithm>

namespace hwadvisor {

namespace {

// What one image takes at fp32, how sure that is, and in what words.
struct PerImage {
  Bytes bytes;
  Interval<double> spread;
  Basis basis = Basis::assumed;
  const char* what = "";
};

// Measured with PyTorch: 16-bit tensors halve, but the 64-bit indices of max-pooling stay (ResNet-50 0.509, VGG-16
// with batch norm 0.548 of fp32).
double dtype_factor(const Precision& precision)
{
  const NumberFormat* compute = precision.compute != nullptr ? precision.compute : precision.weights;
  return compute->bits_per_weight() > 16.0 ? 1.0 : 0.51;
}

double input_pixels(const Model& model)
{
  if (model.image_work && model.image_work->height_px > 0 && model.image_work->width_px > 0) {
    return static_cast<double>(model.image_work->height_px) * static_cast<double>(model.image_work->width_px);
  }
  return model.family == ModelFamily::diffusion ? 1024.0 * 1024.0 : 224.0 * 224.0;
}

PerImage inference_image(const Model& model)
{
  if (model.image_work && model.image_work->inference_peak) {
    // Allocators need 1.0-1.4 times the live tensors; convolution workspaces come on top.
    return {*model.image_work->inference_peak, {0.9, 1.2, 2.5}, Basis::calibrated, "measured peak of live tensors"};
  }
  if (model.image_work && model.image_work->activation_elements) {
    // Of 20 models with both figures the peak is 0.09 (ViT) to 0.49 (VGG) of the outputs added up, median 0.25.
    return {Bytes(*model.image_work->activation_elements * 4.0),
            {0.08, 0.25, 0.75},
            Basis::derived,
            "a quarter of all layers' outputs"};
  }
  const double pixels = input_pixels(model);
  if (model.family == ModelFamily::diffusion) {
    // At 1024 x 1024 and 16 bit: 0.27 (SDXL) to 1.05 GiB (LTX) for a denoiser alone, 4.5 to 4.7 GiB for the pipeline of
    // FLUX.1-dev, whose decoder holds some nine full-size maps of 256 channels.
    const bool decodes = std::any_of(model.components.begin(), model.components.end(), [](const ModelComponent& part) {
      return part.name.find("vae") != std::string::npos;
    });
    return decodes ? PerImage{Bytes(pixels * 9216.0),
                              {0.5, 1.0, 1.2},
                              Basis::calibrated,
                              "9,216 bytes a pixel, in decoding"}
                   : PerImage{Bytes(pixels * 900.0),
                              {0.5, 1.0, 2.2},
                              Basis::calibrated,
                              "900 bytes a pixel, the denoiser alone"};
  }
  // The first stage of a CNN: a map of 64 channels at full size, twice.
  return {
      Bytes(pixels * 64.0 * 4.0 * 2.0), {0.2, 1.0, 5.0}, Basis::assumed, "two fp32 maps of 64 channels at full size"};
}

PerImage training_image(const Model& model)
{
  if (model.image_work && model.image_work->kept_for_backward) {
    return {*model.image_work->kept_for_backward,
            {0.85, 1.0, 1.2},
            Basis::calibrated,
            "measured with PyTorch: tensors kept for the backward pass"};
  }
  if (model.image_work && model.image_work->activation_elements) {
    // Of 26 models with both figures: 1.35 (VGG-16) to 4.7 (DenseNet), median 2.0.
    return {Bytes(*model.image_work->activation_elements * 4.0),
            {1.3, 2.0, 3.6},
            Basis::derived,
            "twice all layers' outputs"};
  }
  if (model.family == ModelFamily::diffusion || model.family == ModelFamily::asr) {
    const double parameters = static_cast<double>(model.params_total.value_or(0));
    return {
        Bytes(parameters * 8.0), {0.25, 1.0, 3.0}, Basis::assumed, "8 bytes a parameter, for want of a measurement"};
  }
  const double pixels = input_pixels(model);
  // ResNet-50 keeps 1,712 bytes a pixel, MobileNetV2 1,564, VGG-16 1,462, EfficientNet-B0 1,763, ViT-B/16 2,798.
  return {Bytes(pixels * 1750.0), {0.4, 1.0, 2.5}, Basis::assumed, "1,750 bytes a pixel, as common classifiers keep"};
}

Component component_of(const PerImage& image, const Precision& precision, std::int64_t batch, Detail detail)
{
  const double factor = dtype_factor(precision) * static_cast<double>(std::max<std::int64_t>(batch, 1));
  Component component{"activations",
                      {image.bytes * (image.spread.low * factor), image.bytes * (image.spread.likely * factor),
                       image.bytes * (image.spread.high * factor)},
                      image.basis};
  if (detail == Detail::explained) {
    component.formula = explain::count(batch) + (batch == 1 ? " image x " : " images x ") + explain::size(image.bytes) +
                        " x " + explain::number(image.spread.likely * dtype_factor(precision)) + " (" + image.what +
                        (dtype_factor(precision) < 1.0 ? "; 16-bit)" : "; fp32)");
  }
  return component;
}

} // namespace

Component image_activations(const Model& model, const Precision& precision, std::int64_t batch, Detail detail)
{
  return component_of(inference_image(model), precision, batch, detail);
}

Component image_training_activations(const Model& model, const Precision& precision, std::int64_t batch, Detail detail)
{
  return component_of(training_image(model), precision, batch, detail);
}

} // namespace hwadvisor
