# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Frozen bases that bitsandbytes quantises, as transformers' BitsAndBytesConfig makes them: every
linear layer of a block in 4 or 8 bit, embedding, norms and head as they are.

bitsandbytes' own Python runs, that of its CUDA kernels' callers included; the kernels themselves,
which write into what torch has allocated, are left out."""

import torch
from torch import nn
from torch.utils._python_dispatch import _disable_current_modes

import models

OUTLIERS = 6.0  # llm_int8_threshold of BitsAndBytesConfig
FORMATS = ("nf4", "nf4-double", "int8")


def format_of(plan):
    stated = plan.get("adapters", {}).get("base_quantization", "none")
    return stated if stated in FORMATS else None


def quantise(plan, model):
    """Replaces the blocks' linear layers, and prepares the rest as the plan says."""
    name = format_of(plan)
    if not name:
        return
    _prepare()
    model.is_loaded_in_4bit, model.is_loaded_in_8bit = name != "int8", name == "int8"
    for block in models.blocks_of(model):
        for path, layer in [found for found in block.named_modules()
                            if isinstance(found[1], nn.Linear)]:
            block.set_submodule(path, _eight_bit(layer) if name == "int8"
                                else _four_bit(layer, name == "nf4-double"))
    if plan["adapters"].get("upcast_unquantized"):
        from peft import prepare_model_for_kbit_training
        prepare_model_for_kbit_training(model, use_gradient_checkpointing=False)


def scales(model):
    """What belongs to the packed weights beside them."""
    found = []
    for module in model.modules():
        weight = getattr(module, "weight", None)
        state = getattr(weight, "quant_state", None)
        if state:
            found += [state.absmax, state.code] + ([state.offset, state.state2.absmax,
                                                    state.state2.code]
                                                   if state.nested else [])
        found += [weight.SCB] if getattr(weight, "SCB", None) is not None else []
    return found


def _empty(kind, layer, **settings):
    """Made while nothing is fake: its own subclass of Parameter cannot hold a fake tensor."""
    with _disable_current_modes(), torch.device("meta"):
        return kind(layer.in_features, layer.out_features, bias=layer.bias is not None, **settings)


def _put(made, layer, weight, **attributes):
    """The layer with a plain parameter that has the attributes of the subclass."""
    made.weight = nn.Parameter(weight, requires_grad=False)
    for name, value in attributes.items():
        setattr(made.weight, name, value)
    made.bias = layer.bias
    return made


def _four_bit(layer, double):
    """bitsandbytes/nn/modules.py, Params4bit._quantize."""
    import bitsandbytes
    made = _empty(bitsandbytes.nn.Linear4bit, layer, compute_dtype=torch.bfloat16,
                  compress_statistics=double, quant_type="nf4")
    packed, state = bitsandbytes.functional.quantize_4bit(
        layer.weight.data, compress_statistics=double, quant_type="nf4")
    made.quant_state = state
    return _put(made, layer, packed, quant_state=state, compress_statistics=double,
                quant_type="nf4", bnb_quantized=True)


def _eight_bit(layer):
    """bitsandbytes/nn/modules.py, Int8Params._quantize."""
    import bitsandbytes
    made = _empty(bitsandbytes.nn.Linear8bitLt, layer, has_fp16_weights=False, threshold=OUTLIERS)
    rows, scales, _ = bitsandbytes.functional.int8_vectorwise_quant(
        layer.weight.data.to(torch.float16))
    return _put(made, layer, rows, CB=rows, SCB=scales, has_fp16_weights=False)


def _prepare():
    from bitsandbytes import functional
    from bitsandbytes.backends.cuda import ops
    functional.name2qmap["dynamic"] = torch.empty(256, device="cuda")  # one for all layers
    ops._dequantize_4bit_impl = ops._dequantize_blockwise_impl = lambda *_, **__: None
    ours = torch.ops.bitsandbytes
    ours.gemm_4bit.default = _product(ops)
    ours.int8_vectorwise_quant.default = _quantise_rows
    ours.int8_mixed_scaled_mm = _mixed_product
    from peft.tuners.lora import dora
    dora.dequantize_module_weight = _restored  # peft/utils/integrations.py knows a subclass only
    dora.deepcopy = lambda layer: layer  # at the start; a fake parameter cannot be copied


def _restored(layer):
    from bitsandbytes import functional
    state = getattr(layer.weight, "quant_state", None)
    return functional.dequantize_4bit(layer.weight.data, state) if state else layer.weight


def _product(ops):
    """bitsandbytes/backends/cuda/ops.py, bitsandbytes::gemm_4bit: few rows are multiplied by the
    packed weights, more of them by a matrix that is restored whole."""
    def product(rows, packed, shape, *scales, **more):
        count = rows.numel() // rows.shape[-1]
        blocksize = scales[1]
        if count > ops._gemm_4bit_custom_max_m or shape[1] % blocksize or \
                not ops._gemm_4bit_use_custom_cuda(0, rows.dtype, count, *shape):
            return ops._dequant_linear_fallback(rows, packed, shape, *scales, **more)
        return torch.empty((*rows.shape[:-1], shape[0]), dtype=rows.dtype, device=rows.device)

    return product


def _quantise_rows(rows, threshold=0.0):
    """bitsandbytes/backends/cuda/ops.py, bitsandbytes::int8_vectorwise_quant, without outliers."""
    scales = torch.empty(rows.numel() // rows.shape[-1], device=rows.device)
    out = torch.empty(rows.shape, device=rows.device, dtype=torch.int8)
    if threshold == 0:
        return out, scales, None
    outliers = rows.abs() >= threshold
    outliers.any()
    return out, scales, torch.empty(0, device=rows.device, dtype=torch.int64)


def _mixed_product(rows, quantised, weights, *_):
    """bitsandbytes/backends: int8_mixed_scaled_mm without outliers, int8_linear_matmul and
    int8_mm_dequant, which leaves fp16."""
    none = torch.empty(0, device=rows.device, dtype=rows.dtype)
    shape = (*quantised.shape[:-1], weights.shape[0])
    sums = torch.empty(shape, device=rows.device, dtype=torch.int32)
    out = torch.empty_like(sums, dtype=torch.float16)
    return out.to(rows.dtype), none
