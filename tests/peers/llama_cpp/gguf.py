"""Writes a sparse GGUF file: the metadata and tensor shapes of a real model, and holes for the weights. llama.cpp plans
its buffers from the shapes alone, so a file of a few MiB stands for a model of any size.

Format: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md (version 3)."""
import struct

# ggml type: id, elements a block, bytes a block (ggml/src/ggml-common.h)
TYPES = {
    "f32": (0, 1, 4), "f16": (1, 1, 2), "bf16": (30, 1, 2), "q4_0": (2, 32, 18), "q4_1": (3, 32, 20),
    "q5_0": (6, 32, 22), "q5_1": (7, 32, 24), "q8_0": (8, 32, 34), "q2_k": (10, 256, 84), "q3_k": (11, 256, 110),
    "q4_k": (12, 256, 144), "q5_k": (13, 256, 176), "q6_k": (14, 256, 210), "iq2_xxs": (16, 256, 66),
    "iq2_xs": (17, 256, 74), "iq3_xxs": (18, 256, 98), "iq1_s": (19, 256, 50), "iq4_nl": (20, 32, 18),
    "iq3_s": (21, 256, 110), "iq2_s": (22, 256, 82), "iq4_xs": (23, 256, 136), "iq1_m": (29, 256, 56),
    "tq1_0": (34, 256, 54), "tq2_0": (35, 256, 66), "mxfp4": (39, 32, 17),
}
# What llama.cpp's quantiser takes where a row is not a multiple of the block (src/llama-quant.cpp).
FALLBACK = {"iq1_s": "iq4_nl", "iq4_nl": "f16"}


def text(value):
    raw = value.encode()
    return struct.pack("<Q", len(raw)) + raw


def value(v):
    if isinstance(v, bool):
        return struct.pack("<I?", 7, v)
    if isinstance(v, int):
        return struct.pack("<II", 4, v)
    if isinstance(v, float):
        return struct.pack("<If", 6, v)
    if isinstance(v, str):
        return struct.pack("<I", 8) + text(v)
    if v and isinstance(v[0], str):
        return struct.pack("<IIQ", 9, 8, len(v)) + b"".join(map(text, v))
    return struct.pack("<IIQ", 9, 5, len(v)) + b"".join(struct.pack("<i", x) for x in v)


def write(path, architecture, metadata, tensors, vocabulary):
    """`tensors`: [(name, [dimensions, row length first], type)]; `metadata`: keys without the architecture's prefix."""
    pairs = {
        "general.architecture": architecture,
        "general.name": "sparse",
        "general.alignment": 32,
        **{f"{architecture}.{key}": v for key, v in metadata.items()},
        "tokenizer.ggml.model": "gpt2",
        "tokenizer.ggml.pre": "default",
        "tokenizer.ggml.tokens": [f"t{i}" for i in range(vocabulary)],
        "tokenizer.ggml.token_type": [1] * vocabulary,
        "tokenizer.ggml.merges": ["t0 t1"],
        "tokenizer.ggml.bos_token_id": 0,
        "tokenizer.ggml.eos_token_id": 1,
    }
    infos, offset = b"", 0
    for name, dimensions, kind in tensors:
        while dimensions[0] % TYPES[kind][1]:
            kind = FALLBACK[kind]
        number, elements, size = TYPES[kind]
        count = 1
        for d in dimensions:
            count *= d
        infos += text(name) + struct.pack("<I", len(dimensions)) + struct.pack(f"<{len(dimensions)}Q", *dimensions)
        infos += struct.pack("<IQ", number, offset)
        offset += (count // elements * size + 31) // 32 * 32
    head = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(pairs))
    head += b"".join(text(k) + value(v) for k, v in pairs.items()) + infos
    head += b"\0" * (-len(head) % 32)
    with open(path, "wb") as file:
        file.write(head)
        file.truncate(len(head) + offset)
