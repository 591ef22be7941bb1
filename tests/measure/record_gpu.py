#!/usr/bin/env python3
# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs cases of fake/cases.py on a real GPU, one process each, and writes what torch's allocator and
the driver say as JSON lines: the truth that recorders without a GPU are held against.

    python3 tests/measure/record_gpu.py OUT.jsonl [--only PATTERN …] [--history FOLDER]
    python3 tests/measure/record_gpu.py OUT.jsonl --write        # resources/measured/gpu, anywhere
"""

import argparse
import copy
import csv
import fnmatch
import gzip
import json
import multiprocessing
import pathlib
import pickle
import sys
import time
import warnings

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "fake"))
warnings.filterwarnings("ignore")

import torch
import transformers

import cases
import training

STEPS = 4  # figures are of the second step, as without a GPU; times are of the last two
STATS = ("allocated_bytes.all.current", "allocated_bytes.all.peak", "reserved_bytes.all.peak",
         "active_bytes.all.peak", "requested_bytes.all.peak", "num_alloc_retries", "num_ooms",
         "num_device_alloc", "num_device_free", "segment.all.peak")
MOMENTS = ("peak.allocated", "first_step_peak.allocated", "moments.forward.allocated",
           "moments.loss.allocated", "moments.first backward block.allocated",
           "moments.last backward block.allocated", "moments.optimizer step.allocated")


class Now:
    """Stands for the list of live bytes of which training.py reads the last."""

    def __getitem__(self, _):
        return torch.cuda.memory_allocated()


class Meter:
    """The peaks of the allocator between two marks."""

    def __init__(self):
        self.marks = []  # name, allocated when it began, peaks of allocated and reserved in it
        self.moment, self.entries, self.live = "load", {}, Now()
        self.times = []
        self._begin()

    def _begin(self):
        torch.cuda.reset_peak_memory_stats()
        self.started = torch.cuda.memory_allocated()

    def mark(self, moment):
        self.marks.append({"moment": self.moment, "start": self.started,
                           "allocated": torch.cuda.max_memory_allocated(),
                           "reserved": torch.cuda.max_memory_reserved()})
        if moment.endswith(" rest"):
            torch.cuda.synchronize()
            self.times.append(time.perf_counter())
        self.moment = moment
        self._begin()

    def label(self, *_, **__):
        pass

    def peak(self, kind, wanted):
        return max((mark[kind] for mark in self.marks if wanted(mark["moment"])), default=None)


def used():
    free, total = torch.cuda.mem_get_info()
    return total - free


def measure(case, history=None):
    """`history`: a file for the snapshot of the run's allocator."""
    torch.cuda.init()
    before = used()
    if history:
        torch.cuda.memory._record_memory_history(context="all", stacks="python", max_entries=1_000_000)
    meter = Meter()
    training.STEPS = STEPS
    model = training.run(case.plan, meter)
    if history:
        with gzip.open(history, "wb") as file:
            pickle.dump(torch.cuda.memory._snapshot(), file)
    figures = {name: meter.peak("allocated", training.FIGURES[name]) for name in MOMENTS}
    for step in range(STEPS):
        name = f"step {step}"
        figures[f"step{step}.allocated"] = meter.peak("allocated", lambda m: m.startswith(name))
        figures[f"step{step}.reserved"] = meter.peak("reserved", lambda m: m.startswith(name))
    stats = torch.cuda.memory_stats()
    times = [later - earlier for earlier, later in zip(meter.times, meter.times[1:])]
    figures[training.REST] = next(mark["start"] for mark in meter.marks
                                  if mark["moment"] == f"{training.LAST} rest")
    answer = {"figures": figures, "peak.reserved": meter.peak("reserved", lambda _: True),
              "context_at_start": before, "outside_at_end": used() - stats["reserved_bytes.all.current"],
              "parameters": sum(p.numel() for p in model.parameters()),
              "step_seconds": times[1:], "stats": {key: stats.get(key) for key in STATS},
              "marks": meter.marks}
    return answer


def child(case, end, history):
    try:
        end.send(measure(case, history))
    except Exception as error:  # one case that lacks a package must not end the others
        end.send({"error": f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"})


def measure_apart(case, history=None, timeout=90):
    context = multiprocessing.get_context("fork")
    answer, end = context.Pipe(duplex=False)
    process = context.Process(target=child, args=(case, end, history))
    process.start()
    end.close()
    try:
        result = answer.recv() if answer.poll(timeout) else {"error": "no answer in time"}
    except EOFError:
        result = {"error": "the process ended"}
    process.kill()
    process.join()
    return result


def world_of(plan):
    size = 1
    for degree in ("data", "tensor", "pipeline", "context"):
        size *= plan.get("parallel", {}).get(degree, 1)
    return size


def chosen(patterns):
    """Cases of one process whose layers need no kernel that torch does not bring, families in turn."""
    turns = {}
    for case in cases.CASES:
        alone = world_of(case.plan) == 1 and not case.framework and case.family not in LACKING and \
            not case.name.startswith("vision-qwen35")  # needs flash-linear-attention's kernels
        if alone and any(fnmatch.fnmatch(case.name, pattern) for pattern in patterns):
            turns.setdefault(case.family, []).append(case)
    while turns:
        for family in list(turns):
            yield turns[family].pop(0)
            if not turns[family]:
                del turns[family]


LACKING = ("hybrid", "states", "zero", "pipeline", "megatron", "qlora")


FOLDER = HERE.parents[1] / "resources/measured/gpu"
COLUMNS = ["id", "setup", "figure", "value", "quality", "family", "covered", "source", "note"]
FIGURES = ("peak.allocated", "first_step_peak.allocated", training.REST, "peak.reserved")


def document_of(case):
    """The case's plan as it ran on the GPU, with all that it took there."""
    plan = copy.deepcopy(case.plan)
    for name in cases.ZEROED:
        plan["overheads"].pop(name, None)
    if not plan["overheads"]:
        del plan["overheads"]
    plan["hardware"] = {**plan.get("hardware", {}), "gpu": "h200-sxm-141gb"}
    return plan


def write(recorded):
    """Writes rows.csv and setups/ anew from the recorded lines, a case's last one."""
    (FOLDER / "setups").mkdir(parents=True, exist_ok=True)
    results = {result["case"]: result for result in recorded if "error" not in result}
    by_name = {case.name: case for case in cases.CASES}
    with open(FOLDER / "rows.csv", "w", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(COLUMNS)
        for name in sorted(results):
            result, case = results[name], by_name[name]
            (FOLDER / f"setups/{name}.json").write_text(
                json.dumps(document_of(case), indent=2) + "\n")
            values = {**result["figures"], "peak.reserved": result["peak.reserved"]}
            source = f"tests/measure; H200, torch {result['torch'].split('+')[0]}, " \
                     f"transformers {result['transformers']}"
            for number, figure in enumerate(FIGURES, start=1):
                reserved = figure == "peak.reserved"
                table.writerow([f"gpu-{name}-{number}", f"setups/{name}.json", figure,
                                values[figure], "A", case.family, int(not reserved), source,
                                "the highest of four steps" if reserved else ""])


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("out")
    arguments.add_argument("--only", default=["*"], nargs="+")
    arguments.add_argument("--history", help="a folder for each case's snapshot")
    arguments.add_argument("--seconds", type=float, default=400, help="no case begins after these")
    arguments.add_argument("--write", action="store_true", help="the table of what was recorded")
    options = arguments.parse_args()
    if options.write:
        write(map(json.loads, open(options.out)))
        return
    start = time.time()
    with open(options.out, "a") as out:
        for case in chosen(options.only):
            if time.time() - start > options.seconds:
                break
            began = time.time()
            history = options.history and f"{options.history}/{case.name}.pickle.gz"
            result = measure_apart(case, history)
            result.update(case=case.name, family=case.family, torch=torch.__version__,
                          transformers=transformers.__version__)
            print(json.dumps(result), file=out, flush=True)
            print(f"{case.name} {time.time() - began:.1f} s {result.get('error', '')}", flush=True)


if __name__ == "__main__":
    main()
