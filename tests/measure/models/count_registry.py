#!/usr/bin/env python3
# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every type that generates text from text or from images: its default config and its parameters.

Writes registry/*.json (the default config of each class, and the variants of variants.py),
registry.csv (what each of these files holds) and layers.csv (each kind of layer of each file).
A count is of the file as it is written: it is read again and built.
"""

import sys
from dataclasses import dataclass, field

import transformers

import counting
import documents
from counting import Counts, LayerKind
from variants import NOTES, VARIANTS


@dataclass
class Entry:
    model_type: str
    variant: str
    class_name: str
    counts: Counts | None = None
    layers: list[LayerKind] = field(default_factory=list)
    note: str = ""

    @property
    def name(self) -> str:
        return f"{self.model_type}-{self.variant}" if self.variant else self.model_type


def model_types() -> list[str]:
    return sorted({*counting.CAUSAL, *counting.IMAGE_TEXT, *counting.MULTIMODAL} - {"whisper"})


def complaint(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return f"{type(error).__name__}: {' '.join(lines)[:160]}"


def text_model_differs(config, counts: Counts) -> str:
    """Says so where the text config, built alone with its head, has another count."""
    text = config.get_text_config(decoder=True)
    if text is config or text.model_type not in counting.CAUSAL:
        return ""
    if counting.CAUSAL[text.model_type] == counts.class_name:
        return ""
    try:
        alone = counting.size(counting.on_meta(text, counting.CAUSAL[text.model_type]).parameters())
    except Exception as error:  # noqa: BLE001 - said in the table
        return f"text config alone: {complaint(error)}"
    return "" if alone == counts.text else f"text config alone, with its head: {alone}"


def made(model_type: str, variant: str, changes: dict) -> Entry:
    entry = Entry(model_type, variant, counting.class_name(model_type))
    try:
        config = counting.config_of({"model_type": model_type, **changes})
        values = {"architectures": [entry.class_name]} | documents.document(config)
        values["architectures"] = [entry.class_name]
        documents.write_document(documents.REGISTRY / f"{entry.name}.json", values)
        config = counting.config_of(values)
        model = counting.on_meta(config)
        entry.counts = counting.count(model, model_type)
        entry.layers = counting.layer_kinds(model)
        entry.note = text_model_differs(config, entry.counts)
    except Exception as error:  # noqa: BLE001 - said in the table
        entry.note = f"cannot be built: {complaint(error)}"
    return entry


def row(entry: Entry) -> dict:
    c = entry.counts
    numbers = {} if c is None else {"parameters": c.parameters, "text_parameters": c.text,
                                    "embedding": c.embedding, "head": c.head,
                                    "stored_buffers": c.stored_buffers}
    return {"model_type": entry.model_type, "variant": entry.variant, "class": entry.class_name,
            **{k: numbers.get(k, "") for k in ("parameters", "text_parameters", "embedding", "head",
                                               "stored_buffers")},
            "note": "; ".join(n for n in (entry.note, NOTES.get(entry.name, "")) if n)}


def layer_rows(entry: Entry) -> list[dict]:
    return [{"config": entry.name, "list": k.path, "layers": k.ranges,
             "parameters_per_layer": k.parameters, "of_these_shared": k.shared, "parts": k.parts}
            for k in entry.layers]


def entries(names: list[str]) -> list[Entry]:
    found = []
    for model_type in names:
        for variant, changes in {"": {}, **VARIANTS.get(model_type, {})}.items():
            found.append(made(model_type, variant, changes))
            if found[-1].note:
                print(found[-1].name, found[-1].note, flush=True)
    return found


def main() -> int:
    for old in documents.REGISTRY.glob("*.json"):
        old.unlink()
    print("transformers", transformers.__version__)
    found = entries(model_types())
    documents.write_table(documents.HERE / "registry.csv", [row(e) for e in found])
    documents.write_table(documents.HERE / "layers.csv", [r for e in found for r in layer_rows(e)])
    built = sum(e.counts is not None for e in found)
    print(f"{built} of {len(found)} configs built")
    return 0


if __name__ == "__main__":
    sys.exit(main())
