# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Optimizers by the names of the plan document, as torch, transformers, torchao and bitsandbytes
ship them."""

import torch

import models


def of(plan, model):
    trained = [p for p in model.parameters() if p.requires_grad]
    settings = plan["optimizer"]
    name, how = settings["name"], settings.get("implementation", "foreach")
    if how == "in-backward":
        return InBackward(name, trained)
    if name == "muon":
        return Both(trained, model)
    for path, parameter in model.named_parameters():
        parameter.starts_at_zero = "lora_B" in path
    return KINDS[name](trained, {"foreach": {"foreach": True}, "fused": {"fused": True},
                                 "for-loop": {"foreach": False}}[how])


class InBackward:
    """Each parameter is updated, and its gradient dropped, as soon as the gradient is there."""

    def __init__(self, name, parameters):
        self.state = {}
        for parameter in parameters:
            own = KINDS[name]([parameter], {"foreach": False})
            parameter.register_post_accumulate_grad_hook(lambda _, own=own: self._update(own))

    def _update(self, own):
        own.step()
        own.zero_grad(set_to_none=True)
        self.state.update(own.state)

    def step(self):
        pass

    def zero_grad(self, set_to_none=True):
        pass


class Both:
    """Muon for the matrices of the blocks, AdamW for the rest."""

    def __init__(self, trained, model):
        inner = {id(p) for p in models.blocks_of(model).parameters() if p.dim() == 2}
        self.parts = [torch.optim.Muon([p for p in trained if id(p) in inner]),
                      torch.optim.AdamW([p for p in trained if id(p) not in inner], foreach=False)]

    @property
    def state(self):
        return {key: value for part in self.parts for key, value in part.state.items()}

    def step(self):
        for part in self.parts:
            part.step()

    def zero_grad(self, set_to_none=True):
        for part in self.parts:
            part.zero_grad(set_to_none=set_to_none)


def _eight_bit(parameters, _):
    import bitsandbytes
    return bitsandbytes.optim.AdamW8bit(parameters)


def _eight_bit_ao(parameters, _):
    from torchao.optim import AdamW8bit
    return AdamW8bit(parameters)


def _lion(parameters, _):
    from lion_pytorch import Lion
    return Lion(parameters)


def _prodigy(parameters, _):
    """It reads numbers off its tensors, and whether one is zero; a fake tensor has neither."""
    from prodigyopt import Prodigy

    class Stepped(Prodigy):
        def step(self, closure=None):
            item, anything = torch.Tensor.item, torch.Tensor.any
            torch.Tensor.item = lambda tensor: 1.0
            torch.Tensor.any = lambda tensor, *_: not getattr(tensor, "starts_at_zero", False)
            try:
                return super().step(closure)
            finally:
                torch.Tensor.item, torch.Tensor.any = item, anything

    return Stepped(parameters)


def _schedule_free(parameters, how):
    from schedulefree import AdamWScheduleFree
    optimizer = AdamWScheduleFree(parameters, **how)
    optimizer.train()
    return optimizer


KINDS = {
    "adamw": lambda parameters, how: torch.optim.AdamW(parameters, **how),
    "adam": lambda parameters, how: torch.optim.Adam(parameters, **how),
    "sgd": lambda parameters, how: torch.optim.SGD(parameters, lr=1e-3, **how),
    "sgd-momentum": lambda parameters, how: torch.optim.SGD(parameters, lr=1e-3, momentum=0.9,
                                                            **how),
    "adafactor-torch": lambda parameters, how: torch.optim.Adafactor(parameters, **how),
    "adamw-8bit": _eight_bit,
    "lion": _lion,
    "prodigy": _prodigy,
    "adamw-schedule-free": _schedule_free,
}
