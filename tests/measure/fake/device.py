# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A GPU that is not there: fake tensors on "cuda" in a process without a driver.

Fake tensors choose CUDA's kernels by their device alone, but three things ask the driver: autograd's
engine (whether a context exists), streams and events, and the choice of an attention kernel. Each
gets the answer that changes no size."""

import contextlib
import ctypes
import functools
import os
import types

import torch
from torch._subclasses.fake_tensor import FakeTensorMode

import extensions

H100 = types.SimpleNamespace(major=9, minor=0, multi_processor_count=132, name="none",
                             total_memory=85_000_000_000)
HEAD_DIM_STEP = 8  # FlashAttention pads head dimensions to a multiple
extensions.prepare()  # before anybody looks for the packages
_KEEP = []  # not empty once the process is prepared


def prepare():
    """Once a process, before the first fake tensor."""
    if _KEEP:
        return
    if torch.cuda.is_available():
        raise SystemExit("These recorders are for a machine without a GPU.")
    FakeTensorMode.avoid_device_init = True
    _no_context()
    _no_streams()
    torch.nn.functional.scaled_dot_product_attention = attention
    torch.cuda.amp.common.amp_definitely_not_available = lambda: False  # else no autocast
    torch.tensor = functools.partial(_tensor, torch.tensor)
    _any_step_count()
    _no_kernels()


def _no_context():
    """CUDAHooks::hasPrimaryContext throws without a device, and the engine asks it at each backward
    pass. A copy of the table of virtual functions answers "no"."""
    library = ctypes.CDLL(os.path.join(os.path.dirname(torch.__file__), "lib", "libtorch_cpu.so"))
    hooks = library._ZN2at6detail12getCUDAHooksEv
    hooks.restype = ctypes.c_void_p
    table = ctypes.cast(hooks(), ctypes.POINTER(ctypes.c_void_p))
    entries = ctypes.c_void_p * 80
    copy = entries(*ctypes.cast(table[0], ctypes.POINTER(entries)).contents)
    answer = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_byte)(lambda *_: False)
    copy[4] = ctypes.cast(answer, ctypes.c_void_p).value  # after two destructors, isBuilt, isAvailable
    table[0] = ctypes.addressof(copy)
    for held in (copy, answer):  # C++ asks until the process is over
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(held))
    _KEEP.append(copy)


def _tensor(make, data, *, device=None, **settings):
    """torch.tensor: a constant for the device is made on the host, as outside autograd's threads."""
    made = make(data, **settings)
    return made if device is None else made.to(device)


class Stream:
    """Memory is taken in the order of the host, whatever its stream; a stream says to whom a freed
    block belongs."""

    device = torch.device("cuda", 0)
    device_index, device_type = 0, 1
    made = 0

    def __init__(self, *_, **__):
        self.stream_id = self.cuda_stream = Stream.made
        Stream.made += 1

    def __eq__(self, other):
        return isinstance(other, Stream) and other.stream_id == self.stream_id

    def __hash__(self):
        return self.stream_id

    def __enter__(self):
        _CURRENT.append(self)
        return self

    def __exit__(self, *_):
        _CURRENT.pop()

    def nothing(self, *_, **__):
        pass

    wait_stream = wait_event = synchronize = record = wait = nothing

    def record_event(self, event=None):
        return event or Event()

    def query(self):
        return True


class Event(Stream):
    def __init__(self, *_, **__):
        pass

    def elapsed_time(self, _):
        return 0.0


_CURRENT = [Stream()]  # the streams entered, the default one first


def current_stream(*_):
    return _CURRENT[-1]


def _set_stream(stream):
    _CURRENT[-1] = stream


class Here(contextlib.nullcontext):
    """torch.cuda.device(…): there is one."""


def _no_streams():
    replaced = {
        "Stream": Stream, "Event": Event, "current_stream": current_stream,
        "default_stream": lambda *_: _CURRENT[0], "set_stream": _set_stream,
        "stream": lambda stream: stream or contextlib.nullcontext(), "synchronize": lambda *_: None,
        "current_device": lambda: 0, "set_device": lambda *_: None, "device_count": lambda: 1,
        "_lazy_init": lambda: None, "empty_cache": lambda: None,
        "device": Here, "is_current_stream_capturing": lambda: False,
        "get_rng_state": lambda *_: torch.empty(0), "set_rng_state": lambda *_, **__: None,
        "is_bf16_supported": lambda *_, **__: True,
        "get_device_properties": lambda *_: H100,
        "get_device_capability": lambda *_: (9, 0), "get_device_name": lambda *_: "none",
    }
    for name in ("memory_allocated", "max_memory_allocated", "memory_reserved",
                 "max_memory_reserved", "reset_peak_memory_stats"):
        replaced[name] = lambda *_, **__: 0
    for name, value in replaced.items():
        setattr(torch.cuda, name, value)
    torch.Tensor.pin_memory = lambda tensor, *_: tensor
    torch.Tensor.record_stream = lambda *_: None


def _any_step_count():
    """Optimizers read their step count as a number; a fake tensor has none, and no size needs it."""
    for name in ("adam", "adamw", "sgd", "_muon", "_adafactor"):
        module = getattr(torch.optim, name, None)
        if module and hasattr(module, "_get_value"):
            module._get_value = lambda _: 2.0


def _no_kernels():
    """Triton's kernels do nothing: what they write, torch has allocated."""
    try:
        from triton.runtime import Autotuner, JITFunction
    except ImportError:
        return
    JITFunction.run = Autotuner.run = lambda *_, **__: None


def attention(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None,
              enable_gqa=False):
    """What torch's dispatcher takes on a GPU: flash for 16 bit without a mask, the memory-efficient
    kernel for fp32, with a mask or where values are narrower than keys, and for shared keys that
    flash does not take whole score matrices."""
    if torch.is_autocast_enabled("cuda"):  # casts the operands, and nothing inside
        kind = torch.get_autocast_dtype("cuda")
        with torch.autocast("cuda", enabled=False):
            if attn_mask is not None and attn_mask.is_floating_point():
                attn_mask = attn_mask.to(kind)
            return attention(query.to(kind), key.to(kind), value.to(kind), attn_mask, dropout_p,
                             is_causal, scale, enable_gqa)
    sixteen = query.dtype in (torch.float16, torch.bfloat16)
    shared = key.shape[1] < query.shape[1]
    flash = sixteen and attn_mask is None and query.shape[-1] == value.shape[-1] and \
        (enable_gqa or not shared)
    if attn_mask is not None and attn_mask.dtype == torch.bool:  # added to the scores, of their type
        attn_mask = torch.zeros_like(attn_mask, dtype=query.dtype)
    if attn_mask is not None and attn_mask.requires_grad:  # its gradient is as large as the scores
        attn_mask = attn_mask.expand(*query.shape[:-1], key.shape[-2])
    if shared and not flash:
        return torch.ops.aten._scaled_dot_product_attention_math(
            query, key, value, attn_mask, dropout_p, is_causal, scale=scale,
            enable_gqa=enable_gqa)[0]
    if flash:
        scale = scale or query.shape[-1] ** -0.5
        width = query.shape[-1]
        out = torch.ops.aten._scaled_dot_product_flash_attention(
            *(_padded(x) for x in (query, key, value)), dropout_p, is_causal, False, scale=scale)[0]
        return out[..., :width] if out.shape[-1] != width else out
    return torch.ops.aten._scaled_dot_product_efficient_attention(
        query, key, value, attn_mask, torch.is_grad_enabled(), dropout_p, is_causal,
        scale=scale)[0]


attention.__name__ = "scaled_dot_product_attention"  # context_parallel replaces it by this name


def _padded(x):
    width = -(-x.shape[-1] // HEAD_DIM_STEP) * HEAD_DIM_STEP
    return torch.nn.functional.pad(x, (0, width - x.shape[-1])) if x.shape[-1] != width else x


def fake_mode():
    prepare()
    return FakeTensorMode(allow_non_fake_inputs=True)
