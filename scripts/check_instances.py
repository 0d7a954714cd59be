#!/usr/bin/env python3
"""Checks what the JSON Schema of data/instances and data/providers.json cannot say.

Prints one line a fault (file: id: what) and exits 1; prints the counts and exits 0 when there is none.
With python3-jsonschema installed the schemas are validated too.
"""

import datetime
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
DATA = ROOT / "data"

# Dotted paths of fields that may be null only with a reason in "unknown".
NULLABLE = [
    "region", "vcpus", "memory_gib", "cpu.model", "cpu.arch", "accelerator.device",
    "accelerator.memory_gib_each", "local_storage_gb", "network_gbps",
    "price.on_demand", "price.spot", "price.reserved_1y", "price.reserved_3y",
]

# USD per whole device and hour an on-demand price may plausibly have, by device id prefix; the widest
# marketplace and hyperscaler prices of 2023-2026 with room to spare. The first match counts.
PER_DEVICE = [
    ("nvidia-gb", 2.0, 40.0), ("nvidia-b", 2.0, 40.0), ("nvidia-h", 0.8, 20.0), ("nvidia-gh", 0.8, 20.0),
    ("nvidia-a100", 0.4, 8.0), ("nvidia-v100", 0.1, 5.0), ("amd-mi", 0.8, 20.0), ("google-tpu", 0.3, 20.0),
    ("aws-", 0.1, 10.0), ("intel-gaudi", 0.5, 8.0), ("", 0.05, 8.0),
]
OLDEST = datetime.date(2022, 1, 1)
# The day the data were last read: a clock that is behind does not turn them into dates of the future.
READ_ON = datetime.date(2026, 11, 30)


def dig(entry, path):
    """The value at a dotted path; a KeyError means the file lacks the field."""
    for key in path.split("."):
        entry = entry[key]
    return entry


def bad_date(text, latest):
    try:
        day = datetime.date.fromisoformat(text)
    except ValueError:
        return f"{text} is no date"
    if not OLDEST <= day <= latest:
        return f"{text} is outside {OLDEST}..{latest}"
    return None


def check_prices(entry, latest):
    price = entry["price"]
    for kind, offer in price.items():
        if offer is None:
            continue
        if not offer["usd_per_hour"] > 0:
            yield f"price.{kind} is not above 0"
        days = [offer["date"]] if offer["date"] else []
        span = offer.get("date_range")
        if span:
            ends = [end for end in span.split("..") if end]
            days += ends
            if len(ends) == 2 and ends[0] > ends[1]:
                yield f"price.{kind}.date_range runs backwards"
            if offer["date"] and len(ends) == 2 and not ends[0] <= offer["date"] <= ends[1]:
                yield f"price.{kind}.date is outside its date_range"
        elif not offer["date"]:
            yield f"price.{kind} has neither date nor date_range"
        for day in days:
            fault = bad_date(day, latest)
            if fault:
                yield f"price.{kind}: {fault}"
    on_demand = price["on_demand"]
    for kind in ("spot", "reserved_1y", "reserved_3y"):
        offer = price[kind]
        if on_demand and offer and offer["usd_per_hour"] > on_demand["usd_per_hour"]:
            yield f"price.{kind} is above on-demand"
    year, three = price["reserved_1y"], price["reserved_3y"]
    if year and three and three["usd_per_hour"] > year["usd_per_hour"]:
        yield "price.reserved_3y is above reserved_1y"


def check_accelerator(entry, devices):
    acc = entry["accelerator"]
    if acc is None:
        if entry["shape"] not in ("vm", "bare-metal"):
            yield f"shape {entry['shape']} needs an accelerator"
        if entry["interconnect"] is not None:
            yield "interconnect without an accelerator"
        return
    count, fraction, device = acc["count"], acc["fraction"], acc["device"]
    if type(count) is not int or count < 1:
        yield f"accelerator.count {count!r} is no whole number of devices"
        return
    if (fraction is not None) != (entry["shape"] == "fraction"):
        yield "shape fraction and accelerator.fraction go together"
    if fraction is not None and (count != 1 or not 0 < fraction < 1):
        yield "a fraction is a share in (0, 1) of one device"
    if count == 1 and entry["interconnect"] is not None:
        yield "interconnect with one device"
    if count > 1 and entry["interconnect"] is None and "interconnect" not in entry["unknown"]:
        yield "interconnect is null without a reason"
    if entry["shape"] == "tpu-slice" and (not device or not device.startswith("google-tpu") or "nodes" not in entry):
        yield "a tpu-slice has a TPU device and nodes"
    each = acc["memory_gib_each"]
    if each is not None and not 1 <= each <= 1500:
        yield f"accelerator.memory_gib_each {each} is not plausible"
    if device is None:
        return
    if devices is not None:
        if device not in devices:
            yield f"accelerator.device {device} is not in data/devices"
        nominal = devices.get(device)
        if nominal and each and not 0.85 * nominal <= each / (fraction or 1) <= 1.1 * nominal:
            yield f"accelerator.memory_gib_each {each} against {nominal} of {device}"
    on_demand = entry["price"]["on_demand"]
    if on_demand:
        rate = on_demand["usd_per_hour"] / (count * (fraction or 1))
        low, high = next((lo, hi) for prefix, lo, hi in PER_DEVICE if device.startswith(prefix))
        if not low <= rate <= high:
            yield f"{rate:.3f} USD per {device} and hour is outside {low}..{high}"


def check_host(entry):
    vcpus, memory, nodes = entry["vcpus"], entry["memory_gib"], entry.get("nodes", 1)
    if vcpus is not None and not 1 <= vcpus <= 1024 * nodes:
        yield f"vcpus {vcpus} is not plausible"
    if memory is not None and not 0.5 <= memory <= 32768 * nodes:
        yield f"memory_gib {memory} is not plausible"
    if vcpus and memory and not 0.2 <= memory / vcpus <= 64:
        yield f"{memory} GiB for {vcpus} vCPUs is not plausible"
    if entry["shape"] == "gpu-rate" and (vcpus is not None or memory is not None):
        yield "a gpu-rate has no machine shape"


def check_reasons(entry):
    unknown = entry["unknown"]
    for path in NULLABLE:
        if path.startswith("accelerator.") and entry["accelerator"] is None:
            if path in unknown:
                yield f"unknown.{path} without an accelerator"
            continue
        if (dig(entry, path) is None) != (path in unknown):
            yield f"{path} is null without a reason, or has a value and a reason"


def check_entry(entry, providers, devices, latest):
    if entry["id"] != f"{entry['provider']}/{entry['name']}":
        yield "id is not provider/name"
    provider = providers.get(entry["provider"])
    if provider is None:
        yield f"provider {entry['provider']} is not in providers.json"
    elif entry.get("tier") == provider["tier"]:
        yield "tier repeats the provider's"
    for text in [entry["note"], *entry["sources"]]:
        if re.search(r"instances\.json|devices\.json|search index", text):
            yield f"'{text[:40]}...' is no source of the outside world"
    yield from check_prices(entry, latest)
    yield from check_accelerator(entry, devices)
    yield from check_host(entry)
    yield from check_reasons(entry)


def load_devices():
    """Device id -> marketed memory in GB (or None); None when there is no data/devices."""
    files = sorted((DATA / "devices").glob("*.json"))
    devices = {}
    for path in files:
        for device in json.loads(path.read_text())["devices"]:
            devices[device["id"]] = device["memory"]["marketed_gb"]
    return devices if files else None


def schema_faults(document, schema_name):
    try:
        import jsonschema
    except ImportError:
        return
    schema = json.loads((DATA / "schema" / schema_name).read_text())
    for fault in jsonschema.Draft7Validator(schema).iter_errors(document):
        yield "/" + "/".join(str(step) for step in fault.absolute_path), fault.message[:200]


def main():
    latest = max(datetime.date.today(), READ_ON) + datetime.timedelta(days=1)
    devices = load_devices()
    faults, seen, count, used = [], {}, 0, set()
    providers_file = DATA / "providers.json"
    document = json.loads(providers_file.read_text())
    faults += [(providers_file, *fault) for fault in schema_faults(document, "providers.schema.json")]
    providers = {}
    for provider in document["providers"]:
        if provider["id"] in providers:
            faults.append((providers_file, provider["id"], "twice"))
        providers[provider["id"]] = provider
    for path in sorted((DATA / "instances").glob("*.json")):
        document = json.loads(path.read_text())
        broken = [(path, *fault) for fault in schema_faults(document, "instances.schema.json")]
        faults += broken
        if broken:
            continue
        for entry in document["instances"]:
            count += 1
            used.add(entry["provider"])
            if entry["id"] in seen:
                faults.append((path, entry["id"], f"also in {seen[entry['id']]}"))
            seen[entry["id"]] = path.name
            faults += [(path, entry["id"], what) for what in check_entry(entry, providers, devices, latest)]
    faults += [(providers_file, name, "no instance is of this provider") for name in providers if name not in used]
    for path, where, what in faults:
        print(f"{path.relative_to(ROOT)}: {where}: {what}")
    if faults:
        return 1
    known = "checked" if devices is not None else "not checked (no data/devices)"
    print(f"{count} instances of {len(used)} providers; device ids {known}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
