# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Records a program that runs on the CPU as PyTorch's allocator would record it on a GPU, and knows the role of each block.

A program names `DEV`, which is the CPU with an index. PyTorch computes there as on "cpu" but shows the index to dispatch modes, so that the
recorder sees which tensors a program puts on the device; what an operator makes of these is on the device, too. Storages on the device go
through a model of the caching allocator, whose events become a snapshot.

Roles come from objects: module.parameters() and .buffers(), p.grad, optimizer.state, what autograd saves, what a program declares. They
never come from stacks. A storage may play several roles; the first in RANK counts. A storage without a role is "temporary_PHASE".

The recording leaves out most of what a kernel takes for itself: only the workspace of cuBLAS and a few buffers (SCRATCH) are in it."""

import contextlib
import dataclasses
import gzip
import json
import os
import pathlib
import pickle
import re
import weakref

import torch
import torch._dynamo  # otherwise the first optimizer imports it while the program runs
import torch.nn.functional as F
import torch.utils.checkpoint
from torch.optim.optimizer import register_optimizer_step_post_hook, register_optimizer_step_pre_hook
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from allocator import GIB, MIB, Allocator, Piece
from stacks import LOSSES, VERSION, Stacks

DEV = torch.device("cpu", 0)
RANK = ("parameter", "buffer", "state", "gradient", "ema", "kv", "comm", "workspace", "input", "loss", "kept", "activation")
PRODUCTS = {"mm", "addmm", "bmm", "baddbmm", "_scaled_dot_product_flash_attention_for_cpu"}
# Bytes that CUDA's kernels take inside an operator and return before it ends.
SCRATCH = {
    "embedding_dense_backward": lambda tensors: [tensors[1].nbytes, tensors[1].nbytes],
    "sort": lambda tensors: [tensors[0].nbytes],
    "topk": lambda tensors: [tensors[0].nbytes] if tensors[0].shape[-1] > 1024 else []}


@dataclasses.dataclass(eq=False)
class Block:
    bytes: int
    phase: str
    roles: set = dataclasses.field(default_factory=set)
    birth: int = -1
    death: int = None  # the event of its free_completed; -1: before the recording
    address: int = None
    piece: Piece = None
    elsewhere: bool = False  # another stream uses it
    watch: object = None


class Recorder(TorchDispatchMode):
    """What programs call L.

    context, stacks: of _record_memory_history(). capacity: bytes of the card; others: bytes that other processes hold.
    scale: by how much sizes from 512 bytes on are multiplied, so that a small run looks like a large one.
    workspace: bytes that cuBLAS takes once for each thread that multiplies."""

    def __init__(self, sources, context="all", stacks="all", capacity=80 * GIB, others=0, expandable=False, workspace=8519680, scale=1):
        super().__init__()
        self.context, self.stacks, self.scale, self.workspace = context, stacks, scale, workspace
        self.stack = Stacks(sources, stacks == "all")
        self.allocator = Allocator(capacity - others, expandable, self.record)
        self.on, self.events, self.annotations, self.open, self.clock = False, [], [], [], 1_764_000_000_000_000
        self.metadata, self.current_stream, self.phases, self.optimizing, self.born_as = "", 0, [], 0, []
        self.everything = None  # True, False: whether all that is made now is on the device
        self.live, self.blocks, self.multiplied, self.logits = {}, [], set(), set()
        self.modules, self.averages, self.optimizers = [], [], weakref.WeakSet()
        self.steps, self.unit, self.leak, self.oom = [], "step", None, None

    # -- Events --

    def record(self, action, address, size, stream, frames):
        """Writes an event; its number, or -1 while nothing is recorded."""
        if not self.on:
            return -1
        self.clock += 0 if action == "free_completed" else 2
        entry = {"action": action, "device_free" if action == "oom" else "addr": address, "size": size, "stream": stream,
                 "time_us": self.clock}
        if VERSION >= (2, 8):
            entry["compile_context"] = "N/A"
        if VERSION >= (2, 10):
            entry["user_metadata"] = self.metadata
        if VERSION >= (2, 12):
            entry["pool_id"] = (0, 0)
        if self.context != "state":
            entry["frames"] = frames
        self.events.append(entry)
        return len(self.events) - 1

    def frames(self, cause, operator=""):
        """The frames of this place and the phase of the program."""
        shown, forward = self.stack.now()
        engine = torch._C._current_graph_task_id() != -1
        closure = self.optimizing and forward  # an optimizer that runs the model
        phase = ("backward" if engine else "optimizer" if self.optimizing and not closure
                 else self.phases[-1] if self.phases and not closure else "forward" if forward else "other")
        return self.stack.written(shown, cause, operator, engine) if self.on else [], phase

    def annotate(self, name, stage):
        if self.on:
            self.clock += 1
            self.annotations.append({"stage": stage, "name": name, "device": 0, "time_us": self.clock})

    # -- Storages --

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        namespace, name = function._schema.name.split("::")
        if namespace == "profiler":  # record_function(): it becomes an external annotation
            if "enter" in name:
                self.open.append(args[0])
            self.annotate(self.open[-1], "START" if "enter" in name else "END")
            if "exit" in name:
                self.open.pop()
            return function(*args, **kwargs)
        if torch.is_inference_mode_enabled() and function._can_decompose():  # autograd, which would take it apart, is off
            with self:
                return function.decompose(*args, **kwargs)
        given = [leaf for leaf in tree_leaves((args, kwargs)) if isinstance(leaf, torch.Tensor)]
        device = kwargs.get("device")
        inside = self.everything
        if inside is None:
            inside = (device is not None and device.index == 0) or any(self.block(tensor) for tensor in given)
        made = function(*args, **kwargs)
        if inside:
            operator = function.__name__.removesuffix(".default")
            new = [leaf for leaf in tree_leaves(made) if isinstance(leaf, torch.Tensor) and leaf.layout == torch.strided
                   and not self.block(leaf)]
            for tensor in new:
                self.add(tensor.untyped_storage(), operator)
            self.kernel(name, operator, given, bool(new))
            self.clock += 3 + sum(tensor.nbytes for tensor in new) // 50_000
        return made

    def block(self, tensor):
        return self.live.get(tensor.untyped_storage()._cdata) if tensor.layout == torch.strided else None

    def add(self, storage, operator):
        key, size = storage._cdata, storage.nbytes()
        if size == 0 or key in self.live:
            return
        block = self.take(size * self.scale if size >= 512 else size, "alloc", operator)
        block.roles.update(self.born_as)
        block.watch = weakref.ref(storage, lambda _: self.released(key, block))
        self.live[key] = block

    def take(self, size, cause, operator, role=None):
        frames, phase = self.frames(cause, operator)
        block = Block(size, phase, {role} if role else set())
        self.allocator.allocate(block, self.current_stream, frames)
        if block.address is None:
            raise torch.OutOfMemoryError(f"CUDA out of memory. Tried to allocate {size / MIB:.2f} MiB.")
        self.blocks.append(block)
        return block

    def released(self, key, block):
        if self.live.get(key) is not block:
            return
        del self.live[key]
        frames = self.frames("free")[0] if self.context == "all" else block.piece.frames
        self.allocator.free(block, frames)

    def kernel(self, name, operator, given, made):
        """What the operator's kernel takes for itself."""
        engine = torch._C._current_graph_task_id() != -1
        if self.workspace and name in PRODUCTS and made and (engine, self.current_stream) not in self.multiplied:
            self.multiplied.add((engine, self.current_stream))
            self.take(self.workspace, "workspace", operator, "workspace")
        scratch = [self.take(size * self.scale, "alloc", operator) for size in SCRATCH.get(name, lambda tensors: [])(given) if size >= 512]
        for block in scratch:
            self.allocator.free(block, self.frames("free")[0] if self.context == "all" else block.piece.frames)

    # -- Roles --

    def role(self, role, *tensors):
        for tensor in tree_leaves(tensors):
            block = self.block(tensor) if isinstance(tensor, torch.Tensor) else None
            if block:
                block.roles.add(role)
                if role == "loss":
                    self.logits.add(block.bytes)

    def inputs(self, *tensors):
        self.role("input", tensors)
        return tensors[0] if len(tensors) == 1 else tensors

    def kept(self, *tensors):
        self.role("kept", tensors)

    def kv(self, *tensors):
        self.role("kv", tensors)

    def module(self, module, ema=False):
        (self.averages if ema else self.modules).append(module)
        if not ema:
            for parameter in module.parameters():
                if parameter.requires_grad:
                    parameter.register_post_accumulate_grad_hook(lambda one: self.role("gradient", one.grad))
        self.look()
        return module

    def look(self):
        """Reads the objects that know their tensors."""
        for modules, role, rest in ((self.modules, "parameter", "buffer"), (self.averages, "ema", "ema")):
            for module in modules:
                parameters = list(module.parameters())
                self.role(role, parameters)
                self.role("gradient", [parameter.grad for parameter in parameters])
                self.role(rest, list(module.buffers()))
        for optimizer in self.optimizers:
            self.role("state", [list(state.values()) for state in optimizer.state.values() if isinstance(state, dict)])

    def saved(self, tensor):
        self.role("activation", tensor)
        return tensor.detach()

    # -- What programs call --

    def start(self):
        """torch.cuda.memory._record_memory_history()"""
        self.look()
        self.on = True

    @contextlib.contextmanager
    def step(self):
        """A true step, or request."""
        first = len(self.events)
        self.look()
        yield
        self.look()
        if self.on:
            self.steps.append([first, len(self.events) - 1])
        self.clock += 900

    @contextlib.contextmanager
    def at(self, phase):
        self.phases.append(phase)
        yield
        self.phases.pop()

    @contextlib.contextmanager
    def on_device(self, whether=True):
        """All that is made inside is on the device, whatever device is named: for libraries, which name x.device."""
        before, self.everything = self.everything, whether
        yield
        self.everything = before

    @contextlib.contextmanager
    def born(self, role):
        """All that is made inside has the role."""
        self.born_as.append(role)
        yield
        self.born_as.pop()

    @contextlib.contextmanager
    def stream(self, number):
        before, self.current_stream = self.current_stream, number
        yield
        self.current_stream = before

    def record_stream(self, *tensors):
        for tensor in tree_leaves(tensors):
            self.block(tensor).elsewhere = True

    @contextlib.contextmanager
    def collective(self, name):
        """What torch.distributed annotates."""
        self.annotate(name, "START")
        yield
        self.annotate(name, "END")

    # -- Patches: where PyTorch has no hook --

    @contextlib.contextmanager
    def patched(self):
        recorder, host = self, torch.Tensor.cpu
        losses = {name: getattr(F, name) for name in ("cross_entropy", *LOSSES)}
        recomputation = torch.utils.checkpoint._recomputation_hook

        def cross_entropy(logits, *args, **kwargs):
            recorder.role("loss", logits)
            with recorder.born("loss"):
                return losses["cross_entropy"](logits, *args, **kwargs)

        def loss(name):
            def function(*args, **kwargs):  # what it compares are no logits
                with recorder.born("loss"):
                    return losses[name](*args, **kwargs)
            return function

        def cpu(tensor):
            with recorder.on_device(False):
                return tensor.detach().clone()

        def recompute(*args):  # checkpoint() keeps recomputed tensors by hooks of its own
            hooks = recomputation(*args)
            keep = hooks.pack_hook

            def pack(tensor):
                recorder.role("activation", tensor)
                return keep(tensor)
            hooks.pack_hook = pack
            return hooks

        def before(optimizer, args, kwargs):
            recorder.optimizers.add(optimizer)
            recorder.role("gradient", [parameter.grad for group in optimizer.param_groups for parameter in group["params"]])
            recorder.optimizing += 1

        def after(optimizer, args, kwargs):
            recorder.optimizing -= 1
            recorder.look()
        hooks = [register_optimizer_step_pre_hook(before), register_optimizer_step_post_hook(after)]
        for name in LOSSES:
            setattr(F, name, loss(name))
        F.cross_entropy, torch.Tensor.cpu, torch.utils.checkpoint._recomputation_hook = cross_entropy, cpu, recompute
        try:
            yield
        finally:
            for name, function in losses.items():
                setattr(F, name, function)
            torch.Tensor.cpu, torch.utils.checkpoint._recomputation_hook = host, recomputation
            for hook in hooks:
                hook.remove()

    # -- The files --

    def run(self, program, name, what, folder):
        kept = failure = None
        with self.patched(), torch.autograd.graph.saved_tensors_hooks(self.saved, lambda tensor: tensor), self:
            try:
                kept = program(self)
            except torch.OutOfMemoryError as error:
                failure = error  # its traceback keeps the program's variables until the snapshot is made
            self.look()
            with self.on_device(False):
                snapshot, labels = self.snapshot(), self.labels(name, what)
            self.live.clear()
        packed = gzip.compress(pickle.dumps(snapshot, protocol=4), 9, mtime=0)
        with open(os.path.join(folder, name + ".pickle.gz"), "wb") as file:
            file.write(packed)
        with open(os.path.join(folder, name + ".labels.json"), "w") as file:
            file.write(json.dumps(labels, separators=(",", ":")) + "\n")
        del kept, failure
        return labels, len(packed)

    def snapshot(self):
        settings = {"PYTORCH_CUDA_ALLOC_CONF": "expandable_segments:True" if self.allocator.expandable else "", "max_split_size": -1,
                    "garbage_collection_threshold": 0.0, "expandable_segments": self.allocator.expandable, "pinned_num_register_threads": 1,
                    "release_lock_on_cudamalloc": False, "pinned_use_cuda_host_register": False}
        if VERSION >= (2, 9):
            settings["graph_capture_record_stream_reuse"] = False
        settings["roundup_power2_divisions"] = {str(1 << power): 0 for power in range(16)}
        if VERSION >= (2, 12):
            settings |= {"trace_alloc_overflowed": False, "trace_alloc_max_entries": 1_000_000}
        return {"segments": self.allocator.dump(), "device_traces": [self.events], "allocator_settings": settings,
                "external_annotations": self.annotations}

    def named(self, block):
        for role in RANK:
            if role in block.roles:
                return role + "_saved" if role in ("input", "loss", "kept") and "activation" in block.roles else role
        return "loss_grad" if block.phase == "backward" and block.bytes in self.logits else "temporary_" + block.phase

    def labels(self, name, what):
        count = len(self.events)
        blocks = [block for block in self.blocks if block.death != -1]
        change = [0] * count
        level = sum(block.bytes for block in blocks if block.birth < 0)
        for block in blocks:
            if block.birth >= 0:
                change[block.birth] += block.bytes
            if block.death is not None:
                change[block.death] -= block.bytes
        levels = [level]
        for difference in change:
            levels.append(levels[-1] + difference)
        top = levels.index(max(levels)) - 1

        def moment(event):
            there = [block for block in blocks if block.birth <= event and (block.death is None or block.death > event)]
            total = {}
            for block in there:
                total[self.named(block)] = total.get(self.named(block), 0) + block.bytes
            assert sum(total.values()) == levels[event + 1]
            return {"event": event, "active": levels[event + 1], "bytes": total,
                    "blocks": [[hex(block.address), block.bytes, self.named(block), block.birth, -1 if block.death is None else block.death]
                               for block in there]}
        peak = moment(top)
        peak["phase"] = next((block.phase for block in blocks if block.birth == top), "before")
        ends = [levels[last + 1] for _, last in self.steps]
        growth = sorted(later - earlier for earlier, later in zip(ends, ends[1:]))
        growth = growth[len(growth) // 2] if growth else 0
        if self.leak and self.leak["bytes_per_step"] is None:
            self.leak["bytes_per_step"] = growth
        return {"name": name, "what": what, "torch": torch.__version__, "context": self.context, "stacks": self.stacks, "scale": self.scale,
                "columns": ["address", "bytes", "role", "birth event (-1: before)", "event of its free_completed (-1: never)"],
                "events": count, "peak": peak, "end": moment(count - 1), "unit": self.unit, "steps": self.steps,
                "growth_per_step": growth, "leak": self.leak, "oom": self.oom}


PROGRAMS = {}


def program(what, torch="2.15", **settings):
    """Enters a function p_NAME: what it is, the release of torch that records it, settings of the recorder."""
    def enter(function):
        PROGRAMS[function.__name__.removeprefix("p_")] = (function, what, torch, settings)
        return function
    return enter


def sources_of(folder):
    """The files that lines `# --- file: PATH` begin in program files: {program file: [(line, PATH)]}."""
    found = {}
    for path in sorted(pathlib.Path(folder).glob("*.py")):
        marks = [(number, re.match(r"# --- file: (\S+)", line)) for number, line in enumerate(path.read_text().splitlines(), start=1)]
        if any(mark for _, mark in marks):
            found[str(path)] = [(number, mark[1]) for number, mark in marks if mark]
    return found


def make(folder, names):
    """Records the programs (all, or the named ones) that this release of torch is for."""
    sources = sources_of(pathlib.Path(__file__).resolve().parent)
    for name, (function, what, release, settings) in PROGRAMS.items():
        if names and name not in names or not torch.__version__.startswith(release + "."):
            continue
        torch.manual_seed(1)
        labels, size = Recorder(sources, **settings).run(function, name, what, folder)
        print(f"{name}: {labels['events']} events, {size / 1000:.0f} kB, {len(labels['steps'])} {labels['unit']}s")
        for moment in ("peak", "end"):
            parts = sorted(labels[moment]["bytes"].items(), key=lambda part: -part[1])
            print(f"  {moment} at {labels[moment]['event']} {labels[moment].get('phase', '')}:",
                  ", ".join(f"{role} {size / MIB:.1f}" for role, size in parts if size > MIB / 20), flush=True)
