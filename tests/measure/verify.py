#!/usr/bin/python3
# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Holds the meter against a second method: after every operator, the storages that are still alive
are counted through weak references. verify.py [PATTERN] prints both peaks of each case.

The second method sees no allocator, so it cannot share the meter's mistakes; but it disturbs the
run: while it watches, autograd adds gradients up out of place. So it may see a little more."""

import fnmatch
import sys

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_flatten

import cases
import meter
import training


class LiveStorages(TorchDispatchMode):
    """`peak` is the most bytes alive after an operator since `start()`."""

    def __init__(self):
        super().__init__()
        self.storages = {}
        self.peak = 0

    def start(self):
        self.peak = 0

    def __torch_dispatch__(self, function, types, arguments=(), options=None):
        out = function(*arguments, **(options or {}))
        if not meter.inside_kernel():
            self._count(out)
        return out

    def _count(self, out):
        for tensor in tree_flatten(out)[0]:
            if isinstance(tensor, torch.Tensor):
                storage = tensor.storage().untyped()
                self.storages.setdefault(storage._cdata, (storage._weak_ref(), storage.nbytes()))
        expired = torch.UntypedStorage._expired
        gone = [key for key, (weak, _) in self.storages.items() if expired(weak)]
        for key in gone:
            torch.UntypedStorage._free_weak_ref(self.storages.pop(key)[0])
        self.peak = max(self.peak, sum(size for _, size in self.storages.values()))


def both(plan):
    history = meter.History(meter.record(lambda: training.run(plan)))
    watcher = LiveStorages()
    with watcher:
        training.run(plan, before_last=watcher.start)
    return history.peak(training.LAST), watcher.peak


def main():
    pattern = sys.argv[1] if len(sys.argv) > 1 else "block-*"
    for case in cases.CASES:
        parallel = case.plan.get("parallel", {})
        if fnmatch.fnmatch(case.name, pattern) and not parallel:
            metered, counted = both(case.plan)
            print(f"{case.name:40} {metered:12} {counted:12} "
                  f"{(counted - metered) / metered * 100:7.3f} %")


if __name__ == "__main__":
    main()
