#!/usr/bin/env python3
"""Runs the examples of README.md and docs/*.md and compares them with what stands there.

    run_doc_examples.py [--check | --update] PROGRAM [FILE...]

An example is a fenced block "```console" whose lines "$ hwadvisor ..." (or "$ ./hw ...") are commands and whose other
lines are their output, standard error included. A line "..." stands for any number of lines. A command whose output
is not shown must end with exit code 0 or 3; --update writes it there. The version of the data reads DATA_VERSION.
"""

import difflib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def run(program, command, folder, version):
    words = re.sub(r"^(\./hw|hwadvisor)\b", "hwadvisor", command)
    env = dict(os.environ, PATH=f"{pathlib.Path(program).parent}:{os.environ['PATH']}", HOME=folder, NO_COLOR="1")
    for name in ("HWADVISOR_CATALOG", "XDG_CONFIG_HOME"):
        env.pop(name, None)
    done = subprocess.run(["bash", "-c", words], cwd=folder, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, timeout=120)
    return done.stdout.replace(version, "DATA_VERSION"), done.returncode


def matches(expected, actual):
    """Line by line; "..." takes any number of lines."""
    pattern = "".join(r"(?:.*\n)*?" if line.strip() == "..." else re.escape(line) for line in expected)
    return re.fullmatch(pattern, actual) is not None


def steps_of(block):
    steps = []
    for line in block.splitlines(keepends=True):
        if line.startswith("$ "):
            steps.append([line[2:].rstrip("\n"), []])
        elif steps:
            steps[-1][1].append(line)
    return steps


def main():
    flags = [arg for arg in sys.argv[1:] if arg.startswith("--")]
    args = [arg for arg in sys.argv[1:] if not arg.startswith("--")]
    update = "--update" in flags
    program = str(pathlib.Path(args[0]).resolve())
    paths = [pathlib.Path(arg) for arg in args[1:]] or [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    said = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    version = re.search(r"\(data (.*)\)", said).group(1)
    count = failed = 0

    def rewritten(match, path, folder):
        nonlocal count, failed
        out = "```console\n"
        for command, expected in steps_of(match.group(1)):
            if not re.match(r"(\./hw|hwadvisor)\b", command):
                out += f"$ {command}\n" + "".join(expected)
                continue
            count += 1
            actual, code = run(program, command, folder, version)
            right = matches(expected, actual) if expected else code in (0, 3) and not update
            out += f"$ {command}\n" + ("".join(expected) if right else actual)
            if not right and not update:
                failed += 1
                print(f"{path}: $ {command}")
                sys.stdout.writelines(difflib.unified_diff(expected, actual.splitlines(keepends=True), "documented", "actual"))
        return out + "```"

    for path in paths:
        if not path.exists():
            continue
        text = path.read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory() as folder:
            new = BLOCK.sub(lambda match: rewritten(match, path, folder), text)
        if update and new != text:
            path.write_text(new, encoding="utf-8")
            print(f"updated {path}")
    print(f"{count} examples, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
