# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The components of the pipelines in resources/diffusion, built by the classes that diffusers and
transformers have for them, on whatever device is current."""

import json
import pathlib

import torch
import diffusers
import transformers

FOLDER = pathlib.Path(__file__).resolve().parents[3] / "resources/diffusion"


def pipelines():
    """{id: document} of resources/diffusion."""
    return {path.stem: json.loads(path.read_text()) for path in sorted(FOLDER.glob("*.json"))}


def components(document):
    """(name, config) of what a document describes."""
    return [(name, config) for name, config in document.items() if isinstance(config, dict)]


def build(config, dtype=torch.bfloat16):
    """A component with weights of a type, as its pipeline loads it."""
    stated = dict(config)
    name = stated.pop("_class_name")
    before = torch.get_default_dtype()
    torch.set_default_dtype(dtype)
    try:
        if hasattr(diffusers, name):
            model = getattr(diffusers, name).from_config(stated)
        else:
            model = _of_transformers(name, stated)
    finally:
        torch.set_default_dtype(before)
    for module in model.modules():
        _cast(module, dtype)
    return model.eval().requires_grad_(False)


def _cast(module, dtype):
    """What a checkpoint holds comes in the type that is asked for; tables that are computed stay."""
    for name, part in module._parameters.items():
        if part is not None and part.dtype != dtype:
            module._parameters[name] = torch.nn.Parameter(part.data.to(dtype), False)
    for name, part in module._buffers.items():
        kept = name not in module._non_persistent_buffers_set
        if part is not None and kept and part.is_floating_point():
            module._buffers[name] = part.to(dtype)


def _of_transformers(name, stated):
    kind = getattr(transformers, name)
    config = kind.config_class(**stated)
    config._attn_implementation = "sdpa"
    return kind._from_config(config)


def linear_shapes(model):
    """(out, in) of every nn.Linear that bitsandbytes quantises: not those that stay in fp32."""
    kept = getattr(model, "_keep_in_fp32_modules", None) or []
    return [tuple(module.weight.shape) for name, module in model.named_modules()
            if isinstance(module, torch.nn.Linear) and not set(kept) & set(name.split("."))]
