#!/usr/bin/env python3
# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The peak of an FSDP2 model on rank 0 of 4, of what the program itself allocates, rounded to 512 bytes:

    python3 tests/measure/tracked.py CASE            # by a rehearsal
    python3 tests/measure/tracked.py CASE --tracker  # by torch's FSDPMemTracker

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
SETTINGS = ("fp32", "bf16", "kept")  # of the perceptrons; kept: parameters stay gathered


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x):
        return x + self.down(F.gelu(self.up(self.norm(x))))


def perceptrons():
    model = nn.Sequential(*[Block(512) for _ in range(6)])
    return model, list(model), lambda: model(torch.randn(256, 512, device="cuda")).sum()


def language_model(config, kind, layers_of):
    import transformers
    torch.manual_seed(0)
    model = getattr(transformers, kind)(config)

    def loss():
        tokens = torch.randint(0, config.vocab_size, (2, 256), device="cuda")
        return model(input_ids=tokens, labels=tokens, use_cache=False).loss
    return model, list(layers_of(model)), loss


def llama():
    from transformers import LlamaConfig
    config = LlamaConfig(hidden_size=512, intermediate_size=1408, num_hidden_layers=4,
                         num_attention_heads=8, num_key_value_heads=8, vocab_size=8192)
    return language_model(config, "LlamaForCausalLM", lambda model: model.model.layers)


def gpt2():
    from transformers import GPT2Config
    config = GPT2Config(n_embd=512, n_layer=4, n_head=8, vocab_size=8192, n_positions=256,
                        resid_pdrop=0, embd_pdrop=0, attn_pdrop=0)
    return language_model(config, "GPT2LMHeadModel", lambda model: model.transformer.h)


def moe():
    from transformers import Qwen3MoeConfig
    config = Qwen3MoeConfig(hidden_size=512, num_hidden_layers=3, num_attention_heads=8,
                            num_key_value_heads=8, head_dim=64, intermediate_size=1408,
                            moe_intermediate_size=256, num_experts=8, num_experts_per_tok=2,
                            vocab_size=8192)
    return language_model(config, "Qwen3MoeForCausalLM", lambda model: model.model.layers)


def vit():
    import torchvision
    model = torchvision.models.VisionTransformer(image_size=64, patch_size=8, num_layers=4,
                                                 num_heads=8, hidden_dim=512, mlp_dim=2048)

    def loss():
        images = torch.rand(16, 3, 64, 64, device="cuda")
        return F.cross_entropy(model(images), torch.randint(0, 1000, (16,), device="cuda"))
    return model, list(model.encoder.layers), loss


MODELS = {"llama": llama, "gpt2": gpt2, "moe": moe, "vit": vit}


def sharded(case):
    """The model, and what gives its loss."""
    from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard
    model, blocks, loss = MODELS.get(case, perceptrons)()
    model.to("cuda")
    how = {"reshard_after_forward": case != "kept"}
    if case != "fp32":
        how["mp_policy"] = MixedPrecisionPolicy(param_dtype=torch.bfloat16)
    for block in blocks:
        fully_shard(block, **how)
    return fully_shard(model, **how), loss


def train(loss_of, optimizer, begin=lambda: None):
    for _ in range(2):
        begin()
        loss = loss_of()
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
        model, loss = sharded(sys.argv[1])
        optimizer = torch.optim.Adam(model.parameters())
        if "--tracker" not in sys.argv:
            train(loss, optimizer)
            return print(peak(mode.entries[0]))
        from torch.distributed._tools.fsdp2_mem_tracker import FSDPMemTracker
        tracker = FSDPMemTracker(model, optimizer)
        with tracker:
            train(loss, optimizer, tracker.reset_mod_stats)  # it tells no step from the next
        print(tracker.get_tracker_snapshot("peak")[torch.device("cuda", 0)]["Total"])


main()
