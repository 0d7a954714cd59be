#pragma once

// Model states of training: which bytes a parameter costs under a precision recipe and an optimizer, and which
// parameters are trained at all.

#include "footprint/weights.hpp"

namespace hwadvisor {

// Bytes a trained parameter, by what they are for.
struct Recipe {
  double weights = 4.0;
  double gradients = 4.0;
  double moment = 4.0;   // of each moment the optimizer keeps
  double master = 0.0;   // fp32 copy beside 16-bit weights
  double frozen = 4.0;   // of a plain weight that is not trained
  int compute = 4;       // an activation element
  int residual = 4;      // an element of the residual stream
  bool autocast = false; // fp32 weights are cast for every use, and the copies live until the backward pass
  const char* text = "";
};

// Error: the method cannot train weights of this precision.
Result<Recipe> recipe_of(const Workload& workload, Sharding sharding);

struct OptimizerState {
  double moments = 0.0;     // of Recipe::moment bytes each
  double fixed = 0.0;       // bytes a parameter whatever the recipe (8-bit states with their scales)
  double step_copies = 0.0; // moments held once more while the step runs
  bool factored = false;    // Adafactor: a row and a column for each matrix
  bool paged = false;       // may be moved to host memory by the driver
  bool in_backward = false; // gradients are consumed one tensor at a time
};

// Error: an optimizer that is not known; names those that are.
Result<OptimizerState> optimizer_state(std::string_view name);

// What is trained: the whole model, the last layers, or adapters.
struct Trainable {
  std::int64_t parameters = 0;
  std::int64_t factored_elements = 0; // rows + columns of the trained matrices
  bool adapters = false;
  bool exact = true;
  // Which inputs the adapters' gradients need
  bool attention_input = true, attention_output = true, feed_forward_input = true, down_input = true;
};
Trainable trainable_of(const Workload& workload);

// Error: a target of adapters that no model names so.
Status check_lora_targets(const TrainingJob& job);

} // namespace hwadvisor
