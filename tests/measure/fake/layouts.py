# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""One rank of many: the frameworks' own wrappers over a process group that moves nothing."""

import contextlib
import functools

import torch
import torch.distributed as dist
from torch.distributed.device_mesh import DeviceMesh, init_device_mesh
from torch.utils._python_dispatch import _disable_current_modes

import context
import device
import mcore
import models
import optimizers
import pipeline
import tensor
import titan
import trainer
import training
import vision
import zero
from meter import Meter


def world_of(plan):
    parallel = plan.get("parallel", {})
    size = 1
    for degree in ("data", "tensor", "pipeline", "context"):
        size *= parallel.get(degree, 1)
    return size


@contextlib.contextmanager
def group(plan, rank=0):
    from torch.testing._internal.distributed.fake_pg import FakeStore
    dist.init_process_group("fake", store=FakeStore(), rank=rank, world_size=world_of(plan))
    try:
        yield
    finally:
        dist.destroy_process_group()


def ranks_of(plan):
    """The ranks to record, of whose figures the highest counts; None where one rank is as another,
    or the plan names its stage."""
    if plan.get("parallel", {}).get("strategy") in ("zero1", "zero2"):
        return sorted(zero.fullest_ranks(plan, world_of(plan)))
    return [None]


def first_rank(plan):
    """Of the plan's stage."""
    parallel = plan["parallel"]
    return parallel.get("stage", 0) * world_of(plan) // parallel.get("pipeline", 1)


def record(plan, rank=None, framework=""):
    """One rank of the plan's layout trains two steps; gives the meter that saw them."""
    if plan.get("parallel", {}).get("strategy", "").startswith("megatron"):
        with group(plan, first_rank(plan)):
            return mcore.record(plan)
    if world_of(plan) == 1:
        with device.fake_mode(), Meter() as meter:
            training.run(plan, meter)
        return meter
    parallel = plan["parallel"]
    sharded = parallel.get("strategy", "").startswith("zero")
    if rank is None:
        rank = first_rank(plan)
    with group(plan, rank):
        if framework == "torchtitan":
            dims = titan.meshes(plan)
            with device.fake_mode(), Meter() as meter:
                titan.run(plan, meter, dims)
            return meter
        mesh = meshes(mesh_of(plan))
        if sharded:
            zero.prepare(world_of(plan), rank)
        with device.fake_mode(), Meter() as meter:
            if parallel.get("pipeline", 1) > 1:
                pipeline.run(plan, meter, mesh["pipeline"])
            elif sharded:
                zero.run(plan, meter)
            else:
                run_rank(plan, meter, mesh)
    return meter


def run_rank(plan, meter, mesh):
    meter.mark("load")
    model = models.build(plan)
    watch = training.Watch(meter, model)
    if "context" in mesh:
        watch.batches, meter.asynchronous = context.batches(plan, mesh["context"]), True
    runner, micro = wrap(plan, model, mesh)
    training.own(meter, model)
    optimizer = optimizers.of(plan, runner)
    training.train(plan, meter, runner, optimizer, watch, micro)


def mesh_of(plan):
    """Made before anything is fake: a mesh computes its ranks."""
    parallel = plan["parallel"]
    degrees = {name: parallel.get(name, 1) for name in ("pipeline", "data", "context", "tensor")}
    if parallel.get("sharding") == "hybrid_shard":
        degrees["data"] //= parallel["shard_group"]
        degrees = {**degrees, "shard": parallel["shard_group"]}
    names = [name for name, degree in degrees.items() if degree > 1]
    return init_device_mesh("cuda", [degrees[name] for name in names], mesh_dim_names=names)


class SameBuckets:
    """DDP's reducer without its reordering of the buckets after the first step, which reads tensors;
    the buckets' sum stays as it is."""

    def __init__(self, reducer):
        self.reducer = reducer

    def __getattr__(self, name):
        return getattr(self.reducer, name)

    def _rebuild_buckets(self):
        return False


def _arrived(_, bucket):
    """In place of an all-reduce, whose answer the empty process group does not give back."""
    future = torch.futures.Future()
    future.set_result(bucket.buffer())
    return future


def _real(function):
    """A mesh reads its own tensor of ranks, which must not become a fake one."""
    @functools.wraps(function)
    def outside(*args, **kwargs):
        with _disable_current_modes():
            return function(*args, **kwargs)

    return outside


DeviceMesh._concatenate = staticmethod(_real(DeviceMesh._concatenate))
DeviceMesh.__getitem__ = _real(DeviceMesh.__getitem__)
DeviceMesh._flatten = _real(DeviceMesh._flatten)


def meshes(mesh):
    """The part of the mesh for each kind of parallelism, by name."""
    names = mesh.mesh_dim_names
    parts = {name: mesh[name] for name in names}
    if "shard" in names and "data" in names:
        parts["data"] = mesh["data", "shard"]
    if "context" in names:  # parameters are sharded over all ranks that see tokens of their own
        parts["data"] = mesh["data", "context"]._flatten("data_context") if "data" in names \
            else mesh["context"]
    return parts


def wrap(plan, model, mesh):
    """The wrapped model and the way it runs one micro-batch."""
    parallel = plan["parallel"]
    if parallel.get("tensor", 1) > 1:
        tensor.split(plan, model, mesh["tensor"])
    strategy = parallel.get("strategy", "none")
    trainer.under_autocast(plan, model)
    if strategy == "ddp":
        return ddp(plan, model, mesh["data"])
    if strategy == "fsdp2":
        return fsdp2(plan, model, mesh["data"])
    if strategy == "fsdp1":
        return fsdp1(plan, model, mesh["data"])
    return model, training.micro_step


def without_sync(plan, quiet):
    """Gradients travel in the last micro-batch of a step only."""
    def micro(plan, model, watch, kept):
        with contextlib.nullcontext() if watch.last else quiet():
            training.micro_step(plan, model, watch, kept)

    return micro if plan["batch"].get("no_sync") else training.micro_step


def ddp(plan, model, mesh):
    from torch.nn.parallel import DistributedDataParallel, distributed
    distributed._verify_param_shape_across_processes = lambda *_, **__: None  # all ranks agree
    distributed._sync_module_states = lambda *_, **__: None
    view = plan["parallel"].get("gradient_as_bucket_view", False)
    runner = DistributedDataParallel(model, process_group=mesh.get_group(),
                                     gradient_as_bucket_view=view)
    runner.register_comm_hook(None, _arrived)
    for _ in range(10):  # it times its first ten iterations with CUDA's events
        with contextlib.suppress(RuntimeError):
            runner.reducer.prepare_for_forward()
    runner.reducer = SameBuckets(runner.reducer)
    runner.get_output_embeddings = model.get_output_embeddings
    return runner, without_sync(plan, runner.no_sync)


def mixed(plan):
    regime = plan["precision"]["regime"]
    kind = torch.bfloat16 if regime == "fsdp-mixed-bf16" else None
    reduce = {4: torch.float32, 2: torch.bfloat16}[plan["precision"].get("reduce_bytes", 2)]
    return kind, reduce if kind else None


def fsdp2(plan, model, mesh):
    """Blocks are units; the rest is the root's, or embedding and head have units of their own, as
    torchtitan and accelerate make them."""
    from torch.distributed.fsdp import (CPUOffloadPolicy, MixedPrecisionPolicy, OffloadPolicy,
                                        fully_shard)
    kind, reduce = mixed(plan)
    parallel = plan["parallel"]
    settings = {
        "mesh": mesh,
        "mp_policy": MixedPrecisionPolicy(param_dtype=kind, reduce_dtype=reduce),
        "reshard_after_forward": parallel.get("sharding") != "shard_grad_op",
        "offload_policy": CPUOffloadPolicy(pin_memory=False) if parallel.get("cpu_offload")
        else OffloadPolicy(),
    }
    if plan.get("trainer") == "hf":
        return without_reduction(plan, trainer.fsdp2(plan, model, mesh))
    for block in [*vision.tower_blocks(model), *models.encoder_blocks(model),
                  *models.blocks_of(model)]:
        fully_shard(block, **settings)
    if parallel.get("units") == "head-kept":
        trunk, head = models.trunk_of(model), model.get_output_embeddings()
        tied = head.weight is trunk.embed_tokens.weight
        fully_shard([trunk.embed_tokens, trunk.norm, head] if tied else [trunk.norm, head],
                    **{**settings, "reshard_after_forward": False})
        if not tied:
            fully_shard(trunk.embed_tokens, **settings)
    if parallel.get("units", "root") == "root":  # torch's default, None, keeps the root
        settings["reshard_after_forward"] = None
    fully_shard(model, **settings)
    return without_reduction(plan, model)


def without_reduction(plan, model):
    """FSDP2's way of no_sync."""
    def micro(plan, model, watch, kept):
        model.set_requires_gradient_sync(watch.last or not plan["batch"].get("no_sync"))
        training.micro_step(plan, model, watch, kept)

    return model, micro


def _tell_storages_apart():
    """FSDP1 asks for addresses, to know whether two tensors share a storage and whether one is
    there; fake ones have none, but storages of their own and sizes."""
    from torch.distributed.fsdp import _flat_param
    _flat_param._same_storage = lambda one, other: _storage(one) == _storage(other)
    _flat_param._data_ptr_allocated = lambda tensor: tensor.untyped_storage().size() > 0


def _storage(parameter):
    return getattr(parameter, "_local_tensor", parameter).untyped_storage()._cdata


def fsdp1(plan, model, mesh):
    from torch.distributed.fsdp import (BackwardPrefetch, CPUOffload, FullyShardedDataParallel,
                                        MixedPrecision, ShardingStrategy)
    from torch.distributed.fsdp.wrap import lambda_auto_wrap_policy
    _tell_storages_apart()
    parallel = plan["parallel"]
    kind, reduce = mixed(plan)
    sharding = {"full_shard": ShardingStrategy.FULL_SHARD,
                "shard_grad_op": ShardingStrategy.SHARD_GRAD_OP,
                "hybrid_shard": ShardingStrategy.HYBRID_SHARD,
                "no_shard": ShardingStrategy.NO_SHARD}[parallel.get("sharding", "full_shard")]
    prefetch = {"pre": BackwardPrefetch.BACKWARD_PRE, "post": BackwardPrefetch.BACKWARD_POST,
                "none": None}[parallel.get("backward_prefetch", "pre")]
    inside = set(models.blocks_of(model))
    runner = FullyShardedDataParallel(
        model, sharding_strategy=sharding, backward_prefetch=prefetch, device_id=0,
        auto_wrap_policy=functools.partial(lambda_auto_wrap_policy,
                                           lambda_fn=lambda module: module in inside),
        mixed_precision=MixedPrecision(param_dtype=kind, reduce_dtype=reduce) if kind else None,
        cpu_offload=CPUOffload(True) if parallel.get("cpu_offload") else None,
        limit_all_gathers=parallel.get("limit_all_gathers", True), use_orig_params=True,
        device_mesh=mesh if mesh.ndim == 2 else None,
        process_group=None if mesh.ndim == 2 else mesh.get_group())
    for unit in FullyShardedDataParallel.fsdp_modules(runner):
        unit._device_handle.is_available = lambda: True
    return runner, without_sync(plan, runner.no_sync)
