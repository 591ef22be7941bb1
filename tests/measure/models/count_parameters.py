#!/usr/bin/env python3
# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Counts the published models of listed.csv, built by their own classes, against the listed totals.

Writes models.csv. With names of configs: prints their parts and kinds of layers instead.
"""

import sys
from dataclasses import dataclass

from transformers import PreTrainedConfig

import counting
import documents
import stand_ins
from counting import Counts

LISTS = {"layer_types", "mlp_layer_types", "layers_block_type", "per_layer_config",
         "no_rope_layers", "moe_layers", "indexer_types", "num_attention_heads_per_layer"}


@dataclass(frozen=True)
class Counted:
    counts: Counts
    mtp: int | None  # what Transformers adds for multi-token prediction, where it can
    stand_in: bool
    defaults: str


def said(values: dict, config, key: str) -> bool:
    """Whether a document gives this key, under any of its names."""
    key = config.attribute_map.get(key, key)
    names = {key} | {k for k, v in config.attribute_map.items() if v == key}
    return bool(names & values.keys())


def mtp_parameters(model, config, values: dict) -> int | None:
    """The layers of multi-token prediction, without the embedding and head that they share."""
    from transformers.modeling_layers import MtpModel

    text = config.get_text_config()
    number = getattr(text, "num_mtp_layers", None)
    if not number or not said(values.get("text_config", values), text, "num_mtp_layers"):
        return None
    try:
        import torch
        with torch.device("meta"):
            mtp = MtpModel(model, number)
    except Exception:  # noqa: BLE001 - classes that do not say what their layers are made of
        return None
    own = list(mtp.layers.parameters())
    if getattr(mtp, "use_shared_post_norm", False):
        own += list(mtp.shared_post_norm.parameters())
    return counting.size(own)


def defaults(values: dict, config, counting_keys: list[str]) -> str:
    """Keys that change the count and that the class filled in."""
    found = []
    for path in counting_keys:
        inner, at = values, config
        *sections, key = path.split(".")
        for section in sections:
            inner, at = inner.get(section) or {}, getattr(at, section, None)
        if not isinstance(at, PreTrainedConfig) or key in LISTS:
            continue
        if not said(inner, at, key) and not said(values, at, key):  # older files have no sections
            value = at.to_dict().get(key)
            if value is not None and not isinstance(value, (list, dict)):
                found.append(f"{path}={str(value).lower()}")
    return " ".join(found)


def counted(values: dict, keys: dict[str, list[str]]) -> Counted | None:
    if "_class_name" in values:
        return Counted(counting.count(counting.diffusion_on_meta(values)), None, False, "")
    kind = values["model_type"]
    stand_in = kind in stand_ins.STAND_INS
    if stand_in:
        values = stand_ins.STAND_INS[kind](values)
    # An encoder is published without a head: its file names the class.
    named = next(iter(values.get("architectures", [])), None)
    if not stand_in and not named and not counting.is_known(kind):
        return None
    config = counting.config_of(values)
    model = counting.on_meta(config, named)
    counts = counting.count(model, config.model_type)
    if kind in stand_ins.TEXT_ONLY:
        counts = Counts(counts.class_name, counts.text, counts.embedding, counts.head, 0, 0, 0,
                        counts.stored_buffers)
    return Counted(counts, mtp_parameters(model, config, values), stand_in,
                   defaults(values, config, keys.get(config.model_type, [])))


def verdict(counts: Counts, total: int | None) -> str:
    if total is None:
        return "not listed"
    if counts.parameters == total:
        return "equal"
    if counts.parameters + counts.stored_buffers == total:
        return "equal with stored buffers"
    return "differs"


def number(cell: str) -> int | None:
    return int(cell) if cell else None


def file_rest(listed: dict[str, str], it: Counted) -> int | str:
    """What a published file holds beyond the parameters and the listed MTP modules."""
    total = number(listed["total_exact"])
    if total is None:
        return ""
    mtp = int(listed["mtp_parameters"] or 0) if listed["exact_counts"] == "stored" else 0
    return total - it.counts.parameters - mtp


def row(listed: dict[str, str], it: Counted | None, model_type: str) -> dict:
    head = {"id": listed["id"], "config": listed["config"], "model_type": model_type}
    if it is None:
        empty = ("parameters embedding head text vision audio projector stored_buffers mtp "
                 "difference").split()
        return {**head, "class": "no class", **dict.fromkeys(empty, ""), "verdict": "no class",
                "file_rest": "", "defaults": "", "reason": listed["reason"]}
    c, total = it.counts, number(listed["total_model"])
    return {**head, "class": c.class_name + (" (stand-in)" if it.stand_in else ""),
            "parameters": c.parameters, "embedding": c.embedding, "head": c.head, "text": c.text,
            "vision": c.vision, "audio": c.audio, "projector": c.projector,
            "stored_buffers": c.stored_buffers, "mtp": "" if it.mtp is None else it.mtp,
            "difference": "" if total is None else c.parameters - total,
            "verdict": verdict(c, total), "file_rest": file_rest(listed, it),
            "defaults": it.defaults, "reason": listed["reason"]}


def keys_by_type() -> dict[str, list[str]]:
    path = documents.HERE / "keys.csv"
    if not path.exists():
        return {}
    return {r["model_type"]: r["keys"].split() for r in documents.read_table(path)}


def show(names: list[str]) -> None:
    for name in names:
        values = documents.read_document(documents.CONFIGS / name)
        values = stand_ins.STAND_INS.get(values.get("model_type"), lambda v: v)(values)
        model = (counting.diffusion_on_meta(values) if "_class_name" in values
                 else counting.on_meta(counting.config_of(values)))
        print(name, counting.count(model, values.get("model_type", "")))
        for kind in counting.layer_kinds(model):
            print(f"  {kind.path} {kind.ranges}: {kind.parameters}  {kind.parts}")


def main() -> int:
    if sys.argv[1:]:
        show(sys.argv[1:])
        return 0
    keys, rows = keys_by_type(), []
    for listed in documents.read_table(documents.HERE / "listed.csv"):
        values = documents.read_document(documents.CONFIGS / listed["config"])
        kind = values.get("model_type", values.get("_class_name"))
        rows.append(row(listed, counted(values, keys), kind))
        print(rows[-1]["verdict"], rows[-1]["id"], rows[-1]["difference"], flush=True)
    documents.write_table(documents.HERE / "models.csv", rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
