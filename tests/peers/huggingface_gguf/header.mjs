// What Hugging Face's own reader (npm @huggingface/gguf) finds in a GGUF file, as one line of JSON. header.mjs FILE
import {gguf, GGMLQuantizationType, GGML_QUANT_SIZES} from "@huggingface/gguf";

const {metadata, tensorInfos} = await gguf(process.argv[2], {allowLocalFile: true});
let elements = 0n;
const types = {};
for (const tensor of tensorInfos) {
  const count = tensor.shape.reduce((product, size) => product * size, 1n);
  elements += count;
  const name = GGMLQuantizationType[tensor.dtype];
  types[name] = (types[name] ?? 0n) + count;
}
const architecture = metadata["general.architecture"];
console.log(JSON.stringify({
  architecture, elements: Number(elements), tensors: tensorInfos.length,
  layers: metadata[`${architecture}.block_count`], hidden: metadata[`${architecture}.embedding_length`],
  vocabulary: metadata["tokenizer.ggml.tokens"].length,
  types: Object.fromEntries(Object.entries(types).map(([name, count]) => [name, Number(count)])),
  sizes: GGML_QUANT_SIZES === undefined ? {} : Object.fromEntries(
    Object.entries(GGML_QUANT_SIZES).map(([type, size]) => [GGMLQuantizationType[type], size])),
}));
