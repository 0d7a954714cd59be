// What Hugging Face's own reader (npm @huggingface/gguf) finds in GGUF files, one line of JSON each. header.mjs FILE...
import {gguf, GGMLQuantizationType} from "@huggingface/gguf";

for (const file of process.argv.slice(2)) {
  const {metadata, tensorInfos} = await gguf(file, {allowLocalFile: true});
  const elements = {}; // by type
  for (const tensor of tensorInfos) {
    const name = GGMLQuantizationType[tensor.dtype];
    elements[name] = (elements[name] ?? 0) + Number(tensor.shape.reduce((product, size) => product * size, 1n));
  }
  const architecture = metadata["general.architecture"];
  const key = (name) => metadata[`${architecture}.${name}`] ?? null;
  console.log(JSON.stringify({
    tensors: tensorInfos.length, elements, name: metadata["general.name"],
    layers: key("block_count"), hidden: key("embedding_length"), vocabulary: metadata["tokenizer.ggml.tokens"].length,
  }));
}
