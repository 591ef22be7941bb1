#!/usr/bin/env python3
# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Types that flash-linear-attention brings and Transformers has not: published sizes and variants.

Writes fla/*.json and fla.csv, with the columns of registry.csv. A size that somebody published is
compared with the count, and ends the script with status 1 where it differs.
"""

import sys

import counting
import documents
import fla_models

FOLDER = documents.HERE / "fla"

PLAIN = {"model_type": "rwkv7", "head_dim": 64, "norm_first": True, "norm_bias": True,
         "fuse_norm": False, "hidden_act": "sqrelu", "vocab_size": 65536,
         "tie_word_embeddings": False, "attn": None}


def published(hidden, layers, decay, gate, values):
    return {**PLAIN, "hidden_size": hidden, "num_hidden_layers": layers,
            "intermediate_size": 4 * hidden, "decay_low_rank_dim": decay, "a_low_rank_dim": decay,
            "gate_low_rank_dim": gate, "v_low_rank_dim": values}


# Their parameters as the paper has them: arXiv 2503.14456, "RWKV-7 Goose with Expressive Dynamic
# State Evolution".
PUBLISHED = {"0.1b": (published(768, 12, 64, 128, 32), 191_034_624),
             "0.4b": (published(1024, 24, 64, 128, 32), 450_767_872),
             "1.5b": (published(2048, 24, 96, 256, 64), 1_527_404_544),
             "2.9b": (published(2560, 32, 96, 320, 64), 2_947_735_040)}

SMALL = {**PLAIN, "vocab_size": 5003, "hidden_size": 384, "num_hidden_layers": 5,
         "intermediate_size": 1000, "decay_low_rank_dim": 40, "a_low_rank_dim": 24,
         "gate_low_rank_dim": 56, "v_low_rank_dim": 16}
ATTENDING = {"layers": [2, 4], "num_heads": 6, "num_kv_heads": 2, "window_size": 64}
VARIANTS = {"small": SMALL,
            "tied": {**SMALL, "tie_word_embeddings": True},
            "ratio": {**SMALL, "intermediate_size": None, "hidden_ratio": 3.5, "head_dim": 48},
            "norms": {**SMALL, "norm_first": False, "norm_bias": False, "fuse_norm": True},
            "heads": {**SMALL, "head_dim": None, "num_heads": 3},
            "hybrid": {**SMALL, "attn": ATTENDING},
            "hybrid-biased": {**SMALL, "attn": {**ATTENDING, "qkv_bias": True}}}


def counted(cls, name, values):
    values = {"architectures": [cls.__name__], **values}
    documents.write_document(FOLDER / f"{name}.json", values)
    with counting.torch.device("meta"):
        model = cls(counting.config_of(values))
    model.tie_weights()
    embedding, head = model.model.embeddings.weight, model.lm_head.weight
    total = counting.size(model.parameters())
    return {"model_type": values["model_type"], "variant": name.removeprefix("rwkv7").strip("-"),
            "class": cls.__name__, "parameters": total, "text_parameters": total,
            "embedding": embedding.numel(), "head": 0 if head is embedding else head.numel(),
            "stored_buffers": 0, "note": ""}


def main() -> int:
    cls = fla_models.causal_class("rwkv7")
    rows, wrong = [], 0
    for size, (values, stated) in PUBLISHED.items():
        row = counted(cls, f"rwkv7-{size}", values)
        if row["parameters"] != stated:
            print(f"{size}: {row['parameters']} instead of {stated}", file=sys.stderr)
            wrong += 1
        rows.append({**row, "note": "published"})
    rows.append(counted(cls, "rwkv7", documents.document(counting.config_of({"model_type": "rwkv7"}))))
    for variant, values in VARIANTS.items():
        rows.append(counted(cls, f"rwkv7-{variant}", values))
    documents.write_table(documents.HERE / "fla.csv", rows)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
