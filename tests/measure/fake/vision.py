# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Models that see images, as a plan document describes them, on the fake device.

Transformers computes places of patches and bounds of images from numbers, which a fake tensor has
not. Such numbers are NumPy's here, and what is computed from them is done on the host."""

import importlib

import numpy
import torch
from torch.utils._python_dispatch import _disable_current_modes
from transformers import AutoModelForImageTextToText, PreTrainedModel

PreTrainedModel.initialize_weights = lambda *_, **__: None  # truncated noise asks for values

# Helpers of transformers.vision_utils, and which of their results are read as numbers.
COMPUTED = {"get_vision_position_ids": (), "get_vision_interpolation_indices_and_weights": (),
            "get_vision_window_index": (1,), "get_vision_attention_seqlens": (0,),
            "get_vision_cu_seqlens": (0,)}
TOWER = 1000  # the number of its first block, above those of the text
FROZEN = ("visual.", "vision_tower.", "multi_modal_projector.")


def sees(plan):
    return plan["batch"].get("images", 0) > 0


def build(plan, config, kind):
    model = bare(plan, config, kind)
    _prepare(importlib.import_module(type(model).__module__))
    return model


def bare(plan, config, kind):
    """The model as it is trained, not yet ready to run on the fake device."""
    model = AutoModelForImageTextToText.from_config(config, attn_implementation="sdpa", dtype=kind)
    if plan["batch"].get("vision_tower", "trained") == "frozen":
        for name, parameter in model.named_parameters():
            if any(part in name for part in FROZEN):
                parameter.requires_grad_(False)
    return model


def tower_blocks(model):
    for module in model.modules():  # wrappers hold the whole model
        if hasattr(module, "visual"):
            return list(module.visual.blocks)
        if hasattr(module, "vision_tower"):
            return list(module.vision_tower.encoder.layer)
    return []


def images(plan):
    """What the processor hands over beside the tokens: pixels in fp32, and the images' shapes."""
    batch, tower = plan["batch"], plan["model"]["config"]["vision_config"]
    count = batch["micro_batch"] * batch["images"]
    width, height = batch.get("image_width", 1024), batch.get("image_height", 1024)
    if tower.get("model_type") == "internvl_vision":
        return {"pixel_values": torch.zeros((count, 3, height, width), device="cuda")}
    side = tower["patch_size"]
    rows, columns = height // side, width // side
    pixels = torch.zeros((count * rows * columns, 3 * 2 * side * side), device="cuda")
    places = (3, batch["micro_batch"], batch["sequence_length"])
    return {"pixel_values": pixels,
            "image_grid_thw": numpy.array([[1, rows, columns]] * count),
            "position_ids": torch.zeros(places, dtype=torch.int64, device="cuda")}


def _prepare(module):
    for name, numbers in COMPUTED.items():
        if hasattr(module, name):
            setattr(module, name, _on_host(getattr(module, name), numbers))
    module.torch_compilable_check = lambda *_, **__: None
    module.get_max_seqlen = lambda *_, **__: None
    for kind in vars(module).values():
        if isinstance(kind, type) and hasattr(kind, "_deepstack_process"):
            kind._deepstack_process = _deepstack


def _on_host(function, numbers):
    def run(*args, **kwargs):
        def value(x):
            return torch.from_numpy(x) if isinstance(x, numpy.ndarray) else x

        kwargs.pop("kwargs", None)  # where a caller's own results would stand
        with _disable_current_modes():
            results = function(*map(value, args), **{key: value(x) for key, x in kwargs.items()})
            several = isinstance(results, tuple)
            made = [x.numpy().copy() if place in numbers else x
                    for place, x in enumerate(results if several else (results,))]
        made = [_again(x) for x in made]
        return tuple(made) if several else made[0]

    return run


def _again(result):
    if not isinstance(result, torch.Tensor):
        return result
    return torch.zeros(result.shape, dtype=result.dtype, device="cuda")


def _deepstack(_, hidden, mask, features):
    """The features' places are known in number alone."""
    places = torch.zeros((2, features.shape[0]), dtype=torch.int64, device="cuda")
    hidden = hidden.clone()
    hidden[places[0], places[1], :] = hidden[places[0], places[1], :] + features
    return hidden
