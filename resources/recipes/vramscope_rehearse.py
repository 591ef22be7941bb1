# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs a PyTorch program without a GPU and writes what the allocator of its GPU would record.

    python vramscope_rehearse.py --device h100 --out out.pickle -- train.py ARGUMENTS

    from vramscope_rehearse import rehearse
    with rehearse("out.pickle", device="h100", world_size=8, rank=0):
        train_one_or_two_steps()

    python vramscope_rehearse.py --largest batch=4,8 -- train.py --batch {batch}

finds the largest number in place of {batch} with which the program fits the GPU.

Tensors "on cuda", and all parameters of modules, are fake: they have shapes, types and lifetimes,
and no memory. Other tensors on the host are real. What the program computes on the device from its
own batches (masks, counts, positions) is computed as well, on the host; what depends on weights is
not, and a decision that depends on it is refused with its line, or taken as --values says. The
program changes no file: it writes, renames and removes in a scratch folder.
"""

import argparse
import ast
import atexit
import bisect
import contextlib
import copyreg
import ctypes
import errno
import functools
import importlib.util
import io
import itertools
import json
import linecache
import mmap
import os
import pathlib
import pickle
import platform
import queue
import re
import runpy
import shutil
import stat
import struct
import subprocess
import sys
import tempfile
import threading
import time
import types
import weakref

try:
    import torch
    MISSING = None
except ImportError as error:
    torch, MISSING = None, error

OLDEST = (2, 4)
MIB, GIB = 1 << 20, 1 << 30
CONTEXT = 760 * MIB  # beside the allocator; recorded after a few steps on an H200: 751 to 769 MiB

# name: (bytes that torch reports, compute capability, multiprocessors, the name that torch reports,
# the name in VRAMscope's catalogue, whose bytes these are)
GPUS = {
    "t4": (15_633_680_957, (7, 5), 40, "Tesla T4", "t4-16gb"),
    "v100": (34_080_565_494, (7, 0), 80, "Tesla V100-SXM2-32GB", "v100-sxm-32gb"),
    "a10g": (23_686_744_637, (8, 6), 80, "NVIDIA A10G", "a10g-24gb"),
    "a100-40": (42_412_802_048, (8, 0), 108, "NVIDIA A100-SXM4-40GB", "a100-sxm-40gb"),
    "a100": (84_986_665_370, (8, 0), 108, "NVIDIA A100-SXM4-80GB", "a100-sxm-80gb"),
    "rtx3090": (25_318_832_210, (8, 6), 82, "NVIDIA GeForce RTX 3090", "rtx-3090"),
    "a6000": (51_045_686_313, (8, 6), 84, "NVIDIA RTX A6000", "rtx-a6000-48gb"),
    "rtx4090": (25_286_619_955, (8, 9), 128, "NVIDIA GeForce RTX 4090", "rtx-4090"),
    "l4": (23_654_532_383, (8, 9), 58, "NVIDIA L4", "l4-24gb"),
    "l40s": (47_695_611_822, (8, 9), 142, "NVIDIA L40S", "l40s-48gb"),
    "rtx5090": (33_683_281_019, (12, 0), 170, "NVIDIA GeForce RTX 5090", "rtx-5090"),
    "h100": (85_029_615_043, (9, 0), 132, "NVIDIA H100 80GB HBM3", "h100-sxm-80gb"),
    "h200": (150_109_106_995, (9, 0), 132, "NVIDIA H200", "h200-sxm-141gb"),
    "b200": (191_555_541_402, (10, 0), 148, "NVIDIA B200", "b200-sxm-192gb"),
}

NOT_RECORDED = [
    "workspaces of cuDNN and of other libraries, but for cuBLAS's",
    "NCCL's buffers",
    "the CUDA context and loaded kernels",
    "what most kernels take for themselves while they run (it is counted for sums of rows and for "
    "the backward pass of attention, softmax and embeddings)",
]


class Refused(BaseException):
    """What a rehearsal cannot do: one sentence. No `except Exception` of a program hides it."""


def plain(error):
    """The first line of an exception, behind its kind."""
    text = str(error).strip().splitlines()
    return f"{type(error).__name__}: {text[0]}" if text else type(error).__name__


def checked_torch():
    """Ends with a sentence where there is no torch, or one that is too old."""
    if torch is None:
        raise Refused(f"A rehearsal needs PyTorch {OLDEST[0]}.{OLDEST[1]} or later, and this "
                      f"Python ({sys.executable}) has none ({MISSING}): pip install torch.")
    version = tuple(int("".join(itertools.takewhile(str.isdigit, part)) or 0)
                    for part in torch.__version__.split(".")[:2])
    if version < OLDEST:
        raise Refused(f"A rehearsal needs PyTorch {OLDEST[0]}.{OLDEST[1]} or later, and this "
                      f"Python has {torch.__version__}: pip install --upgrade torch.")


def gpu_named(name):
    """The row of "h100", or of "h100-sxm-80gb"; or that of an H100 with "24GiB"."""
    key = str(name).lower()
    for short, gpu in GPUS.items():
        if key in (short, gpu[-1]):
            return gpu
    for unit, factor in (("gib", GIB), ("gb", 10 ** 9)):
        with contextlib.suppress(ValueError):
            if key.endswith(unit) and float(key[:-len(unit)]) > 0:
                return (int(float(key[:-len(unit)]) * factor), (9, 0), 132, f"a GPU of {name}", "")
    raise Refused(f"No GPU is known by the name {name}: give one of {', '.join(GPUS)}, or its "
                  f"memory as in 24GiB.")


# --- The allocator -------------------------------------------------------------------------------

class Block:
    __slots__ = ("address", "size", "requested", "segment", "before", "after", "free", "frames",
                 "metadata")

    def __init__(self, address, size, segment):
        self.address, self.size, self.segment = address, size, segment
        self.requested, self.before, self.after, self.free = 0, None, None, True
        self.frames, self.metadata = [], ""


class Segment:
    __slots__ = ("address", "size", "stream", "large", "first", "frames")


class Addresses:
    """Those that cudaMalloc gives, as read off an H100 under Linux: ranges of whole 32 MiB, a new
    one at the end of the highest gap with 32 MiB more than it takes, or below all others; a request
    gets the lowest addresses left in any of them. What is free as a whole is a gap."""

    GRAIN = 32 * MIB

    def __init__(self):
        self.lowest = 0x7F0000000000
        self.ranges, self.left, self.gaps = {}, {}, {}  # [size, used]; sizes; by address

    def take(self, size):
        at = min((each for each, room in self.left.items() if room >= size), default=None)
        if at is None:
            at = self._new_range(-(-size // self.GRAIN) * self.GRAIN)
        room = self.left.pop(at)
        if room > size:
            self.left[at + size] = room - size
        self.ranges[self._range_of(at)][1] += size
        return at

    def give_back(self, address, size):
        first = self._range_of(address)
        whole = self.ranges[first][0]
        self.ranges[first][1] -= size
        self._join(self.left, address, size, first, first + whole)
        if self.ranges[first][1] == 0:
            del self.ranges[first], self.left[first]
            self._join(self.gaps, first, whole, 0, 1 << 64)
            self.lowest += self.gaps.pop(self.lowest, 0)

    def _new_range(self, size):
        gap = max((each for each, room in self.gaps.items() if room >= size + self.GRAIN),
                  default=None)
        if gap is None:
            at = self.lowest = self.lowest - size
        else:
            self.gaps[gap] -= size
            at = gap + self.gaps[gap]
        self.ranges[at], self.left[at] = [size, 0], size
        return at

    def _range_of(self, address):
        return max(each for each in self.ranges if each <= address)

    @staticmethod
    def _join(free, address, size, low, high):
        for other in [each for each in free if low <= each < high]:
            if other + free[other] == address or address + size == other:
                size += free.pop(other)
                address = min(address, other)
        free[address] = size


class Allocator:
    """PyTorch's caching allocator under its default settings (c10/cuda/CUDACachingAllocator.cpp):
    sizes to 512 bytes, 2 MiB segments for up to 1 MiB, 20 MiB ones for less than 10 MiB, else to
    2 MiB; the smallest free block that is large enough, of the lowest address. `event(action,
    address, size, stream, frames, metadata)` is told what happens, and gives the entry; `full(
    requested, size)` is told of a segment for which there is no room, and may raise."""

    SMALL, SMALL_SEGMENT, LARGE_SEGMENT, LARGE = MIB, 2 * MIB, 20 * MIB, 10 * MIB

    def __init__(self, capacity, event, full=lambda requested, size: None):
        self.capacity, self.event, self.full = capacity, event, full
        self.segments, self.free_blocks = {}, {}  # by address; (stream, large): sorted
        self.addresses = Addresses()
        self.allocated = self.reserved = self.most_allocated = self.most_reserved = 0
        self.peak_allocated = self.peak_reserved = 0  # which no program resets
        self.lacked = 0  # bytes beyond the device at most

    def allocate(self, requested, stream, frames, metadata):
        size = max(512, -(-requested // 512) * 512)
        large = size > self.SMALL
        pool = self.free_blocks.setdefault((stream, large), [])
        at = bisect.bisect_left(pool, (size, 0))
        if at == len(pool):
            self._add_segment(requested, size, stream, large, frames)
            at = bisect.bisect_left(pool, (size, 0))
        block = pool.pop(at)[2]
        rest = block.size - size
        if rest > self.SMALL if large else rest >= 512:
            self._split(block, size, pool)
        block.free, block.requested = False, requested
        block.frames, block.metadata = frames, metadata
        self.allocated += block.size
        self.most_allocated = max(self.most_allocated, self.allocated)
        self.peak_allocated = max(self.peak_allocated, self.allocated)
        return block, self.event("alloc", block.address, requested, stream, frames, metadata)

    def release(self, block, frames):
        stream, large = block.segment.stream, block.segment.large
        for action in ("free_requested", "free_completed"):
            self.event(action, block.address, block.requested, stream, frames, "")
        self.allocated -= block.size
        pool = self.free_blocks[stream, large]
        for other in (block.before, block.after):
            if other is not None and other.free:
                self._take(pool, other)
                first, second = (other, block) if other is block.before else (block, other)
                first.size += second.size
                first.after = second.after
                if second.after is not None:
                    second.after.before = first
                block = first
        block.free, block.frames, block.metadata = True, [], ""
        bisect.insort(pool, (block.size, block.address, block))

    def release_cached(self, frames):
        """As empty_cache()."""
        for (stream, _), pool in self.free_blocks.items():
            for entry in [e for e in pool if e[2].before is None and e[2].after is None]:
                pool.remove(entry)
                block = entry[2]
                del self.segments[block.segment.address]
                self.reserved -= block.size
                self.addresses.give_back(block.address, block.size)
                self.event("segment_free", block.address, block.size, stream, frames, "")

    def _add_segment(self, requested, size, stream, large, frames):
        segment = Segment()
        segment.size = self.SMALL_SEGMENT if not large else \
            self.LARGE_SEGMENT if size < self.LARGE else -(-size // (2 * MIB)) * 2 * MIB
        if self.reserved + segment.size > self.capacity:
            self.release_cached(frames)
            if self.reserved + segment.size > self.capacity:
                self.full(requested, segment.size)
            self.lacked = max(self.lacked, self.reserved + segment.size - self.capacity)
        segment.address = self.addresses.take(segment.size)
        segment.stream, segment.large, segment.frames = stream, large, frames
        segment.first = Block(segment.address, segment.size, segment)
        self.segments[segment.address] = segment
        self.reserved += segment.size
        self.most_reserved = max(self.most_reserved, self.reserved)
        self.peak_reserved = max(self.peak_reserved, self.reserved)
        bisect.insort(self.free_blocks[stream, large],
                      (segment.size, segment.address, segment.first))
        self.event("segment_alloc", segment.address, segment.size, stream, frames, "")

    def _split(self, block, size, pool):
        rest = Block(block.address + size, block.size - size, block.segment)
        rest.before, rest.after = block, block.after
        if rest.after is not None:
            rest.after.before = rest
        block.size, block.after = size, rest
        bisect.insort(pool, (rest.size, rest.address, rest))

    @staticmethod
    def _take(pool, block):
        del pool[bisect.bisect_left(pool, (block.size, block.address))]

    def snapshot(self, device):
        """The list of segments as torch.cuda.memory_snapshot() gives it."""
        return [self._segment(segment, device) for _, segment in sorted(self.segments.items())]

    @staticmethod
    def _segment(segment, device):
        blocks, block = [], segment.first
        while block is not None:
            blocks.append({"address": block.address, "size": block.size,
                           "requested_size": 0 if block.free else block.requested,
                           "state": "inactive" if block.free else "active_allocated",
                           "frames": block.frames, "user_metadata": block.metadata})
            block = block.after
        used = sum(b["size"] for b in blocks if b["state"] != "inactive")
        return {"device": device, "address": segment.address, "total_size": segment.size,
                "allocated_size": used, "active_size": used,
                "requested_size": sum(b["requested_size"] for b in blocks),
                "stream": segment.stream, "segment_type": "large" if segment.large else "small",
                "segment_pool_id": (0, 0), "is_expandable": False, "frames": segment.frames,
                "blocks": blocks}


# --- Stacks --------------------------------------------------------------------------------------

HERE = os.path.abspath(__file__) if "__file__" in globals() else "vramscope_rehearse.py"
HIDDEN = ("torch/_subclasses/", "torch/utils/_python_dispatch.py", "torch/_ops.py",
          "torch/utils/_stats.py", "torch/_compile.py", "torch/_dynamo/",
          "torch/_meta_registrations", "torch/_refs/", "torch/_decomp/", "torch/_prims",
          "torch/_library/", "torch/fx/",
          "torch/utils/_pytree.py", "<frozen runpy>", "/runpy.py", "/weakref.py")
ENGINE = {"name": "torch::autograd::Engine::thread_main", "line": 0,
          "filename": "torch/csrc/autograd/engine.cpp"}
CUBLAS = {"name": "at::cuda::getNewWorkspace", "line": 0,
          "filename": "aten/src/ATen/cuda/CublasHandlePool.cpp"}


SCRATCH_OF = "scratch of "


class Stacks:
    """Python's stacks as snapshots hold them, innermost first, each distinct one once."""

    def __init__(self):
        self.known, self.frames, self.shown = {}, {}, {}

    def here(self):
        frame, key = sys._getframe(1), []
        while frame is not None:
            code = frame.f_code
            shown = self.shown.get(code)
            if shown is None:
                name = code.co_filename.replace("\\", "/")
                shown = self.shown[code] = not (code.co_filename == HERE or
                                                any(part in name for part in HIDDEN))
            if shown:
                key.append((code, frame.f_lasti, frame))
            frame = frame.f_back
        index = tuple(part[:2] for part in key)
        found = self.known.get(index)
        if found is None:
            found = self.known[index] = [self._frame(c, f.f_lineno) for c, _, f in key]
        return found

    def _frame(self, code, line):
        found = self.frames.get((code, line))
        if found is None:
            name = getattr(code, "co_qualname", code.co_name).rsplit(".", 1)[-1]
            found = self.frames[code, line] = {"name": name, "filename": code.co_filename,
                                               "line": line or 0}
        return found

    def of_node(self, name):
        """A backward pass has no Python below it: the node of autograd that ran."""
        found = self.known.get(name)
        if found is None:
            found = self.known[name] = [
                {"name": name, "filename": "torch/csrc/autograd/generated/Functions.cpp",
                 "line": 0}, ENGINE]
        return found

    def of_kernel(self, name, frames):
        """What a kernel takes for itself, or cuBLAS."""
        found = self.known.get((name, id(frames)))
        if found is None:
            frame = {"name": f"{SCRATCH_OF}{name}", "filename": "aten/src/ATen/native/cuda",
                     "line": 0} if name else CUBLAS
            found = self.known[name, id(frames)] = [frame, *frames]
        return found


def is_library(filename):
    name = filename.replace("\\", "/")
    return "/site-packages/" in name or "/dist-packages/" in name or name.startswith("<") or \
        name.startswith(os.path.dirname(os.__file__).replace("\\", "/") + "/")


def caller():
    """(line of the program or library that asked, whether a library did)."""
    frame, torches = sys._getframe(1), os.path.dirname(torch.__file__) + os.sep
    outermost = None
    while frame is not None:
        name = frame.f_code.co_filename
        if name != HERE and not any(part in name.replace("\\", "/") for part in HIDDEN):
            place = f"{name}:{frame.f_lineno}"
            outermost = outermost or (place, True)
            if not name.startswith(torches):
                return place, is_library(name)
            if any(part in name.replace("\\", "/") for part in (
                    "/optim/", "/amp/", "/distributed/", "/jit/", "/testing/")):
                return place, True  # torch's own decision, whoever called it
        frame = frame.f_back
    return outermost or ("the backward pass", True)


@functools.lru_cache(maxsize=None)
def handlers_around(filename, line):
    """(what it catches, its text) of each handler whose `try` contains a line of a file. What it
    catches is a compiled expression, None for everything."""
    try:
        tree = ast.parse("".join(linecache.getlines(filename)))
    except SyntaxError:
        return []
    found = [handler for node in ast.walk(tree) if isinstance(node, ast.Try) and
             node.body[0].lineno <= line <= node.body[-1].end_lineno for handler in node.handlers]
    return [(handler.type and compile(ast.Expression(handler.type), filename, "eval"),
             ast.unparse(handler)) for handler in found]


def catches_memory_errors():
    """The line in the `try` of a handler of out-of-memory errors: it catches OutOfMemoryError by
    name, or a wider class and mentions memory or the size of a batch. None without one."""
    frame, torches = sys._getframe(1), os.path.dirname(torch.__file__) + os.sep
    while frame is not None:
        name = frame.f_code.co_filename
        if name != HERE and not name.startswith(torches):
            for kinds, text in handlers_around(name, frame.f_lineno):
                with contextlib.suppress(Exception):
                    caught = eval(kinds, frame.f_globals, frame.f_locals) if kinds else Exception
                    caught = caught if isinstance(caught, tuple) else (caught,)
                    if torch.cuda.OutOfMemoryError in caught or \
                            issubclass(torch.cuda.OutOfMemoryError, caught) and \
                            re.search(r"memory|oom|batch_?size", text, re.IGNORECASE):
                        return f"{name}:{frame.f_lineno}"
        frame = frame.f_back
    return None


# --- The program's files -------------------------------------------------------------------------

class Patches:
    """Attributes that are replaced for as long as a rehearsal runs."""

    def __init__(self):
        self.undo = []

    def set(self, owner, name, value):
        if owner is None or not hasattr(owner, name):
            return
        own = name in vars(owner) if hasattr(owner, "__dict__") else True
        old = vars(owner)[name] if isinstance(owner, type) and own else getattr(owner, name)
        self.undo.append((owner, name, old, own))
        setattr(owner, name, value)

    def add(self, owner, name, value):
        """An attribute that may not be there yet."""
        if hasattr(owner, name):
            self.set(owner, name, value)
            return
        self.undo.append((owner, name, None, False))
        setattr(owner, name, value)

    def restore(self):
        for owner, name, value, own in reversed(self.undo):
            if own:
                setattr(owner, name, value)
            else:
                with contextlib.suppress(AttributeError):
                    delattr(owner, name)
        self.undo.clear()


ALWAYS_WRITTEN = ("/dev", "/proc")  # devices, shared memory, and what Linux says of the process
MOVED = "/proc/self/root"  # before the path of a file as it was, in a link to it from the scratch
OPENS_TO_WRITE = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
# Events of audit hooks, with the places of the paths that they change, each before its folder's
# descriptor where there is one.
CHANGES = {"os.remove": [(0, 1)], "os.rmdir": [(0, 1)], "os.rename": [(0, 2), (1, 3)],
           "os.truncate": [(0, None)], "os.mkdir": [(0, 2)], "os.link": [(1, 3)],
           "os.symlink": [(1, 2)], "os.chmod": [(0, 2)], "os.chown": [(0, 3)],
           "os.utime": [(0, 3)], "os.setxattr": [(0, None)], "os.removexattr": [(0, None)],
           "sqlite3.connect": [(0, None)]}
# Functions in C and Rust that open a file themselves: whether to write it.
IN_C = {"sqlite3": {"connect": True}, "cv2": {"imwrite": True, "imread": False},
        "tokenizers": {"Tokenizer.save": True, "Tokenizer.from_file": False},
        "pyarrow": {"memory_map": False}}
HELD_BACK = ["removal", "rename", "replacement", "change of mode or time", "write",
             "write by other code", "start of a program"]
STARTS = ("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.spawn")


def absolute(path, folder=None):
    """A path, from the folder with that descriptor, or from the current one."""
    base = os.readlink(f"/proc/self/fd/{folder}") if isinstance(folder, int) and folder >= 0 \
        else os.getcwd()
    return os.path.join(base, os.fsdecode(path))


def restore_environment(before):
    for name, value in before.items():
        os.environ.pop(name, None) if value is None else os.environ.update({name: value})


def everywhere(patches, replaced):
    """Replaces functions wherever a module keeps one."""
    known = {id(old): new for old, new in replaced.items()}
    for module in list(sys.modules.values()):
        for name, value in list(getattr(module, "__dict__", {}).items()):
            if id(value) in known:
                patches.set(module, name, known[id(value)])


def on_import(finders, name, prepare):
    """Has `prepare` called with a module, now or when the program imports it."""
    class Finder:
        looks = False

        def find_spec(self, wanted, path=None, target=None):
            if wanted != name or self.looks:
                return None
            self.looks = True
            spec = importlib.util.find_spec(name)  # by the others
            self.looks = False
            if spec is None:
                return None
            run = spec.loader.exec_module

            def loaded(module):
                run(module)
                with contextlib.suppress(ValueError):
                    sys.meta_path.remove(self)
                    prepare(module)

            spec.loader.exec_module = loaded
            return spec

    if name in sys.modules:
        prepare(sys.modules[name])
    else:
        finder = Finder()
        sys.meta_path.insert(0, finder)
        finders.append(finder)


class Entry:
    """An os.DirEntry of a file that may lie in the scratch."""

    def __init__(self, folder, name):
        self.name, self.path = name, os.path.join(folder, name)

    def __fspath__(self):
        return self.path

    def __repr__(self):
        return f"<DirEntry {self.name!r}>"

    def stat(self, *, follow_symlinks=True):
        return os.stat(self.path, follow_symlinks=follow_symlinks)

    def inode(self):
        return self.stat(follow_symlinks=False).st_ino

    def _is(self, kind, follow):
        try:
            return kind(self.stat(follow_symlinks=follow).st_mode)
        except FileNotFoundError:
            return False

    def is_dir(self, *, follow_symlinks=True):
        return self._is(stat.S_ISDIR, follow_symlinks)

    def is_file(self, *, follow_symlinks=True):
        return self._is(stat.S_ISREG, follow_symlinks)

    def is_symlink(self):
        return self._is(stat.S_ISLNK, False)

    def is_junction(self):
        return False


class Scan:
    """What os.scandir() gives."""

    def __init__(self, entries):
        self.entries = iter(entries)

    def __iter__(self):
        return self

    def __next__(self):
        return next(self.entries)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.entries = iter(())


class Files:
    """Protects files from the program, but for the folders `let_write`: it writes, renames and
    removes in a scratch folder instead, sees there what it did, and the end removes the folder. An
    audit hook stops what does not go through the functions that are replaced here, and Linux stops
    what does not go through Python (confine)."""

    active, hooked = None, False  # the one that the hook asks

    def __init__(self, let_write=()):
        for each in let_write:
            if not os.path.isdir(each):
                raise Refused(f"--let-write {each}: the folder does not exist: make it first.")
        self.folder = None
        self.allowed = [os.path.realpath(each) for each in let_write]
        self.removed, self.done, self.local = set(), {}, threading.local()
        self.confined, self.changed, self.start = False, False, os.getcwd()
        self.patches, self.finders, self.environment = Patches(), [], {}
        self.unconfined = lambda function: function()

    # Use.

    def begin(self, until_exit=False):
        """From here on nothing that exists changes; with `until_exit` as long as the process runs,
        and what it starts."""
        self.folder = os.path.realpath(tempfile.mkdtemp(prefix="rehearsal-"))
        self.allowed.append(self.folder)
        self.root, self.temporary = (os.path.join(self.folder, name) for name in ("f", "t"))
        os.mkdir(self.root)
        os.mkdir(self.temporary)
        if not Files.hooked:  # for good: a hook cannot be taken away
            Files.hooked = True
            sys.addaudithook(_audit)
        if until_exit:
            unconfined = thread_aside()
            if confine([*ALWAYS_WRITTEN, *self.allowed]):
                self.confined, self.unconfined = True, unconfined
            atexit.register(self.aside, self.end)
        if not self.confined:  # nor by multiprocessing, which no hook is told of
            util = importlib.import_module("multiprocessing.util")
            self.patches.set(util, "spawnv_passfds", lambda path, *_: self.check(STARTS[0], [path]))
        self._replace()
        Files.active = self

    def end(self):
        for finder in self.finders:
            if finder in sys.meta_path:
                sys.meta_path.remove(finder)
        if self.folder is None:
            return
        Files.active = None
        self.patches.restore()
        restore_environment(self.environment)
        shutil.rmtree(self.folder, ignore_errors=True)

    @contextlib.contextmanager
    def own(self, owns=True):
        """What the rehearsal itself does with files: as if there were no program."""
        before, self.local.own = getattr(self.local, "own", False), owns
        try:
            yield
        finally:
            self.local.own = before

    def aside(self, function, *args):
        """What `function` gives, run where nothing confines it."""
        def alone():
            with self.own():
                return function(*args)
        return self.unconfined(alone)

    def shown(self, key):
        """A path as short as it was where the rehearsal began."""
        return os.path.relpath(key, self.start) if key.startswith(self.start + os.sep) else key

    def held_back(self, names=3):
        """"2 removals (out/checkpoint-900, out/checkpoint-1000), 3 writes (…)", or nothing."""
        parts = []
        for what in sorted(self.done, key=HELD_BACK.index):
            keys = self.done[what]
            top = [key for key in keys if os.path.dirname(key) not in keys]
            shown = [self.shown(key) for key in top[:names]]
            noun, _, more = what.partition(" ")
            parts.append(f"{len(top):,} {noun}{'s' if len(top) > 1 else ''}{' ' if more else ''}"
                         f"{more}" + (f" ({', '.join(shown)}{', …' * (len(top) > len(shown))})"
                                      if names else ""))
        return ", ".join(parts)

    # Paths.

    def key(self, path, folder=None, follow=False):
        """The path as the program means it, absolute, without links among its folders, nor at its
        end with `follow`. `folder`: the descriptor from which it counts."""
        path = self.seen(absolute(path, folder)).rstrip("/") or "/"
        above, name = os.path.split(path)
        if name in ("", ".", ".."):
            return self.seen(os.path.realpath(path))
        above = self.seen(os.path.realpath(above))
        if self.changed and os.path.lexists(self.root + above):  # through the program's own links
            above = self.seen(os.path.realpath(self.root + above))
        key = os.path.join(above, name)
        if follow and os.path.islink(key) and self.place(key) == key:
            return self.seen(os.path.realpath(key))
        return key

    def seen(self, path):
        """A path in the scratch as the program knows it."""
        inside = path == self.root or path.startswith(self.root + "/")
        return path[len(self.root):] or "/" if inside else path

    def hidden(self, key):
        """Whether the program removed or renamed it, or a folder of it."""
        while self.removed and key != "/":
            if key in self.removed:
                return True
            key = os.path.dirname(key)
        return False

    def place(self, key, follow=True):
        """Where the file really lies that the program sees there."""
        scratch = self.root + key
        if os.path.islink(scratch):
            target = os.readlink(scratch)
            if target.startswith(MOVED):
                return target[len(MOVED):]
            if follow:
                return self.place(self.key(os.path.join(os.path.dirname(key), target)))
        if self.hidden(key):
            return scratch
        alone = os.path.lexists(scratch) and not (os.path.isdir(scratch) and os.path.isdir(key))
        return scratch if alone else key

    def names(self, key):
        """What a folder holds, as the program sees it."""
        found = {}
        if os.path.isdir(key) and not self.hidden(key):
            found = dict.fromkeys(name for name in os.listdir(key)
                                  if os.path.join(key, name) not in self.removed)
        if os.path.isdir(self.root + key):
            found.update(dict.fromkeys(os.listdir(self.root + key)))
        elif not found:
            os.listdir(self.place(key))  # or says why not
        return list(found)

    def free(self, key):
        """Whether a change there is nobody's loss."""
        if any(key == each or key.startswith(each + "/")
               for each in (*ALWAYS_WRITTEN, *self.allowed)):
            return True
        with contextlib.suppress(OSError):
            mode = os.stat(key).st_mode
            return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)  # a pipe, a terminal
        return False

    def read_from(self, file):
        """Where to read what the program names so."""
        if not isinstance(file, (str, os.PathLike)):
            return file
        with self.own():
            return self.place(self.key(file, follow=True))

    def write_to(self, file):
        """Where to write what the program names so."""
        with self.own():
            return self.writable(self.key(file, follow=True))

    def note(self, what, key):
        self.done.setdefault(what, {})[key] = None

    # What the program does with files. Each is given a key or two, and does it in the scratch.

    def above(self, key):
        """The folder of a file that is to be, in the scratch; none where the program has none."""
        folder = os.path.dirname(key)
        if os.path.isdir(self.place(folder)):
            os.makedirs(self.root + folder, exist_ok=True)
        self.changed = True

    def writable(self, key, keep=True):
        """The file in the scratch that stands for one; `keep`: with what it holds."""
        place = self.place(key)
        if self.free(key) or os.path.lexists(place) and self.free(place) or os.path.isdir(place):
            return place
        there = self.root + key
        self.above(key)
        if os.path.islink(there):  # to a file that was renamed
            os.remove(there)
        if keep and os.path.lexists(place):
            shutil.copyfile(place, there)
        if os.path.isdir(os.path.dirname(there)):
            self.note("write", key)
        return there

    def mkdir(self, key, mode=0o777):
        if os.path.lexists(self.place(key, False)):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), key)
        self.above(key)
        os.mkdir(self.root + key, mode)

    def remove(self, key, wants_folder=False):
        place = self.place(key, False)
        is_folder = os.path.isdir(place) and not os.path.islink(place)
        if wants_folder and is_folder and self.names(key):
            raise OSError(errno.ENOTEMPTY, os.strerror(errno.ENOTEMPTY), key)
        if wants_folder != is_folder or not os.path.lexists(place):
            (os.rmdir if wants_folder else os.remove)(self.root + key if not is_folder else place)
            return
        if os.path.lexists(self.root + key):
            (os.rmdir if wants_folder else os.remove)(self.root + key)
        self.hide("removal", key)

    def hide(self, what, key):
        self.changed = True
        if os.path.lexists(key) and not self.hidden(key):
            self.removed.add(key)
            self.note(what, key)

    def rename(self, key, target):
        if self.free(target):
            self.bring(key)
            place = self.root + key
            if os.path.isdir(place):
                shutil.copytree(place, target, dirs_exist_ok=True)
            else:
                shutil.copyfile(place, target)
            self.hide("rename", key)
            shutil.rmtree(place) if os.path.isdir(place) else os.remove(place)
            return
        if os.path.isdir(self.place(target, False)) and self.names(target):
            raise OSError(errno.ENOTEMPTY, os.strerror(errno.ENOTEMPTY), target)
        self.above(target)
        if self.free(key):
            if os.path.isdir(self.root + target):
                os.rmdir(self.root + target)
            shutil.move(key, self.root + target)
            self.note("write", target)
        else:
            self.bring(key)
            os.rename(self.root + key, self.root + target)
            self.hide("rename", key)
        self.hide("replacement", target)

    def bring(self, key):
        """All of a file or folder into the scratch: what exists as links, which nobody follows to
        write."""
        place, there = self.place(key, False), self.root + key
        if not os.path.lexists(there) and os.path.lexists(place):
            self.above(key)
            if os.path.isdir(place) and not os.path.islink(place):
                os.mkdir(there)
            else:
                os.symlink(MOVED + place, there)
        if os.path.isdir(there) and not os.path.islink(there):
            for name in self.names(key):
                self.bring(os.path.join(key, name))

    # Python's functions.

    def _replace(self):
        """Puts this between the program and Python's functions, wherever a module keeps one."""
        made = {}

        def put(owner, name, make):
            function = getattr(owner, name, None)
            if function is not None:
                made[function] = self._guarded(function, make(self._outside(function)))

        for name in ("stat", "access", "statvfs", "listxattr", "getxattr", "chdir"):
            put(os, name, self._reading)
        put(os, "lstat", functools.partial(self._reading, follow=False))
        put(os, "readlink", functools.partial(self._reading, follow=False))
        for name in ("chmod", "chown", "lchown", "utime", "setxattr", "removexattr"):
            put(os, name, self._describing)
        same = {"unlink": "remove", "replace": "rename"}
        for name in ("truncate", "mkdir", "rmdir", "remove", "unlink", "rename", "replace", "link",
                     "symlink", "open", "listdir", "scandir", "getcwd"):
            put(os, name, getattr(self, f"_{same.get(name, name)}"))
        put(io, "open", self._opening)
        put(io, "open_code", self._reading)
        everywhere(self.patches, made)
        for name in IN_C:
            on_import(self.finders, name, self._replace_in_c)
        accessor = getattr(pathlib, "_NormalAccessor", None)  # up to Python 3.10
        for name, value in list(vars(accessor or object).items()):
            value = getattr(value, "__func__", value)
            if isinstance(value, types.BuiltinFunctionType) and value in made:
                self.patches.set(accessor, name, staticmethod(made[value]))
        self.patches.set(shutil, "_use_fd_functions", False)
        self.patches.set(sys, "dont_write_bytecode", True)
        self.patches.set(tempfile, "tempdir", self.temporary)
        # Hugging Face's downloads then go through Python.
        for name, value in {"TMPDIR": self.temporary, "HF_HUB_DISABLE_XET": "1"}.items():
            self.environment[name] = os.environ.get(name)
            os.environ[name] = value

    def _replace_in_c(self, module):
        """Has functions of IN_C read and write in the scratch."""
        for path, writes in IN_C[module.__name__].items():
            kind, _, name = path.rpartition(".")
            owner = getattr(module, kind, None) if kind else module
            function = getattr(owner, name, None)
            if function is None:
                continue
            own = kind and not isinstance(vars(owner).get(name), staticmethod)
            led = self._led(function, writes, own)
            if kind:
                self.patches.set(owner, name, led if own else staticmethod(led))
            else:
                everywhere(self.patches, {function: led})

    def _led(self, function, writes, second):
        @functools.wraps(function)
        def led(*args, **kwargs):
            args = list(args)
            at = 1 if second else 0
            if len(args) > at and isinstance(args[at], (str, os.PathLike)) and \
                    not str(args[at]).startswith((":memory:", "file:")):
                args[at] = (self.write_to if writes else self.read_from)(args[at])
            return function(*args, **kwargs)
        return led

    def _outside(self, function):
        """Python's own, watched by the hook."""
        def outside(*args, **kwargs):
            with self.own(False):
                return function(*args, **kwargs)
        return outside

    def _guarded(self, function, replacement):
        local = self.local

        @functools.wraps(function)
        def inside(*args, **kwargs):
            if getattr(local, "own", False) or Files.active is not self:
                return function(*args, **kwargs)
            local.own = True
            try:
                return replacement(*args, **kwargs)
            except OSError as error:
                for name in ("filename", "filename2"):
                    if isinstance(getattr(error, name, None), str):
                        setattr(error, name, self.seen(getattr(error, name)))
                raise
            finally:
                local.own = False
        return inside

    def _reading(self, function, follow=True):
        def inside(path, *args, dir_fd=None, **kwargs):
            if isinstance(path, int) or not path or not self.changed:
                own = {} if dir_fd is None else {"dir_fd": dir_fd}
                return function(path, *args, **own, **kwargs)
            followed = follow and kwargs.get("follow_symlinks", True)
            place = self.place(self.key(path, dir_fd, followed), followed)
            return function(os.fsencode(place) if isinstance(path, bytes) else place, *args,
                            **kwargs)
        return inside

    def _describing(self, function):
        """Modes, owners and times: of files in the scratch."""
        def inside(path, *args, dir_fd=None, **kwargs):
            if isinstance(path, int):
                return function(path, *args, **kwargs)
            place = self.place(self.key(path, dir_fd, follow=True))
            if self.free(place):
                return function(place, *args, **kwargs)
            os.stat(place)  # or says that there is none
            return self.note("change of mode or time", place)
        return inside

    def _changing(self, function, change):
        """One that changes what its first argument names."""
        def inside(path, *args, dir_fd=None, **kwargs):
            key = self.key(path, dir_fd)
            if self.free(key):
                return function(key, *args, **kwargs)
            return change(key, *args, **kwargs)
        return inside

    def _mkdir(self, function):
        return self._changing(function, self.mkdir)

    def _remove(self, function):
        return self._changing(function, self.remove)

    def _rmdir(self, function):
        return self._changing(function, lambda key: self.remove(key, wants_folder=True))

    def _truncate(self, function):
        def inside(path, length):
            return function(path if isinstance(path, int) else
                            self.writable(self.key(path, follow=True)), length)
        return inside

    def _rename(self, function):
        def inside(source, target, *, src_dir_fd=None, dst_dir_fd=None):
            source, target = self.key(source, src_dir_fd), self.key(target, dst_dir_fd)
            if self.free(source) and self.free(target):
                return function(source, target)
            return self.rename(source, target)
        return inside

    def _link(self, function):
        def inside(source, target, *, src_dir_fd=None, dst_dir_fd=None, **_):
            source, target = self.key(source, src_dir_fd), self.key(target, dst_dir_fd)
            place = self.place(source)
            if self.free(place) and self.free(target):
                return function(place, target)
            return self._symlink(os.symlink)(MOVED + place, target)
        return inside

    def _symlink(self, function):
        def inside(text, path, target_is_directory=False, *, dir_fd=None):
            key = self.key(path, dir_fd)
            if self.free(key):
                return function(text, key)
            if os.path.lexists(self.place(key, False)):
                raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), key)
            self.above(key)
            self.note("write", key)
            return function(text, self.root + key)
        return inside

    def _open(self, function):
        def inside(path, flags, mode=0o777, *, dir_fd=None):
            return function(self._to_open(path, bool(flags & OPENS_TO_WRITE),
                                          not flags & os.O_TRUNC, dir_fd,
                                          flags & os.O_CREAT and flags & os.O_EXCL), flags, mode)
        return inside

    def _opening(self, function):
        def inside(file, mode="r", *args, **kwargs):
            if isinstance(file, int):
                return function(file, mode, *args, **kwargs)
            writes = isinstance(mode, str) and not set("wax+").isdisjoint(mode)
            return function(self._to_open(file, writes, writes and "w" not in mode,
                                          alone=writes and "x" in mode), mode, *args, **kwargs)
        return inside

    def _to_open(self, path, writes, keep, folder=None, alone=False):
        if not writes and not self.changed and folder is None:
            return path
        key = self.key(path, folder, follow=True)
        if alone and os.path.lexists(self.place(key, False)):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), key)
        return self.writable(key, keep) if writes else self.place(key)

    def _listdir(self, function):
        def inside(path="."):
            path = "." if path is None else path
            if isinstance(path, int) or not self.changed:
                return function(path)
            names = self.names(self.key(path, follow=True))
            return [os.fsencode(name) for name in names] if isinstance(path, bytes) else names
        return inside

    def _scandir(self, function):
        def inside(path="."):
            path = "." if path is None else path
            if isinstance(path, int) or not self.changed:
                return function(path)
            folder = os.fsdecode(path)
            return Scan(Entry(folder, name) for name in self.names(self.key(path, follow=True)))
        return inside

    def _getcwd(self, function):
        return lambda: self.seen(function())

    # What does not go through them.

    def check(self, event, args):
        """Raises where a change was not led into the scratch."""
        if event in STARTS:
            if not self.confined:
                self.note("start of a program", str(args[0]))
                raise PermissionError(errno.EACCES, "a rehearsal starts no other program here, "
                                      "because this system lacks Landlock, which protects files",
                                      str(args[0]))
            return
        for at, folder in [(0, None)] if event == "open" else CHANGES[event]:
            path = args[at]
            if isinstance(path, int) or path == ":memory:":
                continue
            folder = args[folder] if folder is not None and len(args) > folder else None
            path = absolute(path, folder)
            above, name = os.path.split(path)
            key = os.path.realpath(path) if event in ("open", "os.truncate", "os.chmod") else \
                os.path.join(os.path.realpath(above), name)
            if self.free(key) or event == "open" and os.path.isdir(key) or \
                    event == "sqlite3.connect" and re.search("mode=(ro|memory)", path):
                continue  # no folder is opened to write, but named to who opens a file in it
            self.note("write by other code", key)
            raise PermissionError(errno.EACCES, "a rehearsal writes no files (--let-write DIR "
                                  "allows a folder)", key)


def _audit(event, args):
    files = Files.active
    if files is None or getattr(files.local, "own", False):
        return
    if event in CHANGES or event in STARTS or \
            event == "open" and isinstance(args[2], int) and args[2] & OPENS_TO_WRITE:
        with files.own():
            files.check(event, args)


def thread_aside():
    """Has what it is given run in a thread that began before others were confined."""
    asked = queue.SimpleQueue()

    def work():
        while True:
            function, answer = asked.get()
            try:
                answer.put((function(), None))
            except BaseException as error:
                answer.put((None, error))

    def run(function):
        answer = queue.SimpleQueue()
        asked.put((function, answer))
        result, error = answer.get()
        if error is not None:
            raise error
        return result

    threading.Thread(target=work, daemon=True).start()
    return run


# <linux/landlock.h>: the system calls, and the rights by the version that brought them: to write a
# file, to remove, to make; to link and rename between folders; to truncate.
LANDLOCK_CREATE, LANDLOCK_ADD, LANDLOCK_RESTRICT = 444, 445, 446
LANDLOCK_RIGHTS = {1: 0b1_1111_1111_0010, 2: 1 << 13, 3: 1 << 14}


def confine(folders):
    """Has Linux itself (5.13 and later, Landlock) keep this thread, and the threads and programs
    that it will start, from writing outside these folders, in whatever language. False where it
    cannot."""
    if not sys.platform.startswith("linux"):
        return False
    libc = ctypes.CDLL(None, use_errno=True)
    version = libc.syscall(LANDLOCK_CREATE, None, ctypes.c_size_t(0), ctypes.c_uint32(1))
    rights = sum(bits for since, bits in LANDLOCK_RIGHTS.items() if since <= version)
    rules = libc.syscall(LANDLOCK_CREATE, ctypes.byref(ctypes.c_uint64(rights)),
                         ctypes.c_size_t(8), ctypes.c_uint32(0)) if rights else -1
    if rules < 0:
        return False
    for folder in folders:
        place = os.open(folder, os.O_PATH)
        rule = ctypes.create_string_buffer(struct.pack("=Qi", rights, place))
        libc.syscall(LANDLOCK_ADD, rules, 1, rule, ctypes.c_uint32(0))
        os.close(place)
    no_new_privileges = 38
    libc.prctl(no_new_privileges, 1, 0, 0, 0)
    done = libc.syscall(LANDLOCK_RESTRICT, rules, ctypes.c_uint32(0)) == 0
    os.close(rules)
    return done


# --- The recording's file ------------------------------------------------------------------------

def checked_out(out):
    """The absolute path of a recording, before the program runs: its folder is there, and no file
    in its place but a recording."""
    path = os.path.realpath(out)
    folder = os.path.dirname(path)
    if not os.path.isdir(folder):
        raise Refused(f"--out {out}: the folder {folder} does not exist: make it first.")
    if os.path.isdir(path):
        raise Refused(f"--out {out} is a folder: name a file in it.")
    if holds_something(path) and not is_recording(path):
        raise Refused(f"--out {out} exists and is not a recording: name another file.")
    if not os.path.exists(path) and not os.access(folder, os.W_OK):
        raise Refused(f"--out {out}: the folder {folder} is read-only: name another one.")
    return path


def holds_something(path):
    return os.path.isfile(path) and os.path.getsize(path) > 0


def is_recording(path):
    """Whether a file begins as a snapshot of the allocator does."""
    with open(path, "rb") as file:
        begin = file.read(4096)
    return begin.startswith(b"\x80") and b"segments" in begin


class PlainUnpickler(pickle.Unpickler):
    """Of dictionaries, lists, texts and numbers."""

    def find_class(self, module, name):
        raise pickle.UnpicklingError(f"{module}.{name}")


def is_whole(path):
    """Whether a recording is not the part that a program which failed has left."""
    with contextlib.suppress(Exception), open(path, "rb") as file:
        return not PlainUnpickler(file).load()["rehearsed"]["ended"]
    return True


def place_beside(path):
    """Where a program that failed leaves its recording if a whole one lies at `path`."""
    stem, ending = os.path.splitext(path)
    return f"{stem}-partial{ending}"


def write_whole(path, write):
    """Has `write` fill a file beside `path` that takes its place once it is whole: a full disk
    leaves what was there."""
    if os.path.exists(path) and not os.path.isfile(path):  # as /dev/null
        with open(path, "wb") as file:
            return write(file)
    folder, name = os.path.split(path)
    beside = os.path.join(folder, f".{name}.{os.getpid()}.part")
    try:
        with open(beside, "wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.remove(beside)
        raise


# --- Numbers that only a GPU would know ----------------------------------------------------------

AS_OFTEN = 1000  # decisions in a row with one answer; then the other, so that loops end


def refuse(what, advice="leave that out, or give it a fixed value while rehearsing"):
    raise Refused(f"{caller()[0]} {what}, which depends on weights and so is not known before a "
                  f"real run: {advice}.")


class Answers:
    """The answers to decisions that depend on values of the GPU, from --values: "yes" or "no" for
    all lines of the program, "train.py:40=yes" for one line, of a library too, or several of these
    between commas."""

    def __init__(self, text=""):
        self.text, self.of_lines, self.others, self.given = text, {}, None, {}
        for part in text.split(",") if text else []:
            line, equals, word = part.strip().rpartition("=")
            if word not in ("yes", "no") or equals and not re.fullmatch(r".+:\d+", line):
                raise Refused(f"--values {text}: give yes or no, or lines as in "
                              f"no,train.py:40=yes.")
            if equals:
                self.of_lines[line] = word == "yes"
            else:
                self.others = word == "yes"

    def decide(self, what, usual):
        """The answer to a decision that depends on `what`, `usual` in a library; after AS_OFTEN
        equal ones at a line the other one, once."""
        place, library = caller()
        answer = next((value for line, value in self.of_lines.items()
                       if ("/" + place).endswith("/" + line)), usual if library else self.others)
        if answer is None:
            refuse(f"decides by {what}", "give --values yes or --values no, or this line as in "
                   f"--values {os.path.basename(place)}=yes")
        times = self.given[place] = self.given.get(place, 0) + 1
        if times % (AS_OFTEN + 1) == 0:
            answer = not answer
        rehearsal().note(f"{place} decided by {what}: taken as {'yes' if answer else 'no'}")
        return answer


def decided(answer):
    return rehearsal().answers.decide("a number from the GPU", answer)


class AssumedFloat(float):
    """A number from the GPU: it may be printed and computed with; who decides by it is refused."""

    def __bool__(self):
        return decided(float(self) != 0)

    def __format__(self, form):
        return format(float(self), form)

    def __reduce__(self):
        return float, (float(self),)

    __hash__ = float.__hash__


class AssumedInt:
    """A count from the GPU: no size may come from it."""

    def __init__(self, value):
        self.value = value

    def __index__(self):
        refuse("takes a size from the GPU")

    def __int__(self):
        return self.value

    def __float__(self):
        return AssumedFloat(self.value)

    def __bool__(self):
        return decided(self.value != 0)

    def __repr__(self):
        return repr(self.value)

    def __format__(self, form):
        return format(self.value, form)

    def __hash__(self):
        return hash(self.value)

    def __reduce__(self):
        return int, (self.value,)


def _propagate():
    """Arithmetic with an assumed number gives an assumed one; comparisons are decisions."""
    def arithmetic(name):
        operation = getattr(float, name)

        def result(self, *others):
            value = operation(float(self), *[float(o) if isinstance(o, (AssumedInt, int)) else o
                                             for o in others])
            return AssumedFloat(value) if isinstance(value, float) else value
        return result

    def comparison(name):
        operation = getattr(float, name)

        def result(self, other):
            value = operation(float(self), float(other) if isinstance(other, AssumedInt) else other)
            return value if value is NotImplemented else decided(value)
        return result

    for name in ("add", "radd", "sub", "rsub", "mul", "rmul", "truediv", "rtruediv", "pow", "rpow",
                 "neg", "pos", "abs", "mod", "floordiv", "rfloordiv"):
        for kind in (AssumedFloat, AssumedInt):
            setattr(kind, f"__{name}__", arithmetic(f"__{name}__"))
    for name in ("lt", "le", "gt", "ge", "eq", "ne"):
        for kind in (AssumedFloat, AssumedInt):
            setattr(kind, f"__{name}__", comparison(f"__{name}__"))


_propagate()


def assumed_number(dtype):
    if dtype == torch.bool:
        return False
    if dtype.is_floating_point or dtype.is_complex:
        return AssumedFloat(1.0)
    return AssumedInt(1)


# --- The rehearsal -------------------------------------------------------------------------------

_now = []  # the rehearsal that runs


def rehearsal():
    return _now[-1]


LARGE_INTEGERS = 1 << 24   # elements of integers and flags that are computed on the host as well
LARGE_FLOATS = 1 << 20     # the same of floats that follow from such
LARGE_CONSTANTS = 64       # floats that a program makes on the device
LARGE_ON_HOST = 1 << 22    # elements of unknown values that are copied to the host as zeros


def _tensors(tree):
    """The tensors among arguments or results, in lists as well."""
    if isinstance(tree, torch.Tensor):
        yield tree
    elif isinstance(tree, (tuple, list)):
        for part in tree:
            yield from _tensors(part)
    elif isinstance(tree, dict):
        for part in tree.values():
            yield from _tensors(part)


def _mapped(tree, function):
    if isinstance(tree, torch.Tensor):
        return function(tree)
    if isinstance(tree, (tuple, list)):
        return type(tree)(_mapped(part, function) for part in tree)
    if isinstance(tree, dict):
        return {key: _mapped(part, function) for key, part in tree.items()}
    return tree


class Unknown(Exception):
    """A value that only a GPU would know."""


def make_mode_class():
    """The dispatch mode; made here, because without torch there is nothing to derive from."""
    from torch._subclasses.fake_tensor import (DataDependentOutputException,
                                               DynamicOutputShapeException, FakeTensor,
                                               FakeTensorMode, UnsupportedOperatorException)
    from torch.utils._python_dispatch import TorchDispatchMode
    aten = torch.ops.aten
    dynamic = (DataDependentOutputException, DynamicOutputShapeException)
    plain_types = (torch.Tensor, torch.nn.Parameter, FakeTensor)
    FLOATS = (torch.float32, torch.float16, torch.bfloat16)
    products = {aten.mm.default, aten.addmm.default, aten.bmm.default, aten.baddbmm.default,
                aten._grouped_mm.default if hasattr(aten, "_grouped_mm") else None}

    class Rehearsal(TorchDispatchMode):
        def __init__(self, out, device, world_size, rank, overflows, values):
            super().__init__()
            self.overflows, self.scaled_steps, self.answers = overflows, 0, Answers(values)
            self.written, self.files = None, None
            self.out, self.gpu, self.gpu_name = out, gpu_named(device), str(device)
            self.world_size, self.rank = world_size, rank
            self.fake = FakeTensorMode(allow_non_fake_inputs=True)
            self.patches, self.stacks = Patches(), Stacks()
            self.entries, self.annotations, self.allocators = {}, [], {}
            self.notes, self.blocks, self.known_storages = {}, {}, {}
            self.poisoned, self.local = set(), threading.local()
            self.forward_of, self.names = {}, weakref.WeakKeyDictionary()
            self.handles = set()
            self.device_index, self.streams = 0, itertools.count(1)
            self.last_time, self.quiet, self.ended = 0, 0, None
            self.unique, self.trial = (0, 0), None  # see try_out
            self.on_host, self.next_on_host = {}, 0x100000000000

        # What is said of the recording.

        def note(self, sentence):
            self.notes[sentence] = self.notes.get(sentence, 0) + 1

        # Events.

        def forget(self):
            """Begins anew."""
            for recorded in (self.entries, self.annotations, self.allocators, self.notes,
                             self.blocks, self.forward_of, self.handles):
                recorded.clear()
            self.allocator(0)

        def allocator(self, device):
            found = self.allocators.get(device)
            if found is None:
                self.entries[device] = []
                found = self.allocators[device] = Allocator(
                    self.gpu[0] - CONTEXT, functools.partial(self._event, device),
                    functools.partial(self._full, device))
            return found

        def _full(self, device, requested, size):
            """Raises the error of a full GPU if the program handles it; else the rehearsal goes on,
            and the recording states what is lacking."""
            where = catches_memory_errors()
            if where is None:
                return
            allocator = self.allocators[device]
            left = allocator.capacity - allocator.reserved
            self.note(f"{where} catches out-of-memory errors and got one")
            entry = self._event(device, "oom", left, size, getattr(self.local, "stream", 0),
                                self.place()[0], "")
            entry["device_free"] = entry.pop("addr")
            raise torch.cuda.OutOfMemoryError(
                f"CUDA out of memory. Tried to allocate {size / MIB:.2f} MiB. GPU {device} has a "
                f"total capacity of {self.gpu[0] / GIB:.2f} GiB of which {left / MIB:.2f} MiB is "
                f"free. Of the allocated memory {allocator.allocated / GIB:.2f} GiB is allocated "
                f"by PyTorch.")

        def now(self):
            self.last_time = max(self.last_time + 1, time.time_ns() // 1000)
            return self.last_time

        def _event(self, device, action, address, size, stream, frames, metadata):
            entry = {"action": action, "addr": address, "size": size, "stream": stream,
                     "time_us": self.now(), "compile_context": "N/A", "user_metadata": metadata,
                     "frames": frames}
            self.entries[device].append(entry)
            return entry

        def annotate(self, name, start):
            self.annotations.append({"name": name, "stage": "START" if start else "END",
                                     "device": self.device_index, "time_us": self.now()})

        @contextlib.contextmanager
        def phase(self, name):
            self.annotate(name, True)
            try:
                yield
            finally:
                self.annotate(name, False)

        def place(self):
            """(stack, module path) of what runs now; of a backward pass its node, and the module
            that it belongs to."""
            frames = self.stacks.here()
            modules = getattr(self.local, "modules", None)
            path = modules[-1] if modules else ""
            if not frames or not path:
                node = torch._C._current_autograd_node()
                if node is not None:
                    if not frames:
                        frames = self.stacks.of_node(node.name().rsplit("::", 1)[-1])
                    if not path:
                        path = self.forward_of.get(node._sequence_nr(), "")
                        path = f"{path} (backward)" if path else ""
            return frames, path

        def _seen(self, tensor):
            storage = tensor.untyped_storage()
            key = storage._cdata
            if key in self.blocks:
                return
            frames, path = self.place()
            self._born(storage, key, tensor.device.index or 0, storage.nbytes(), frames, path)

        def _born(self, storage, key, device, size, frames, path):
            stream = getattr(self.local, "stream", 0)
            block = entry = None
            if size > 0:
                block, entry = self.allocator(device).allocate(size, stream, frames, path)
            reference = weakref.ref(storage, lambda _: self._gone(key))
            self.blocks[key] = [block, entry, device, reference]

        def _gone(self, key):
            record = self.blocks.pop(key, None)
            if record and record[0] is not None and self.ended is None:
                self.allocator(record[2]).release(record[0], self.place()[0])

        def address(self, storage):
            """Of its own, as each storage has: on the device, or as if on the host."""
            key, size = storage._cdata, storage.nbytes()
            if size == 0:
                return 0
            if key in self.blocks:
                return self.blocks[key][0].address
            if key not in self.on_host:
                self.on_host[key] = self.next_on_host
                self.next_on_host += -(-size // 64) * 64
                weakref.finalize(storage, self.on_host.pop, key, None)
            return self.on_host[key]

        def resized(self, storage, size):
            record = self.blocks.get(storage._cdata)
            if record is None:
                return
            if record[0] is not None:
                self.allocator(record[2]).release(record[0], self.place()[0])
                record[0] = None
            if size > 0:
                record[0], record[1] = self.allocator(record[2]).allocate(
                    size, getattr(self.local, "stream", 0), *self.place())

        def label(self, tensors, category):
            """What the file says of blocks: the words of torch.profiler's memory timeline."""
            for tensor in tensors:
                tensor = getattr(tensor, "_local_tensor", tensor)
                if isinstance(tensor, FakeTensor):
                    record = self.blocks.get(tensor.untyped_storage()._cdata)
                    if record and record[1] is not None:
                        record[1].setdefault("category", category)

        def scratch(self, function, *sizes):
            """What a kernel takes for itself while it runs."""
            frames, path = self.place()
            frames = self.stacks.of_kernel(str(function), frames)
            allocator, stream = self.allocator(self.device_index), getattr(self.local, "stream", 0)
            blocks = [allocator.allocate(size, stream, frames, path)[0] for size in sizes]
            for block in reversed(blocks):
                allocator.release(block, frames)

        def _cublas(self, with_bias):
            """Each thread that multiplies has a handle with a workspace on the device, from its
            first product on (CublasHandlePool.cpp, 2.11: 32 MiB from Hopper on, else 8.125 MiB);
            its first product with a bias keeps 1 MiB (recorded on an H100, 2.11)."""
            key = threading.get_ident(), getattr(self.local, "stream", 0)
            if with_bias and ("bias", *key) not in self.handles:
                self.handles.add(("bias", *key))
                frames, path = self.place()
                self.allocator(self.device_index).allocate(
                    MIB, key[1], self.stacks.of_kernel("", frames), path)
            if key in self.handles:
                return
            self.handles.add(key)
            size = 32 * MIB if self.gpu[1] >= (9, 0) else 2 * 4096 * 1024 + 8 * 16 * 1024
            frames, path = self.place()
            self.allocator(self.device_index).allocate(
                size, key[1], self.stacks.of_kernel("", frames), path)
            self.note(f"a cuBLAS workspace of {size / MIB:g} MiB for each thread that multiplies")

        # Values.

        def value_of(self, tensor):
            """The tensor's values where they follow from the program's own data, else None."""
            if not isinstance(tensor, FakeTensor):
                return tensor
            value = getattr(tensor, "_rehearsed", None)
            if value is not None and value.untyped_storage()._cdata in self.poisoned:
                return None
            return value

        def _give(self, tensor, value):
            if not isinstance(tensor, FakeTensor) or not isinstance(value, torch.Tensor) or \
                    value.shape != tensor.shape or value.dtype != tensor.dtype:
                return
            limit = LARGE_FLOATS if value.dtype.is_floating_point else LARGE_INTEGERS
            if value.numel() <= limit:
                tensor._rehearsed = value

        def _poison(self, tensor):
            value = getattr(tensor, "_rehearsed", None)
            if value is not None:
                storage = value.untyped_storage()
                self.poisoned.add(storage._cdata)
                weakref.finalize(storage, self.poisoned.discard, storage._cdata)

        def _compute(self, function, args, kwargs):
            """The same on the host."""
            def known(tensor):
                value = self.value_of(tensor)
                if value is None or value.device.type != "cpu":
                    raise Unknown
                return value
            real_args, real_kwargs = _mapped(args, known), _mapped(kwargs, known)
            if "device" in real_kwargs:
                real_kwargs = {**real_kwargs, "device": torch.device("cpu")}
            real_kwargs.pop("pin_memory", None)
            return function(*real_args, **real_kwargs)

        def _settled(self, function, args):
            """What one known argument settles, whatever the other one is: whether any is true that
            is true, whether all are that one is not."""
            settles = SETTLES.get(function)
            values = [self.value_of(t) for t in args[:2] if isinstance(t, torch.Tensor)]
            if settles is not None and any(v is not None and v.device.type == "cpu" and
                                           v.numel() and bool((v == settles).all()) and
                                           (v.dtype == torch.bool or not settles)
                                           for v in values):
                return settles
            return None

        def _follow(self, function, args, kwargs, out):
            """Values of the result where those of the arguments are known, or settle it."""
            writes = function._schema.is_mutable
            inputs = list(_tensors((args, kwargs)))
            results = list(_tensors(out))
            if not writes and not results:
                return
            settled = self._settled(function, args)
            if settled is not None and results[0].numel() <= LARGE_INTEGERS:
                if writes:
                    self._poison(results[0])  # others see the same memory
                self._give(results[0], torch.full(results[0].shape, settled,
                                                  dtype=results[0].dtype))
                return
            try:
                if inputs:
                    if any(self.value_of(t) is None for t in inputs):
                        raise Unknown
                elif any(t.numel() > (LARGE_CONSTANTS if t.dtype.is_floating_point
                                      else LARGE_INTEGERS) for t in results):
                    raise Unknown
                if any(t.numel() > LARGE_INTEGERS for t in results):
                    raise Unknown
                values = self._compute(function, args, kwargs)
            except (Unknown, RuntimeError, NotImplementedError, TypeError, IndexError, ValueError):
                if writes:
                    for argument, tensor in zip(function._schema.arguments,
                                                itertools.chain(args, kwargs.values())):
                        if argument.alias_info is not None and argument.alias_info.is_write:
                            for part in _tensors(tensor):
                                self._poison(part)
                return
            if writes:
                return
            for tensor, value in zip(results, _tensors(values)):
                self._give(tensor, value)

        def on_device(self, value, device):
            """A fake tensor of the shape of a real one."""
            with self.fake:
                made = torch.empty_strided(value.shape, value.stride(), dtype=value.dtype,
                                           device=device)
            if made.device.type == "cuda":
                self._seen(made)
            self._give(made, value)
            return made

        def _host_fake(self, tensor):
            with self.fake:
                return torch.empty_strided(tensor.shape, tensor.stride(), dtype=tensor.dtype,
                                           device="cpu")

        def adopt(self, data):
            """A parameter's data without its memory."""
            if type(data) is not torch.Tensor or data.device.type != "cpu" or \
                    data.layout != torch.strided:
                return data
            return self._host_fake(data)

        # Every operator.

        def __torch_dispatch__(self, function, types, args=(), kwargs=None):
            kwargs = kwargs or {}
            for kind in types:
                if kind not in plain_types and not issubclass(kind, plain_types[1:]):
                    return NotImplemented  # DTensor and others hand over their parts one by one
            if self.quiet:
                return function(*args, **kwargs)
            device = kwargs.get("device")
            if device is not None:
                device = torch.device(device)
                if device.type == "cuda" and device.index is None:
                    device = torch.device("cuda", self.device_index)
                kwargs = {**kwargs, "device": device}
            on_gpu = device is not None and device.type == "cuda"
            inputs = list(_tensors((args, kwargs)))
            if not on_gpu and not any(isinstance(t, FakeTensor) for t in inputs):
                return function(*args, **kwargs)
            if "generator" in kwargs:
                kwargs = {**kwargs, "generator": None}
            special = SPECIAL.get(function)
            if special is not None:
                handled = special(self, function, args, kwargs)
                if handled is not NotImplemented:
                    return handled
            if inputs and not any(isinstance(t, FakeTensor) for t in inputs):
                # Else torch would take them for constants, which older versions really move.
                out = self._run(function, *_mapped((args, kwargs), self._host_fake))
            else:
                out = self._run(function, args, kwargs)
            for tensor in _tensors(out):
                if isinstance(tensor, FakeTensor) and tensor.device.type == "cuda":
                    self._seen(tensor)
            takes = SCRATCH.get(function)
            if takes is not None and any(t.device.type == "cuda" for t in _tensors(out)):
                takes(self, function, args)
            if function in products:
                self._cublas(function is aten.addmm.default)
            self._follow(function, args, kwargs, out)
            modules = getattr(self.local, "modules", None)
            if modules:
                self.forward_of[torch._C._autograd._get_sequence_nr() - 1
                                if hasattr(torch._C._autograd, "_get_sequence_nr") else -1] = \
                    modules[-1]
            return out

        def _run(self, function, args, kwargs):
            try:
                with self.fake:
                    return function(*args, **kwargs)
            except dynamic:
                return self._shaped_by_values(function, args, kwargs)
            except UnsupportedOperatorException:
                raise Refused(f"{caller()[0]} calls {function}, an operator without a fake kernel: "
                              f"register one (torch.library.register_fake), or take PyTorch's own "
                              f"operators while rehearsing.") from None

        def _shaped_by_values(self, function, args, kwargs):
            """An operator whose result's shape follows from values that are known."""
            if function is aten.index.Tensor:
                return self._indexed(args)
            try:
                values = self._compute(function, args, kwargs)
            except Unknown:
                refuse(f"makes a tensor whose size follows from values ({function})")
            device = next((t.device for t in _tensors((args, kwargs))
                           if isinstance(t, FakeTensor)), torch.device("cpu"))
            return _mapped(values, lambda value: self.on_device(value, device))

        def _indexed(self, args):
            """x[mask], as CUDA does it: by the positions of what is true."""
            indices = []
            for index in args[1]:
                if index is not None and index.dtype in (torch.bool, torch.uint8):
                    value = self.value_of(index)
                    if value is None:
                        refuse("selects by a mask")
                    indices += [self.on_device(where, args[0].device)
                                for where in value.nonzero(as_tuple=True)]
                else:
                    indices.append(index)
            with self.fake:
                return aten.index.Tensor(args[0], indices)

        def number(self, tensor):
            value = self.value_of(tensor)
            if value is not None:
                return value.item()
            place = caller()[0]
            self.note(f"{place} read a number from the GPU: taken as 1")
            return assumed_number(tensor.dtype)

        # The whole.

        def state(self):
            """What torch.cuda.memory._snapshot() gives, and what a rehearsal adds."""
            count = max(self.entries, default=0) + 1
            return {
                "segments": [segment for device in sorted(self.allocators)
                             for segment in self.allocators[device].snapshot(device)],
                "device_traces": [self.entries.get(device, []) for device in range(count)],
                "allocator_settings": {
                    "PYTORCH_CUDA_ALLOC_CONF": "", "max_split_size": -1,
                    "garbage_collection_threshold": 0.0, "expandable_segments": False,
                    "pinned_num_register_threads": 1, "release_lock_on_cudamalloc": False,
                    "pinned_use_cuda_host_register": False,
                    "graph_capture_record_stream_reuse": False,
                    "trace_alloc_overflowed": False, "trace_alloc_max_entries": sys.maxsize,
                    "roundup_power2_divisions": {str(1 << at): 0 for at in range(16)}},
                "external_annotations": self.annotations,
                "rehearsed": self.marker(),
            }

        def marker(self):
            """What readers must say of the file."""
            name, _, value = os.environ.get(SIZE, "").partition("=")
            held = self.files.held_back(names=0)
            return {
                **({"size": {"name": name, "value": int(value)}} if value else {}),
                "version": 1, "device": self.gpu_name, "gpu": self.gpu[3],
                "device_bytes": self.gpu[0], "allocator_bytes": self.gpu[0] - CONTEXT,
                "lacked_bytes": max((a.lacked for a in self.allocators.values()), default=0),
                "rank": self.rank, "world_size": self.world_size or 1,
                "torch": str(torch.__version__), "program": os.path.basename(sys.argv[0]),
                "ended": self.ended or "",
                "missing": NOT_RECORDED,
                "assumed": ["the allocator's default settings",
                            "addresses of segments as a driver under Linux gives them",
                            f"{CONTEXT // MIB} MiB of the device outside the allocator",
                            "times are those of the rehearsal, not of a GPU",
                            *(sentence if times == 1 else f"{sentence} ({times} times)"
                              for sentence, times in self.notes.items()),
                            *([f"changes of files were held back: {held}"] if held else [])],
            }

        def write(self):
            """The recording; of a program that failed beside one that is whole, and none if it took
            no memory before."""
            if self.ended and not any(self.entries.values()):
                return
            path = self.out
            if self.ended and holds_something(path) and is_whole(path):
                path = checked_out(place_beside(path))
            state = self.state()
            write_whole(path, lambda file: pickle.dump(state, file, protocol=4))
            self.written = path

    def item(mode, function, args, kwargs):
        return mode.number(args[0])

    def equal(mode, function, args, kwargs):
        values = [mode.value_of(t) for t in args[:2]]
        if any(v is None for v in values):
            mode.note(f"{caller()[0]} asked whether tensors are equal: taken as yes")
            return True
        return torch.equal(*values)

    def to_copy(mode, function, args, kwargs):
        """From the device to the host: real where the values are known or few."""
        source, device = args[0], kwargs.get("device")
        if device is None or device.type != "cpu" or not isinstance(source, FakeTensor) or \
                source.device.type != "cuda":
            return NotImplemented
        value = mode.value_of(source)
        settings = {k: v for k, v in kwargs.items() if k not in ("device", "pin_memory")}
        if value is not None:
            return aten._to_copy.default(value, **settings)
        if source.numel() > LARGE_ON_HOST:
            return NotImplemented
        mode.note(f"{caller()[0]} copied values from the GPU: taken as ones")
        return torch.ones(source.shape, dtype=kwargs.get("dtype") or source.dtype)

    def copy(mode, function, args, kwargs):
        """Into a real tensor on the host: nothing, or what is known."""
        target, source = args[:2]
        if isinstance(target, FakeTensor):
            return NotImplemented
        value = mode.value_of(source)
        if value is not None:
            return function(target, value)
        mode.note(f"{caller()[0]} copied values from the GPU: the host's were left as they are")
        return target

    def top_k(mode, function, args, kwargs):
        """A router's choice: evenly, so that what follows has sizes."""
        scores, count = args[:2]
        dim = args[2] if len(args) > 2 else kwargs.get("dim", -1)
        if mode.value_of(scores) is not None or scores.dim() == 0 or \
                dim % scores.dim() != scores.dim() - 1:
            return NotImplemented
        out = mode._run(function, args, kwargs)
        for tensor in out:
            mode._seen(tensor)
        rows = out[1].numel() // max(count, 1)
        if rows * count <= LARGE_INTEGERS:
            chosen = torch.arange(rows * count) % scores.shape[-1]
            mode._give(out[1], chosen.view(out[1].shape))
            mode.note("a top-k over computed scores chooses evenly, as of experts")
        return out

    def packed(mode, function, args, kwargs):
        """Sequences one behind the other: sizes follow from their lengths."""
        rows, lengths, batch_first = args
        lengths = mode.value_of(lengths)
        if not isinstance(rows, FakeTensor) or lengths is None:
            return NotImplemented
        _, sizes = function(torch.empty(*rows.shape[:2], 1), lengths, batch_first)
        total = int(lengths.sum())
        with mode.fake:
            made = rows.new_empty(total, *rows.shape[2:])
        if made.device.type == "cuda":
            mode._seen(made)
        return made, sizes

    def unscale(mode, function, args, kwargs):
        """GradScaler's: the gradients of the first steps overflow, as many as were named."""
        if mode.scaled_steps < mode.overflows:
            mode._give(args[1], torch.ones_like(mode.value_of(args[1])))
            mode.note(f"the gradients of the first {mode.overflows} steps overflow under "
                      f"GradScaler, which skips these steps")
        else:
            mode.note("no gradient overflows under GradScaler" if not mode.overflows else
                      "later gradients do not overflow under GradScaler")
        return None

    def scale_updated(mode, function, args, kwargs):
        """The end of a step under GradScaler."""
        mode.scaled_steps += 1
        return NotImplemented

    def gradients_added(mode, function, args, kwargs):
        """The engine adds gradients in place when it alone holds them, except under a mode."""
        if len(args) != 2 or not all(isinstance(x, FakeTensor) and x.device.type == "cuda"
                                     for x in args) or not from_engine():
            return NotImplemented
        node = torch._C._current_autograd_node()
        if node is not None and "AccumulateGrad" in node.name():
            if args[0].shape == args[1].shape and args[0].dtype == args[1].dtype:
                with mode.fake:
                    return aten.add_.Tensor(*args)
        if mode.trial is not None:
            mode.trial += [(x._use_count(), storage_uses(x)) for x in args]
        for kept, other in (args, args[::-1]):
            if kept._use_count() <= mode.unique[0] and \
                    storage_uses(kept) <= mode.unique[1] and \
                    kept.shape == other.shape and kept.dtype == other.dtype:
                with mode.fake:
                    return aten.add_.Tensor(kept, other)
        return NotImplemented

    def from_engine():
        frame = sys._getframe(1)
        while frame is not None and (frame.f_code.co_filename == HERE or any(
                part in frame.f_code.co_filename.replace("\\", "/") for part in HIDDEN)):
            frame = frame.f_back
        return frame is None or frame.f_code.co_name == "_engine_run_backward"

    def flash_backward(mode, function, args):
        """flash_attn/flash_api.cpp, mha_bwd: dq_accum and softmax_d in fp32, and gradients of keys
        and values for every query head where heads share them."""
        query, key = args[1], args[2]
        batch, heads, length, width = query.shape
        rows, columns = -(-length // 128) * 128, -(-width // 32) * 32
        mode.scratch(function, 4 * batch * heads * rows * (columns + 1) +
                     of_shared_keys(query, key))

    def of_shared_keys(query, key):
        batch, heads, _, width = query.shape
        return 2 * query.element_size() * batch * heads * key.shape[2] * width \
            if key.shape[1] != heads else 0

    def cudnn_backward(mode, function, args):
        """As recorded on an H100: the same sums in fp32 without padding, and 256 bytes."""
        query, key = args[1], args[2]
        batch, heads, length, width = query.shape
        mode.scratch(function, 4 * batch * heads * length * (width + 1) + 256 +
                     of_shared_keys(query, key))

    def summed(mode, function, args):
        """aten/native/cuda/Reduce.cuh, setReduceConfig, of rows that lie one behind the other, as
        in the gradient of a bias: where their sums are spread over blocks, each block has a
        buffer."""
        x, dims = args[0], args[1]
        rank = x.dim()
        reduced = sorted(d % rank for d in dims or []) if rank else []
        if reduced != list(range(len(reduced))) or not 0 < len(reduced) < rank or \
                not x.is_contiguous() or x.dtype not in FLOATS:
            return
        rows = rows_of(x, reduced)
        outputs = x.numel() // rows
        vector = next(v for v in (4, 2, 1) if outputs % v == 0)
        threads = 512 // vector
        across, along = power_of_two(outputs // vector), power_of_two(rows)
        width = min(across, 32)
        height = min(along, threads // width)
        width = min(across, threads // height)
        if rows < min(height * 16, 256):
            return
        values, grid = -(-rows // height), -(-(outputs // vector) // width)
        target = mode.gpu[2] * (2048 // (width * height))
        if values < 256 or grid > target:
            return
        blocks = max(min(-(-target // grid), -(-values // 16)), -(-values // 256))
        if blocks > 1:
            mode.scratch(function, 4 * outputs * blocks * width * vector, 4 * grid)

    def embedded(mode, function, args):
        """EmbeddingBackwardKernel.cu: above 3,072 indices they are sorted, and their gradients
        summed in fp32 by parts of ten."""
        gradient, indices, weights = args[:3]
        count = indices.numel()
        if count > 3072:
            parts = count // 10 + min(count, weights)
            mode.scratch(function, *[8 * count] * 4, 4 * gradient.shape[-1] * parts)

    def rows_of(x, reduced):
        rows = 1
        for dim in reduced:
            rows *= x.shape[dim]
        return max(rows, 1)

    def power_of_two(number):
        return 1 << (max(number, 1).bit_length() - 1)

    def softmax_backward(mode, function, args, kwargs):
        """aten/native/cuda/SoftMax.cu: the gradient times the output."""
        mode.scratch(function, args[0].numel() * args[0].element_size())
        return NotImplemented

    SETTLES = {getattr(aten, name).Tensor: value for name, value in (
        ("bitwise_or", True), ("bitwise_or_", True), ("__or__", True), ("__ior__", True),
        ("bitwise_and", False), ("bitwise_and_", False), ("__and__", False), ("__iand__", False))}
    SETTLES |= {aten.logical_or.default: True, aten.logical_or_.default: True,
                aten.logical_and.default: False, aten.logical_and_.default: False}
    SPECIAL = {
        aten._local_scalar_dense.default: item, aten.equal.default: equal,
        aten._to_copy.default: to_copy, aten.copy_.default: copy, aten.topk.default: top_k,
        aten._amp_foreach_non_finite_check_and_unscale_.default: unscale,
        aten._amp_update_scale_.default: scale_updated,
        aten.add.Tensor: gradients_added, aten._pack_padded_sequence.default: packed,
        aten._softmax_backward_data.default: softmax_backward,
    }
    SCRATCH = {  # what kernels take once their results are there
        aten._scaled_dot_product_flash_attention_backward.default: flash_backward,
        aten.sum.dim_IntList: summed, aten.embedding_dense_backward.default: embedded,
    }
    with contextlib.suppress(AttributeError):  # of 2.5
        SCRATCH[aten._scaled_dot_product_cudnn_attention_backward.default] = cudnn_backward
    Rehearsal.FakeTensor = FakeTensor
    return Rehearsal


# --- The GPU that is not there -------------------------------------------------------------------

_KEEP = []  # what C++ asks until the process is over

# Functions that give c10::Stream: number 0 of cuda:0, a pair that is returned in two registers,
# which ctypes cannot do. mov eax, 1; xor edx, edx; ret / mov x0, 1; mov x1, 0; ret
DEFAULT_STREAM = dict.fromkeys(("x86_64", "amd64"), bytes.fromhex("b80100000031d2c3"))
DEFAULT_STREAM |= dict.fromkeys(("aarch64", "arm64"), bytes.fromhex("200080d2010080d2c0035fd6"))


def answer_for_the_driver():
    """C++ asks the driver, or says that there is no support for CUDA, in two places; for the rest
    of the process both get answers without one. Guards of the current device become those of the
    meta device, which do nothing, of no devices; and CUDAHooks::hasPrimaryContext, asked by
    autograd's engine before each backward pass, becomes "no". The headers that every torch brings
    say where these stand in the tables of virtual functions."""
    if _KEEP:
        return
    folder = os.path.dirname(torch.__file__)
    names = {"darwin": ("libc10.dylib", "libtorch_cpu.dylib"),
             "win32": ("c10.dll", "torch_cpu.dll")}.get(sys.platform,
                                                        ("libc10.so", "libtorch_cpu.so"))
    c10, library = (ctypes.CDLL(os.path.join(folder, "lib", name)) for name in names)
    pointer = ctypes.sizeof(ctypes.c_void_p)

    def with_own_table(thing, header, answers, more=0):
        """The address of a table like that of the object at `thing`, but for `answers`, by name:
        a function, its address, or the name of another entry. A class that is derived from the
        header's has `more` entries, or fewer."""
        with open(os.path.join(folder, "include", *header.split("/")), encoding="utf-8") as text:
            places = entries_of(text.read())
        table = ctypes.cast(thing, ctypes.POINTER(ctypes.c_void_p))[0]
        size = places.pop("") + more + 2  # the type stands before the table
        copy = (ctypes.c_void_p * size).from_buffer_copy(
            ctypes.string_at(table - 2 * pointer, size * pointer))
        for name, answer in answers.items():
            if name in places:
                copy[places[name] + 2] = copy[places[answer] + 2] if isinstance(answer, str) \
                    else answer if isinstance(answer, int) \
                    else ctypes.cast(answer, ctypes.c_void_p).value
        kept = [copy, *answers.values()]
        _KEEP.extend(kept)
        return ctypes.addressof(copy) + 2 * pointer

    answers = {"getDefaultStream": "getStream"}
    if (code := DEFAULT_STREAM.get(platform.machine())) and os.name == "posix":
        # Streams of the meta device have no number, and the engine keeps a list by number.
        with contextlib.suppress(OSError, ValueError):
            page = mmap.mmap(-1, mmap.PAGESIZE)
            page.write(code)
            held = ctypes.c_char.from_buffer(page)
            # Not all systems let memory be written and run at once.
            if ctypes.CDLL(None).mprotect(ctypes.c_void_p(ctypes.addressof(held)),
                                          ctypes.c_size_t(mmap.PAGESIZE),
                                          mmap.PROT_READ | mmap.PROT_EXEC) == 0:
                _KEEP.extend((page, held))
                answers["getDefaultStream"] = answers["getStream"] = ctypes.addressof(held)
    guards = (ctypes.c_void_p * (META_DEVICE + 1)).in_dll(
        c10, "_ZN3c104impl26device_guard_impl_registryE")
    count = ctypes.CFUNCTYPE(ctypes.c_byte, ctypes.c_void_p)
    devices, kind = count(lambda *_: DEVICES[0]), count(lambda *_: CUDA_DEVICE)
    guard = (ctypes.c_void_p * 1)(with_own_table(
        guards[META_DEVICE], "c10/core/impl/DeviceGuardImplInterface.h",
        {"deviceCount": devices, "type": kind, **answers}))
    guards[CUDA_DEVICE] = ctypes.addressof(guard)
    _KEEP.append(guard)
    library._ZN2at6detail12getCUDAHooksEv.restype = ctypes.c_void_p
    hooks = library._ZN2at6detail12getCUDAHooksEv()
    no = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_byte)(lambda *_: False)
    ctypes.cast(hooks, ctypes.POINTER(ctypes.c_void_p))[0] = with_own_table(
        hooks, "ATen/detail/AcceleratorHooksInterface.h", {"hasPrimaryContext": no}, 150)
    for held in _KEEP:
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(held))


def entries_of(header):
    """The places of virtual functions in their table, by name, and under "" how many there are. A
    destructor takes two."""
    places, at = {}, 0
    for name in re.findall(r"^\s*virtual\s[^;{(]*?(~?\w+)\s*\(", header, re.MULTILINE):
        places.setdefault(name, at)
        at += 2 if name.startswith("~") else 1
    places[""] = at
    return places


CUDA_DEVICE, META_DEVICE = 1, 14  # c10::DeviceType
DEVICES = [1]  # that C++ counts: some versions need one, others none (try_out)


def try_out(mode):
    """A backward pass, before anything counts: how many devices the engine may see, and how many
    references to a gradient there are, as seen from the mode, when the engine alone holds it."""
    def run():
        x = torch.ones(4, device="cuda", requires_grad=True)
        (x * 2 + x * 3).sum().backward()
        return x.grad

    mode.trial, mode.unique = [], (0, 0)
    try:
        with mode:
            try:
                run()
            except RuntimeError:
                DEVICES[0] = 0
                run()
    except RuntimeError as error:
        if "device_ready_queues_" in str(error):
            raise Refused("A backward pass ran in this process before the rehearsal, which fixed "
                          "that there is no GPU: begin the rehearsal first.") from None
        raise Refused(f"This PyTorch ({torch.__version__}) cannot run a backward pass without its "
                      f"GPU ({plain(error)}): take one from 2.11 to 2.15.") from None
    mode.unique = max(mode.trial, default=(4, 2))
    mode.trial = None


def make_streams(mode):
    class Stream:
        """A stream of its own is a pool of its own in the allocator; nothing runs on it."""

        device_type = 1

        def __init__(self, device=None, priority=0, stream_id=None, **_):
            self.stream_id = self.cuda_stream = next(mode.streams) if stream_id is None \
                else stream_id
            self.priority = priority

        device = property(lambda self: torch.device("cuda", mode.device_index))
        device_index = property(lambda self: mode.device_index)

        def __eq__(self, other):
            return isinstance(other, Stream) and self.stream_id == other.stream_id

        def __hash__(self):
            return hash(self.stream_id)

        def __enter__(self):
            self.before = getattr(mode.local, "stream", 0)
            mode.local.stream = self.stream_id
            return self

        def __exit__(self, *_):
            mode.local.stream = self.before

        def nothing(self, *_, **__):
            pass

        wait_stream = wait_event = synchronize = wait = record = nothing

        def record_event(self, event=None):
            return event or Event()

        def query(self):
            return True

        def is_capturing(self):
            return False

    class Event:
        def __init__(self, *_, **__):
            self.made = time.perf_counter()

        def nothing(self, *_, **__):
            pass

        synchronize = wait = nothing

        def record(self, *_, **__):
            self.made = time.perf_counter()

        def query(self):
            return True

        def elapsed_time(self, other):
            return max((other.made - self.made) * 1000, 1e-3)

    class stream:
        def __init__(self, wanted):
            self.wanted = wanted

        def __enter__(self):
            if self.wanted is not None:
                self.wanted.__enter__()
            return self.wanted

        def __exit__(self, *error):
            if self.wanted is not None:
                self.wanted.__exit__(*error)

        def __call__(self, function):
            @functools.wraps(function)
            def inside(*args, **kwargs):
                with self:
                    return function(*args, **kwargs)
            return inside

    def current(*_):
        return Stream(stream_id=getattr(mode.local, "stream", 0))

    def chosen(wanted):
        mode.local.stream = wanted.stream_id if wanted is not None else 0

    return Stream, Event, stream, current, chosen


class Properties(types.SimpleNamespace):
    pass


def pretend_cuda(mode, patches):
    """torch.cuda's and torch.accelerator's answers."""
    total, capability, processors, name, _ = mode.gpu
    Stream, Event, stream, current, chosen = make_streams(mode)
    properties = Properties(
        name=name, major=capability[0], minor=capability[1], total_memory=total,
        multi_processor_count=processors, is_integrated=0, is_multi_gpu_board=0, warp_size=32,
        max_threads_per_multi_processor=2048, regs_per_multiprocessor=65536,
        shared_memory_per_block=49152, shared_memory_per_block_optin=232448,
        shared_memory_per_multiprocessor=233472, L2_cache_size=50 * MIB, gcnArchName="",
        uuid="00000000-0000-0000-0000-000000000000", pci_bus_id=0, pci_device_id=0,
        pci_domain_id=0, clock_rate=1_980_000, memory_clock_rate=2_619_000, memory_bus_width=5120)

    def of(what):
        return lambda *_, **__: getattr(mode.allocator(mode.device_index), what)

    def statistics(*_, **__):
        allocator = mode.allocator(mode.device_index)
        found = {}
        for kind, now, most in (
                ("allocated", allocator.allocated, allocator.most_allocated),
                ("active", allocator.allocated, allocator.most_allocated),
                ("requested", allocator.allocated, allocator.most_allocated),
                ("reserved", allocator.reserved, allocator.most_reserved)):
            for pool in ("all", "large_pool", "small_pool"):
                found[f"{kind}_bytes.{pool}.current"] = now
                found[f"{kind}_bytes.{pool}.peak"] = most
        return {**found, "num_alloc_retries": 0, "num_ooms": 0, "num_sync_all_streams": 0,
                "num_device_alloc": len(allocator.segments), "num_device_free": 0,
                "inactive_split_bytes.all.current": 0, "inactive_split_bytes.all.peak": 0,
                "segment.all.current": len(allocator.segments)}

    def reset(*_, **__):
        allocator = mode.allocator(mode.device_index)
        allocator.most_allocated, allocator.most_reserved = allocator.allocated, allocator.reserved

    def info(*_, **__):
        return total - CONTEXT - mode.allocator(mode.device_index).reserved, total

    def set_device(device):
        index = torch.device("cuda", device).index if isinstance(device, int) else \
            torch.device(device).index
        mode.device_index = max(index or 0, 0)

    class Device(contextlib.AbstractContextManager):
        def __init__(self, device):
            self.device = device

        def __enter__(self):
            self.before = mode.device_index
            if self.device is not None and self.device != -1:
                set_device(getattr(self.device, "device", self.device))
            return self

        def __exit__(self, *_):
            mode.device_index = self.before

    def nothing(*_, **__):
        pass

    def fixed(value):
        return lambda *_, **__: value

    class graph:
        def __init__(self, *_, **__):
            raise Refused(f"{caller()[0]} captures a CUDA graph, which takes a GPU: turn graphs "
                          f"off while rehearsing.")

    seed = torch.zeros(16, dtype=torch.uint8)  # a seed and an offset
    cuda = torch.cuda
    for label, value in {
            "is_available": fixed(True), "is_initialized": fixed(True), "init": nothing,
            "_lazy_init": nothing, "_lazy_call": nothing, "device_count": fixed(1),
            "_device_count_nvml": fixed(1), "_raw_device_count_nvml": fixed(1),
            "current_device": lambda: mode.device_index, "set_device": set_device,
            "device": Device, "_DeviceGuard": Device, "device_of": fixed(Device(None)),
            "get_device_properties": fixed(properties), "get_device_name": fixed(name),
            "get_device_capability": fixed(capability), "synchronize": nothing,
            "get_arch_list": fixed([f"sm_{capability[0]}{capability[1]}"]),
            "is_bf16_supported": fixed(capability >= (8, 0)), "ipc_collect": nothing,
            "can_device_access_peer": fixed(True), "mem_get_info": info,
            "memory_allocated": of("allocated"), "max_memory_allocated": of("most_allocated"),
            "memory_reserved": of("reserved"), "max_memory_reserved": of("most_reserved"),
            "memory_cached": of("reserved"), "max_memory_cached": of("most_reserved"),
            "memory_stats": statistics, "memory_summary": fixed("a rehearsal, no GPU"),
            "reset_peak_memory_stats": reset, "reset_max_memory_allocated": reset,
            "reset_max_memory_cached": reset, "reset_accumulated_memory_stats": nothing,
            "empty_cache": lambda: mode.allocator(mode.device_index).release_cached(
                mode.stacks.here()),
            "memory_snapshot": lambda *_, **__: mode.state()["segments"],
            "set_per_process_memory_fraction": nothing, "Stream": Stream, "Event": Event,
            "ExternalStream": Stream, "stream": stream, "StreamContext": stream,
            "current_stream": current, "default_stream": lambda *_: Stream(stream_id=0),
            "set_stream": chosen, "_set_stream_by_id": nothing,
            "is_current_stream_capturing": fixed(False), "get_rng_state": lambda *_: seed.clone(),
            "set_rng_state": nothing, "get_rng_state_all": lambda: [seed.clone()],
            "set_rng_state_all": nothing, "manual_seed": nothing, "manual_seed_all": nothing,
            "seed": nothing, "seed_all": nothing, "initial_seed": fixed(0),
            "utilization": fixed(0), "temperature": fixed(0), "power_draw": fixed(0),
            "_sleep": nothing, "CUDAGraph": graph, "graph": graph,
            "make_graphed_callables": graph}.items():
        patches.set(cuda, label, value)
    for module in ("memory", "random", "streams"):
        for label in vars(cuda):
            target = getattr(cuda, module, None)
            if hasattr(target, label) and callable(getattr(cuda, label)) and any(
                    undo[0] is cuda and undo[1] == label for undo in patches.undo):
                patches.set(target, label, getattr(cuda, label))
    patches.set(cuda.memory, "_record_memory_history", nothing)
    patches.set(cuda.memory, "_dump_snapshot", nothing)
    patches.set(cuda.memory, "_snapshot", lambda *_, **__: mode.state())
    patches.set(cuda, "default_generators", (torch.Generator(),))
    patches.set(torch, "Event", Event)
    patches.set(torch, "Stream", Stream)
    generator = torch.Generator

    class Generator(generator):
        def __new__(cls, device=None):
            return generator.__new__(cls, "cpu")

    patches.set(torch, "Generator", Generator)
    accelerator = getattr(torch, "accelerator", None)
    here = torch.device("cuda")
    for label, value in {
            "is_available": fixed(True), "current_accelerator": fixed(here),
            "device_count": fixed(1), "current_device_index": lambda: mode.device_index,
            "current_device_idx": lambda: mode.device_index, "set_device_index": set_device,
            "set_device_idx": set_device, "synchronize": nothing, "current_stream": current,
            "set_stream": chosen, "memory_allocated": of("allocated"),
            "max_memory_allocated": of("most_allocated"), "memory_reserved": of("reserved"),
            "max_memory_reserved": of("most_reserved"), "memory_stats": statistics,
            "reset_peak_memory_stats": reset, "empty_cache": cuda.empty_cache,
            "get_memory_info": info, "device_index": Device}.items():
        patches.set(accelerator, label, value)
        patches.set(getattr(accelerator, "memory", None), label, value)
    for label, value in {
            "_cuda_getDevice": lambda: mode.device_index, "_cuda_setDevice": set_device,
            "_cuda_exchangeDevice": nothing, "_cuda_maybeExchangeDevice": nothing,
            "_cuda_getDeviceCount": fixed(1), "_cuda_emptyCache": nothing,
            "_cuda_isCurrentStreamCapturing": fixed(False), "_cuda_synchronize": nothing,
            "_cuda_getCurrentRawStream": fixed(0), "_accelerator_getAccelerator": fixed(here),
            "_get_accelerator": fixed(here), "_accelerator_getDeviceIndex": fixed(0),
            "_accelerator_setDeviceIndex": nothing,
            "_accelerator_synchronizeDevice": nothing}.items():
        patches.set(torch._C, label, value)
    amp = getattr(torch.cuda.amp, "common", None)
    patches.set(amp, "amp_definitely_not_available", fixed(False))
    patches.set(getattr(torch.amp, "autocast_mode", None), "is_bf16_supported", fixed(True))


def pretend_tensors(mode, patches):
    """What tensors and modules do beside operators."""
    FakeTensor = mode.FakeTensor
    patches.set(torch.Tensor, "pin_memory", lambda tensor, *_, **__: tensor)
    patches.set(torch.Tensor, "is_pinned", lambda *_, **__: False)
    patches.set(torch.Tensor, "record_stream", lambda *_, **__: None)
    resize = torch.UntypedStorage.resize_

    def resized(storage, size):
        resize(storage, size)
        mode.resized(storage, size)
        return storage

    patches.set(torch.UntypedStorage, "resize_", resized)
    address_of = torch.UntypedStorage.data_ptr

    def address(storage):
        return address_of(storage) if storage.device.type != "meta" else mode.address(storage)

    patches.add(torch.UntypedStorage, "data_ptr", address)
    patches.add(FakeTensor, "data_ptr", lambda tensor: (begin := address(
        tensor.untyped_storage())) and begin + tensor.storage_offset() * tensor.element_size())
    data = torch.Tensor.data

    def set_data(tensor, value):
        data.__set__(tensor, value)
        if isinstance(value, FakeTensor):
            tensor.fake_device = value.fake_device  # which torch leaves as it was

    patches.add(FakeTensor, "data", property(data.__get__, set_data))
    swap = torch.utils.swap_tensors

    def swapped(one, other):
        if isinstance(one, FakeTensor) and isinstance(other, FakeTensor):
            set_data(one, other)  # it need not be the only reference
        else:
            swap(one, other)

    patches.set(torch.utils, "swap_tensors", swapped)
    moved = torch.Tensor.to

    def indexed(place):
        """cuda with its index, for which older versions ask the driver."""
        if isinstance(place, (str, torch.device)) and not isinstance(place, torch.dtype):
            place = torch.device(place)
            if place.type == "cuda" and place.index is None:
                return torch.device("cuda", mode.device_index)
        return place

    def to(tensor, *args, **kwargs):
        if "device" in kwargs:
            kwargs["device"] = indexed(kwargs["device"])
        return moved(tensor, *(indexed(each) for each in args[:1]), *args[1:], **kwargs)

    patches.set(torch.Tensor, "to", to)
    patches.set(torch.Tensor, "cuda", lambda tensor, device=None, non_blocking=False, **settings:
                to(tensor, "cuda" if device is None else torch.device("cuda", device)
                   if isinstance(device, int) else device, non_blocking=non_blocking, **settings))

    def truth(tensor):
        value = mode.value_of(tensor)
        if value is not None:
            return bool(value.item())
        return mode.answers.decide("a tensor on the GPU", False)

    def index(tensor):
        value = mode.value_of(tensor)
        if value is None:
            refuse("takes a size from a tensor on the GPU")
        return int(value.item())

    def to_list(tensor):
        value = mode.value_of(tensor)
        if value is not None:
            return value.tolist()
        mode.note(f"{caller()[0]} read numbers from the GPU: taken as 1")
        number = assumed_number(tensor.dtype)

        def nested(shape):
            return [nested(shape[1:]) for _ in range(shape[0])] if shape else number
        return nested(tuple(tensor.shape))

    def to_numpy(tensor, *_, **__):
        value = mode.value_of(tensor)
        if value is None:
            mode.note(f"{caller()[0]} read values from a fake tensor: taken as ones")
            value = torch.ones(tensor.shape, dtype=tensor.dtype)
        return value.numpy()

    for name, value in {
            "item": lambda t: mode.number(t), "__bool__": truth, "__index__": index,
            "__int__": lambda t: int(mode.number(t)), "tolist": to_list, "numpy": to_numpy,
            "__float__": lambda t: float(mode.number(t)),
            "__format__": lambda t, form: format(mode.number(t), form) if t.dim() == 0
            else object.__format__(repr(t), form),
            "__repr__": lambda t, **_: f"tensor(…, size={tuple(t.shape)}, device='{t.device}')",
    }.items():
        patches.add(FakeTensor, name, value)
    make = torch.nn.Parameter.__new__

    def parameter(cls, data=None, requires_grad=True, **settings):
        if cls is torch.nn.Parameter and data is not None:
            data = mode.adopt(data)
        return make(cls, data, requires_grad, **settings)

    patches.set(torch.nn.Parameter, "__new__", parameter)
    tensor_of = torch.tensor

    def tensor(values, *, device=None, **settings):
        made = tensor_of(values, **settings)
        return made if device is None else made.to(device)

    patches.set(torch, "tensor", tensor)
    called = torch.nn.Module.__call__

    def call(module, *args, **kwargs):
        modules = getattr(mode.local, "modules", None)
        if modules is None:
            modules = mode.local.modules = []
        outermost = not modules
        name = mode.names.get(module)
        if name is None:
            prefix = f"{modules[-1]}." if modules and modules[-1] else ""
            for path, part in module.named_modules():
                if mode.names.get(part) is None:
                    mode.names[part] = (prefix + path).rstrip(".") or type(part).__name__
            name = mode.names[module]
        modules.append(name)
        try:
            if outermost and torch.is_grad_enabled() and not mode.in_backward:
                with mode.phase("forward"):
                    return called(module, *args, **kwargs)
            return called(module, *args, **kwargs)
        finally:
            modules.pop()

    patches.set(torch.nn.Module, "__call__", call)
    mode.in_backward = 0
    run = torch.autograd.graph._engine_run_backward

    def backward(*args, **kwargs):
        mode.in_backward += 1
        try:
            with mode.phase("backward"):
                return run(*args, **kwargs)
        finally:
            mode.in_backward -= 1

    backward.__name__ = backward.__qualname__ = "_engine_run_backward"
    patches.set(torch.autograd.graph, "_engine_run_backward", backward)
    patches.set(torch.autograd, "_engine_run_backward", backward)
    mark = torch.autograd.profiler.record_function
    enter, leave = mark.__enter__, mark.__exit__

    def begun(self):
        mode.annotate(self.name, True)
        return enter(self)

    def ended(self, *error):
        mode.annotate(self.name, False)
        return leave(self, *error)

    patches.set(mark, "__enter__", begun)
    patches.set(mark, "__exit__", ended)


def pretend_libraries(mode, patches):
    """Attention, compilation, files, and what optimizers hold."""
    attention = make_attention(mode)
    patches.set(torch.nn.functional, "scaled_dot_product_attention", attention)
    patches.set(torch._C._nn, "scaled_dot_product_attention", attention)

    with contextlib.suppress(ImportError):
        flex = importlib.import_module("torch.nn.attention.flex_attention")
        patches.set(flex, "flex_attention", make_flex_attention(mode))

    def compiled(model=None, **_):
        mode.note("torch.compile is left out: operators run one by one, which takes more")
        return model if model is not None else lambda function: function

    patches.set(torch, "compile", compiled)
    patches.set(torch.nn.Module, "compile", lambda *_, **__: compiled())

    with contextlib.suppress(ImportError):
        triton_helpers = importlib.import_module("torch.utils._triton")
        patches.set(triton_helpers, "has_triton", lambda *_: False)
    with contextlib.suppress(ImportError, AttributeError):
        from triton.runtime import Autotuner, JITFunction
        for kind in (Autotuner, JITFunction):
            patches.set(kind, "run", lambda *_, **__: mode.note(
                "Triton's kernels do nothing: what they write, torch has allocated"))
    make_recurrent(mode)
    optim = importlib.import_module("torch.optim.optimizer")

    def before(optimizer, *_, **__):
        groups = [group["params"] for group in optimizer.param_groups]
        parameters = [p for group in groups for p in group]
        mode.label(parameters, "parameter")
        mode.label([p.grad for p in parameters if p.grad is not None], "gradient")

    def after(optimizer, *_, **__):
        mode.label(_tensors([list(state.values()) for state in optimizer.state.values()
                             if isinstance(state, dict)]), "optimizer_state")

    for owner in (optim, importlib.import_module("torch.utils._foreach_utils")):
        patches.set(owner, "_foreach_supported_types",
                    [*owner._foreach_supported_types, mode.FakeTensor])

    for hook in (optim.register_optimizer_step_pre_hook(before),
                 optim.register_optimizer_step_post_hook(after)):
        mode.hooks.append(hook)
    pretend_transformers(mode, patches)


def read_back(shape, stride, dtype, device, requires_grad):
    """A fake tensor from a file that holds no more of it than this."""
    mode = rehearsal()
    device = getattr(mode.local, "located", str)(device)
    with contextlib.nullcontext() if device.startswith("cuda") else mode.fake:
        made = torch.empty_strided(shape, stride, dtype=dtype, device=device)
    return made.requires_grad_(requires_grad)


read_back.__module__ = "vramscope_rehearse"


def pretend_files(mode, patches):
    """Files of tensors: of fake ones they hold the shapes, and give fake ones again."""
    FakeTensor, files = mode.FakeTensor, mode.files
    save, load = torch.save, torch.load
    copyreg.pickle(FakeTensor, lambda tensor: (read_back, (
        tuple(tensor.shape), tensor.stride(), tensor.dtype, str(tensor.device),
        tensor.requires_grad)))
    mode.hooks.append(types.SimpleNamespace(
        remove=lambda: copyreg.dispatch_table.pop(FakeTensor, None)))
    torch.serialization.add_safe_globals([read_back])

    def saved(obj, f, *args, **settings):
        if not isinstance(f, (str, os.PathLike)):
            return save(obj, f, *args, **settings)
        with open(f, "wb") as opened:  # by Python, not by C++
            return save(obj, opened, *args, **settings)

    def loaded(f, map_location=None, *args, **settings):
        """On the host, from where tensors that belong on the device are moved to it."""
        moved, on_device = {}, set()

        def located(device):
            wanted = map_location.get(device, device) if isinstance(map_location, dict) else \
                device if map_location is None or callable(map_location) else map_location
            return str(torch.device("cuda", wanted) if isinstance(wanted, int) else wanted)

        def on_host(storage, device):
            if located(device).startswith("cuda"):
                on_device.add(storage._cdata)
            return storage

        def move(tensor):
            if isinstance(tensor, FakeTensor) or \
                    tensor.untyped_storage()._cdata not in on_device:
                return tensor
            return moved.setdefault(id(tensor), tensor.to("cuda"))

        mode.local.located = located
        try:
            result = load(files.read_from(f), on_host, *args, **settings)
        finally:
            mode.local.located = str
        return _mapped(result, move) if on_device else result

    def saved_script(real):
        def run(script, file, *args, **settings):
            with contextlib.suppress(RuntimeError):  # fake weights have no bytes
                return real(script, files.write_to(file), *args, **settings)
        return run

    for kind in (torch._C.ScriptModule, torch._C.ScriptFunction):
        patches.set(kind, "save", saved_script(kind.save))
    replace = {save: saved, load: loaded}
    with contextlib.suppress(ImportError):
        import safetensors.torch
        own, opened = safetensors.torch.save_file, safetensors.safe_open
        load_file = safetensors.torch.load_file

        def loaded_file(filename, device="cpu", **settings):
            read = load_file(filename, **settings)
            return {name: tensor.to(device) for name, tensor in read.items()}

        def save_file(tensors, filename, metadata=None):
            check_safetensors(tensors)
            with open(filename, "wb") as file:
                write_safetensors(file, tensors, metadata)

        def save_bytes(tensors, metadata=None):
            check_safetensors(tensors)
            file = io.BytesIO()
            write_safetensors(file, tensors, metadata)
            return file.getvalue()

        replace.update({own: save_file, safetensors.torch.save: save_bytes, load_file: loaded_file,
                        opened: lambda file, *args, **settings: opened(
                            files.read_from(file), *args, **settings)})
    everywhere(patches, replace)


def check_safetensors(tensors):
    """Raises where safetensors would."""
    from safetensors.torch import _find_shared_tensors
    shared = [names for names in _find_shared_tensors(tensors) if len(names) > 1]
    if shared:
        raise RuntimeError(f"Some tensors share memory, this will lead to duplicate memory on disk "
                           f"and potential differences when loading them again: {shared}.")
    for name, tensor in tensors.items():
        if not tensor.is_contiguous():
            raise ValueError(f"You are trying to save a non contiguous tensor: `{name}` which is "
                             f"not allowed.")


def write_safetensors(file, tensors, metadata):
    """The header, and a hole for each tensor that is fake."""
    from safetensors.torch import _TYPES
    names = {dtype: name for name, dtype in _TYPES.items()}
    header, end = {"__metadata__": metadata} if metadata else {}, 0
    for name, tensor in tensors.items():
        begin, end = end, end + tensor.numel() * tensor.element_size()
        header[name] = {"dtype": names[tensor.dtype], "shape": list(tensor.shape),
                        "data_offsets": [begin, end]}
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    file.write(len(text).to_bytes(8, "little") + text)
    for name, tensor in tensors.items():
        value = rehearsal().value_of(tensor)
        if value is not None and value.numel():
            file.seek(8 + len(text) + header[name]["data_offsets"][0])
            file.write(value.contiguous().view(-1).view(torch.uint8).numpy())
    if end and file.tell() < 8 + len(text) + end:
        file.seek(8 + len(text) + end - 1)
        file.write(b"\0")


def pretend_transformers(mode, patches):
    """from_pretrained() reads the config alone: weights are not needed, and not fetched. Beam
    search runs to its maximum length."""
    def prepare(module):
        model = module.PreTrainedModel

        def from_pretrained(cls, name, *model_args, config=None, torch_dtype=None, dtype=None,
                            quantization_config=None, **settings):
            if quantization_config is not None:
                raise Refused(f"{caller()[0]} loads a quantised model, whose kernels have no fake "
                              f"counterpart: rehearse it without quantization_config.")
            from transformers import AutoConfig
            config = config or AutoConfig.from_pretrained(name)
            kind = dtype or torch_dtype
            if kind in (None, "auto"):
                kind = getattr(config, "dtype", None) or getattr(config, "torch_dtype", None) or \
                    torch.float32
            kind = getattr(torch, kind) if isinstance(kind, str) else kind
            chosen = {"attn_implementation": settings["attn_implementation"]} \
                if settings.get("attn_implementation") else {}
            made = cls._from_config(config, dtype=kind, **chosen) \
                if "dtype" in module.PreTrainedModel._from_config.__code__.co_names \
                else cls._from_config(config, torch_dtype=kind, **chosen)
            place = settings.get("device_map")
            if place is not None and place != "cpu":
                made = made.to("cuda")
            mode.note(f"weights of {name} are not loaded: their shapes follow from its config")
            return made.eval()

        patches.set(model, "from_pretrained", classmethod(from_pretrained))
        # It takes fake tensors for those of a compiler, for which it leaves out shortcuts.
        patches.set(sys.modules.get("transformers.utils.import_utils"), "is_fake_tensor",
                    lambda _: False)
        masks = sys.modules.get("transformers.masking_utils")
        tracing = getattr(masks, "is_tracing", None)
        if callable(tracing):
            patches.set(masks, "is_tracing", lambda tensor=None: tracing())

    def search(module):
        mixin, name = module.GenerationMixin, "_beam_search_has_unfinished_sequences"
        unfinished = getattr(mixin, name, None)

        def goes_on(*args, **kwargs):
            result = unfinished(*args, **kwargs)
            if isinstance(result, mode.FakeTensor) and mode.value_of(result) is None:
                mode.note("beam search runs to its maximum length")
                return True
            return result

        static = isinstance(vars(mixin).get(name), staticmethod)
        patches.set(mixin, name, staticmethod(goes_on) if static else goes_on)

    on_import(mode.files.finders, "transformers.modeling_utils", prepare)
    on_import(mode.files.finders, "transformers.generation.utils", search)


def make_attention(mode):
    def attention(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None,
                  enable_gqa=False):
        """What torch's dispatcher takes on a GPU: for 16 bits without a mask cuDNN's kernel
        (Hopper, from 2.9 on) or flash, the memory-efficient one for fp32 or with a mask, and whole
        score matrices where none takes the shapes."""
        aten = torch.ops.aten
        if query.device.type != "cuda" or not isinstance(query, torch.Tensor):
            return real(query, key, value, attn_mask, dropout_p, is_causal, scale=scale,
                        **({"enable_gqa": True} if enable_gqa else {}))
        if torch.is_autocast_enabled("cuda"):
            kind = torch.get_autocast_dtype("cuda")
            query, key, value = (x.to(kind) for x in (query, key, value))
            if attn_mask is not None and attn_mask.is_floating_point():
                attn_mask = attn_mask.to(kind)
        back = torch.backends.cuda
        sixteen = query.dtype in (torch.float16, torch.bfloat16)
        shared = key.shape[-3] != query.shape[-3] if query.dim() > 3 else False
        same = query.shape[-1] == value.shape[-1]
        flash = sixteen and attn_mask is None and same and query.dim() == 4 and \
            query.shape[-1] <= 256 and back.flash_sdp_enabled() and mode.gpu[1] >= (8, 0)
        cudnn = flash and mode.gpu[1][0] in (9, 10) and torch_version() >= (2, 9) and \
            getattr(back, "cudnn_sdp_enabled", lambda: False)() and query.shape[-1] <= 128 and \
            query.shape[-1] % 8 == 0 and query.shape[-2] > 1
        if query.dim() != 4 or (shared and not flash) or \
                not (flash or cudnn or back.mem_efficient_sdp_enabled()):
            return aten._scaled_dot_product_attention_math(
                query, key, value, attn_mask, dropout_p, is_causal, scale=scale,
                **({"enable_gqa": True} if enable_gqa else {}))[0]
        if attn_mask is not None and attn_mask.dtype == torch.bool:
            attn_mask = torch.zeros_like(attn_mask, dtype=query.dtype)
        if cudnn:
            with contextlib.suppress(NotImplementedError, AttributeError):
                return aten._scaled_dot_product_cudnn_attention(
                    query, key, value, None, torch.is_grad_enabled() and query.requires_grad,
                    dropout_p, is_causal, False, scale=scale)[0]
        if flash:
            scale = scale or query.shape[-1] ** -0.5
            width = query.shape[-1]
            padded = -width % 8
            if padded:
                query, key, value = (torch.nn.functional.pad(x, (0, padded))
                                     for x in (query, key, value))
            out = aten._scaled_dot_product_flash_attention(
                query, key, value, dropout_p, is_causal, False, scale=scale)[0]
            return out[..., :width] if padded else out
        return aten._scaled_dot_product_efficient_attention(
            query, key, value, attn_mask, torch.is_grad_enabled() and query.requires_grad,
            dropout_p, is_causal, scale=scale)[0]

    real = torch.nn.functional.scaled_dot_product_attention
    attention.__name__ = "scaled_dot_product_attention"
    return attention


def make_flex_attention(mode):
    """FlexAttention as its compiled kernel takes memory: the output and the log-sum-exp of each
    row; backward the gradients, and fp32 sums of each row."""
    class Flex(torch.autograd.Function):
        @staticmethod
        def forward(ctx, query, key, value):
            out = query.new_empty(*query.shape[:-1], value.shape[-1]).to(query.dtype)
            sums = torch.empty(query.shape[:-1], dtype=torch.float32, device=query.device)
            ctx.save_for_backward(query, key, value, out, sums)
            return out, sums

        @staticmethod
        def backward(ctx, gradient, _):
            query, key, value, out, sums = ctx.saved_tensors
            delta = torch.empty_like(sums)
            return torch.empty_like(query), torch.empty_like(key), torch.empty_like(value)

    def flex_attention(query, key, value, *_, return_lse=False, return_aux=None, **__):
        mode.note("FlexAttention takes what its compiled kernel takes")
        out, sums = Flex.apply(query, key, value)
        return (out, sums) if return_lse or return_aux is not None else out

    return flex_attention


def make_recurrent(mode):
    """RNNs as cuDNN runs them: outputs, last states, and what it keeps for the backward pass, whose
    size cuDNN alone knows: taken are its gates, cells and outputs. Weights, and their gradients,
    lie in one buffer."""
    KEPT = {"lstm": 6, "gru": 5, "rnn_tanh": 2, "rnn_relu": 2}  # values of each state

    def flat(weights):
        buffer = torch.empty(sum(w.numel() for w in weights), dtype=weights[0].dtype,
                             device=weights[0].device)
        return [part.view(w.shape) for part, w in zip(buffer.split([w.numel() for w in weights]),
                                                      weights)]

    class Recurrent(torch.autograd.Function):
        @staticmethod
        def forward(ctx, kept, width, x, hidden, cells, *weights):
            out = x.new_empty(*x.shape[:-1], width)
            rows = x.numel() // max(x.shape[-1], 1)
            kept = torch.empty(kept * rows * x.element_size(), dtype=torch.uint8, device=x.device)
            ctx.save_for_backward(x, hidden, cells, out, kept, *weights)
            return out, torch.empty_like(hidden), torch.empty_like(cells)

        @staticmethod
        def backward(ctx, *_):
            x, hidden, cells, _, _, *weights = ctx.saved_tensors
            return None, None, torch.empty_like(x), torch.empty_like(hidden), \
                torch.empty_like(cells), *flat(weights)

    def recurrent(kind, real):
        def run(x, *arguments):
            packed = not isinstance(arguments[2], bool)  # then the first are sizes of batches
            states, weights, _, layers, _, training, both = arguments[packed:packed + 7]
            if not isinstance(x, mode.FakeTensor) or x.device.type != "cuda":
                return real(x, *arguments)
            hidden, cells = states if kind == "lstm" else (states, states.new_empty(0))
            ways = 2 if both else 1
            width = max(hidden.shape[-1], cells.shape[-1])  # cells may be wider than outputs
            kept = KEPT[kind] * layers * ways * width if training else 0
            out = Recurrent.apply(kept, ways * hidden.shape[-1], x, hidden, cells, *weights)
            mode.note("what cuDNN keeps of an RNN for its backward pass is estimated")
            return out if kind == "lstm" else out[:2]
        return run

    def flatten(module):
        weights = module._flat_weights
        if torch.backends.cudnn.enabled and len(weights) == len(module._flat_weights_names) and \
                all(isinstance(w, mode.FakeTensor) and w.device.type == "cuda" for w in weights) \
                and len({w.untyped_storage()._cdata for w in weights}) == len(weights):
            with torch.no_grad():
                for weight, part in zip(weights, flat(weights)):
                    weight.data = part

    for kind in KEPT:
        mode.patches.add(torch._VF, kind, recurrent(kind, getattr(torch._VF, kind)))
    mode.patches.set(torch.nn.RNNBase, "flatten_parameters", flatten)


def torch_version():
    return tuple(int(part) for part in torch.__version__.split("+")[0].split(".")[:2])


# --- One rank of many ----------------------------------------------------------------------------

def pretend_ranks(mode, patches):
    """A process group of `world_size` ranks that moves nothing; each rank sees what it sent."""
    import torch.distributed as dist
    if not dist.is_available():
        return
    if mode.world_size is not None:
        for name, value in {"RANK": mode.rank, "WORLD_SIZE": mode.world_size, "LOCAL_RANK": 0,
                            "LOCAL_WORLD_SIZE": 1, "GROUP_RANK": mode.rank,
                            "MASTER_ADDR": "localhost", "MASTER_PORT": 29500}.items():
            mode.environment.setdefault(name, os.environ.get(name))
            os.environ[name] = str(value)
    start, group = dist.init_process_group, dist.new_group

    def init(*args, **kwargs):
        from torch.testing._internal.distributed.fake_pg import FakeStore
        if not dist.is_initialized():
            start("fake", store=FakeStore(), rank=mode.rank,
                  world_size=mode.world_size or 1)

    def new_group(ranks=None, timeout=None, backend=None, pg_options=None, **settings):
        settings.pop("device_id", None)
        return group(ranks, backend=None, **settings)

    c10d = dist.distributed_c10d
    replaced = {"init_process_group": init, "new_group": new_group,
                "broadcast_object_list": lambda *_, **__: None,
                "barrier": lambda *_, **__: None, "monitored_barrier": lambda *_, **__: None}

    def gather_objects(object_list, obj, *_, **__):
        object_list[:] = [obj] * len(object_list)

    def gather_object(obj, object_gather_list=None, *_, **__):
        if object_gather_list is not None:
            object_gather_list[:] = [obj] * len(object_gather_list)

    def scatter_objects(scatter_object_output_list, scatter_object_input_list=None, *_, **__):
        given = scatter_object_input_list
        scatter_object_output_list[0] = given[mode.rank] if given else None

    replaced.update(all_gather_object=gather_objects, gather_object=gather_object,
                    scatter_object_list=scatter_objects)
    for name, value in replaced.items():
        for module in (dist, c10d):
            patches.set(module, name, value)

    def alone(module):
        """Of a distributed checkpoint the rank plans, writes and reads its own shards."""
        wrapper = module._DistWrapper.__init__

        def without_others(self, group, use_dist, coordinator_rank):
            wrapper(self, group, False, coordinator_rank)

        patches.set(module._DistWrapper, "__init__", without_others)

    on_import(mode.files.finders, "torch.distributed.checkpoint.utils", alone)
    on_import(mode.files.finders, "torch.distributed.checkpoint.default_planner", lambda module:
              patches.set(module, "_validate_global_plan", lambda *_: True))
    from torch.nn.parallel import distributed as ddp
    patches.set(ddp, "_verify_param_shape_across_processes", lambda *_, **__: True)
    patches.set(ddp, "_sync_module_states", lambda *_, **__: None)
    made = ddp.DistributedDataParallel.__init__

    def arrived(_, bucket):
        future = torch.futures.Future()
        future.set_result(bucket.buffer())
        return future

    class SameBuckets:
        """DDP's reducer without its reordering of buckets after the first step, which reads
        tensors; their sum stays as it is."""

        def __init__(self, reducer):
            self.reducer = reducer

        def __getattr__(self, name):
            return getattr(self.reducer, name)

        def _rebuild_buckets(self):
            return False

    def wrapped(self, *args, **kwargs):
        made(self, *args, **kwargs)
        # In place of an all-reduce, whose answer the empty process group does not give back.
        with contextlib.suppress(RuntimeError):
            self.register_comm_hook(None, arrived)
        for _ in range(10):  # it times its first ten iterations with CUDA's events
            with contextlib.suppress(RuntimeError):
                self.reducer.prepare_for_forward()
        self.reducer = SameBuckets(self.reducer)

    patches.set(ddp.DistributedDataParallel, "__init__", wrapped)
    with contextlib.suppress(ImportError, AttributeError):
        from torch.distributed.tensor._sharding_prop import ShardingPropagator
        for name in ("_propagate_tensor_meta_non_cached", "_propagate_tensor_meta"):
            propagate = getattr(ShardingPropagator, name, None)
            if propagate is not None:
                patches.set(ShardingPropagator, name, quietly(mode, propagate))
    with contextlib.suppress(ImportError, AttributeError):
        from torch.distributed.fsdp import _flat_param
        patches.set(_flat_param, "_same_storage", lambda one, other: storage_of(one) ==
                    storage_of(other))
        patches.set(_flat_param, "_data_ptr_allocated",
                    lambda tensor: tensor.untyped_storage().size() > 0)


def quietly(mode, function):
    """DTensor runs each operator once on whole shapes to learn its result's; nothing is made."""
    @functools.wraps(function)
    def inside(*args, **kwargs):
        mode.quiet += 1
        try:
            return function(*args, **kwargs)
        finally:
            mode.quiet -= 1
    return inside


def storage_uses(tensor):
    """References to a tensor's storage. torch._C._storage_Use_Count() tells the same, in builds
    for CUDA alone: the count is the first 32 bits behind the table of virtual functions."""
    return ctypes.c_uint32.from_address(
        tensor.untyped_storage()._cdata + ctypes.sizeof(ctypes.c_void_p)).value


def storage_of(tensor):
    return getattr(tensor, "_local_tensor", tensor).untyped_storage()._cdata


# --- Use -----------------------------------------------------------------------------------------

@contextlib.contextmanager
def rehearse(out="rehearsed.pickle", device="h100", world_size=None, rank=0, overflows=0,
             values="", let_write=(), until_exit=False):
    """Runs what is inside as rank `rank` of `world_size` on a `device` that is not there, and
    writes `out`, a snapshot of its allocator, also where an exception ends it. `device` is a name
    of GPUS or the memory as in "24GiB". With a `world_size` (1 is one) the environment is
    torchrun's. A GradScaler finds that the gradients of the first `overflows` steps overflow, skips
    these steps, and there are no optimizer states yet. `values` are Answers. What the program does
    with files outside the folders `let_write` it does in a scratch folder (Files), `until_exit` as
    long as the process runs, and then Linux itself sees to it."""
    checked_torch()
    if _now:
        raise Refused("A rehearsal runs already: end it first.")
    if not 0 <= rank < (world_size or 1):
        raise Refused(f"Rank {rank} is none of {world_size or 1}: ranks count from 0.")
    if overflows < 0:
        raise Refused(f"{overflows} steps cannot overflow: give 0 or more.")
    out, files = checked_out(out), Files(let_write)
    mode = make_mode_class()(out, device, world_size, rank, overflows, values)
    mode.hooks, mode.environment = [], {}
    patches = mode.patches
    from torch._subclasses import fake_tensor
    patches.set(fake_tensor.FakeTensorMode, "avoid_device_init", True)
    for name in ("init_gpu_context", "init_cuda_context"):
        patches.set(fake_tensor, name, lambda *_: None)
    try:
        answer_for_the_driver()
    except (AttributeError, OSError, ValueError) as error:
        raise Refused(f"This PyTorch ({torch.__version__}, {sys.platform}) does not show where it "
                      f"asks the driver ({plain(error)}): rehearse under Linux, of which WSL 2 is "
                      f"one.") from None
    mode.files = files
    _now.append(mode)
    try:
        pretend_cuda(mode, patches)
        pretend_tensors(mode, patches)
        pretend_libraries(mode, patches)
        pretend_ranks(mode, patches)
        try_out(mode)
        mode.forget()
        files.begin(until_exit)
        pretend_files(mode, patches)
        with mode:
            yield mode
    except BaseException as error:
        if isinstance(error, TypeError) and AssumedInt.__name__ in str(error):
            error = Refused(f"{line_of(error)} takes a size from the GPU, which is not known "
                            f"before a real run: give it a fixed one while rehearsing.")
        mode.ended = ended_by(error)
        raise error
    finally:
        if mode.ended is None:
            mode.ended = ""
        failed = None
        try:
            files.aside(mode.write)
        except OSError as error:
            failed = Refused(f"{files.shown(mode.out)} was not written ({error.strerror}); what "
                             f"lay there before is as it was.")
        for hook in mode.hooks:
            hook.remove()
        restore_environment(mode.environment)
        patches.restore()
        with contextlib.suppress(Exception):
            import torch.distributed as dist
            if dist.is_initialized():
                dist.destroy_process_group()
        _now.clear()
        if not until_exit or Files.active is not files:
            files.end()
        if failed is not None:
            raise failed


def line_of(error):
    """Where an exception was raised."""
    trace = error.__traceback__
    while trace.tb_next is not None:
        trace = trace.tb_next
    return f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}"


def ended_by(error):
    """Why the recording is partial; empty where it is whole."""
    if isinstance(error, SystemExit) and error.code in (None, 0):
        return ""
    if isinstance(error, SystemExit):
        return f"the program ended itself with status {error.code}"
    return str(error) if isinstance(error, Refused) else plain(error)


def summary(mode):
    lines = []
    for index, allocator in mode.allocators.items() if mode.written else ():
        lines.append(f"{mode.files.shown(mode.written)}: cuda:{index} as {mode.gpu[3]}: "
                     f"{allocator.peak_allocated / GIB:.2f} GiB allocated at most, "
                     f"{allocator.peak_reserved / GIB:.2f} GiB reserved, in "
                     f"{len(mode.entries[index]):,} events")
        if allocator.lacked:
            lines.append(f"  the device is too small: {allocator.lacked / GIB:.2f} GiB are lacking")
    held = mode.files.held_back()
    if held:
        lines.append(f"  held back: {held}; --let-write DIR allows a folder")
    return "\n".join(lines)


# --- The largest size that fits ------------------------------------------------------------------

FIGURES = "VRAMSCOPE_REHEARSED_FIGURES"  # names the file that one rehearsal leaves for the search
SIZE = "VRAMSCOPE_REHEARSED_SIZE"  # "batch=4": what one rehearsal of the search is for
MOST_REHEARSALS = 20


def write_figures(mode, path):
    """Of the device that has the least room, for the search that started this rehearsal."""
    most = max(mode.allocators.values(), key=lambda it: (it.lacked, it.peak_reserved), default=None)
    with open(path, "w") as file:
        json.dump({"reserved": most.peak_reserved if most else 0,
                   "allocated": most.peak_allocated if most else 0,
                   "lacked": most.lacked if most else 0, "ended": mode.ended}, file)


def rehearsed_with(options, name, value):
    """The figures of the program with `value` in place of {name}, in a process of its own."""
    stem, ending = os.path.splitext(options.out)
    program = [word.replace("{%s}" % name, str(value)) for word in options.program]
    own = ["--device", options.device, "--rank", str(options.rank),
           "--out", f"{stem}-{value}{ending}"]
    own += ["--world-size", str(options.world_size)] if options.world_size else []
    own += ["--overflows", str(options.overflows)] if options.overflows else []
    own += ["--values", options.values] if options.values else []
    own += [word for folder in options.let_write for word in ("--let-write", folder)]
    own += ["-m"] if options.module else []
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "figures.json")
        done = subprocess.run([sys.executable, os.path.abspath(__file__), *own, "--", *program],
                              env={**os.environ, FIGURES: path, SIZE: f"{name}={value}"},
                              stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True, errors="replace")
        if not os.path.exists(path):
            said = done.stderr.strip().splitlines()[-1:] or ["it said nothing"]
            raise Refused(f"with {name} {value} nothing was rehearsed: {said[0]}")
        with open(path) as file:
            figures = json.load(file)
    if figures["ended"]:
        raise Refused(f"with {name} {value} the program did not run to its end: "
                      f"{figures['ended']}.")
    lacks = figures["lacked"]
    print(f"{name} {value}: {figures['reserved'] / GIB:.2f} GiB reserved, " +
          (f"{lacks / GIB:.2f} GiB too much" if lacks else "fits"), file=sys.stderr)
    return figures


def search_largest(options):
    """Two sizes tell what grows with them; sizes about the one that should just fit are rehearsed
    until one fits and the next does not, or the memory grows no more."""
    asked = re.fullmatch(r"(\w+)=(\d+),(\d+)", options.largest)
    name, small, large = asked.groups() if asked else ("", "0", "0")
    small, large = sorted((int(small), int(large)))
    if not 0 < small < large:
        raise Refused("--largest takes a name and two sizes, as in batch=4,8.")
    if not any("{%s}" % name in word for word in options.program):
        raise Refused(f"--largest {options.largest}: no argument of the program has {{{name}}}.")
    tried = {size: rehearsed_with(options, name, size) for size in (small, large)}
    if tried[large]["allocated"] <= tried[small]["allocated"]:
        raise Refused(f"the memory does not grow from {name} {small} to {large}: try two sizes "
                      f"that are further apart.")

    def just_fits(last):
        """The size that should, by the growth from the smallest one to `last`."""
        growth = max(tried[last][what] - tried[small][what] for what in ("reserved", "allocated"))
        room = gpu_named(options.device)[0] - CONTEXT - tried[small]["reserved"]
        return small + int(room * (last - small) // max(growth, 1))

    guess, stride = just_fits(large), 1
    while len(tried) < MOST_REHEARSALS:
        fit = max((size for size, it in tried.items() if not it["lacked"]), default=0)
        over = min((size for size, it in tried.items() if it["lacked"]), default=None)
        if over is not None and over <= fit + 1:
            break
        size = max(guess, fit + 1)
        if over is None:
            before, last = sorted(tried)[-2:]
            if last >= 2 * before and tried[last]["allocated"] <= tried[before]["allocated"]:
                print(f"No {name} fills {options.device}: {last} takes no more memory than "
                      f"{before} ({tried[last]['reserved'] / GIB:.2f} GiB). Perhaps the data ends "
                      f"there.")
                return 0
            if last > large:
                size = max(size, min(just_fits(last), 4 * last))
        else:
            size = (fit + over) // 2 if over - fit <= 2 * stride else min(size, over - 1)
        tried[size] = rehearsed_with(options, name, size)
        # Away from it in growing strides, then by halves between two that were tried.
        guess, stride = size + (-stride if tried[size]["lacked"] else stride), 2 * stride
    stem, ending = os.path.splitext(options.out)
    if fit == 0:
        print(f"No {name} fits: {over} takes {tried[over]['lacked'] / GIB:.2f} GiB too much.")
        return 1
    print(f"The largest {name} that fits {options.device} is {fit}" +
          (f"; {over} takes {tried[over]['lacked'] / GIB:.2f} GiB too much." if over == fit + 1
           else " of those that were tried.") + f" See {stem}-{fit}{ending}.")
    return 0


def main(arguments=None):
    parser = argparse.ArgumentParser(
        prog="vramscope_rehearse.py", description="Runs a PyTorch program without a GPU and writes "
        "what the allocator of its GPU would record.")
    parser.add_argument("--device", default="h100", help="one of %s, or memory as in 24GiB"
                        % ", ".join(GPUS))
    parser.add_argument("--world-size", type=int, help="ranks of the run, under torchrun")
    parser.add_argument("--rank", type=int, default=0, help="the rank to rehearse")
    parser.add_argument("--overflows", type=int, default=0, metavar="N", help="under a GradScaler "
                        "the gradients of the first N steps overflow, and it skips these steps")
    parser.add_argument("--values", default="", metavar="yes|no", help="the answer to decisions "
                        "that depend on values of the GPU; per line as in no,train.py:40=yes")
    parser.add_argument("--let-write", action="append", default=[], metavar="DIR", help="a folder "
                        "that the program may change, as it may no other; may be repeated")
    parser.add_argument("--out", default="rehearsed.pickle", help="the snapshot to write")
    parser.add_argument("--largest", metavar="NAME=A,B", help="the largest number that fits in "
                        "place of {NAME} in the program's arguments, from rehearsals of A and B")
    parser.add_argument("-m", dest="module", action="store_true",
                        help="the program is a module, as of python -m")
    parser.add_argument("program", nargs=argparse.REMAINDER, help="-- train.py ARGUMENTS")
    options = parser.parse_args(arguments)
    program = options.program[1:] if options.program[:1] == ["--"] else options.program
    if not program:
        parser.error("no program is given: -- train.py ARGUMENTS")
    if not options.module and not os.path.exists(program[0]):
        parser.error(f"there is no file {program[0]} to run")
    options.program = program
    if options.largest:
        try:
            checked_torch()
            return search_largest(options)
        except Refused as error:
            print(f"vramscope_rehearse: {error}", file=sys.stderr)
            return 1
    mode = None
    sys.modules.setdefault("vramscope_rehearse", sys.modules["__main__"])
    before = sys.argv
    try:
        with rehearse(options.out, options.device, options.world_size, options.rank,
                      options.overflows, options.values, options.let_write,
                      until_exit=True) as mode:
            sys.argv = program
            if options.module:
                runpy.run_module(program[0], run_name="__main__", alter_sys=True)
            else:
                sys.path.insert(0, os.path.dirname(os.path.abspath(program[0])))
                runpy.run_path(program[0], run_name="__main__")
    except Refused as error:
        print(f"vramscope_rehearse: {error}", file=sys.stderr)
        status = 1
    except SystemExit as error:
        status = error.code if isinstance(error.code, int) else int(error.code is not None)
        if status:
            print(f"vramscope_rehearse: the program ended itself with status {error.code}.",
                  file=sys.stderr)
    except Exception as error:
        import traceback
        traceback.print_exc()
        print(f"vramscope_rehearse: the program failed ({plain(error)}).", file=sys.stderr)
        status = 1
    else:
        status = 0
    finally:
        sys.argv = before
    if mode is not None:
        if mode.ended:
            print("vramscope_rehearse: " +
                  (f"what was recorded up to there is in {mode.files.shown(mode.written)}."
                   if mode.written else "there was nothing to record up to there."),
                  file=sys.stderr)
        print(summary(mode), file=sys.stderr)
        if FIGURES in os.environ:
            mode.files.aside(write_figures, mode, os.environ[FIGURES])
    return status


if __name__ == "__main__":
    sys.exit(main())
