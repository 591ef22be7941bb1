# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every allocation and release of PyTorch's CPU allocator, in order, with what was running then.

torch.profiler records each call of the allocator with its address. Live bytes over time, and so
their peak, follow exactly: nothing is sampled, and the run is not changed by being watched.
"""

import contextlib
from bisect import bisect_left, bisect_right

from torch.profiler import ProfilerActivity, profile, record_function

_PHASE = "phase: "
_KERNEL = "fused kernel"
# On the CPU, bf16 products and operators of mixed types widen their operands and drop the copies
# when they return; CUDA's kernels widen in registers.
_KERNELS = {_KERNEL, "aten::mm", "aten::bmm", "aten::addmm", "aten::baddbmm", "aten::add",
            "aten::add_", "aten::sub", "aten::mul", "aten::mul_", "aten::div", "aten::addcmul_",
            "aten::addcdiv_", "aten::lerp_"}


def phase(name):
    """Marks a span of time; figures are asked for by its name."""
    return record_function(_PHASE + name)


def mark(name):
    """Marks an instant."""
    with phase(name):
        pass


_depth = [0]  # of fused kernels


@contextlib.contextmanager
def fused_kernel():
    """What is allocated and released inside is a fused kernel's own: on CUDA it never leaves the
    chip's registers, so it does not count."""
    _depth[0] += 1
    with record_function(_KERNEL):
        yield
    _depth[0] -= 1


def inside_kernel():
    return _depth[0] > 0


class History:
    """Live bytes after each event: `times`, `live`, and the phases as (start, end)."""

    def __init__(self, tree, keep_scratch=False):
        events, self.phases = _flatten(tree)
        dropped = set() if keep_scratch else _scratch(events)
        self.times, self.live, self.sizes, self.operators = [], [], [], []
        total = 0
        for index, (time, _, size, _, operator) in enumerate(events):
            if index in dropped:
                continue
            total += size
            self.times.append(time)
            self.live.append(total)
            self.sizes.append(size)
            self.operators.append(operator)

    def span(self, first, last=None):
        """Index range of the events from the start of phase `first` to the end of `last`."""
        start = self.phases[first][0]
        end = self.phases[last or first][1]
        return bisect_left(self.times, start), bisect_right(self.times, end)

    def peak(self, first, last=None):
        """The most bytes alive between two phases."""
        begin, stop = self.span(first, last)
        before = self.live[begin - 1] if begin else 0
        return max([before] + self.live[begin:stop])

    def at_end(self, name):
        """Bytes alive when the phase ends."""
        _, stop = self.span(name)
        return self.live[stop - 1] if stop else 0

    def alive_at_peak(self, first, last=None):
        """Blocks alive at the peak: (bytes, operator that made it), the largest first."""
        begin, stop = self.span(first, last)
        top = max(range(begin, stop), key=lambda i: self.live[i])
        return self._alive(top)

    def _alive(self, index):
        blocks = {}
        for i in range(index + 1):
            size, pointer = self.sizes[i], self.operators[i][0]
            if size > 0:
                blocks[pointer] = (size, self.operators[i][1])
            else:
                blocks.pop(pointer, None)
        return sorted(blocks.values(), reverse=True)


def record(work):
    """Runs `work()` and gives the tree of what happened; History reads it."""
    with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as profiler:
        work()
    return profiler.profiler.kineto_results.experimental_event_tree()


def _flatten(tree):
    """Allocator calls (time, address, bytes, enclosing kernel, (address, operators)) by time, and
    the phases."""
    events, phases = [], {}
    pending = [(node, None, ()) for node in tree]
    while pending:
        node, kernel, path = pending.pop()
        if node.name == "[memory]":
            call = node.extra_fields
            events.append((node.start_time_ns, call.ptr, call.alloc_size, kernel,
                           (call.ptr, "/".join(path[-4:]))))
            continue
        if node.name.startswith(_PHASE):
            phases[node.name[len(_PHASE):]] = (node.start_time_ns, node.end_time_ns)
        elif node.name in _KERNELS and kernel is None:
            kernel = node.start_time_ns
        pending.extend((child, kernel, path + (node.name,)) for child in node.children)
    events.sort(key=lambda event: event[0])
    return events, phases


def _scratch(events):
    """Indices of the calls that allocate or release what lives within one fused kernel."""
    made, dropped = {}, set()
    for index, (_, pointer, size, kernel, _) in enumerate(events):
        if size > 0:
            made[pointer] = index
            continue
        begin = made.pop(pointer, None)
        if begin is not None and kernel is not None and events[begin][3] == kernel:
            dropped |= {begin, index}
    return dropped
