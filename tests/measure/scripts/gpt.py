# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A GPT in plain PyTorch: autocast, gradient accumulation, clipping, AdamW."""

import argparse
import math

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.checkpoint import checkpoint


class Attention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)

    def forward(self, x):
        batch, length, width = x.shape
        q, k, v = self.qkv(x).split(width, dim=2)
        q, k, v = (y.view(batch, length, self.heads, -1).transpose(1, 2) for y in (q, k, v))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.out(y.transpose(1, 2).reshape(batch, length, width))


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.attention = Attention(width, heads)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, x):
        x = x + self.attention(self.norm1(x))
        return x + self.mlp(self.norm2(x))


class GPT(nn.Module):
    def __init__(self, layers, width, heads, vocabulary, length, checkpointed=False):
        super().__init__()
        self.checkpointed = checkpointed
        self.tokens = nn.Embedding(vocabulary, width)
        self.positions = nn.Embedding(length, width)
        self.blocks = nn.ModuleList(Block(width, heads) for _ in range(layers))
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, vocabulary, bias=False)
        self.head.weight = self.tokens.weight
        for name, parameter in self.named_parameters():
            if parameter.dim() > 1:
                nn.init.normal_(parameter, std=0.02 / math.sqrt(2 * layers))

    def forward(self, tokens, targets):
        x = self.tokens(tokens) + self.positions(torch.arange(tokens.shape[1], device=tokens.device))
        for block in self.blocks:
            x = checkpoint(block, x, use_reentrant=False) if self.checkpointed else block(x)
        logits = self.head(self.norm(x))
        return F.cross_entropy(logits.view(-1, logits.shape[-1]), targets.view(-1))


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--layers", type=int, default=12)
    arguments.add_argument("--width", type=int, default=768)
    arguments.add_argument("--heads", type=int, default=12)
    arguments.add_argument("--length", type=int, default=1024)
    arguments.add_argument("--batch", type=int, default=8)
    arguments.add_argument("--accumulate", type=int, default=2)
    arguments.add_argument("--steps", type=int, default=3)
    arguments.add_argument("--checkpoint", action="store_true", help="blocks run again backward")
    arguments.add_argument("--fused", action="store_true", help="AdamW in one kernel")
    arguments.add_argument("--varying", action="store_true", help="lengths differ between batches")
    options = arguments.parse_args()
    torch.manual_seed(0)
    model = GPT(options.layers, options.width, options.heads, 50304, options.length,
                options.checkpoint).to("cuda")
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4, weight_decay=0.1,
                                  fused=options.fused or None)
    lengths = [(options.length * (3 + 5 * number % 13)) // 16 for number in range(64)]
    for step in range(options.steps):
        for micro in range(options.accumulate):
            length = lengths[step * options.accumulate + micro] if options.varying else options.length
            batch = torch.randint(0, 50304, (options.batch, length + 1)).to("cuda")
            with torch.autocast("cuda", dtype=torch.bfloat16):
                loss = model(batch[:, :-1], batch[:, 1:].contiguous())
            (loss / options.accumulate).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)


main()
