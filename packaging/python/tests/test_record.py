# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""record() against a stand-in for PyTorch that notes what it is asked for."""

import pathlib
import sys
import time
import types

import pytest
import vramscope


class Memory:
    def __init__(self):
        self.history, self.dumps = [], 0

    def _record_memory_history(self, enabled="all", **options):
        self.history.append((enabled, options))

    def _dump_snapshot(self, path):
        self.dumps += 1
        pathlib.Path(path).write_text(f"snapshot {self.dumps}")


@pytest.fixture
def torch(monkeypatch):
    memory, observers = Memory(), []
    made = types.ModuleType("torch")
    made.allocated = 0
    made.cuda = types.SimpleNamespace(memory=memory, is_available=lambda: True, device_count=lambda: 1,
                                      memory_allocated=lambda device: made.allocated)
    made._C = types.SimpleNamespace(_cuda_attach_out_of_memory_observer=observers.append)
    made.memory, made.observers = memory, observers
    monkeypatch.setitem(sys.modules, "torch", made)
    return made


def test_the_snapshot_is_written_at_the_end_and_recording_stops(torch, tmp_path):
    with vramscope.record(tmp_path / "run.pickle", max_entries=5) as recording:
        assert torch.memory.history == [("all", {"max_entries": 5, "stacks": "all"})]
        assert not (tmp_path / "run.pickle").exists()
    assert (tmp_path / "run.pickle").read_text() == "snapshot 1" and recording.written == "end"
    assert torch.memory.history[-1][0] is None
    assert not list(tmp_path.glob("*.part"))


def test_a_caught_out_of_memory_error_is_kept(torch, tmp_path):
    with vramscope.record(tmp_path / "run.pickle") as recording:
        torch.observers[0](0, 1 << 30, 2 << 30, 0)
    assert (tmp_path / "run.pickle").read_text() == "snapshot 1" and recording.written == "out of memory"
    torch.observers[0](0, 1 << 30, 2 << 30, 0)  # after the block: PyTorch cannot take the observer back
    assert torch.memory.dumps == 1


def test_an_error_is_recorded_and_goes_on(torch, tmp_path):
    with pytest.raises(ValueError):
        with vramscope.record(tmp_path / "run.pickle"):
            raise ValueError("of the program")
    assert (tmp_path / "run.pickle").exists()
    assert torch.memory.history[-1][0] is None


def test_a_threshold_writes_once_while_the_block_runs(torch, tmp_path):
    with vramscope.record(tmp_path / "run.pickle", threshold=100) as recording:
        torch.allocated = 101
        for _ in range(100):
            if recording.written:
                break
            time.sleep(0.02)
        assert recording.written == "threshold"


def test_without_a_gpu_it_says_what_to_do(torch, tmp_path):
    torch.cuda.is_available = lambda: False
    with pytest.raises(RuntimeError, match="rehearse"):
        with vramscope.record(tmp_path / "run.pickle"):
            pass
