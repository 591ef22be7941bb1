# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Optimizers by the names of the plan document, written after the published algorithms.

torch 1.13's foreach AdamW makes two lists of the parameters' size; today's makes one. The step
below calls torch._foreach_* in today's order. The for-loop AdamW and both SGDs are torch's own.
"""

import math

import torch

RATE, BETA1, BETA2, EPS, DECAY = 1e-3, 0.9, 0.999, 1e-8, 0.01


class Optimizer:
    """One state dictionary a parameter, made in its first step."""

    def __init__(self, parameters):
        self.parameters = list(parameters)
        self.states = {}
        self.steps = 0

    def zero_grad(self, set_to_none=True):
        for parameter in self.parameters:
            if set_to_none:
                parameter.grad = None
            elif parameter.grad is not None:
                parameter.grad.zero_()

    def moments(self, *names):
        """The named moments of all parameters, one list each."""
        for parameter in self.parameters:
            if parameter not in self.states:
                self.states[parameter] = {name: torch.zeros_like(parameter) for name in names}
        return [[self.states[p][name] for p in self.parameters] for name in names]

    @torch.no_grad()
    def step(self):
        self.steps += 1
        self.update()

    def update(self):
        for parameter in self.parameters:
            self.update_one(parameter, parameter.grad, self.states.setdefault(parameter, {}))


class ForeachAdamW(Optimizer):
    def update(self):
        means, squares = self.moments("mean", "square")
        gradients = [p.grad for p in self.parameters]
        torch._foreach_mul_(self.parameters, 1 - RATE * DECAY)
        torch._foreach_mul_(means, BETA1)
        torch._foreach_add_(means, gradients, alpha=1 - BETA1)
        torch._foreach_mul_(squares, BETA2)
        torch._foreach_addcmul_(squares, gradients, gradients, 1 - BETA2)
        denominators = torch._foreach_sqrt(squares)
        torch._foreach_div_(denominators, math.sqrt(1 - BETA2 ** self.steps))
        torch._foreach_add_(denominators, EPS)
        rate = RATE / (1 - BETA1 ** self.steps)
        torch._foreach_addcdiv_(self.parameters, means, denominators, -rate)


class ForeachLion(Optimizer):
    """Chen et al. 2023, with lists as timm writes it."""

    def update(self):
        (means,) = self.moments("mean")
        gradients = [p.grad for p in self.parameters]
        torch._foreach_mul_(self.parameters, 1 - RATE * DECAY)
        updates = torch._foreach_mul(means, BETA1)
        torch._foreach_add_(updates, gradients, alpha=1 - BETA1)
        updates = [update.sign_() for update in updates]
        torch._foreach_add_(self.parameters, updates, alpha=-RATE)
        torch._foreach_mul_(means, 0.99)
        torch._foreach_add_(means, gradients, alpha=0.01)


class Lion(Optimizer):
    """Chen et al. 2023, as lion-pytorch writes it."""

    def update_one(self, parameter, gradient, state):
        if not state:
            state["mean"] = torch.zeros_like(parameter)
        parameter.mul_(1 - RATE * DECAY)
        update = state["mean"].clone().mul_(BETA1).add(gradient, alpha=1 - BETA1).sign_()
        parameter.add_(update, alpha=-RATE)
        state["mean"].mul_(0.99).add_(gradient, alpha=0.01)


class Adafactor(Optimizer):
    """Shazeer and Stern 2018, as transformers writes it: work in fp32, no momentum."""

    def update_one(self, parameter, gradient, state):
        gradient = gradient.float()
        factored = gradient.dim() >= 2
        if not state and factored:
            state["row"] = torch.zeros(gradient.shape[:-1])
            state["column"] = torch.zeros(gradient.shape[:-2] + gradient.shape[-1:])
        elif not state:
            state["square"] = torch.zeros_like(gradient)
        wide = parameter.float() if parameter.dtype != torch.float32 else parameter
        decay = 1 - self.steps ** -0.8
        update = gradient ** 2 + 1e-30
        if factored:
            state["row"].mul_(decay).add_(update.mean(-1), alpha=1 - decay)
            state["column"].mul_(decay).add_(update.mean(-2), alpha=1 - decay)
            row = (state["row"] / state["row"].mean(-1, keepdim=True)).rsqrt_().unsqueeze(-1)
            update = torch.mul(row, state["column"].unsqueeze(-2).rsqrt())
            update.mul_(gradient)
        else:
            state["square"].mul_(decay).add_(update, alpha=1 - decay)
            update = state["square"].rsqrt().mul_(gradient)
        update.div_((update.norm(2) / update.numel() ** 0.5).clamp_(min=1.0))
        update.mul_(RATE)
        wide.add_(-update)
        if wide is not parameter:
            parameter.copy_(wide)


class Muon(Optimizer):
    """Jordan et al. 2024, as torch.optim.Muon computes it: momentum of the blocks' matrices, made
    orthogonal in bf16 by five Newton–Schulz steps; AdamW for what lies outside the blocks and for
    vectors."""

    def __init__(self, parameters, outside):
        super().__init__(parameters)
        self.outside = set(outside)

    def update_one(self, parameter, gradient, state):
        if parameter.dim() < 2 or parameter in self.outside:
            return adamw_one(parameter, gradient, state, self.steps)
        if not state:
            state["momentum"] = torch.zeros_like(parameter)
        state["momentum"].lerp_(gradient, 0.05)
        update = orthogonal(gradient.lerp(state["momentum"], 0.95))
        parameter.mul_(1 - RATE * DECAY)
        parameter.add_(update, alpha=-RATE)
        return None


def adamw_one(parameter, gradient, state, steps):
    if not state:
        state["mean"] = torch.zeros_like(parameter)
        state["square"] = torch.zeros_like(parameter)
    state["mean"].lerp_(gradient, 1 - BETA1)
    state["square"].mul_(BETA2).addcmul_(gradient, gradient, value=1 - BETA2)
    parameter.mul_(1 - RATE * DECAY)
    denominator = (state["square"].sqrt() / math.sqrt(1 - BETA2 ** steps)).add_(EPS)
    parameter.addcdiv_(state["mean"], denominator, value=-RATE / (1 - BETA1 ** steps))


def orthogonal(update):
    x = update.bfloat16()
    tall = x.shape[0] > x.shape[1]
    if tall:
        x = x.t()
    x.div_(x.norm().clamp(min=1e-7))
    for _ in range(5):
        gram = x @ x.t()
        polynomial = torch.addmm(gram, gram, gram, beta=-4.7750, alpha=2.0315)
        x = torch.addmm(x, polynomial, x, beta=3.4445)
    return x.t() if tall else x


class Shampoo(Optimizer):
    """Shi et al. 2023 (Distributed Shampoo), for matrices that need no blocking: for each side the
    fp32 sum of outer products and its inverse fourth root, a filtered gradient, and Adam's second
    moment for the size of the step. Vectors take Adam's step."""

    def update_one(self, parameter, gradient, state):
        if parameter.dim() < 2:
            return adamw_one(parameter, gradient, state, self.steps)
        if not state:
            state["mean"] = torch.zeros_like(parameter)
            state["square"] = torch.zeros_like(parameter)
            for side, size in enumerate(parameter.shape):
                state[f"factor {side}"] = torch.eye(size).mul_(1e-4)
                state[f"root {side}"] = torch.zeros(size, size)
        wide = gradient.float()
        state["factor 0"].addmm_(wide, wide.t())
        state["factor 1"].addmm_(wide.t(), wide)
        for side in range(2):
            state[f"root {side}"].copy_(inverse_fourth_root(state[f"factor {side}"]))
        state["mean"].lerp_(gradient, 1 - BETA1)
        state["square"].mul_(BETA2).addcmul_(gradient, gradient, value=1 - BETA2)
        grafted = state["mean"] / state["square"].sqrt().add_(EPS)
        size = grafted.norm()
        del grafted, wide
        update = state["root 0"] @ state["mean"].float() @ state["root 1"]
        parameter.add_(update.mul_(size / update.norm()), alpha=-RATE)
        return None


def inverse_fourth_root(matrix):
    values, vectors = torch.linalg.eigh(matrix)
    return (vectors * values.clamp_min_(EPS).pow_(-0.25)) @ vectors.t()


def adamw_for_loop(parameters):
    return torch.optim.AdamW(parameters, lr=RATE, foreach=False)


def sgd(parameters, momentum, foreach):
    return torch.optim.SGD(parameters, lr=RATE, momentum=momentum, foreach=foreach)


def of(plan, parameters, outside=()):
    """The plan's optimizer over these parameters."""
    name = plan["optimizer"]["name"]
    foreach = plan["optimizer"].get("implementation", "foreach") == "foreach"
    if name in ("adamw", "adam"):
        return ForeachAdamW(parameters) if foreach else adamw_for_loop(parameters)
    if name in ("sgd", "sgd-momentum"):
        return sgd(parameters, 0.9 if name == "sgd-momentum" else 0, foreach)
    if name == "lion":
        return ForeachLion(parameters) if foreach else Lion(parameters)
    if name == "muon":
        return Muon(parameters, outside)
    return {"adafactor": Adafactor, "shampoo": Shampoo}[name](parameters)
