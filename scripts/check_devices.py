#!/usr/bin/env python3
"""Check the devices of the catalog for what a JSON Schema cannot say.

Usage: check_devices.py [DATA_FOLDER]      (default: data/ beside this script's folder)

Prints one line a fault (file, id, what) and exits 1 when there is one. Checked: names (one name,
one device), figures within what a device of that class can have, reasons for unknown figures,
prices and dates, references to memory classes. The schemas are checked too where the Python
package jsonschema is installed.
"""
import collections
import datetime
import json
import pathlib
import re
import sys

FIRST_DATE = "2005"
CPU_CLASSES = {"server-cpu", "workstation-cpu", "desktop-cpu", "laptop-cpu"}

# What a device of a class can have: (smallest, largest) of memory GB, bandwidth GB/s, power W, fp16 TFLOPS.
# Wide on purpose: they catch a wrong unit, a sparse or per-node figure, a slipped digit.
RANGES = {
    "datacenter": {"memory": (0.2, 500), "bandwidth": (50, 25000), "power": (35, 2500), "fp16": (3, 6000)},
    "workstation": {"memory": (4, 128), "bandwidth": (150, 2500), "power": (40, 650), "fp16": (10, 700)},
    "consumer": {"memory": (3, 48), "bandwidth": (100, 2500), "power": (50, 650), "fp16": (5, 500)},
    "laptop": {"memory": (2, 32), "bandwidth": (100, 1200), "power": (30, 250), "fp16": (5, 300)},
    "edge": {"memory": (0.004, 256), "bandwidth": (4, 400), "power": (1, 200), "fp16": (0.01, 400)},
    "integrated": {"memory": (4, 256), "bandwidth": (30, 300), "power": (10, 150), "fp16": (1, 100)},
    "unified-desktop": {"memory": (8, 800), "bandwidth": (60, 9000), "power": (10, 1800), "fp16": (2, 3000)},
    "unified-laptop": {"memory": (8, 256), "bandwidth": (60, 700), "power": (10, 200), "fp16": (2, 200)},
    "cloud-only": {"memory": (8, 300), "bandwidth": (50, 12000), "power": (50, 1500), "fp16": (0.5, 6000)},
    "server-cpu": {"memory": (1, 8192), "bandwidth": (80, 2000), "power": (60, 700), "fp16": (1, 700)},
    "workstation-cpu": {"memory": (1, 8192), "bandwidth": (80, 700), "power": (150, 500), "fp16": (1, 400)},
    "desktop-cpu": {"memory": (1, 512), "bandwidth": (30, 200), "power": (30, 300), "fp16": (0.1, 50)},
    "laptop-cpu": {"memory": (1, 256), "bandwidth": (30, 300), "power": (5, 170), "fp16": (0.1, 50)},
}
# A chip of a whole wafer, and chips that compute from on-chip memory, are outside every range.
OUTSIDE_RANGES = {"cerebras-wse-3", "groq-lpu-v1", "nvidia-groq-3-lpu"}
# Parts whose makers cut INT8 tensor units: far below the usual 2 x fp16.
REDUCED_INT8 = {"nvidia-b300-sxm-288gb", "nvidia-gb300-288gb", "nvidia-dgx-station-gb300", "nvidia-rubin-sxm-288gb"}


def normalised(name):
    """The form in which names are compared: lower case, letters, digits and dots only."""
    return re.sub(r"[^a-z0-9.]", "", name.lower())


def load(folder, faults):
    """All devices with their file name, and nothing else."""
    devices = []
    for file in sorted((folder / "devices").glob("*.json")):
        try:
            document = json.loads(file.read_text(encoding="utf-8"))
            devices += [(file.name, device) for device in document["devices"]]
        except (ValueError, KeyError, TypeError) as error:
            faults.append(f"{file.name}: not readable: {error}")
    return devices


def check_schemas(folder, faults):
    try:
        import jsonschema
    except ImportError:
        print("note: Python package jsonschema is not installed, schemas not checked", file=sys.stderr)
        return
    pairs = [(file, "devices.schema.json") for file in sorted((folder / "devices").glob("*.json"))]
    pairs.append((folder / "memory-classes.json", "memory-classes.schema.json"))
    for file, schema in pairs:
        validator = jsonschema.Draft7Validator(json.loads((folder / "schema" / schema).read_text(encoding="utf-8")))
        for error in validator.iter_errors(json.loads(file.read_text(encoding="utf-8"))):
            faults.append(f"{file.name}: /{'/'.join(map(str, error.absolute_path))}: {error.message[:200]}")


def check_names(devices, instance_names, faults):
    owner = {}  # normalised name -> id
    members = collections.defaultdict(list)
    same_series = collections.defaultdict(set)
    for _, device in devices:
        same_series[device["series"]].add(device["id"])
    for file, device in devices:
        members[normalised(device["series"])].append(device)
        names = {normalised(name) for name in [device["id"], device["name"], *device["aliases"]]}
        if len(names) < len(device["aliases"]) + (normalised(device["id"]) != normalised(device["name"])) + 1:
            faults.append(f"{file}: {device['id']}: an alias repeats another name of the device")
        for name in names:
            if owner.setdefault(name, device["id"]) != device["id"]:
                faults.append(f"{file}: {device['id']}: the name '{name}' also names {owner[name]}")
        for alias in device["aliases"]:
            # A machine that its provider named after its GPU ("A100-80GB", "A6000") is no clash: the bare name
            # means the device, the machine needs its provider.
            held = instance_names.get(alias.lower())
            named_after_gpu = held and (normalised(device["series"]) in normalised(alias) or held & same_series[device["series"]])
            if held and not named_after_gpu:
                faults.append(f"{file}: {device['id']}: the alias '{alias}' is an instance name")
    for series, group in members.items():
        if len({device["series"] for device in group}) > 1:
            faults.append(f"{group[0]['id']}: its series is spelled in several ways")
        common = [device["id"] for device in group if device["common_form"]]
        if len(common) > 1:
            faults.append(f"{common[1]}: second common form of the series '{group[0]['series']}'")
        if len(group) == 1 and common:
            faults.append(f"{common[0]}: marked as the common form of a series of one")
        named = owner.get(series)
        if named and (len(group) > 1 or named != group[0]["id"]):
            faults.append(f"{named}: one of its names is the series '{group[0]['series']}' of several or other devices")


def lookup(device, path):
    value = device
    for key in path.split("."):
        value = value[key]
    return value


def check_unknown(file, device, faults):
    wanted = ["memory.marketed_gb", "memory.bandwidth_gb_s", "tdp_w", "released"]
    missing = [path for path in wanted if lookup(device, path) is None]
    if device["kind"] != "cpu" and device["peak_tflops"]["fp16"] is None and device["peak_tflops"]["bf16"] is None:
        missing.append("peak_tflops.fp16")
    if not device["prices"]:
        missing.append("prices")
    for path in missing:
        if path not in device["unknown"]:
            faults.append(f"{file}: {device['id']}: {path} is unknown without a reason")
    for path in device["unknown"]:
        try:
            known = lookup(device, path) not in (None, [])
        except (KeyError, TypeError):
            faults.append(f"{file}: {device['id']}: 'unknown' names {path}, which is no field")
            continue
        if known:
            faults.append(f"{file}: {device['id']}: 'unknown' gives a reason for {path}, which is known")


def check_figures(file, device, faults):
    def complain(what):
        faults.append(f"{file}: {device['id']}: {what}")

    memory, flops, ops = device["memory"], device["peak_tflops"], device["peak_tops"]
    if device["id"] not in OUTSIDE_RANGES:
        sixteen_bit = flops["fp16"] or flops["bf16"]
        values = {"memory": memory["marketed_gb"], "bandwidth": memory["bandwidth_gb_s"], "power": device["tdp_w"], "fp16": sixteen_bit}
        for what, value in values.items():
            low, high = RANGES[device["class"]][what]
            if value is not None and not low <= value <= high:
                complain(f"{what} {value} is outside {low} to {high} of the class {device['class']}")
    if memory["usable_gib"] and memory["marketed_gb"] and not 0.6 <= memory["usable_gib"] / memory["marketed_gb"] <= 1.0001:
        complain("usable memory is not 0.6 to 1.0 of the marketed size")
    if memory["options_gb"] and (memory["marketed_gb"] != max(memory["options_gb"]) or memory["options_gb"] != sorted(memory["options_gb"])):
        complain("memory options are to be sorted, and marketed_gb the largest")
    order = [("fp4", "fp8"), ("fp8", "fp16"), ("fp8", "bf16"), ("fp16_accumulate", "fp16")]
    if device["kind"] != "cpu":
        order += [("fp16", "fp32"), ("tf32", "fp32")]
    for faster, slower in order:
        if flops[faster] and flops[slower] and flops[faster] < 0.97 * flops[slower]:
            complain(f"{faster} {flops[faster]} is below {slower} {flops[slower]}")
    sixteen_bit = flops["fp16"] or flops["bf16"]
    if flops["fp8"] and sixteen_bit and flops["fp8"] > 5.1 * sixteen_bit:
        complain("fp8 is more than 5 times the 16-bit rate: a sparse figure?")
    if ops["int8"] and sixteen_bit and device["kind"] != "cpu" and device["id"] not in REDUCED_INT8 and not 0.9 <= ops["int8"] / sixteen_bit <= 8.1:
        complain(f"int8 {ops['int8']} is not 1 to 8 times the 16-bit rate {sixteen_bit}")
    if ops["int4"] and ops["int8"] and not 0.9 <= ops["int4"] / ops["int8"] <= 4.1:
        complain("int4 is not 1 to 4 times int8")
    cpu = device["cpu"]
    if device["kind"] == "cpu" and cpu is None:
        complain("a CPU without 'cpu'")
    if cpu and cpu["cores"] and cpu["threads"] and not cpu["cores"] <= cpu["threads"] <= 2 * cpu["cores"]:
        complain("threads are not 1 to 2 times cores")
    if cpu and cpu["base_ghz"] and cpu["boost_ghz"] and cpu["boost_ghz"] < cpu["base_ghz"]:
        complain("boost clock below base clock")


def check_dates_and_prices(file, device, today, faults):
    def complain(what):
        faults.append(f"{file}: {device['id']}: {what}")

    announced = device["status"] == "announced"
    if (device["acquisition"]["kind"] == "announced") != announced:
        complain("status and acquisition disagree on 'announced'")
    released = device["released"]
    if released and not (FIRST_DATE <= released and (announced or released <= today[: len(released)])):
        complain(f"released {released} is not between {FIRST_DATE} and today")
    if device["date"] > today:
        complain(f"date {device['date']} lies in the future")
    for price in device["prices"]:
        if price["usd"] <= 0:
            complain("a price that is not above zero")
        if price["date"] and not FIRST_DATE <= price["date"] <= today:
            complain(f"price date {price['date']} is not between {FIRST_DATE} and today")
    whole = device["class"].startswith("unified-")
    sizes = device["memory"]["options_gb"] or [device["memory"]["marketed_gb"]]
    for price in device["prices"]:
        if whole != (price["includes"] == "complete-machine") and device["class"] != "edge":
            complain(f"a price includes '{price['includes']}', which the class {device['class']} does not have")
        if price.get("memory_gb") and price["memory_gb"] not in sizes:
            complain(f"a price is for {price['memory_gb']} GB, which is no memory option")
    dates = [price["date"] or "" for price in device["prices"]]
    if dates != sorted(dates, reverse=True):
        complain("prices are to be in the order of their dates, the newest first")


def main():
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent.parent / "data"
    # Entries carry their date of check, so the newest of them stands for today: the result depends on the data alone.
    faults = []
    check_schemas(folder, faults)
    devices = load(folder, faults)
    if faults:
        print("\n".join(faults))
        return 1
    today = min(max(device["date"] for _, device in devices), datetime.date.today().isoformat())
    instance_names = collections.defaultdict(set)  # name -> devices that the machines of this name hold
    for file in sorted((folder / "instances").glob("*.json")):
        for instance in json.loads(file.read_text(encoding="utf-8"))["instances"]:
            accelerator = instance.get("accelerator") or {}
            instance_names[instance["name"].lower()].add(accelerator.get("device"))
    classes = {entry["id"]: entry for entry in json.loads((folder / "memory-classes.json").read_text(encoding="utf-8"))["classes"]}
    for entry in classes.values():
        if not entry["low"] <= entry["ratio"] <= entry["high"]:
            faults.append(f"memory-classes.json: {entry['id']}: ratio is not between low and high")
    check_names(devices, instance_names, faults)
    for file, device in devices:
        if device["memory"]["class"] not in classes:
            faults.append(f"{file}: {device['id']}: no memory class '{device['memory']['class']}'")
        check_unknown(file, device, faults)
        check_figures(file, device, faults)
        check_dates_and_prices(file, device, today, faults)
    print("\n".join(faults) if faults else f"{len(devices)} devices, {len(classes)} memory classes: fine")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
