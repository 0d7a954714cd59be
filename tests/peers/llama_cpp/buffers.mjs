// Loads a GGUF file in the real llama.cpp on the CPU and prints the sizes that its log states, in MiB, and the micro-batch.
// buffers.mjs FILE CONTEXT FLASH_ATTENTION(0|1)
import {getLlama, LlamaLogLevel} from "node-llama-cpp";

const [, , file, context, flash] = process.argv;
const sizes = {ubatch: 0, kv: 0, state: 0, compute: 0, weights: 0, repacked: 0, output: 0};
const rules = [
  [/llama_kv_cache.*: size = +([\d.]+) MiB/, "kv"],
  [/llama_memory_recurrent: size = +([\d.]+) MiB/, "state"],
  [/CPU compute buffer size = +([\d.]+) MiB/, "compute"],
  [/(?:CPU|CPU_Mapped) model buffer size = +([\d.]+) MiB/, "weights"], // repacked copies are counted apart
  [/CPU_REPACK model buffer size = +([\d.]+) MiB/, "repacked"],
  [/CPU +output buffer size = +([\d.]+) MiB/, "output"],
];
const log = [];
const llama = await getLlama({
  gpu: false, build: "never", logLevel: LlamaLogLevel.debug,
  logger: (_, message) => log.push(String(message)),
});
const model = await llama.loadModel({modelPath: file, useMmap: true, gpuLayers: 0});
const ready = await model.createContext({
  contextSize: Number(context), batchSize: 512, sequences: 1, flashAttention: flash === "1",
});
await new Promise((resolve) => setTimeout(resolve, 300)); // the log arrives on a thread of its own
for (const line of log.join("\n").split("\n")) {
  const ubatch = /n_ubatch += (\d+)/.exec(line); // node-llama-cpp adds a token for models with a sliding window
  if (ubatch) sizes.ubatch = Number(ubatch[1]);
  for (const [rule, key] of rules) {
    const found = rule.exec(line);
    if (found) sizes[key] += Number(found[1]);
  }
}
console.log(JSON.stringify(sizes));
await ready.dispose();
await model.dispose();
process.exit(0);
