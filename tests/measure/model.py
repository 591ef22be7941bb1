# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A model, or one pipeline stage of it, with the checkpointing policy and adapters of a plan."""

from collections import namedtuple

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

import blocks
import losses
import meter
from policies import keep_matmuls

Context = namedtuple("Context", "cos sin mask")


class Embeddings(nn.Module):
    def __init__(self, shape, switches):
        super().__init__()
        self.switches = switches
        self.tokens = nn.Embedding(shape.vocab, shape.hidden)
        self.old_style = shape.old_style
        if shape.old_style:
            self.positions = nn.Embedding(shape.positions, shape.hidden)
        if shape.type == "bert":
            self.types = nn.Embedding(2, shape.hidden)
            self.norm = blocks.LayerNorm(shape.hidden, switches)

    def forward(self, tokens):
        x = self.tokens(tokens)
        if self.old_style:
            x = x + self.positions(torch.arange(tokens.shape[1]))
        if hasattr(self, "types"):
            x = self.norm(x + self.types(torch.zeros_like(tokens)))
        return blocks.dropout(x, self.switches.dropout)


class Pooler(nn.Module):
    """BERT's pooler and a classifier of two classes."""

    def __init__(self, shape):
        super().__init__()
        self.pooler = nn.Linear(shape.hidden, shape.hidden)
        self.classifier = nn.Linear(shape.hidden, 2)

    def forward(self, x):
        return self.classifier(self.pooler(x[:, 0]).tanh())


class LoraLinear(nn.Module):
    """A frozen linear layer and its adapter, as PEFT computes it."""

    def __init__(self, base, rank, kind):
        super().__init__()
        self.base = base
        self.a = nn.Linear(base.in_features, rank, bias=False, dtype=kind)
        self.b = nn.Linear(rank, base.out_features, bias=False, dtype=kind)

    def forward(self, x):
        result = self.base(x)
        kind = result.dtype
        if not torch.is_autocast_cpu_enabled():
            x = x.to(self.a.weight.dtype)
        result = result + self.b(self.a(x)) * 2.0
        return result.to(kind)


class Model(nn.Module):
    """`layers` is the range of blocks held; `first` and `last` say whether embedding and head
    stand beside them."""

    def __init__(self, plan, layers=None, first=True, last=True):
        super().__init__()
        self.plan = plan
        self.shape = shape = blocks.Shape(plan["model"]["config"])
        self.switches = switches = blocks.Switches(plan)
        layers = layers or range(shape.layers)
        self.embeddings = Embeddings(shape, switches) if first else None
        self.blocks = nn.ModuleList(blocks.block(shape, switches, layer) for layer in layers)
        self.norm = self.head = None
        if last and shape.type == "bert":
            self.head = Pooler(shape)
        elif last:
            norm = blocks.LayerNorm(shape.hidden, switches) if shape.old_style \
                else blocks.RmsNorm(shape.hidden)
            self.norm = norm
            self.head = nn.Linear(shape.hidden, shape.vocab, bias=False)
            if shape.tied and first:
                self.head.weight = self.embeddings.tokens.weight
        self._add_tables(plan["batch"]["sequence_length"])
        self._add_adapters(plan.get("adapters", {}))

    def _add_tables(self, length):
        self.rotary = None if self.shape.old_style else \
            blocks.RotaryTables(self.shape.rope, length)
        causal = self.shape.type != "bert"
        if causal and self.switches.attention != "flash":
            self.register_buffer("mask", torch.full((length, length), -1e4).triu_(1))
        else:
            self.mask = True if causal else None  # flash attention needs no tensor

    def _add_adapters(self, adapters):
        if adapters.get("kind", "none") == "none":
            return
        for parameter in self.parameters():
            parameter.requires_grad_(False)
        kind = torch.float32 if adapters.get("weight_bytes", 4) == 4 else torch.bfloat16
        targets = adapters["targets"]
        for module in [m for m in self.modules() if not isinstance(m, LoraLinear)]:
            for name, child in list(module.named_children()):
                wanted = name in targets or ("all-linear" in targets and module is not self)
                if isinstance(child, nn.Linear) and wanted:
                    setattr(module, name, LoraLinear(child, adapters["rank"], kind))

    def context(self):
        tables = (self.rotary.cos, self.rotary.sin) if self.rotary else (None, None)
        return Context(*tables, self.mask)

    def trunk(self, x):
        """Embedding, blocks and the final norm."""
        if self.embeddings:
            x = self.embeddings(x)
        activations = self.plan.get("activations", {})
        policy = activations.get("checkpointing", "none")
        if not x.requires_grad and x.is_floating_point():
            x.requires_grad_()  # transformers' enable_input_require_grads, for adapters
        context = self.context()
        every = {"every-k": activations.get("every", 1), "none": 1}.get(policy, 1)
        for start in range(0, len(self.blocks), every):
            segment = self.blocks[start:start + every]
            watch(x, f"block {start}")
            x = self._segment(x, segment, context, policy, start)
        watch(x, "head")
        return self.norm(x) if self.norm else x

    def _segment(self, x, segment, context, policy, start):
        def run(x):
            for block in segment:
                x = block(x, context)
            return x

        activations = self.plan.get("activations", {})
        if policy == "block" and start >= activations["blocks"]:
            policy = "none"
        if policy == "none":
            return run(x)
        if policy == "keep-matmuls":
            return keep_matmuls(run, x)
        return checkpoint(run, x, use_reentrant=False)

    def forward(self, tokens, labels=None):
        """The loss and what the caller's variable keeps of it; without labels, and on a stage
        without head, the hidden states."""
        with meter.phase(f"{watch.step} forward"):
            x = self.trunk(tokens)
        if labels is None or self.head is None:
            return x
        with meter.phase(f"{watch.step} loss"):
            return losses.of(self, x, labels)


def watch(x, name):
    """Marks the moment at which the gradient of `x` is complete."""
    if x.requires_grad:
        x.register_hook(lambda gradient: meter.mark(f"{watch.step} gradient of {name} input"))


watch.step = ""
