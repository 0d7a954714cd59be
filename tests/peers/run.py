#!/usr/bin/env python3
"""Runs every comparison with another implementation and counts them. Called by tests/peers/run."""
import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from huggingface_gguf import compare as huggingface_gguf  # noqa: E402
from llama_cpp import compare as llama_cpp  # noqa: E402
from schemas import compare as schemas  # noqa: E402


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--tools", required=True)
    parser.add_argument("--only", choices=["schemas", "huggingface_gguf", "llama_cpp"])
    arguments = parser.parse_args()
    passed, failed = 0, 0
    for name, compare in (("schemas", schemas.compare), ("huggingface_gguf", huggingface_gguf.compare),
                          ("llama_cpp", llama_cpp.compare)):
        if arguments.only and arguments.only != name:
            continue
        for title, fault in compare(arguments.program, Path(arguments.tools)):
            if fault:
                failed += 1
                print(f"FAILED {name}: {title}: {fault}")
            else:
                passed += 1
                print(f"ok {name}: {title}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
