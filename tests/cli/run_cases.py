#!/usr/bin/env python3
"""Runs the program on the cases of tests/cli/cases and compares whole outputs.

    run_cases.py PROGRAM [--update] [CASE...]

A case is one text file of sections, each begun by a line "=== name":
    args        the command line, in shell words
    env         NAME=VALUE lines
    stdin       what the program reads
    file NAME   a file in the folder where the program runs
    select      paths into the JSON on standard output ("recommendations.*.hardware"); their values stand for it
    exit        the exit code
    stdout, stderr
What a case leaves out is empty (exit: 0). --update rewrites exit, stdout and stderr with what the program says now.
The version of the data, which changes with every price, reads DATA_VERSION; how many candidates recommend looked at and
rejected, which changes with every device, reads N.
"""

import difflib
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

COUNTS = re.compile(r"\b\d[\d,]*(?=\s+by\s+[a-z]+[,.])"
                    r"|(?<=considered {5})\d[\d,]*(?= devices, )|(?<= devices, )\d[\d,]*(?= instances, )"
                    r"|(?<= instances, )\d[\d,]*(?= placements)")
CASES = pathlib.Path(__file__).resolve().parent / "cases"


def read_case(path):
    sections = []
    for line in path.read_text(encoding="utf-8").splitlines(keepends=True):
        if line.startswith("=== "):
            sections.append([line[4:].strip(), ""])
        elif sections:
            sections[-1][1] += line
        elif line.strip() and not line.startswith("#"):
            raise SystemExit(f"{path}: text before the first section")
    return sections


def data_version(program):
    said = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    return re.search(r"\(data (.*)\)", said).group(1)


def selected(value, path):
    """The values at a dotted path; "*" is every element of a list."""
    if not path:
        return [value]
    if path[0] == "*":
        return [found for each in value for found in selected(each, path[1:])]
    return selected(value[int(path[0])] if isinstance(value, list) else value[path[0]], path[1:])


def select(text, paths):
    document = json.loads(text)
    return "".join(f"{path}: {', '.join(map(json.dumps, selected(document, path.split('.'))))}\n"
                   for path in paths.splitlines())


def run(program, sections, version):
    given = {name: text for name, text in sections}
    with tempfile.TemporaryDirectory() as folder:
        for name, text in sections:
            if name.startswith("file "):
                target = pathlib.Path(folder, name[5:])
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text(text, encoding="utf-8")
        env = {"PATH": os.environ["PATH"], "HOME": folder, "LANG": "C.UTF-8"}
        env.update(line.split("=", 1) for line in given.get("env", "").splitlines())
        done = subprocess.run([program, *shlex.split(given["args"], comments=True)], cwd=folder, env=env,
                              input=given.get("stdin", "").encode(), capture_output=True, timeout=120)
    text = {"stdout": done.stdout.decode(), "stderr": done.stderr.decode()}
    if "select" in given:
        text["stdout"] = select(text["stdout"], given["select"])
    actual = {name: COUNTS.sub("N", value.replace(version, "DATA_VERSION").replace("\r\n", "\n"))
              for name, value in text.items()}
    actual["exit"] = f"{done.returncode}\n"
    return actual


def ended(text):
    """Sections end in a line break; one that is missing is shown as such."""
    return text if not text or text.endswith("\n") else text + "\n\\ no line break at the end\n"


def main():
    args = [arg for arg in sys.argv[1:] if arg != "--update"]
    update = "--update" in sys.argv
    program = str(pathlib.Path(args[0]).resolve())
    wanted = args[1:]
    version = data_version(program)
    paths = sorted(path for path in CASES.glob("*.case") if not wanted or path.stem in wanted)
    if not paths:
        raise SystemExit("no case of that name")
    failed = 0
    for path in paths:
        sections = read_case(path)
        actual = run(program, sections, version)
        expected = {"exit": "0\n", "stdout": "", "stderr": ""}
        expected.update((name, text) for name, text in sections if name in expected)
        got = {name: ended(text) for name, text in actual.items()}
        if got == expected:
            continue
        if update:
            kept = [section for section in sections if section[0] not in expected]
            order = [[name, got[name]] for name in ("exit", "stdout", "stderr") if got[name] and got[name] != "0\n"]
            comment = path.read_text(encoding="utf-8").partition("=== ")[0]
            path.write_text(comment + "".join(f"=== {name}\n{text}" for name, text in kept + order), encoding="utf-8")
            print(f"updated {path.name}")
            continue
        failed += 1
        for name in ("exit", "stdout", "stderr"):
            sys.stdout.writelines(difflib.unified_diff(expected[name].splitlines(keepends=True),
                                                       got[name].splitlines(keepends=True),
                                                       f"{path.name} {name} expected", f"{path.name} {name} actual"))
    print(f"{len(paths)} cases, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
