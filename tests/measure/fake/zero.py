# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""DeepSpeed's engine, one rank of many: ZeRO-1, -2 and -3."""

import itertools
import os

import torch
from transformers import AutoModelForCausalLM

import device
import extensions
import losses
import models
import optimizers
import training
import vision


def settings(plan):
    """The ds_config of a plan."""
    parallel, bucket = plan["parallel"], plan["parallel"].get("bucket", {})
    names = ("reduce_bucket_size", "allgather_bucket_size", "sub_group_size", "overlap_comm")
    if parallel["strategy"] == "zero3":
        names = ("reduce_bucket_size", "sub_group_size", "overlap_comm")
        more = {"stage3_prefetch_bucket_size": bucket.get("prefetch_bucket_size", 50_000_000),
                "stage3_param_persistence_threshold": bucket.get("param_persistence_threshold",
                                                                 100_000),
                "stage3_max_live_parameters": bucket.get("max_live_parameters", 1_000_000_000),
                "stage3_max_reuse_distance": bucket.get("max_reuse_distance", 1_000_000_000)}
    else:
        more = {}
    if plan["optimizer"].get("offload"):
        more["offload_optimizer"] = {"device": "cpu", "pin_memory": False}
    if parallel.get("cpu_offload"):
        more["offload_param"] = {"device": "cpu", "pin_memory": False}
    zero = {"stage": int(parallel["strategy"][-1]), **more,
            **{name: bucket[name] for name in names if name in bucket}}
    return {"train_micro_batch_size_per_gpu": plan["batch"]["micro_batch"],
            "gradient_accumulation_steps": plan["batch"].get("accumulation_steps", 1),
            "zero_optimization": zero, "zero_allow_untested_optimizer": True,
            "zero_force_ds_cpu_optimizer": False,  # its kernel is of the host; torch's does as well
            "bf16": {"enabled": True}, "steps_per_print": 1_000_000}


def fullest_ranks(plan, world):
    """The ranks of ZeRO-1 and -2 that may hold most: into whose partition the largest tensors reach,
    whose gradients are averaged whole, at all or behind the embedding; where these and their norm
    take most; the ends of the model, and the last that holds a part of the embedding."""
    with torch.device("meta"):
        model = vision.bare(plan, models.config_of(plan), torch.bfloat16) if vision.sees(plan) \
            else AutoModelForCausalLM.from_config(models.config_of(plan))
    sizes = [parameter.numel() for parameter in model.parameters() if parameter.requires_grad]
    share = -(-sum(sizes) // world)
    ends = list(itertools.accumulate(sizes))
    def reached(rank):
        return [(size, min(end, (rank + 1) * share) - max(end - size, rank * share))
                for size, end in zip(sizes, ends)
                if end > rank * share and end - size < (rank + 1) * share]
    def averaged(rank):
        return sum(size for size, _ in reached(rank))
    def at_norm(rank):
        return 2 * averaged(rank) + 8 * max((piece for _, piece in reached(rank)), default=0)
    embedding = (sizes[0] - 1) // share  # the last rank that has a part of it
    behind = range(min(embedding + 1, world - 1), world)
    return {max(range(world), key=averaged), max(range(world), key=at_norm), 0, embedding,
            max(behind, key=averaged), world - 1}


def prepare(world, rank=0):
    """Before anything is fake. DeepSpeed takes the process group that is there."""
    device.prepare()
    os.environ.update(DS_ACCELERATOR="cuda", RANK=str(rank), WORLD_SIZE=str(world),
                      LOCAL_RANK="0", MASTER_ADDR="127.0.0.1", MASTER_PORT="29500")
    import deepspeed
    from deepspeed.runtime.zero import (partition_parameters, partitioned_param_coordinator, stage3,
                                        stage_1_and_2)
    for module in (partition_parameters, partitioned_param_coordinator, stage3):
        module.assert_ints_same_as_other_ranks = lambda _: None  # there are no others to ask
    for module in (stage_1_and_2, stage3):
        module.is_invalid_grad_norm = lambda *_, **__: False
    deepspeed.init_distributed(dist_backend="fake", auto_mpi_discovery=False,
                               dist_init_required=False)


def run(plan, meter):
    import deepspeed
    meter.mark("load")
    model = models.build(plan)
    model.to = model.bfloat16 = lambda *_, **__: model  # it is there already, in that type
    watch = training.Watch(meter, model)
    optimizer = optimizers.of(plan, model)
    engine, *_ = deepspeed.initialize(model=model, optimizer=optimizer, config=settings(plan))
    training.own(meter, engine.module)
    sharded = engine.optimizer
    checked = sharded.has_overflow  # its tensors count, its answer must not skip the step
    sharded.has_overflow = lambda *args, **kwargs: bool(checked(*args, **kwargs)) and False
    masters = getattr(sharded, "single_partition_of_fp32_groups", None) or \
        getattr(sharded, "fp32_partitioned_groups_flat", [])
    meter.label(masters, "master weights")
    for step in range(training.STEPS):
        for number in range(plan["batch"].get("accumulation_steps", 1)):
            watch.micro = f"step {step} micro {number}"
            batch = training.Batch(plan)
            watch.mark("forward")
            if plan["model"]["config"]["model_type"] in extensions.FLA:
                loss, outputs = losses.of_logits(plan, engine, batch)
            else:
                outputs = engine(input_ids=batch.tokens, labels=batch.labels, use_cache=False,
                                 **batch.images)
                loss = outputs.loss
            watch.mark("loss, backward")
            engine.backward(loss)
            watch.mark("end of backward")
            if number == plan["batch"].get("accumulation_steps", 1) - 1:
                del outputs
                batch.images = {}
                watch.micro = f"step {step}"
                watch.mark("optimizer")
            engine.step()
        meter.label(training._states(sharded.optimizer), "optimizer states")
        watch.mark("rest")
