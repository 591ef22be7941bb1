#!/usr/bin/env python3
# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Holds rehearsals against the truth: tests/data/rehearsed/rows.csv.

    venv/bin/python tests/measure/rehearse.py                 # prints what differs, ends with 1 then
    venv/bin/python tests/measure/rehearse.py --write         # and writes the table

cpu: each of programs.py, rehearsed, against the CPU's allocator as torch.profiler records it: requested
bytes at the peak, equal but for the numbers that real kernels wrap. gpu: the scripts of tests/data/gpu
against their recordings. tracker: FSDP2 (tracked.py) against torch's own FSDPMemTracker. Recorded with
torch 2.11.0, transformers 5.17.0, peft 0.21.2, torchvision 0.26.0; other versions may differ."""

import argparse
import csv
import gc
import gzip
import importlib.util
import json
import os
import pathlib
import pickle
import subprocess
import sys
import tempfile
import warnings

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
RECIPE = ROOT / "resources/recipes/vramscope_rehearse.py"
RECORDED, TABLE = ROOT / "tests/data/gpu", ROOT / "tests/data/rehearsed/rows.csv"
sys.path[:0] = [str(RECIPE.parent), str(HERE)]
warnings.filterwarnings("ignore")

import torch

import vramscope_rehearse as recipe

COLUMNS = ["kind", "program", "figure", "truth", "rehearsed", "of"]
SCALARS = 64            # bytes of numbers that real kernels wrap as tensors
ALLOCATED, RESERVED = 0.02, 0.05
DEVICES = {"NVIDIA H100 80GB HBM3": "h100", "NVIDIA H200": "h200"}


def peaks(events, counts=lambda _: True):
    """The most bytes requested at once, and reserved."""
    requested = reserved = most_requested = most_reserved = 0
    sizes = {}
    for event in events:
        if event["action"] == "alloc" and counts(event):
            sizes[event["addr"]] = event["size"]
            requested += event["size"]
        elif event["action"] == "free_completed":
            requested -= sizes.pop(event["addr"], 0)
        elif event["action"] == "segment_alloc":
            reserved += event["size"]
        elif event["action"] == "segment_free":
            reserved -= event["size"]
        most_requested = max(most_requested, requested)
        most_reserved = max(most_reserved, reserved)
    return most_requested, most_reserved


def of_program(event):
    """Not of a kernel."""
    name = event["frames"][0]["name"] if event["frames"] else ""
    return not name.startswith(recipe.SCRATCH_OF) and name != recipe.CUBLAS["name"]


def from_cpu():
    import programs
    spec = importlib.util.spec_from_file_location("cpu_meter", HERE / "meter.py")
    meter = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(meter)
    seen = {}
    for name, work in programs.BOTH.items():  # first: no backward pass may run before a rehearsal
        with recipe.rehearse(os.devnull) as mode, torch.device("cuda"):
            work()
        seen[name], _ = peaks(mode.entries[0], of_program)
    for name, work in programs.BOTH.items():
        def all_of_it():
            with meter.phase("all"):
                work()
        gc.collect()  # else what earlier programs left is released while this one is measured
        truth = meter.History(meter.record(all_of_it), keep_scratch=True).peak("all")
        yield ["cpu", name, "requested", truth, seen[name], "the CPU's allocator"]


def rehearsed(document, out):
    settings = ["--world-size", "1"] if document["script"] == "ddp.py" else []
    if document.get("overflows"):  # steps that GradScaler skipped, as the recording shows
        settings += ["--overflows", str(document["overflows"])]
    subprocess.run([sys.executable, str(RECIPE), "--device", DEVICES[document["gpu"]], "--out", out,
                    *settings, "--", str(HERE / "scripts" / document["script"]),
                    *document["arguments"]], check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    with open(out, "rb") as file:
        return pickle.load(file)["device_traces"][0]


def from_gpu():
    for path in sorted(RECORDED.glob("*.pickle.gz")):
        name = path.name.removesuffix(".pickle.gz")
        document = json.loads((RECORDED / f"{name}.json").read_text())
        if document["out_of_memory"]:
            continue  # it ends early
        with gzip.open(path) as file:
            recorded = pickle.load(file)["device_traces"][0]
        with tempfile.TemporaryDirectory() as folder:
            seen = peaks(rehearsed(document, f"{folder}/out.pickle"))
        truth = peaks(recorded)
        where = f"{document['gpu']}, torch {document['torch'].split('+')[0]}"
        yield ["gpu", name, "requested", truth[0], seen[0], where]
        yield ["gpu", name, "reserved", truth[1], seen[1], where]


def from_tracker():
    def tracked(*arguments):
        done = subprocess.run([sys.executable, str(HERE / "tracked.py"), *arguments], check=True,
                              capture_output=True, text=True)
        return int(done.stdout.split()[-1])

    for case in ("fp32", "bf16", "kept", "llama", "gpt2", "moe", "vit"):
        yield ["tracker", f"FSDP2 {case}", "allocated", tracked(case, "--tracker"),
               tracked(case), "torch's FSDPMemTracker"]


def allowed(kind, program, figure, truth):
    """Bytes that a rehearsal may differ by."""
    if kind == "cpu":
        return SCALARS
    if kind == "tracker":
        return 0
    if figure == "reserved":
        return RESERVED * truth
    return ALLOCATED * truth


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--write", action="store_true")
    arguments.add_argument("--kind", choices=["cpu", "gpu", "tracker"], help="only these")
    options = arguments.parse_args()
    rows, wrong = [], 0
    for kind, source in (("cpu", from_cpu), ("gpu", from_gpu), ("tracker", from_tracker)):
        if options.kind not in (None, kind):
            continue
        for row in source():
            rows.append(row)
            differs = abs(row[4] - row[3]) > allowed(row[0], row[1], row[2], row[3])
            wrong += differs
            print(f"{row[0]} {row[1]:22} {row[2]:30} {row[3]:14,} {row[4]:14,} "
                  f"{100 * (row[4] / row[3] - 1):+8.3f} % {'DIFFERS' if differs else ''}", flush=True)
    if options.write and not wrong and options.kind is None:
        TABLE.parent.mkdir(exist_ok=True)
        with open(TABLE, "w", newline="") as file:
            table = csv.writer(file, lineterminator="\n")
            table.writerow(COLUMNS)
            table.writerows(rows)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
