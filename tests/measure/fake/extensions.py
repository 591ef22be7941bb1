# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The CUDA extensions of causal-conv1d and mamba-ssm, which cannot be built without a compiler for
GPUs: each function gives tensors of the sizes that its C++ gives and computes nothing. Their Python,
and flash-linear-attention's, run as they are."""

import importlib.machinery
import sys
import types

import torch

FLA = ("rwkv7",)  # model types of flash-linear-attention
CHUNK = 2048  # tokens between two states that selective_scan_fwd keeps


def prepare():
    """Before transformers' models look for the packages."""
    _module("causal_conv1d_cuda", causal_conv1d_fwd=_nothing, causal_conv1d_bwd=_nothing,
            causal_conv1d_update=_nothing)
    _module("selective_scan_cuda", fwd=scan_forward, bwd=scan_backward)
    try:
        from triton.runtime import Autotuner
    except ImportError:
        return
    # Sizes of partial sums depend on the block size that tuning chooses; any of them will do.
    Autotuner.best_config = property(lambda tuner: tuner.configs[0], lambda *_: None)


def _module(name, **members):
    module = types.ModuleType(name)
    module.__spec__ = importlib.machinery.ModuleSpec(name, None)
    vars(module).update(members)
    sys.modules[name] = module


def _nothing(*_):
    """What it writes, Python has allocated."""


def scan_forward(u, delta, a, b, c, d, z, delta_bias, softplus):
    """mamba-ssm csrc/selective_scan/selective_scan.cpp, selective_scan_fwd."""
    states = torch.empty(u.shape[0], u.shape[1], -(-u.shape[2] // CHUNK), 2 * a.shape[1],
                         dtype=a.dtype, device=u.device)
    gated = [] if z is None else [torch.empty_like(z)]
    return [torch.empty_like(delta), states, *gated]


def scan_backward(u, delta, a, b, c, d, z, delta_bias, dout, states, out, dz, softplus, recompute):
    """mamba-ssm csrc/selective_scan/selective_scan.cpp, selective_scan_bwd."""
    gate = [] if z is None else [torch.empty_like(z) if dz is None else dz]
    again = [torch.empty_like(out)] if recompute else []
    du, ddelta = torch.empty_like(u), torch.empty_like(delta)
    da = torch.zeros_like(a)
    db, dc = torch.zeros_like(b, dtype=torch.float32), torch.zeros_like(c, dtype=torch.float32)
    dd, dbias = (None if x is None else torch.zeros_like(x) for x in (d, delta_bias))
    return [du, ddelta, da, db.to(b.dtype), dc.to(c.dtype), dd, dbias, *gate, *again]


def register_fla():
    """flash-linear-attention's own models, under transformers' names. Their weights are set value by
    value on the host, which no size depends on."""
    import fla.models  # noqa: F401 - registers them
    from fla.modules.activations import ops
    from fla.ops.rwkv7 import fused_addcmul
    from fla.layers.rwkv6 import LoRA
    from fla.layers.rwkv7 import RWKV7Attention
    from fla.models.rwkv7.modeling_rwkv7 import RWKV7FeedForward, RWKV7PreTrainedModel
    for kind in (RWKV7Attention, RWKV7FeedForward, LoRA):
        kind._initialize_weights = lambda *_: None
    RWKV7PreTrainedModel._init_weights = lambda *_, **__: None
    # Compiled to one kernel each, whose results alone are there.
    ops.sqrelu_fwd = torch.empty_like
    ops.sqrelu_bwd = lambda g, x: torch.empty_like(x)
    fused_addcmul.addcmul_bwd2 = mixing_gradients


def mixing_gradients(*gradients):
    """fla/ops/rwkv7/fused_addcmul.py, addcmul_bwd2: of six vectors, in fp32."""
    *_, delta, _ = gradients
    return [torch.empty(1, 1, delta.shape[-1], dtype=torch.float32, device=delta.device)
            for _ in range(6)]
