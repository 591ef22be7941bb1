#!/usr/bin/env python3
# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What save_pretrained() would store of the catalogue's models: names, types and shapes.

Writes stored.csv: a row for each name with its numbers taken out, as the planner's table of a
checkpoint has it, and stored_totals.csv: tensors and bytes of each model. Models are on the meta
device in bf16; names are those of the files, for which Transformers takes its conversions back
(experts one by one). With names of configs: those alone, printed.
"""

import csv
import json
import pathlib
import re
import sys

import torch

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "models"))

import counting  # noqa: E402
import documents  # noqa: E402
from transformers.core_model_loading import revert_weight_conversion  # noqa: E402

TYPES = {torch.bfloat16: "BF16", torch.float32: "F32", torch.float16: "F16", torch.int64: "I64",
         torch.bool: "BOOL"}


def stored_tensors(values: dict) -> dict[str, torch.Tensor]:
    torch.set_default_dtype(torch.bfloat16)
    model = counting.on_meta(counting.config_of(values))
    tied = set(getattr(model, "all_tied_weights_keys", {}) or {})
    state = {k: v for k, v in model.state_dict().items() if k not in tied}
    return revert_weight_conversion(model, state)


def pattern(name: str) -> tuple[str, int]:
    """The name with '*' for its numbers, and the first of them (-1: none)."""
    numbers = [int(w) for w in name.split(".") if w.isdigit()]
    return re.sub(r"(?<![^.])\d+(?![^.])", "*", name), numbers[0] if numbers else -1


def ranges(layers: list[int]) -> list[list[int]]:
    out: list[list[int]] = []
    for layer in sorted(layers):
        if out and out[-1][1] == layer - 1:
            out[-1][1] = layer
        else:
            out.append([layer, layer])
    return out


def groups(tensors: dict[str, torch.Tensor]) -> list[dict]:
    counted: dict[tuple, dict[int, int]] = {}
    for name, tensor in tensors.items():
        key, layer = pattern(name)
        layers = counted.setdefault((key, TYPES[tensor.dtype], tuple(tensor.shape)), {})
        layers[layer] = layers.get(layer, 0) + 1
    rows = []
    for (name, dtype, shape), layers in counted.items():
        for each in sorted(set(layers.values())):
            which = [layer for layer, count in layers.items() if count == each and layer >= 0]
            rows.append({"name": name, "dtype": dtype, "shape": list(shape),
                         "layers": ranges(which), "each": each})
    return rows


def main() -> None:
    wanted = sys.argv[1:]
    totals, rows = [], []
    with (HERE.parent / "models" / "models.csv").open() as file:
        known = {r["config"]: r for r in csv.DictReader(file)}
    for path in sorted(documents.CONFIGS.glob("*.json")):
        row = known.get(path.name)
        if wanted and path.name not in wanted:
            continue
        if not wanted and (not row or "stand-in" in row["verdict"] or "-" == row["class"][:1]):
            continue
        values = json.loads(path.read_text())
        try:
            if not counting.is_known(values.get("model_type", "")):
                continue
            tensors = stored_tensors(values)
        except Exception as error:  # noqa: BLE001 - a class that cannot be built is not compared
            print(path.name, type(error).__name__, str(error)[:100], file=sys.stderr)
            continue
        size = sum(t.numel() * t.element_size() for t in tensors.values())
        totals.append([path.name, len(tensors), size])
        for group in groups(tensors):
            rows.append([path.name, group["name"], group["dtype"], json.dumps(group["shape"]),
                         json.dumps(group["layers"]), group["each"]])
    if wanted:
        for row in rows + totals:
            print(*row)
        return
    with (HERE / "stored.csv").open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["config", "name", "dtype", "shape", "layers", "each"])
        writer.writerows(rows)
    with (HERE / "stored_totals.csv").open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["config", "tensors", "bytes"])
        writer.writerows(totals)


if __name__ == "__main__":
    main()
