#!/usr/bin/env python3
"""Validates every file of data/ against the JSON Schema that its key "$schema" names.

Prints one line a fault and exits 1. Exits 77 (a skipped test) when python3-jsonschema is not installed.
"""

import json
import pathlib
import sys

try:
    import jsonschema
except ImportError:
    print("skipped: python3-jsonschema is not installed")
    sys.exit(77)

DATA = pathlib.Path(__file__).resolve().parent.parent / "data"


def main():
    validators = {}
    count = failed = 0
    for file in sorted(DATA.rglob("*.json")):
        document = json.loads(file.read_text(encoding="utf-8"))
        if file.parent.name == "schema" or "$schema" not in document:
            continue
        schema = (file.parent / document["$schema"]).resolve()
        if schema not in validators:
            validators[schema] = jsonschema.Draft7Validator(json.loads(schema.read_text(encoding="utf-8")))
        count += 1
        for error in validators[schema].iter_errors(document):
            failed += 1
            print(f"{file.relative_to(DATA)}: /{'/'.join(map(str, error.absolute_path))}: {error.message[:200]}")
    print(f"{count} files, {failed} faults")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
