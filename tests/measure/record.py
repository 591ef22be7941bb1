#!/usr/bin/python3
# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the cases of cases.py and writes rows.csv and setups/ of resources/measured/recorded anew."""

import argparse
import concurrent.futures
import csv
import fnmatch
import json
import multiprocessing
import pathlib
import sys

import torch

import cases
import meter
import parallel
from training import Figures, run

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "resources/measured/recorded"
COLUMNS = ["id", "setup", "figure", "value", "quality", "family", "covered", "source", "note"]


def measure(case):
    """The plan document, completed by what the built model says, and the figures of the case."""
    torch.set_num_threads(1)
    plan = case.plan
    degrees = plan.get("parallel", {})
    if degrees.get("data", 1) > 1:
        facts, values = parallel.run_ranks(plan, Figures(case.figures))
    else:
        facts = {}
        work = parallel.run_stage if degrees.get("pipeline", 1) > 1 else run
        tree = meter.record(lambda: facts.update(work(plan)))
        values = Figures(case.figures)(meter.History(tree))
    if facts["buffers"]:
        plan["model"]["buffer_bytes"] = facts["buffers"]
    return case, plan, values


def rows_of(case, values):
    """The rows of rows.csv that a case gives."""
    for number, (figure, value) in enumerate(values.items(), start=1):
        yield [f"{case.name}-{number}", f"setups/{case.name}.json", figure, value, "A",
               case.family, int(case.covered), "tests/measure; torch " + torch.__version__,
               case.note]


def former_rows():
    """What rows.csv holds already, by case."""
    former = {}
    if (FOLDER / "rows.csv").exists():
        with open(FOLDER / "rows.csv", newline="") as file:
            for row in list(csv.reader(file))[1:]:
                former.setdefault(pathlib.Path(row[1]).stem, []).append(row)
    return former


def write(results):
    """Writes the results' setups and rows; other cases keep what they had."""
    rows = former_rows()
    (FOLDER / "setups").mkdir(exist_ok=True)
    for case, plan, values in results:
        (FOLDER / f"setups/{case.name}.json").write_text(json.dumps(plan, indent=2) + "\n")
        rows[case.name] = list(rows_of(case, values))
    names = [case.name for case in cases.CASES]
    for setup in (FOLDER / "setups").glob("*.json"):
        if setup.stem not in names:
            setup.unlink()
    with open(FOLDER / "rows.csv", "w", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(COLUMNS)
        table.writerows(row for name in names for row in rows.get(name, []))


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--only", default="*", help="names of cases, with wildcards")
    arguments.add_argument("--jobs", type=int, default=2)
    options = arguments.parse_args()
    chosen = [case for case in cases.CASES if fnmatch.fnmatch(case.name, options.only)]
    # A fresh process a case: nothing of the one before is alive.
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(options.jobs, context,
                                                max_tasks_per_child=1) as pool:
        runs = [(case.name, pool.submit(measure, case)) for case in chosen]
    failed = [(name, run.exception()) for name, run in runs if run.exception()]
    write([run.result() for _, run in runs if not run.exception()])
    for name, error in failed:
        print(f"{name}: {error}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
