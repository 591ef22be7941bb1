# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What transformers' Trainer gets from accelerate with bf16=True: autocast around the model's
forward pass, its outputs in fp32, and accelerate's own preparation for FSDP2."""

import functools
import types

import torch
from accelerate.utils import convert_outputs_to_fp32, fsdp_utils

import models


def under_autocast(plan, model):
    """As Accelerator.prepare_model does (accelerate/accelerator.py)."""
    if plan.get("trainer") != "hf" or plan["precision"]["regime"] == "fp32":
        return
    cast = torch.autocast("cuda", dtype=torch.bfloat16)(model.forward.__func__)
    model.forward = types.MethodType(convert_outputs_to_fp32(cast), model)


def fsdp2(plan, model, mesh):
    """accelerate's fsdp2_prepare_model, with the part of an accelerator that it reads."""
    from torch.distributed.fsdp import MixedPrecisionPolicy, OffloadPolicy
    from torch.distributed.fsdp.wrap import transformer_auto_wrap_policy
    block = type(models.blocks_of(model)[0])
    sixteen = torch.bfloat16
    plugin = types.SimpleNamespace(
        set_auto_wrap_policy=lambda _: None, ignored_modules=None, cpu_ram_efficient_loading=False,
        reshard_after_forward=plan["parallel"].get("sharding") != "shard_grad_op",
        cpu_offload=OffloadPolicy(), transformer_cls_names_to_wrap=[block.__name__],
        mixed_precision_policy=MixedPrecisionPolicy(sixteen, sixteen, sixteen),
        auto_wrap_policy=functools.partial(transformer_auto_wrap_policy,
                                           transformer_layer_cls={block}))
    accelerator = types.SimpleNamespace(
        state=types.SimpleNamespace(fsdp_plugin=plugin), mixed_precision="bf16",
        is_main_process=False, torch_device_mesh={("shard",): mesh},
        parallelism_config=types.SimpleNamespace(fsdp_dim_names=("shard",)))
    return fsdp_utils.fsdp2_prepare_model(accelerator, model)
