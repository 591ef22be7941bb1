#!/usr/bin/env python3
# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What vLLM holds beside an AWQ matrix while it brings it into the order of its kernels.

Runs vLLM's own conversion (auto_awq.py) on the CPU and adds up all storages alive after each
operator. Prints the packed bytes of the matrix and the highest sum above what was there before.
"""

import gc
import json
import sys

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from vllm.model_executor import parameter
from vllm.model_executor.layers.quantization import auto_awq

# One rank, without the process group that an engine would have.
parameter.get_tensor_model_parallel_rank = lambda: 0
parameter.get_tensor_model_parallel_world_size = lambda: 1

K, N, GROUP = 512, 1024, 128


def alive() -> int:
    seen = {}
    for thing in gc.get_objects():
        if isinstance(thing, torch.Tensor):
            storage = thing.untyped_storage()
            seen[storage.data_ptr()] = storage.nbytes()
    return sum(seen.values())


class Highest(TorchDispatchMode):
    peak = 0

    def __torch_dispatch__(self, function, types, arguments=(), named=None):
        result = function(*arguments, **(named or {}))
        Highest.peak = max(Highest.peak, alive())
        return result


def main() -> None:
    convert = next(f for name, f in vars(auto_awq).items()
                   if callable(f) and "Convert AWQ weight" in (f.__doc__ or ""))
    layer = torch.nn.Module()
    layer.qweight = torch.nn.Parameter(torch.zeros(K, N // 8, dtype=torch.int32), False)
    layer.qzeros = torch.nn.Parameter(torch.zeros(K // GROUP, N // 8, dtype=torch.int32), False)
    before = alive()
    with Highest():
        convert(layer, "qweight", "qzeros", 4)
    packed = K * N // 2
    print(json.dumps({"packed": packed, "above": Highest.peak - before,
                      "times": (Highest.peak - before) / packed}))


if __name__ == "__main__":
    sys.exit(main())
