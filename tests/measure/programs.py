# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Small programs of which a meter on fake tensors must see what the CPU's allocator sees."""

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


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
