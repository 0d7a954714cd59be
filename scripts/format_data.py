#!/usr/bin/env python3
"""Format data/**/*.json in one way: 2-space indent, one key a line, small nested values on one line.

Usage: format_data.py [--check] [FILE...]     (default: every .json under data/)

The file, its lists and the objects in those lists (the entries) take one key a line; anything deeper
goes on one line when that line fits in 110 columns. Measured cases are rows of a table: one a line. Key order is kept. Duplicate keys, which JSON
readers drop in silence, are an error. Exit codes: 0 fine, 1 --check found a difference, 2 a file is
not JSON.
"""
import argparse
import json
import pathlib
import sys

WIDTH = 110
ENTRY_DEPTH = 2  # 0 the file, 1 its lists, 2 the entries of a list
ROWS = "cases"  # the list whose entries take a line each


def pairs_without_duplicates(pairs):
    seen = dict(pairs)
    if len(seen) != len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError("duplicate key: " + next(k for k in keys if keys.count(k) > 1))
    return seen


def one_line(value):
    """The value on one line: `{"a": 1, "b": [2, 3]}`."""
    return json.dumps(value, ensure_ascii=False, separators=(", ", ": "))


def lines(value, depth, prefix, suffix, as_row=False):
    """Yield the lines of `value`: `prefix` is what stands before it (its key), `suffix` what follows (a comma)."""
    indent = "  " * depth
    line = indent + prefix + one_line(value) + suffix
    if as_row:
        yield line
        return
    is_object = isinstance(value, dict)
    always_open = depth < ENTRY_DEPTH or (depth == ENTRY_DEPTH and is_object)
    if not isinstance(value, (dict, list)) or not value or (not always_open and len(line) <= WIDTH):
        yield line
        return
    yield indent + prefix + ("{" if is_object else "[")
    items = list(value.items()) if is_object else [(None, item) for item in value]
    rows = depth == 1 and prefix.startswith(f'"{ROWS}"')
    for index, (key, item) in enumerate(items):
        comma = "," if index + 1 < len(items) else ""
        yield from lines(item, depth + 1, f"{json.dumps(key, ensure_ascii=False)}: " if is_object else "", comma, rows)
    yield indent + ("}" if is_object else "]") + suffix


def formatted(text):
    value = json.loads(text, object_pairs_hook=pairs_without_duplicates)
    return "\n".join(lines(value, 0, "", "")) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="change nothing; exit 1 when a file would change")
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    arguments = parser.parse_args()
    root = pathlib.Path(__file__).resolve().parent.parent
    files = arguments.files or sorted((root / "data").rglob("*.json"))
    different = 0
    for file in files:
        text = file.read_text(encoding="utf-8")
        try:
            wanted = formatted(text)
        except ValueError as error:
            print(f"{file}: {error}", file=sys.stderr)
            return 2
        if wanted == text:
            continue
        different += 1
        if arguments.check:
            print(f"{file}: not in the form of scripts/format_data.py", file=sys.stderr)
        else:
            file.write_text(wanted, encoding="utf-8")
    return 1 if arguments.check and different else 0


if __name__ == "__main__":
    sys.exit(main())
