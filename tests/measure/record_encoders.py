#!/usr/bin/env python3
# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What an encoder takes above its weights while it turns a batch of texts into embeddings or scores, as
transformers runs it: on fake tensors without a GPU, with and without padding. Writes
tests/data/encoder_passes.csv."""

import csv
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "fake"))

import torch
from transformers import AutoConfig, AutoModel

import device
from meter import Meter

OUT = HERE.parents[1] / "tests/data/encoder_passes.csv"
BERT = dict(model_type="bert", hidden_size=768, num_hidden_layers=4, num_attention_heads=12,
            intermediate_size=3072, vocab_size=30522, max_position_embeddings=4096,
            type_vocab_size=2)
XLM_R = dict(model_type="xlm-roberta", hidden_size=1024, num_hidden_layers=4,
             num_attention_heads=16, intermediate_size=4096, vocab_size=250002,
             max_position_embeddings=8194, type_vocab_size=1, pad_token_id=1)
CASES = {
    "bert": BERT,
    "minilm": {**BERT, "hidden_size": 384, "intermediate_size": 1536},
    "xlm-roberta": XLM_R,
    "narrow-mlp": {**BERT, "intermediate_size": 768},
}
COLUMNS = ["name", "type", "padded", "batch", "length", "peak", "config"]
TYPES = {"bf16": torch.bfloat16, "fp16": torch.float16, "fp32": torch.float32}


def encode(config, kind, padded, batch, length):
    with device.fake_mode(), Meter() as meter:
        meter.mark("load")
        settings = dict(config)
        it = AutoConfig.for_model(settings.pop("model_type"), **settings)
        with torch.device("cuda"):
            model = AutoModel.from_config(it, dtype=TYPES[kind]).eval()
        tokens = torch.ones((batch, length), dtype=torch.int64, device="cuda")
        mask = torch.ones((batch, length), dtype=torch.int64, device="cuda")
        meter.numbers[torch.bool] = not padded  # whether no token is padding
        meter.mark("forward")
        with torch.no_grad():
            output = model(input_ids=tokens, attention_mask=mask)
        meter.mark("end")
        del output
    return meter.above_load(lambda moment: moment == "forward")


def main():
    with OUT.open("w", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(COLUMNS)
        for name, config in CASES.items():
            for kind in TYPES:
                for padded in (0, 1):
                    for batch, length in ((32, 128), (8, 512), (64, 512), (2, 4096)):
                        table.writerow([name, kind, padded, batch, length,
                                        encode(config, kind, padded, batch, length),
                                        json.dumps(config)])


if __name__ == "__main__":
    main()
