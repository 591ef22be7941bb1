#!/usr/bin/env python3
# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the blocks of a model hold in a forward pass without gradients, as trainers of reinforcement
learning compute log-probabilities: the peak over its weights, on fake tensors without a GPU. Writes
tests/data/forward_without_gradients.csv."""

import csv
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "fake"))

import torch

import device
import models
import training
from meter import Meter

OUT = HERE.parents[1] / "tests/data/forward_without_gradients.csv"
DENSE = dict(model_type="llama", hidden_size=2048, intermediate_size=8192, num_hidden_layers=4,
             num_attention_heads=32, num_key_value_heads=8, vocab_size=32000,
             max_position_embeddings=8192)
EXPERTS = dict(model_type="qwen3_moe", hidden_size=2048, intermediate_size=6144,
               moe_intermediate_size=768, num_experts=32, num_experts_per_tok=8,
               num_hidden_layers=4, num_attention_heads=32, num_key_value_heads=4, head_dim=64,
               vocab_size=32000, max_position_embeddings=8192, decoder_sparse_step=1,
               mlp_only_layers=[], norm_topk_prob=True)
CASES = {
    "llama": DENSE,
    "qwen2": {**DENSE, "model_type": "qwen2", "intermediate_size": 5504},
    "narrow": {**DENSE, "hidden_size": 1024, "intermediate_size": 2816, "head_dim": 32},
    "experts": EXPERTS,
    "four-experts": {**EXPERTS, "num_experts_per_tok": 4},
    "wide-experts": {**EXPERTS, "moe_intermediate_size": 3072},
}
COLUMNS = ["name", "batch", "length", "peak", "config"]


def forward(config, batch, length):
    plan = {"model": {"config": config}, "precision": {"regime": "pure-bf16"}, "activations": {},
            "batch": {"micro_batch": batch, "sequence_length": length}}
    with device.fake_mode(), Meter() as meter:
        meter.mark("load")
        model = models.build(plan)
        tokens = training.Batch(plan).tokens
        meter.mark("forward")
        with torch.no_grad():
            models.trunk_of(model)(tokens, use_cache=False)
        meter.mark("end")
    return meter.above_load(lambda moment: moment == "forward")


def main():
    with OUT.open("w", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(COLUMNS)
        for name, config in CASES.items():
            for batch, length in ((2, 2048), (1, 8192)):
                table.writerow([name, batch, length, forward(config, batch, length),
                                json.dumps(config)])


if __name__ == "__main__":
    main()
