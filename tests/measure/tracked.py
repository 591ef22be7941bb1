#!/usr/bin/env python3
# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The peak of an FSDP2 model on rank 0 of 4, of what the program itself allocates, rounded to 512 bytes:

    python3 tests/measure/tracked.py fp32|bf16|kept            # by a rehearsal
    python3 tests/measure/tracked.py fp32|bf16|kept --tracker  # by torch's FSDPMemTracker

one in a process, because both replace the same functions."""

import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "resources/recipes"))

import torch
import torch.distributed as dist
from torch import nn
from torch.nn import functional as F

import vramscope_rehearse as recipe

ROUND = 512
SETTINGS = ("fp32", "bf16", "kept")  # the last: parameters stay gathered after forward


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x):
        return x + self.down(F.gelu(self.up(self.norm(x))))


def sharded(setting):
    from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard
    model = nn.Sequential(*[Block(512) for _ in range(6)]).to("cuda")
    how = {"reshard_after_forward": setting != "kept"}
    if setting != "fp32":
        how["mp_policy"] = MixedPrecisionPolicy(param_dtype=torch.bfloat16)
    for block in model:
        fully_shard(block, **how)
    return fully_shard(model, **how)


def train(model, optimizer):
    for _ in range(2):
        loss = model(torch.randn(256, 512, device="cuda")).sum()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        del loss


def peak(events):
    live, most, sizes = 0, 0, {}
    for event in events:
        name = event["frames"][0]["name"] if event["frames"] else ""
        kernel = name.startswith(recipe.SCRATCH_OF) or name == recipe.CUBLAS["name"]
        if event["action"] == "alloc" and not kernel:
            sizes[event["addr"]] = -(-event["size"] // ROUND) * ROUND
            live += sizes[event["addr"]]
        elif event["action"] == "free_completed":
            live -= sizes.pop(event["addr"], 0)
        most = max(most, live)
    return most


def main():
    with recipe.rehearse(os.devnull, world_size=4) as mode:
        dist.init_process_group("nccl")
        model = sharded(sys.argv[1])
        optimizer = torch.optim.Adam(model.parameters())
        if "--tracker" not in sys.argv:
            train(model, optimizer)
            return print(peak(mode.entries[0]))
        from torch.distributed._tools.fsdp2_mem_tracker import FSDPMemTracker
        tracker = FSDPMemTracker(model, optimizer)
        with tracker:
            train(model, optimizer)
        print(tracker.get_tracker_snapshot("peak")[torch.device("cuda", 0)]["Total"])


main()
