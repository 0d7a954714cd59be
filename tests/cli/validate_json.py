#!/usr/bin/env python3
"""Validates what the program prints against the JSON Schemas it prints.

    validate_json.py PROGRAM

Exits 77 (a skipped test) when python3-jsonschema is not installed.
"""

import json
import shlex
import subprocess
import sys

try:
    import jsonschema
except ImportError:
    print("skipped: python3-jsonschema is not installed")
    sys.exit(77)

# schema, exit code, command line
RUNS = [
    ("estimate", 0, "estimate --params 7B --precision fp16 --json"),
    ("estimate", 0, "estimate llama-3.1-8b --context 128k --json"),
    ("estimate", 0, "estimate llama-3.1-8b --precision q4_k_m --engine llama.cpp --on 'RTX 4090' --json"),
    ("estimate", 0, "estimate llama-3.1-8b --engine vllm --on 'a100-sxm-80gb' --concurrency max --json"),
    ("estimate", 3, "estimate llama-3.1-70b --on 'RTX 4090' --json"),
    ("estimate", 0, "estimate llama-3.1-8b --precision fp8 --on aws/g6.xlarge --as-of 2026-11-30 --json"),
    ("estimate", 0, "estimate llama-2-7b --task finetuning --method lora --on 'a100-sxm-80gb' --train-tokens 10M --json"),
    ("estimate", 0, "estimate llama-2-7b --task training --on '8x h100' --zero 3 --json"),
    ("estimate", 0, "estimate deepseek-v3 --context 8k --json"),
    ("estimate", 0, "estimate resnet-50 --task training --micro-batch 32 --on 'RTX 4090' --json"),
    ("recommend", 0, "recommend llama-2-7b --task finetuning --method lora --micro-batch 8 --scenario team-training --json"),
    ("recommend", 0, "recommend resnet-50 --task training --scenario learning --budget 800usd --json"),
    ("recommend", 0, "recommend llama-3.1-70b --precision fp8 --scenario high-concurrency-serving --concurrency 64 --json"),
    ("error", 2, "estimate --contxt 1 --json"),
    ("error", 5, "estimate llama-9.9-8b --json"),
    ("error", 1, "estimate missing.json --json"),
]


def main():
    program = sys.argv[1]
    failed = 0
    schemas = {}
    for name in ("estimate", "recommend", "error", "request"):
        text = subprocess.run([program, "schema", name], capture_output=True, text=True, check=True).stdout
        schemas[name] = json.loads(text)
        jsonschema.Draft7Validator.check_schema(schemas[name])
    for name, code, command in RUNS:
        done = subprocess.run([program, *shlex.split(command)], capture_output=True, text=True)
        faults = []
        if done.returncode != code:
            faults.append(f"exit {done.returncode}, not {code}: {done.stderr.strip()}")
        else:
            result = json.loads(done.stderr if name == "error" else done.stdout)
            faults += [f"{'/'.join(map(str, e.absolute_path))}: {e.message}"
                       for e in jsonschema.Draft7Validator(schemas[name]).iter_errors(result)]
            if name == "estimate":
                memory = result["memory"]
                if sum(c["bytes"] for c in memory["components"]) != memory["per_device_bytes"]["likely"]:
                    faults.append("the components do not add up")
                # The normalised request is a request: asked again, it gives the same result.
                faults += [f"request {e.message}" for e in
                           jsonschema.Draft7Validator(schemas["request"]).iter_errors(result["request"])]
                again = subprocess.run([program, "estimate", "--request", "-", "--json"], capture_output=True, text=True,
                                       input=json.dumps(result["request"]))
                if again.returncode != code or json.loads(again.stdout)["memory"] != memory:
                    faults.append(f"the normalised request gives another result: {again.stderr.strip()[:300]}")
        failed += bool(faults)
        for fault in faults[:10]:
            print(f"{command}\n    {fault}")
    print(f"{len(RUNS)} runs, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
