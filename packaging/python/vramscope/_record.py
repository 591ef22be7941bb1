# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Records what PyTorch's allocator does, and keeps the last of it when something goes wrong."""

from __future__ import annotations

import os
import threading
from contextlib import contextmanager
from typing import Any, Iterator, Optional

_MOST_ENTRIES = 200_000  # about 100 MB of a snapshot; older requests are dropped
_LOOK_EVERY = 0.05  # seconds, at a threshold


class Recording:
    """What record() is doing: `path` of the snapshot, and `written`, why it was written last."""

    def __init__(self, path: str, memory: Any):
        self.path = path
        self.written: Optional[str] = None
        self._memory = memory
        self._lock = threading.Lock()
        self._ended = threading.Event()

    def dump(self, reason: str = "asked") -> str:
        """Writes the snapshot now; gives its path. A snapshot of an out-of-memory error is not written over."""
        with self._lock:
            if self.written != "out of memory":
                partial = f"{self.path}.part"
                self._memory._dump_snapshot(partial)
                os.replace(partial, self.path)
                self.written = reason
        return self.path

    def _out_of_memory(self, *_: Any) -> None:
        # PyTorch has no way to take an observer back: it is called after the block too.
        if not self._ended.is_set():
            self.dump("out of memory")

    def _watch(self, cuda: Any, threshold: int) -> None:
        while not self._ended.wait(_LOOK_EVERY):
            if any(cuda.memory_allocated(device) > threshold for device in range(cuda.device_count())):
                self.dump("threshold")
                return


@contextmanager
def record(path: Any, *, max_entries: int = _MOST_ENTRIES, stacks: str = "all",
           threshold: Optional[int] = None) -> Iterator[Recording]:
    """Records the allocator's history while the block runs and writes the snapshot at its end, at the first
    out-of-memory error, even one that is caught, and once where more than `threshold` bytes are allocated:

        with vramscope.record("run.pickle"):
            train()

    `max_entries` bounds what is kept, the latest, so it can run as a flight recorder. `stacks` is "all" or "python".
    Raises ImportError without torch and RuntimeError where PyTorch has no GPU to record."""
    import torch

    memory = torch.cuda.memory
    if not torch.cuda.is_available():
        raise RuntimeError("PyTorch sees no GPU, so there is no allocator to record; python -m vramscope.rehearse works without one.")
    recording = Recording(os.fspath(path), memory)
    memory._record_memory_history(max_entries=max_entries, stacks=stacks)
    torch._C._cuda_attach_out_of_memory_observer(recording._out_of_memory)
    watcher = None
    if threshold is not None:
        watcher = threading.Thread(target=recording._watch, args=(torch.cuda, threshold), daemon=True)
        watcher.start()
    try:
        yield recording
    except BaseException:
        recording.dump("error")
        raise
    else:
        recording.dump("end")
    finally:
        recording._ended.set()
        if watcher is not None:
            watcher.join()
        memory._record_memory_history(enabled=None)
