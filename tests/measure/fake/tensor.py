# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tensor and sequence parallelism of a Llama-like model, as torch's own tutorial and torchtitan
split it."""

from torch.distributed.tensor import DTensor, Replicate, Shard, distribute_module
from torch.distributed.tensor.parallel import (ColwiseParallel, PrepareModuleInput, RowwiseParallel,
                                               SequenceParallel, parallelize_module)

import models


def split(plan, model, mesh):
    sequence = plan["parallel"].get("sequence", False)
    outside = Shard(1) if sequence else Replicate()
    vocab = plan.get("loss") == "loss-parallel"
    trunk = models.trunk_of(model)
    parallelize_module(model, mesh, {"lm_head": ColwiseParallel(
        input_layouts=outside, output_layouts=Shard(-1) if vocab else Replicate(),
        use_local_output=not vocab)})
    top = {"embed_tokens": RowwiseParallel(input_layouts=Replicate(), output_layouts=outside)}
    if sequence:
        top["norm"] = SequenceParallel(use_local_output=True)
    else:
        whole(trunk.norm, mesh)
    parallelize_module(trunk, mesh, top)
    for block in models.blocks_of(model):
        parallelize_module(block, mesh, block_plan(sequence, outside))
        if not sequence:
            whole(block.input_layernorm, mesh)
            whole(block.post_attention_layernorm, mesh)


def whole(module, mesh):
    """Every rank has the module's weights, as DTensors like all others."""
    distribute_module(
        module, mesh,
        input_fn=lambda _, args, mesh: (DTensor.from_local(args[0], mesh, [Replicate()],
                                                           run_check=False),),
        output_fn=lambda _, out, mesh: out.to_local())


def block_plan(sequence, outside):
    plan = {
        "self_attn.q_proj": ColwiseParallel(), "self_attn.k_proj": ColwiseParallel(),
        "self_attn.v_proj": ColwiseParallel(),
        "self_attn.o_proj": RowwiseParallel(output_layouts=outside),
        "mlp.gate_proj": ColwiseParallel(), "mlp.up_proj": ColwiseParallel(),
        "mlp.down_proj": RowwiseParallel(output_layouts=outside),
    }
    if sequence:
        plan |= {
            "input_layernorm": SequenceParallel(), "post_attention_layernorm": SequenceParallel(),
            "self_attn": PrepareModuleInput(
                input_kwarg_layouts={"hidden_states": Shard(1)},
                desired_input_kwarg_layouts={"hidden_states": Replicate()}),
            "mlp": PrepareModuleInput(input_layouts=(Shard(1),),
                                      desired_input_layouts=(Replicate(),)),
        }
    return plan

