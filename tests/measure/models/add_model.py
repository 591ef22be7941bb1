#!/usr/bin/env python3
# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Adds a model of a known kind to the catalogue: its config and its row, where the program counts it
as Transformers' own class does, to the last parameter. Where the counts differ, or either cannot
count, it says so, writes nothing and ends with status 1.

    add_model.py Qwen/Qwen3-14B --title "Qwen3 14B" --family Qwen --year 2025
    add_model.py Qwen/Qwen3-14B --title … --config config.json    # without a download
"""

import argparse
import csv
import datetime
import io
import json
import pathlib
import subprocess
import sys
import tempfile

import counting
import documents

ROOT = documents.HERE.parents[2]
CATALOGUE = ROOT / "resources" / "models" / "catalogue.csv"
CLI = ROOT / "build" / "release" / "bin" / "vramscope-cli"


def config_text(repository: str, file: str | None) -> str:
    if file:
        return pathlib.Path(file).read_text(encoding="utf-8")
    from huggingface_hub import hf_hub_download
    return pathlib.Path(hf_hub_download(repository, "config.json")).read_text(encoding="utf-8")


def counted_by_class(values: dict) -> int:
    kind = values.get("model_type", "")
    if not counting.is_known(kind):
        raise RuntimeError(f"Transformers has no class that generates text for the type \"{kind}\".")
    model = counting.on_meta(counting.config_of(values))
    return counting.count(model, values["model_type"]).parameters


def counted_by_program(cli: str, values: dict) -> int:
    """The program's count of a config; a RuntimeError with its sentence where it has none."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "config.json")
        documents.write_document(path, values)
        ran = subprocess.run([cli, "plan", str(path), "--json"], capture_output=True, text=True)
    if not ran.stdout:
        raise RuntimeError(ran.stderr.strip())
    total = json.loads(ran.stdout)["parameters"]["total"]
    if not total:
        raise RuntimeError(ran.stderr.strip() or "it counts no parameters")
    return total


def line_of(row: list[str]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="").writerow(row)
    return text.getvalue()


def add_row(row: list[str], family: str) -> None:
    """Behind the last model of its family, or at the end."""
    lines = CATALOGUE.read_text(encoding="utf-8").splitlines()
    families = [cells[2] if len(cells) > 2 else "" for cells in csv.reader(lines)]
    at = len(families) - families[::-1].index(family) if family in families else len(lines)
    lines.insert(at, line_of(row))
    CATALOGUE.write_text("\n".join(lines) + "\n", encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("repository", help="OWNER/NAME on Hugging Face")
    parser.add_argument("--title", required=True)
    parser.add_argument("--family", required=True)
    parser.add_argument("--year", default=str(datetime.date.today().year))
    parser.add_argument("--config", help="its config.json, where it is here")
    parser.add_argument("--cli", default=str(CLI), help="the program that counts")
    options = parser.parse_args()
    name = options.repository.rpartition("/")[2].lower()
    with CATALOGUE.open(encoding="utf-8", newline="") as file:
        if any(row["name"] == name for row in csv.DictReader(file)):
            print(f"{name} is in the catalogue.", file=sys.stderr)
            return 1
    values = documents.plain(json.loads(config_text(options.repository, options.config)))
    values.pop("architectures", None)
    try:
        by_class, by_program = counted_by_class(values), counted_by_program(options.cli, values)
    except Exception as error:  # noqa: BLE001 - whatever a class or the program says of a config
        print(f"{options.repository} is not added: {error}", file=sys.stderr)
        return 1
    if by_class != by_program:
        print(f"{options.repository} is not added: its class has {by_class:,} parameters, the program counts "
              f"{by_program:,}.", file=sys.stderr)
        return 1
    documents.write_document(documents.CONFIGS / f"{name}.json", values)
    add_row([name, options.title, options.family, options.year, options.repository, f"{name}.json",
             "config.json of the published model", ""], options.family)
    print(f"{options.title}: {by_class:,} parameters, by its class and by the program.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
