# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Two data-parallel ranks over gloo, and one stage of a pipeline."""

import contextlib
import os
import tempfile

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch.nn.parallel import DistributedDataParallel

import meter
import optimizers
import training


def run_ranks(plan, keep):
    """Starts the ranks and gives what rank 0 recorded: its facts and its figures."""
    with tempfile.TemporaryDirectory() as folder:
        answer = os.path.join(folder, "answer")
        world = plan["parallel"]["data"]
        mp.spawn(_rank, (world, plan, os.path.join(folder, "store"), answer, keep), nprocs=world)
        return torch.load(answer)


def _rank(rank, world, plan, store, answer, keep):
    torch.set_num_threads(1)
    dist.init_process_group("gloo", init_method="file://" + store, rank=rank, world_size=world)
    result = {}
    tree = meter.record(lambda: result.update(_train(plan)))
    if rank == 0:
        torch.save((result, keep(meter.History(tree))), answer)
    dist.barrier()
    dist.destroy_process_group()


def _train(plan):
    strategy = plan["parallel"]["strategy"]
    with meter.phase("load"):
        model = training.build(plan)
        runner, micro = model, training.micro_step
        if strategy == "ddp":
            view = plan["parallel"].get("gradient_as_bucket_view", False)
            runner = DistributedDataParallel(model, gradient_as_bucket_view=view)
            optimizer = training.optimizer_of(plan, model)
            if plan["batch"].get("no_sync"):
                micro = _without_sync(plan["batch"]["accumulation_steps"])
        else:
            optimizer = Partitioned(plan, model, early=strategy == "zero2")
    training.loop(plan, runner, optimizer, micro)
    return training.facts(model)


def _without_sync(steps):
    """Gradients are reduced in the last micro-batch of each step only."""
    count = iter(range(10 ** 9))

    def micro(plan, model, kept):
        last = next(count) % steps == steps - 1
        with contextlib.nullcontext() if last else model.no_sync():
            training.micro_step(plan, model, kept)

    return micro


class Partitioned:
    """Rajbhandari et al. 2020, by whole tensors: each rank owns a part of the parameters, steps on
    it and hands it to the others. ZeRO-1 averages all gradients after backward; ZeRO-2 (`early`)
    reduces each to its owner as soon as it is there, and only the owner keeps it."""

    def __init__(self, plan, model, early):
        self.parameters = [p for p in model.parameters() if p.requires_grad]
        self.early = early
        self.bucket = None
        loads = [0] * dist.get_world_size()
        self.owners = {}
        for parameter in sorted(self.parameters, key=lambda p: -p.numel()):
            owner = loads.index(min(loads))
            loads[owner] += parameter.numel()
            self.owners[parameter] = owner
        mine = [p for p in self.parameters if self.owners[p] == dist.get_rank()]
        self.optimizer = optimizers.of(plan, mine)
        self.accumulators = []
        for parameter in self.parameters if early else []:
            accumulator = parameter.expand_as(parameter).grad_fn.next_functions[0][0]
            accumulator.register_hook(lambda *_, p=parameter: self._reduce(p))
            self.accumulators.append(accumulator)

    def _reduce(self, parameter):
        # Through a bucket that lives until the step: gloo's thread may hold what it sent a moment
        # longer, and the meter does not see what another thread releases.
        if self.bucket is None:
            self.bucket = torch.empty(max(p.numel() for p in self.parameters))
        owner = self.owners[parameter]
        part = self.bucket[:parameter.numel()].view_as(parameter)
        part.copy_(parameter.grad)
        dist.reduce(part, owner)
        if owner == dist.get_rank():
            parameter.grad.copy_(part).div_(dist.get_world_size())
        else:
            parameter.grad = None

    def zero_grad(self, set_to_none=True):
        for parameter in self.parameters:
            parameter.grad = None

    def step(self):
        self.bucket = None
        if not self.early:
            for parameter in self.parameters:
                dist.all_reduce(parameter.grad)
                parameter.grad.div_(dist.get_world_size())
        self.optimizer.step()
        for parameter in self.parameters:
            dist.broadcast(parameter.data, self.owners[parameter])


def forward_and_backward(plan):
    """The order of one stage's work, as Megatron's schedules give it: ("forward" | "backward",
    chunk of blocks) for each micro-batch and chunk."""
    parallel = plan["parallel"]
    ranks, stage = parallel["pipeline"], parallel["stage"]
    chunks, micros = parallel.get("virtual_stages", 1), plan["batch"]["accumulation_steps"]
    total = micros * chunks
    ahead = ranks - stage - 1 if chunks == 1 else 2 * (ranks - stage - 1) + (chunks - 1) * ranks
    ahead = total if parallel.get("schedule") == "gpipe" else min(ahead, total)
    forward = [("forward", k % (ranks * chunks) // ranks) for k in range(total)]
    backward = [("backward", chunks - 1 - k % (ranks * chunks) // ranks) for k in range(total)]
    order = forward[:ahead]
    for pair in zip(forward[ahead:], backward):
        order += pair
    return order + backward[total - ahead:]


class Stage:
    """One rank of a pipeline. What comes from a neighbour is made in place of receiving it; a sent
    output gives its memory back and leaves its graph, as in Megatron."""

    def __init__(self, plan):
        parallel = plan["parallel"]
        ranks, self.stage = parallel["pipeline"], parallel["stage"]
        self.plan = plan
        self.chunks = parallel.get("virtual_stages", 1)
        size = plan["model"]["config"]["num_hidden_layers"] // (ranks * self.chunks)
        self.models = []
        for chunk in range(self.chunks):
            place = chunk * ranks + self.stage
            layers = range(place * size, (place + 1) * size)
            first, last = place == 0, place == ranks * self.chunks - 1
            self.models.append(training.build(plan, layers=layers, first=first, last=last))
        self.waiting = [[] for _ in self.models]

    def hidden(self):
        batch = self.plan["batch"]
        width = self.plan["model"]["config"]["hidden_size"]
        return torch.randn(batch["micro_batch"], batch["sequence_length"], width,
                           dtype=training.weight_type(self.plan))

    def forward(self, chunk, batch):
        model = self.models[chunk]
        source = batch.tokens if model.embeddings else self.hidden().requires_grad_()
        if model.head:
            loss, logits = model(source, batch.labels)
            self.waiting[chunk].append((source, loss, logits))
            return
        out = model(source)
        self.waiting[chunk].append((source, out, None))
        out.data = torch.empty(1, dtype=out.dtype)

    def backward(self, chunk):
        held = self.waiting[chunk].pop(0)
        out = held[1]  # what is held beside it lives until backward is over
        gradient = torch.ones_like(out) if self.models[chunk].head else self.hidden()
        torch.autograd.Variable._execution_engine.run_backward(
            (out,), (gradient,), False, False, (), allow_unreachable=True, accumulate_grad=True)

    def micro_steps(self, *_):
        """All micro-batches of a step."""
        batch = training.Batch(self.plan)
        for work, chunk in forward_and_backward(self.plan):
            if work == "forward":
                self.forward(chunk, batch)
            else:
                self.backward(chunk)


def run_stage(plan):
    with meter.phase("load"):
        stage = Stage(plan)
        parameters = torch.nn.ModuleList(stage.models)
        optimizer = optimizers.of(plan, [p for p in parameters.parameters() if p.requires_grad])
    once = {**plan, "batch": {**plan["batch"], "accumulation_steps": 1}}
    training.loop(once, None, optimizer, stage.micro_steps)
    return training.facts(parameters)
