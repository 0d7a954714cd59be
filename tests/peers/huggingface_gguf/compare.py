"""What Hugging Face's GGUF reader finds in a file, against what the estimate says of it: sizes, elements and bytes."""
import json
import subprocess
from pathlib import Path

from llama_cpp import gguf, shapes

HERE = Path(__file__).parent


def read(tools, files):
    script = tools / "header.mjs"
    script.write_text((HERE / "header.mjs").read_text())
    run = subprocess.run(["node", str(script), *map(str, files)], capture_output=True, text=True, cwd=tools)
    if run.returncode != 0:
        raise RuntimeError((run.stderr or run.stdout).strip().splitlines()[-1])
    return [json.loads(line) for line in run.stdout.splitlines()]


def estimate(program, file):
    run = subprocess.run([program, "estimate", str(file), "--json"], capture_output=True, text=True)
    if not run.stdout:
        raise RuntimeError(run.stderr.strip())
    return json.loads(run.stdout)


def stored_bytes(elements):
    total = 0
    for name, count in elements.items():
        _, block, size = gguf.TYPES[name.lower()]
        total += count // block * size
    return total


def write_files(tools):
    files = {}
    for i, (model, fields) in enumerate(shapes.MODELS.items()):
        files[model] = tools / f"header{i}.gguf"
        gguf.write(files[model], fields["arch"], shapes.metadata(fields), shapes.tensors(fields, "iq1_s"),
                   fields["vocab"])
    fields = shapes.MODELS["Qwen/Qwen3-8B"]
    rows = [("token_embd.weight", [4096, fields["vocab"]], "f16")]
    rows += [(f"blk.0.{kind}.weight", [512, 3 + i], kind) for i, kind in enumerate(gguf.TYPES)]
    files["every type"] = tools / "header_types.gguf"
    gguf.write(files["every type"], "qwen3", shapes.metadata(fields), rows, fields["vocab"])
    return files


def compare(program, tools):
    files = write_files(tools)
    try:
        found = read(tools, files.values())
    except RuntimeError as fault:
        yield "reading the files", str(fault)
        return
    for (title, file), theirs in zip(files.items(), found):
        ours = estimate(program, file)
        model, memory = ours["model"], ours["memory"]
        weights = next(part["bytes"] for part in memory["components"] if part["name"] == "weights")
        pairs = {
            "name": (model["name"], theirs["name"]),
            "layers": (model["architecture"]["layers"], theirs["layers"]),
            "hidden size": (model["architecture"]["hidden"], theirs["hidden"]),
            "vocabulary": (model["architecture"]["vocabulary"], theirs["vocabulary"]),
            "elements": (model["params_total"], sum(theirs["elements"].values())),
            "bytes of tensors": (weights, stored_bytes(theirs["elements"])),
            "bytes of the file": (memory["weights_file_bytes"], file.stat().st_size),
        }
        for what, (mine, other) in pairs.items():
            yield f"{title}: {what}", None if mine == other else f"{mine}, Hugging Face's reader has {other}"
        file.unlink()
