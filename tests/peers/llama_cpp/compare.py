"""The KV cache, the recurrent state and the compute buffer that the real llama.cpp allocates, against the estimate of the
catalog's model and of the file itself; of the file, the weights too."""
import json
import subprocess
from pathlib import Path

from . import gguf, shapes

HERE = Path(__file__).parent
RUNS = ((4096, False), (16384, True))  # context, flash attention
MIB = 1 << 20
# The engine prints MiB with two digits.
PRINTED = 0.006 * MIB
COMPUTE_TOLERANCE = 0.10
# The smallest type: the engine maps the whole file, and does not repack this one. The three buffers do not depend on it.
WEIGHTS = "iq1_s"


def engine(tools, file, context, flash):
    script = tools / "buffers.mjs"
    script.write_text((HERE / "buffers.mjs").read_text())
    run = subprocess.run(["node", str(script), str(file), str(context), str(int(flash))], capture_output=True, text=True,
                         cwd=tools)
    if run.returncode != 0:
        raise RuntimeError((run.stderr or run.stdout).strip().splitlines()[-1])
    sizes = json.loads(run.stdout.splitlines()[-1])
    return {key: value if key == "ubatch" else value * MIB for key, value in sizes.items()}


def estimate(program, model, precision, context, flash, ubatch):
    request = {"model": model, "engine": "llama.cpp", "context": context, "ubatch": ubatch,
               "flash_attention": "on" if flash else "off", **({"precision": precision} if precision else {})}
    run = subprocess.run([program, "estimate", "--request", "-", "--json"], input=json.dumps(request),
                         capture_output=True, text=True)
    if not run.stdout:
        raise RuntimeError(run.stderr.strip())
    memory = json.loads(run.stdout)["memory"]
    sizes = [{part["name"]: part["bytes"] for part in memory[key] or []} for key in ("components", "host_components")]
    return sizes[0], sizes[1]


def compare(program, tools):
    file = tools / "sparse.gguf"
    for model, fields in shapes.MODELS.items():
        gguf.write(file, fields["arch"], shapes.metadata(fields), shapes.tensors(fields, WEIGHTS), fields["vocab"])
        for context, flash in RUNS:
            title = f"{model} at {context:,} tokens, flash attention {'on' if flash else 'off'}"
            try:
                measured = engine(tools, file, context, flash)
                ours, host = estimate(program, model, "q4_k", context, flash, measured["ubatch"])
                of_file, file_host = estimate(program, {"path": str(file)}, None, context, flash, measured["ubatch"])
            except RuntimeError as fault:
                yield title, str(fault)
                continue
            for key, name in (("kv", "kv_cache"), ("state", "state")):
                if measured[key] or ours.get(name):
                    off = abs(ours.get(name, 0) - measured[key])
                    yield f"{title}: {name}", None if off <= 4 * PRINTED else (
                        f"{ours.get(name, 0) / MIB:.2f} MiB, the engine has {measured[key] / MIB:.2f}")
                    yield f"{title}: {name} of the file", None if of_file.get(name, 0) == ours.get(name, 0) else (
                        f"{of_file.get(name, 0)}, by name {ours.get(name, 0)}")
            # A tied head is a second copy of the embedding once the layers are elsewhere; the engine on the CPU maps one.
            weights = of_file["weights"] + (0 if fields.get("tied") else file_host["weights"])
            yield f"{title}: weights of the file", None if abs(weights - measured["weights"]) <= 4 * PRINTED else (
                f"{weights / MIB:.2f} MiB, the engine has {measured['weights'] / MIB:.2f}")
            # On the CPU the inputs, a host buffer elsewhere, lie in the compute buffer, whose stages overlap.
            least = ours.get("activations", 0)
            most = least + host.get("activations", 0)
            inside = least * (1 - COMPUTE_TOLERANCE) <= measured["compute"] <= most * (1 + COMPUTE_TOLERANCE)
            yield f"{title}: compute buffer", None if inside else (
                f"{least / MIB:.2f} to {most / MIB:.2f} MiB, the engine has {measured['compute'] / MIB:.2f}")
    file.unlink()
