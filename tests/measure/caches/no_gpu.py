# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lets vLLM believe that it runs on H100s, on a machine that has no GPU: nothing is computed, models are built on
the device "meta", where tensors have shapes and types but no memory. Import this before vllm."""

import ctypes
import os
import pathlib
import subprocess
import tempfile
from typing import Any

# What the compiled parts of vLLM take from the driver's library. They are loaded, so that their operators are
# known, and never called.
DRIVER_FUNCTIONS = (
    "cuCtxGetCurrent", "cuCtxSetCurrent", "cuDeviceGetAttribute", "cuDevicePrimaryCtxRetain", "cuDriverGetVersion",
    "cuGetErrorString", "cuGetProcAddress_v2", "cuMemAddressFree", "cuMemAddressReserve", "cuMemCreate",
    "cuMemGetAllocationGranularity", "cuMemMap", "cuMemRelease", "cuMemSetAccess", "cuMemUnmap",
    "cuPointerGetAttribute", "cuTensorMapEncodeTiled")
NO_DEVICE = 100  # CUDA_ERROR_NO_DEVICE
GIB = 2**30


def load_empty_driver() -> None:
    """A libcuda.so.1 whose every function says that there is no device."""
    with tempfile.TemporaryDirectory() as folder:
        source, library = pathlib.Path(folder, "driver.c"), pathlib.Path(folder, "libcuda.so.1")
        source.write_text("".join(f"int {name}(void) {{ return {NO_DEVICE}; }}\n" for name in DRIVER_FUNCTIONS))
        subprocess.run(["cc", "-shared", "-fPIC", "-Wl,-soname,libcuda.so.1", "-o", library, source], check=True)
        ctypes.CDLL(str(library), ctypes.RTLD_GLOBAL)


os.environ.update(HF_HUB_OFFLINE="1", VLLM_NO_USAGE_STATS="1", CUDA_VISIBLE_DEVICES="",
                  VLLM_ALLOW_LONG_MAX_MODEL_LEN="1",
                  VLLM_HAS_FLASHINFER_CUBIN="1")  # as in the published container image
os.environ.setdefault("VLLM_LOGGING_LEVEL", "ERROR")
load_empty_driver()

import torch  # noqa: E402
from torch.overrides import TorchFunctionMode  # noqa: E402


class Nothing:
    """Stands for a stream or an event."""

    def __init__(self, *_: Any, **__: Any) -> None:
        pass


torch.cuda.Stream = torch.cuda.Event = torch.Event = Nothing



class WithoutMemory(TorchFunctionMode):
    """Makes tensors on "meta" that are asked for on the GPU. Numbers that models compute with while they are built
    stay on the CPU."""

    def __torch_function__(self, function: Any, types: Any, args: Any = (),
                           kwargs: dict[str, Any] | None = None) -> Any:
        kwargs = dict(kwargs or {})
        if function is torch.tensor:
            kwargs["device"] = "cpu"
        elif "device" in kwargs and kwargs["device"] is not None and torch.device(kwargs["device"]).type == "cuda":
            kwargs["device"] = "meta"
        return function(*args, **kwargs)


import vllm.platforms  # noqa: E402
from vllm.platforms.cuda import NonNvmlCudaPlatform  # noqa: E402
from vllm.platforms.interface import DeviceCapability  # noqa: E402


class H100(NonNvmlCudaPlatform):
    @classmethod
    def get_device_capability(cls, device_id: int = 0) -> DeviceCapability:
        return DeviceCapability(9, 0)

    @classmethod
    def get_device_name(cls, device_id: int = 0) -> str:
        return "NVIDIA H100 80GB HBM3"

    @classmethod
    def get_device_total_memory(cls, device_id: int = 0) -> int:
        return 80 * GIB

    @classmethod
    def num_compute_units(cls, device_id: int = 0) -> int:
        return 132

    @classmethod
    def device_count(cls) -> int:
        return 8

    @classmethod
    def current_device(cls) -> torch.device:
        return torch.device("meta")


vllm.platforms.current_platform = H100()

import vllm.distributed.parallel_state as parallel_state  # noqa: E402


class Ranks:
    """A process group of torch that only knows its size."""

    def __init__(self, size: int) -> None:
        self._size = size

    def size(self) -> int:
        return self._size

    def rank(self) -> int:
        return 0


class Group:
    """One of vLLM's groups of ranks, as its first rank sees it."""

    def __init__(self, size: int) -> None:
        self.world_size, self.ranks = size, list(range(size))
        self.rank = self.local_rank = self.rank_in_group = self.first_rank = 0
        self.last_rank = size - 1
        self.is_first_rank, self.is_last_rank = True, size == 1
        self.device_group = self.cpu_group = Ranks(size)
        self.device_communicator = self.mq_broadcaster = None
        self.device = torch.device("meta")
        self.unique_name = f"group of {size}"
        self.use_custom_op_call = self.use_device_communicator = False

    def all_reduce(self, tensor: torch.Tensor) -> torch.Tensor:
        return tensor

    def all_gather(self, tensor: torch.Tensor, dim: int = -1) -> torch.Tensor:
        return torch.cat([tensor] * self.world_size, dim)


def set_ranks(tensor_parallel: int) -> None:
    for name in ("_DP", "_PP", "_DCP", "_PCP", "_ENGRAM_DP"):
        setattr(parallel_state, name, Group(1))
    for name in ("_TP", "_ETP", "_EP", "_EPLB", "_WORLD", "_INNER_DP_WORLD"):
        setattr(parallel_state, name, Group(tensor_parallel))
    parallel_state._NODE_COUNT = 1
