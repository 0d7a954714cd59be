"""Every data file and every kind of real output against its published JSON Schema, by two validators that know nothing
of ours: Python's jsonschema and npm's ajv."""
import json
import subprocess
from pathlib import Path

import jsonschema

ROOT = Path(__file__).resolve().parents[3]
SCHEMAS = ROOT / "data" / "schema"

OUTPUTS = {
    "estimate": [
        ["estimate", "--params", "7B", "--precision", "fp16", "--json"],
        ["estimate", "llama-3.1-8b", "--on", "rtx 4090", "--precision", "q4_k_m", "--engine", "llama.cpp", "--json"],
        ["estimate", "llama-3.1-70b", "--on", "2x a100 80gb", "--json"],
        ["estimate", "llama-2-7b", "--task", "finetuning", "--method", "lora", "--on", "rtx 3090", "--json"],
        ["estimate", "resnet-50", "--task", "training", "--on", "rtx 3060 12gb", "--json"],
    ],
    "recommend": [
        ["recommend", "llama-2-7b", "--task", "finetuning", "--method", "lora", "--micro-batch", "8", "--scenario",
         "team-training", "--json"],
        ["recommend", "resnet-50", "--task", "training", "--scenario", "learning", "--budget", "800usd", "--json"],
        ["recommend", "llama-3.1-70b", "--precision", "fp8", "--scenario", "high-concurrency-serving", "--concurrency",
         "64", "--json"],
    ],
    "validate": [
        ["validate", "--json"],
    ],
}

AJV = """
import Ajv from "ajv";
import {readFileSync} from "node:fs";
const pairs = JSON.parse(readFileSync(0, "utf8"));
const ajv = new Ajv({strict: false, allErrors: false, validateFormats: false});
const compiled = new Map();
console.log(JSON.stringify(pairs.map(([schema, data]) => {
  if (!compiled.has(schema)) compiled.set(schema, ajv.compile(JSON.parse(readFileSync(schema, "utf8"))));
  const check = compiled.get(schema);
  return check(JSON.parse(readFileSync(data, "utf8"))) ? null : ajv.errorsText(check.errors);
})));
"""


def data_files():
    """(schema, file) of every data file: its schema is the one it names."""
    for path in sorted((ROOT / "data").rglob("*.json")):
        if SCHEMAS in path.parents:
            continue
        named = json.loads(path.read_text()).get("$schema")
        if named:
            yield (path.parent / named).resolve(), path


def outputs(program, folder):
    for kind, commands in OUTPUTS.items():
        for index, command in enumerate(commands):
            run = subprocess.run([program, *command], capture_output=True, text=True)
            path = folder / f"{kind}-{index}.json"
            path.write_text(run.stdout)
            yield SCHEMAS / f"{kind}.schema.json", path, " ".join(command)


def compare(program, tools):
    folder = tools / "outputs"
    folder.mkdir(exist_ok=True)
    cases = [(schema, path, str(path.relative_to(ROOT))) for schema, path in data_files()]
    cases += list(outputs(program, folder))

    for schema, path, title in cases:
        try:
            jsonschema.validate(json.loads(path.read_text()), json.loads(schema.read_text()))
            yield f"{title} (jsonschema)", None
        except (jsonschema.ValidationError, ValueError, OSError) as fault:
            yield f"{title} (jsonschema)", str(fault).splitlines()[0]

    script = tools / "ajv.mjs"
    script.write_text(AJV)
    run = subprocess.run(["node", str(script)], input=json.dumps([[str(s), str(p)] for s, p, _ in cases]),
                         capture_output=True, text=True, cwd=tools)
    if run.returncode != 0:
        yield "ajv", run.stderr.strip().splitlines()[-1] if run.stderr.strip() else "did not run"
        return
    for (_, _, title), fault in zip(cases, json.loads(run.stdout)):
        yield f"{title} (ajv)", fault
