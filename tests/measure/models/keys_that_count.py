#!/usr/bin/env python3
# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which keys of a config change the number of parameters: each is changed, and the model built.

Writes keys.csv, one row a type; names of types as arguments renew their rows alone. A key is named
where some change of it alone builds and gives another number.
"""

import copy
import sys
from collections.abc import Iterator

import counting
import documents

KINDS = ["full_attention", "sliding_attention", "linear_attention", "conv", "chunked_attention",
         "indexed_attention", "attention", "recurrent", "hybrid", "hybrid_sliding", "mlp", "moe",
         "dense", "sparse", "full", "shared", "hash_moe", "compressed_sparse_attention",
         "heavily_compressed_attention", "minimax_m3_sparse"]


def other_values(value) -> Iterator:
    """What to try in place of a value."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from (2 * value, value // 2, value + 1, value - 1, value + 64)
    elif isinstance(value, float):
        yield from (2 * value, value / 2)
    elif value is None:
        yield from (64, True, 2)
    elif isinstance(value, list) and value:
        if all(isinstance(v, str) for v in value):
            for place in (0, -1):
                for kind in KINDS:
                    if kind != value[place]:
                        changed = list(value)
                        changed[place] = kind
                        yield changed
        elif all(isinstance(v, (int, float)) for v in value):
            yield [value[0] + 1, *value[1:]]
            yield [2 * v for v in value]
            yield value[1:]
    elif isinstance(value, list):
        yield [0]
        yield [1]


def paths(values: dict, prefix: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    for key, value in values.items():
        if key in ("model_type", "rope_parameters"):
            continue
        if isinstance(value, dict) and value and key != "per_layer_config":
            yield from paths(value, (*prefix, key))
        else:
            yield (*prefix, key)


def changed(values: dict, path: tuple[str, ...], value, without_lists: bool) -> dict:
    """A copy with one other value; lists with an entry a layer left to the class if asked."""
    result = copy.deepcopy(values)
    inner = result
    for key in path[:-1]:
        inner = inner[key]
    if without_lists:
        layers = inner.get("num_hidden_layers")
        for key in [k for k, v in inner.items() if k != path[-1]
                    and (k == "per_layer_config" or isinstance(v, list) and len(v) == layers)]:
            del inner[key]
    inner[path[-1]] = value
    return result


def parameters(values: dict) -> int | None:
    try:
        config = counting.config_of(values)
        return counting.size(counting.on_meta(config).parameters())
    except Exception:  # noqa: BLE001 - a change that the class refuses
        return None


def value_at(values: dict, path: tuple[str, ...]):
    for key in path:
        values = values[key]
    return values


def counts(values: dict, path: tuple[str, ...], usual: int) -> bool:
    for without_lists in (False, True):
        for other in other_values(value_at(values, path)):
            found = parameters(changed(values, path, other, without_lists))
            if found is not None and found != usual:
                return True
    return False


def row(model_type: str, values: dict) -> dict:
    usual = parameters(values)
    keys = [".".join(p) for p in paths(values) if counts(values, p, usual)]
    return {"model_type": model_type, "keys": " ".join(keys)}


def buildable(model_type: str) -> dict | None:
    """The default config of a type, or the one completed where that cannot be built."""
    for name in (model_type, f"{model_type}-completed"):
        path = documents.REGISTRY / f"{name}.json"
        if path.exists() and parameters(values := documents.read_document(path)) is not None:
            return values
    return None


def main() -> int:
    path = documents.HERE / "keys.csv"
    known = {r["model_type"]: r for r in documents.read_table(path)} if path.exists() else {}
    types = sorted({r["model_type"] for r in documents.read_table(documents.HERE / "registry.csv")})
    for model_type in sys.argv[1:] or types:
        values = buildable(model_type)
        if values is not None:
            known[model_type] = row(model_type, values)
            print(model_type, known[model_type]["keys"], flush=True)
    documents.write_table(path, [known[t] for t in sorted(known)])
    return 0


if __name__ == "__main__":
    sys.exit(main())
