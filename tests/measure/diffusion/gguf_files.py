# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Transformers from GGUF files as city96's converter writes them (ComfyUI-GGUF 795e451, tools/convert.py
and tools/lcpp.patch, img_tensor_get_type) and as diffusers loads and multiplies them (quantizers/gguf)."""

import re
import types

import phases  # first: prepares the fake device

import gguf
import torch
from diffusers.quantizers.gguf.utils import dequantize_functions

# Of each class: layers that the converter leaves as they are, and those that a rule of its names
# finds: joined queries, keys and values; values; the way down of a feed-forward.
RULES = {
    "FluxTransformer2DModel": (r"embed|norm_out|^proj_out",
                               r"^transformer_blocks.*attn\.(to_[qkv]|add_[qkv]_proj)$", None, None),
    "Flux2Transformer2DModel": (r"embed|guidance|norm_out|^proj_out",
                                r"^transformer_blocks.*attn\.(to_[qkv]|add_[qkv]_proj)$", None, None),
    "SD3Transformer2DModel": (r"^time_text|embedder|^norm_out|^proj_out",
                              r"attn\.(to_[qkv]|add_[qkv]_proj)$", None, None),
    "WanTransformer3DModel": (r"condition_embedder|patch_embedding|^proj_out", None,
                              r"attn[12]\.to_v$", r"ffn\.net\.2$"),
    "ZImageTransformer2DModel": (r"embedder|refiner|final_layer", r"attention\.to_[qkv]$", None,
                                 r"feed_forward\.w2$"),
    "QwenImageTransformer2DModel": (r"time_text|^img_in|^txt_in|norm_out|^proj_out", None,
                                    r"attn\.to_v$", None),  # not in the converter's list
    "LTXVideoTransformer3DModel": (r"time_embed|caption_projection|^proj_(in|out)", None,
                                   r"attn[12]\.to_v$", r"ff\.net\.2$"),
    "HunyuanVideoTransformer3DModel": (r"embed|norm_out|^proj_out",
                                       r"^transformer_blocks.*attn\.(to_[qkv]|add_[qkv]_proj)$",
                                       None, None),
}
# Of each format: the type, and that of joined matrices, of the first values, of other values and
# of the way down.
MIXES = {
    "q2_k": ("Q2_K", None, (0, None), "Q3_K", None),
    "q3_k_s": ("Q3_K", None, (0, None), None, None),
    "q3_k_m": ("Q3_K", "Q4_K", (2, "Q5_K"), "Q4_K", "Q4_K"),
    "q4_0": ("Q4_0", None, (0, None), None, "Q4_1"),
    "q4_1": ("Q4_1", None, (0, None), None, None),
    "q4_k_s": ("Q4_K", None, (4, "Q5_K"), None, "Q5_K"),
    "q4_k_m": ("Q4_K", "Q5_K", (0, None), "Q6_K", "Q6_K"),
    "q5_0": ("Q5_0", None, (0, None), None, "Q5_1"),
    "q5_1": ("Q5_1", None, (0, None), None, None),
    "q5_k_s": ("Q5_K", None, (0, None), None, None),
    "q5_k_m": ("Q5_K", "Q6_K", (0, None), "Q6_K", "Q6_K"),
    "q6_k": ("Q6_K", None, (0, None), None, None),
    "q8_0": ("Q8_0", None, (0, None), None, None),
}


def layers_of(model, kind, form):
    """(layer, its type) of those that the format changes."""
    kept, joined, values, down = RULES[kind]
    base, of_joined, (first, of_first), of_values, of_down = MIXES[form]
    seen = 0
    for name, module in model.named_modules():
        if not isinstance(module, torch.nn.Linear) or re.search(kept, name):
            continue
        chosen = base
        if joined and re.search(joined, name):
            chosen = of_joined or base
        elif values and re.search(values, name):
            chosen = of_first if seen < first else of_values or base
            seen += 1
        elif down and re.search(down, name):
            chosen = of_down or base
        block, size = gguf.GGML_QUANT_SIZES[gguf.GGMLQuantizationType[chosen]]
        if module.in_features % block:
            continue  # stays in 16 bit
        yield module, gguf.GGMLQuantizationType[chosen], block, size


def multiplied(module, value):
    """diffusers' GGUFLinear.forward_native."""
    weight = dequantize_functions[module.quant](module.weight, module.block, module.size)
    weight = weight.reshape(module.out_features, module.in_features).to(torch.bfloat16)
    return torch.nn.functional.linear(value, weight, module.bias)


def quantize(model, kind, form):
    for module, quant, block, size in layers_of(model, kind, form):
        blocks = module.weight.numel() // block
        module.quant, module.block, module.size = quant, block, size
        module._parameters["weight"] = torch.nn.Parameter(
            torch.ones(blocks, size, dtype=torch.uint8, device="cuda"), False)
        module.forward = types.MethodType(multiplied, module)
