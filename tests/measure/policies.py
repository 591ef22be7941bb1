# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Selective checkpointing: outputs of chosen operators are kept, the rest is computed again."""

import torch
from torch.utils._python_dispatch import TorchDispatchMode

import meter

_aten = torch.ops.aten
MATMULS = {_aten.mm.default, _aten.bmm.default, _aten.addmm.default}


class _Keep(TorchDispatchMode):
    """Hands the outputs of matrix products to `kept`."""

    def __init__(self, kept):
        super().__init__()
        self.kept = kept

    def __torch_dispatch__(self, function, types, arguments=(), options=None):
        out = function(*arguments, **(options or {}))
        if function in MATMULS and not meter.inside_kernel():
            self.kept.append(out.detach())
        return out


class _Replay(_Keep):
    """Gives the kept outputs back instead of computing them."""

    def __torch_dispatch__(self, function, types, arguments=(), options=None):
        if function in MATMULS and not meter.inside_kernel():
            return self.kept.pop(0)
        return function(*arguments, **(options or {}))


class _KeepMatmuls(torch.autograd.Function):
    @staticmethod
    def forward(ctx, run, x):
        kept = []
        with _Keep(kept):
            out = run(x)
        ctx.run = run
        ctx.save_for_backward(x, *kept)
        return out

    @staticmethod
    def backward(ctx, gradient):
        x, *kept = ctx.saved_tensors
        x = x.detach().requires_grad_()
        with torch.enable_grad(), _Replay(kept):
            out = ctx.run(x)
        torch.autograd.backward(out, gradient)
        return None, x.grad


def keep_matmuls(run, x):
    """Runs `run(x)` so that only x and the outputs of its matrix products stay for backward."""
    return _KeepMatmuls.apply(run, x)
