# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every storage on the fake device, from birth to death, in the order in which the host asks for it.

A dispatch mode sees each operator's results; a weak reference sees the end of each storage; a
replaced `UntypedStorage.resize_` sees FSDP free and refill one. Sizes are rounded up to 512 bytes,
as CUDA's caching allocator rounds them."""

import sys
import weakref
from collections import defaultdict

import torch
from torch.distributed.tensor import DTensor
from torch.distributed.tensor._sharding_prop import ShardingPropagator
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from device import current_stream

ROUND = 512
FIXED = ("parameters", "buffers", "gradients", "optimizer states", "master weights")
aten = torch.ops.aten
functional = torch.ops._c10d_functional
_resize = torch.UntypedStorage.resize_


def rounded(size):
    return -(-size // ROUND) * ROUND


class Block:
    __slots__ = ("size", "label", "moment", "operator", "dtype", "shape", "reference", "stream")


class Meter(TorchDispatchMode):
    """`live[i]` is what is there after event i; `blocks[i]` of `streams[i]` made or freed it, by
    `deltas[i]`."""

    def __init__(self, device="cuda", in_place=True):
        super().__init__()
        self.device, self.in_place = device, in_place
        self.alive = {}
        self.deltas, self.blocks, self.live, self.streams = [], [], [], []
        self.marks = []
        self.entries = {}  # what is there when a block begins, by its number
        self.moment = "load"
        self.shapes_only = False
        self.numbers = dict(NUMBERS)
        self.asynchronous = False  # collectives run until somebody waits for them
        self.sent = {}  # what they read, by the storage of what they give

    def __enter__(self):
        self._ignore_propagation()
        torch.UntypedStorage.resize_ = lambda storage, size: self._resized(storage, size)
        return super().__enter__()

    def __exit__(self, *error):
        torch.UntypedStorage.resize_ = _resize
        return super().__exit__(*error)

    def _ignore_propagation(self):
        """DTensor runs each operator once on whole shapes to learn its result's; nothing is made."""
        propagate = ShardingPropagator._propagate_tensor_meta_non_cached

        def quietly(*args, **kwargs):
            before, self.shapes_only = self.shapes_only, True
            try:
                return propagate(*args, **kwargs)
            finally:
                self.shapes_only = before

        ShardingPropagator._propagate_tensor_meta_non_cached = quietly

    def mark(self, moment):
        self.marks.append((len(self.deltas), moment))
        self.moment = moment

    def label(self, tensors, name, but=FIXED):
        """Says what tensors are, unless they are known to be one of `but`."""
        for tensor in tensors:
            for part in _plain(tensor):
                block = self.alive.get(id(part.untyped_storage()))
                if block and block.label not in but:
                    block.label = name

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        if DTensor in types:
            return NotImplemented  # its local operators come here one by one
        if self.shapes_only:
            return function(*args, **kwargs)
        if self.in_place and function is aten.add.Tensor and _from_engine(args):
            # The engine adds to the gradient that came first when it alone holds that one, which it
            # never does of a view, except under a mode (csrc/autograd/input_buffer.cpp).
            first, second = args
            if _unique(first):
                return aten.add_.Tensor(first, second)
        if function is aten._local_scalar_dense.default:
            return self.numbers.get(args[0].dtype, 1.0)  # step counts and norms: no size depends on them
        if function is aten.equal.default:
            return True
        if function is functional.wait_tensor.default and self.asynchronous:
            self.sent.pop(id(args[0].untyped_storage()), None)
            return args[0]  # a fake one would be a copy
        out = function(*args, **kwargs)
        if function.namespace == "_c10d_functional" and self.asynchronous:
            # NCCL's work holds its inputs until then (ProcessGroupNCCL.cpp, stash).
            self.sent[id(out.untyped_storage())] = args[0]
        if function.namespace in ("c10d", "_c10d_functional"):
            self.label(_tensors((args, out)), "communication")
        inside = SCRATCH.get(function)
        for tensor in _tensors(out):
            self._seen(tensor, function)
        if inside:
            size = rounded(inside(*args, **kwargs))
            self._event(None, size)
            self._event(None, -size)
        return out

    def _seen(self, tensor, function):
        if tensor.device.type != self.device:
            return
        storage = tensor.untyped_storage()
        key = id(storage)
        if key in self.alive:
            return
        block = Block()
        block.size = rounded(storage.nbytes())
        block.label = _first_label(self.moment)
        block.moment, block.operator = self.moment, str(function)
        block.stream = current_stream().stream_id
        block.dtype, block.shape = tensor.dtype, tuple(tensor.shape)
        block.reference = weakref.ref(storage, lambda _, key=key: self._gone(key))
        self.alive[key] = block
        self._event(block, block.size)

    def _gone(self, key):
        block = self.alive.pop(key, None)
        if block and block.size:
            self._event(block, -block.size)

    def _resized(self, storage, size):
        _resize(storage, size)
        block = self.alive.get(id(storage))
        if block:
            change = rounded(size) - block.size
            block.size = rounded(size)
            if change > 0:  # refilled, not made larger
                block.stream = current_stream().stream_id
            if change:
                self._event(block, change)

    def _event(self, block, delta):
        self.deltas.append(delta)
        self.blocks.append(block)
        self.streams.append(block.stream if block else current_stream().stream_id)
        self.live.append((self.live[-1] if self.live else 0) + delta)

    def spans(self, wanted):
        """Index ranges of the moments for which `wanted(name)` holds."""
        ends = [start for start, _ in self.marks[1:]] + [len(self.live)]
        return [(start, end) for (start, name), end in zip(self.marks, ends) if wanted(name)]

    def peak(self, wanted):
        """(bytes, index) of the highest instant in the wanted moments."""
        best = (0, 0)
        for start, end in self.spans(wanted):
            for index in range(max(start - 1, 0), end):
                if self.live[index] > best[0]:
                    best = (self.live[index], index)
        return best

    def most_of_streams(self):
        """The most that each stream has at any time, by its number."""
        held, most = defaultdict(int), defaultdict(int)
        for stream, delta in zip(self.streams, self.deltas):
            held[stream] += delta
            most[stream] = max(most[stream], held[stream])
        return dict(most)

    def at_end(self, wanted):
        _, end = self.spans(wanted)[-1]
        return self.live[end - 1]

    def above_load(self, wanted):
        """Bytes of the highest instant in the wanted moments above what stays after "load"."""
        return self.peak(wanted)[0] - self.at_end(lambda moment: moment == "load")

    def alive_at(self, index):
        """(block, bytes) of all that is there after event `index`; None is a kernel's own scratch."""
        sizes = defaultdict(int)
        for block, delta in zip(self.blocks[:index + 1], self.deltas):
            sizes[block] += delta
        return [(block, size) for block, size in sizes.items() if size]

    def categories(self, index):
        sums = defaultdict(int)
        for block, size in self.alive_at(index):
            sums[block.label if block else "kernel scratch"] += size
        return dict(sums)


def _first_label(moment):
    """What a storage is as long as nobody says more."""
    if "forward" in moment:
        return "activations"
    if "loss" in moment:
        return "loss and logits"
    return "temporaries"


def _plain(tensor):
    """The local tensors inside a subclass such as DTensor."""
    if hasattr(tensor, "_local_tensor"):
        return _plain(tensor._local_tensor)
    return [tensor]


def _tensors(tree):
    return [part for leaf in tree_leaves(tree) if isinstance(leaf, torch.Tensor)
            for part in _plain(leaf)]


def _from_engine(args):
    """Whether autograd's engine itself adds two gradients up, rather than an operator's formula."""
    if len(args) != 2 or not all(isinstance(x, torch.Tensor) for x in args):
        return False
    frame = sys._getframe(2)
    while frame and frame.f_code.co_filename.endswith(WRAPPERS):
        frame = frame.f_back
    # The engine's own thread for the device has no Python below it.
    return frame is None or frame.f_code.co_name == "_engine_run_backward"


def _unique(tensor):
    return tensor._use_count() <= UNIQUE[0] and \
        torch._C._storage_Use_Count(tensor.untyped_storage()._cdata) <= UNIQUE[1]


WRAPPERS = ("meter.py", "_compile.py", "eval_frame.py", "_stats.py")
NUMBERS = {torch.int64: 1, torch.int32: 1, torch.bool: True}
UNIQUE = (4, 2)  # references of a gradient that the engine alone holds, as seen from a mode


def _flash_backward(grad_out, query, key, value, *_, **__):
    """aten/native/transformers/cuda/flash_attn/flash_api.cpp, mha_bwd: dq_accum and softmax_d in
    fp32, and gradients of keys and values for every query head where heads share them."""
    batch, heads, length, width = query.shape
    rows = -(-length // 128) * 128
    columns = -(-width // 32) * 32
    size = rounded(4 * batch * heads * rows * columns) + rounded(4 * batch * heads * rows)
    if key.shape[1] != heads:
        size += 2 * rounded(query.element_size() * batch * heads * key.shape[2] * width)
    return size


def _softmax_backward(grad_out, *_, **__):
    """aten/native/cuda/SoftMax.cu: the gradient times the output."""
    return grad_out.numel() * grad_out.element_size()


# What a kernel takes for itself while it runs; fake tensors show its results alone.
SCRATCH = {aten._scaled_dot_product_flash_attention_backward.default: _flash_backward,
           aten._softmax_backward_data.default: _softmax_backward}
