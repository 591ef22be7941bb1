#!/usr/bin/env python3
# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs a script unchanged on a GPU while torch records its allocator's history.

    python3 tests/measure/record_snapshot.py OUT scripts/gpt.py [ARGUMENTS]

writes OUT.pickle.gz and OUT.json: versions, settings, memory_stats() and what the driver says. With
PROFILE=1 torch.profiler records the run in place of the allocator: OUT.trace.json.gz."""

import gzip
import json
import os
import pathlib
import pickle
import runpy
import sys

import torch


def run(script):
    """What the script ran out of memory with, if it did."""
    error = None
    try:
        runpy.run_path(script, run_name="__main__")
    except torch.OutOfMemoryError as found:
        error = str(found)
    torch.cuda.synchronize()
    return error


def snapshotted(out, script):
    torch.cuda.memory._record_memory_history(context="all", stacks="python", max_entries=2_000_000)
    error = run(script)
    snapshot = torch.cuda.memory._snapshot()
    torch.cuda.memory._record_memory_history(enabled=None)
    with gzip.open(out + ".pickle.gz", "wb", compresslevel=9) as file:
        pickle.dump(snapshot, file)
    return error


def profiled(out, script):
    with torch.profiler.profile(profile_memory=True, record_shapes=True) as profiler:
        error = run(script)
    profiler.export_chrome_trace(out + ".trace.json.gz")
    return error


def main():
    out, script, arguments = sys.argv[1], sys.argv[2], sys.argv[2:]
    sys.path.insert(0, str(pathlib.Path(script).resolve().parent))
    torch.cuda.init()
    free, total = torch.cuda.mem_get_info()
    limit = float(os.environ.get("MEMORY_FRACTION", "1"))
    if limit < 1:
        torch.cuda.set_per_process_memory_fraction(limit)
    sys.argv = arguments
    record = profiled if os.environ.get("PROFILE") else snapshotted
    error = record(out, script)
    after, _ = torch.cuda.mem_get_info()
    stats = torch.cuda.memory_stats()
    document = {
        "script": pathlib.Path(script).name, "arguments": arguments[1:],
        "torch": torch.__version__, "gpu": torch.cuda.get_device_name(),
        "alloc_conf": os.environ.get("PYTORCH_CUDA_ALLOC_CONF", ""), "memory_fraction": limit,
        "total_bytes": total, "context_at_start": total - free,
        "outside_at_end": total - after - stats["reserved_bytes.all.current"],
        "out_of_memory": error, "memory_stats": stats}
    pathlib.Path(out + ".json").write_text(json.dumps(document, indent=1) + "\n")
    print(out, stats["allocated_bytes.all.peak"], stats["reserved_bytes.all.peak"], error or "")


main()
