#!/usr/bin/env python3
# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Holds the meter of fake tensors against what is known: sizes worked out by hand, and the same runs
on real CPU tensors, whose allocator torch.profiler records. Ends with status 1 where they differ."""

import importlib.util
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "fake"))

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

import device
import meter


def module(path):
    spec = importlib.util.spec_from_file_location(path.stem + "_of_cpu", path)
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


PHASE = "all"
SCALARS = 64  # bytes of numbers that real kernels wrap as tensors


def mlp():
    return nn.Sequential(nn.Linear(64, 256), nn.GELU(), nn.Linear(256, 64))


class Residual(nn.Module):
    """The engine adds up the gradients of both branches."""

    def __init__(self):
        super().__init__()
        self.inner = nn.ModuleList(mlp() for _ in range(3))

    def forward(self, x):
        for part in self.inner:
            x = x + part(x)
        return x


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, gradient):
        (x,) = ctx.saved_tensors
        return gradient * x * 2


def step(model, x, optimizer=None, times=2):
    for _ in range(times):
        out = model(x)
        out.backward(torch.ones_like(out))
        if optimizer:
            optimizer.step()
        model.zero_grad(set_to_none=True)


def with_adam(**how):
    model = mlp()
    step(model, torch.randn(32, 64), torch.optim.AdamW(model.parameters(), **how))


def checkpointed():
    parts = nn.ModuleList(mlp() for _ in range(4))

    class All(nn.Module):
        def __init__(self):
            super().__init__()
            self.parts = parts

        def forward(self, x):
            for part in self.parts:
                x = checkpoint(part, x, use_reentrant=False, preserve_rng_state=False)
            return x

    step(All(), torch.randn(512, 64, requires_grad=True))


def in_place():
    x = torch.empty(256, 256)
    x.mul_(2).add_(1)
    y = x.view(-1)[:100].view(10, 10)
    z = x + 1
    del x
    return y, z


def custom():
    x = torch.randn(512, 512, requires_grad=True)
    Square.apply(Square.apply(x)).sum().backward()


def accumulated():
    model = mlp()
    x = torch.randn(64, 64)
    for _ in range(3):
        out = model(x)
        out.backward(torch.ones_like(out))


def attention():
    """Eager attention with a softmax in fp32."""
    q, k, v = (torch.randn(2, 4, 128, 32, dtype=torch.bfloat16, requires_grad=True)
               for _ in range(3))
    scores = q @ k.transpose(2, 3) / 5.0
    weights = scores.softmax(-1, dtype=torch.float32).to(torch.bfloat16)
    (weights @ v).sum().backward()


def shared():
    """A weight used four times: the engine adds its gradients up."""
    head = nn.Linear(256, 512, bias=False)
    x = torch.randn(64, 256, requires_grad=True)
    total = sum((head(part) ** 2).mean() for part in x.chunk(4))
    total.backward()


def wide_residual():
    """The sums of a residual stream's gradients are the peak."""
    x = torch.randn(4096, 64, requires_grad=True)
    y = x * 1.0
    for _ in range(4):
        y = y + torch.tanh(y)
    y.backward(torch.ones_like(y))


def cross_entropy():
    head = nn.Linear(64, 1000, bias=False)
    x = torch.randn(256, 64, requires_grad=True)
    nn.functional.cross_entropy(head(x), torch.zeros(256, dtype=torch.int64)).backward()


BOTH = {
    "linear": lambda: step(nn.Linear(64, 256), torch.randn(128, 64)),
    "mlp": lambda: step(mlp(), torch.randn(128, 64)),
    "residual": lambda: step(Residual(), torch.randn(512, 64)),
    "in place and views": in_place,
    "custom function": custom,
    "checkpointing": checkpointed,
    "accumulation": accumulated,
    "eager attention": attention,
    "cross-entropy": cross_entropy,
    "shared weight": shared,
    "wide residual": wide_residual,
    "SGD foreach": lambda: step(m := mlp(), torch.randn(32, 64), torch.optim.SGD(
        m.parameters(), lr=0.1, momentum=0.9, foreach=True)),
    "AdamW foreach": lambda: with_adam(foreach=True),
    "AdamW for-loop": lambda: with_adam(foreach=False),
    "AdamW fused": lambda: with_adam(fused=True),
}


def on_cpu(work):
    """The allocator's peak of the same work on real tensors."""
    cpu = module(HERE / "meter.py")

    def all_of_it():
        with cpu.phase(PHASE):
            work()

    history = cpu.History(cpu.record(all_of_it), keep_scratch=True)
    return history.peak(PHASE)


def on_fake(work):
    """The meter's peak, unrounded, of CPU fakes: the same operators as on_cpu."""
    before, meter.ROUND = meter.ROUND, 1
    try:
        with device.fake_mode(), meter.Meter("cpu") as watched:
            watched.mark(PHASE)
            work()
        return watched.peak(lambda _: True)[0]
    finally:
        meter.ROUND = before


def known():
    """(what, bytes seen, bytes that it must be) on the fake "cuda"."""
    with device.fake_mode(), meter.Meter() as watched:
        watched.mark("forward")
        layer = nn.Linear(1000, 1000, bias=False, device="cuda", dtype=torch.bfloat16)
        yield "weights", watched.live[-1], 2_000_384  # 2,000,000 to the next 512
        x = torch.empty(10, 1000, device="cuda", dtype=torch.bfloat16)
        y = layer(x)
        yield "output", watched.live[-1], 2_000_384 + 2 * 20_480 - 2 * 480 + 960
        views = (y.view(-1), y[2:4], y.t())
        yield "views share", watched.live[-1], 2_000_384 + 2 * 20_480
        del y, views, x
        storage = layer.weight.untyped_storage()
        storage.resize_(0)
        yield "resized to nothing", watched.live[-1], 0
        storage.resize_(2_000_000)
        yield "resized back", watched.live[-1], 2_000_384
        optimizer = torch.optim.AdamW(layer.parameters(), fused=True)
        layer.weight.grad = torch.zeros_like(layer.weight)
        optimizer.step()
        layer.weight.grad = None
        yield "two moments and a step count", watched.live[-1], 3 * 2_000_384 + 512
        del layer, storage, optimizer
        yield "nothing left", watched.live[-1], 0
    with device.fake_mode(), meter.Meter() as watched:
        watched.mark("forward")
        q = torch.empty(1, 8, 1024, 128, device="cuda", dtype=torch.bfloat16, requires_grad=True)
        k = torch.empty(1, 2, 1024, 128, device="cuda", dtype=torch.bfloat16, requires_grad=True)
        base = watched.live[-1]
        out = device.attention(q, k, k, is_causal=True, enable_gqa=True)
        extra = watched.live[-1] - base - 2 * 512  # seed and offset of the random numbers
        yield "flash attention: output and log-sum-exp", extra, 2 * 8 * 1024 * 128 + 4 * 8 * 1024
        del out


def main():
    failed = 0
    rows = [(name, *pair) for name, *pair in known()]
    for name, work in BOTH.items():
        rows.append((name + ", CPU's allocator", on_fake(work), on_cpu(work)))
    for name, seen, truth in rows:
        wrong = abs(seen - truth) > SCALARS
        verdict = f"differs by {seen - truth:+,}" if wrong else ""
        failed += wrong
        print(f"{name:45} {seen:12,} {truth:12,} {verdict}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
