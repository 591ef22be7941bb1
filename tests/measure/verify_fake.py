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

import device
import meter
from programs import BOTH


def module(path):
    spec = importlib.util.spec_from_file_location(path.stem + "_of_cpu", path)
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


PHASE = "all"
SCALARS = 64  # bytes of numbers that real kernels wrap as tensors


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
