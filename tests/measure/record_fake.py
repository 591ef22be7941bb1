#!/usr/bin/env python3
# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the cases of fake/cases.py on fake tensors, without a GPU, and writes rows.csv and setups/ of
resources/measured/own. With --show it prints what each figure consists of and writes nothing."""

import argparse
import csv
import fnmatch
import hashlib
import importlib.metadata
import json
import multiprocessing
import pathlib
import sys
import time
import warnings

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "fake"))
warnings.filterwarnings("ignore")

import torch
import transformers

import cases
import layouts
import training

FOLDER = HERE.parents[1] / "resources/measured/own"
TIMEOUT = 900
COLUMNS = ["id", "setup", "figure", "value", "quality", "family", "covered", "source", "note",
           "held", "at"]
SOURCE = f"tests/measure; torch {torch.__version__.split('+')[0]}, "
MODELS = {"": f"transformers {transformers.__version__}",
          "torchtitan": f"torchtitan {importlib.metadata.version('torchtitan')}"}


def measure(case, rank):
    """Each figure's bytes, moment and categories, and the seconds that took."""
    torch.set_num_threads(1)
    start = time.time()
    try:
        meter = layouts.record(case.plan, rank, case.framework)
        figures = training.figures(meter, case.figures)
        for figure in figures.values():
            figure["streams"] = meter.most_of_streams()
    except Exception as error:  # one case that a framework cannot run must not end the others
        return str(error).splitlines()[0] if str(error) else repr(error), time.time() - start
    return figures, time.time() - start


def measure_apart(case, rank):
    """In a fresh copy of this process: all is imported, nothing of the case before is alive."""
    context = multiprocessing.get_context("fork")
    answer, end = context.Pipe(duplex=False)
    child = context.Process(target=lambda: end.send(measure(case, rank)))
    child.start()
    result = answer.recv() if answer.poll(TIMEOUT) else ("no answer in time", TIMEOUT)
    child.kill()
    child.join()
    return result


def measure_ranks(case):
    """The highest figures of the ranks that are recorded."""
    results = [measure_apart(case, rank) for rank in layouts.ranks_of(case.plan)]
    seconds = sum(result[1] for result in results)
    for figures, _ in results:
        if isinstance(figures, str):
            return figures, seconds
    return {name: max((figures[name] for figures, _ in results), key=lambda found: found["bytes"])
            for name in results[0][0]}, seconds


def held(name):
    """A third of the rows is kept back from whoever writes formulas."""
    return int(int(hashlib.sha256(name.encode()).hexdigest(), 16) % 3 == 0)


def moment_of(mark):
    """The plan's name for a moment that a recording tells from its neighbours; of a pipeline, whose
    backward passes are not marked, nothing."""
    name = mark.split(" ", 4)[-1] if " micro " in mark else mark.split(" ", 2)[-1]
    if " micro " not in mark and name not in ("optimizer", "rest"):
        return ""
    if name == "backward below block 0":
        return "end of backward"  # the embedding's part of it
    if name.startswith("backward"):
        return "backward"
    return {"loss, backward": "loss", "optimizer": "optimizer step", "rest": "at rest"}.get(name, name)


def rows_of(case, figures):
    for number, (figure, found) in enumerate(figures.items(), start=1):
        name = f"own-{case.name}-{number}"
        missed = cases.NOT_COVERED.get((case.family, figure)) or \
            cases.NOT_COVERED.get((case.name, figure))
        note = f"{missed}; {case.note}" if missed else case.note
        yield [name, f"setups/{case.name}.json", figure, found["bytes"], "A", case.family,
               int(not missed),
               SOURCE + MODELS[case.framework], note, held(name), moment_of(found["moment"])]


def former_rows():
    former = {}
    if (FOLDER / "rows.csv").exists():
        with open(FOLDER / "rows.csv", newline="") as file:
            for row in list(csv.reader(file))[1:]:
                row += [""] * (len(COLUMNS) - len(row))
                former.setdefault(pathlib.Path(row[1]).stem, []).append(row)
    return former


def write(results):
    """Writes the results' setups and rows; other cases keep what they had."""
    rows = former_rows()
    (FOLDER / "setups").mkdir(parents=True, exist_ok=True)
    for case, figures in results:
        path = FOLDER / f"setups/{case.name}.json"
        path.write_text(json.dumps(case.plan, indent=2) + "\n")
        rows[case.name] = list(rows_of(case, figures))
    names = [case.name for case in cases.CASES]
    for setup in (FOLDER / "setups").glob("*.json"):
        if setup.stem not in names:
            setup.unlink()
    with open(FOLDER / "rows.csv", "w", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(COLUMNS)
        table.writerows(row for name in names for row in rows.get(name, []))


def show(case, figures):
    for figure, found in figures.items():
        parts = ", ".join(f"{name} {size:,}" for name, size in
                          sorted(found["categories"].items(), key=lambda part: -part[1]))
        print(f"  {figure} {found['bytes']:,} at {found['moment']}: {parts}")
    streams = next(iter(figures.values()))["streams"]
    print("  most of each stream: " + ", ".join(f"{size:,}" for size in streams.values()))


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--only", default=["*"], nargs="+",
                           help="names of cases, with wildcards")
    arguments.add_argument("--show", action="store_true", help="print the parts, write nothing")
    arguments.add_argument("--details", help="a file for the parts of every figure, as JSON lines")
    options = arguments.parse_args()
    chosen = [case for pattern in options.only for case in cases.CASES
              if fnmatch.fnmatch(case.name, pattern)]
    failed, details = 0, open(options.details, "a") if options.details else None
    for case in chosen:
        figures, seconds = measure_ranks(case)
        if isinstance(figures, str):
            failed += 1
            print(f"{case.name}: {figures}", file=sys.stderr, flush=True)
            continue
        print(f"{case.name} {seconds:.1f} s", flush=True)
        if details:
            print(json.dumps({"case": case.name, "figures": figures}), file=details, flush=True)
        show(case, figures) if options.show else write([(case, figures)])
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
