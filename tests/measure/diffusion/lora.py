# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Two steps of training of a denoiser, as diffusers' examples/dreambooth run it, with latents and
prompt embeddings cached, under autocast with AdamW or Prodigy. Of LoRA the base is frozen in bf16, in fp8 as layerwise casting
leaves it, or in four bits as bitsandbytes packs it, and the adapters are in fp32; of full training
everything is, or in bf16."""

import gc
import re
import types

import phases  # first: prepares the fake device
import device
import meter
import optimizers

import torch
from diffusers.hooks.layerwise_casting import DEFAULT_SKIP_MODULES_PATTERN
from peft import LoraConfig

JOINT = ["attn.to_k", "attn.to_q", "attn.to_v", "attn.to_out.0", "attn.add_k_proj",
         "attn.add_q_proj", "attn.add_v_proj", "attn.to_add_out"]
ATTENTION = ["to_q", "to_k", "to_v", "to_out.0"]
TARGETS = {  # train_dreambooth_lora_flux.py, _sd3.py, _qwen_image.py; finetrainers for Wan
    "FluxTransformer2DModel": [*JOINT, "ff.net.0.proj", "ff.net.2", "ff_context.net.0.proj",
                               "ff_context.net.2"],
    "SD3Transformer2DModel": JOINT,
    "QwenImageTransformer2DModel": ATTENTION,
    "WanTransformer3DModel": ATTENTION,
    "Flux2Transformer2DModel": ATTENTION,  # train_dreambooth_lora_flux2.py: of double blocks alone
    "ZImageTransformer2DModel": ATTENTION,  # train_dreambooth_lora_z_image.py
    "UNet2DConditionModel": ATTENTION,  # train_text_to_image_lora_sdxl.py
}


def step(model, config, run, optimizer, watch):
    watch.mark("forward")
    inputs = phases.inputs_of(config, run)
    given = next(iter(inputs.values()))  # hidden_states, sample, or a list of Z-Image
    target = torch.ones_like(torch.stack(given) if isinstance(given, list) else given)
    del given
    with torch.autocast("cuda", dtype=torch.bfloat16):
        prediction = model(**inputs)[0]
    if isinstance(prediction, list):
        prediction = torch.stack(prediction)
    watch.mark("loss")
    loss = ((prediction.float() - target.float()) ** 2).reshape(target.shape[0], -1).mean(1).mean()
    del prediction
    watch.mark("backward")
    loss.backward()
    watch.mark("optimizer")
    optimizer.step()
    optimizer.zero_grad()
    watch.mark("rest")


def widened(module, value):
    """The product of a layer whose weights are cast for it: fake parameters cannot be swapped, as
    diffusers' hook does."""
    bias = None if module.bias is None else module.bias.to(torch.bfloat16)
    return torch.nn.functional.linear(value, module.weight.to(torch.bfloat16), bias)


def cast(model):
    """Linear layers in fp8 that diffusers' layerwise casting would leave so."""
    skipped = [*DEFAULT_SKIP_MODULES_PATTERN, *(model._skip_layerwise_casting_patterns or ()),
               *(model._keep_in_fp32_modules or ())]
    for name, module in model.named_modules():
        if isinstance(module, torch.nn.Linear) and not any(re.search(one, name) for one in skipped):
            for kind, part in module._parameters.items():
                if part is not None:
                    module._parameters[kind] = torch.nn.Parameter(
                        part.data.to(torch.float8_e4m3fn), False)
            module.forward = types.MethodType(widened, module)


def narrow(model):
    """Everything in fp8, as --fp8_base of sd-scripts' train_network.py; autocast widens it."""
    for module in model.modules():
        for name, part in module._parameters.items():
            if part is not None:
                module._parameters[name] = torch.nn.Parameter(part.data.to(torch.float8_e4m3fn), False)


class FourBitProduct(torch.autograd.Function):
    """What bitsandbytes autograd/_functions.py, MatMul4Bit, keeps and restores: the matrix in
    16 bit in either direction, and nothing of the input."""

    @staticmethod
    def forward(context, value, packed, shape, bias):
        context.packed, context.shape = packed, shape
        return torch.nn.functional.linear(value, restored(packed, shape, value.dtype), bias)

    @staticmethod
    def backward(context, gradient):
        return (gradient @ restored(context.packed, context.shape, gradient.dtype), None, None, None)


def restored(packed, shape, dtype):
    return packed.new_empty(shape, dtype=dtype)


def multiplied(module, value):
    bias = None if module.bias is None else module.bias.to(torch.bfloat16)
    return FourBitProduct.apply(value.to(torch.bfloat16), module.weight, module.restored_shape, bias)


def quantize(model):
    """Linear layers in NF4: two weights a byte, a scale in fp32 for 64 of them, a table each."""
    kept = set(model._keep_in_fp32_modules or ())
    for name, module in list(model.named_modules()):
        if isinstance(module, torch.nn.Linear) and not kept & set(name.split(".")):
            module.restored_shape = tuple(module.weight.shape)
            count = module.weight.numel()
            for kind, size, dtype in (("weight", count // 2, torch.uint8),
                                      ("scales", count // 64, torch.float32),
                                      ("table", 16, torch.float32)):
                module._parameters[kind] = torch.nn.Parameter(
                    torch.ones(size, dtype=dtype, device="cuda"), False)
            module.forward = types.MethodType(multiplied, module)


def adapt(model, rank, targets):
    move, torch.nn.Module.to = torch.nn.Module.to, lambda module, *_, **__: module
    with torch.device("cuda"):  # so that nothing has to move, which fake parameters cannot
        model.add_adapter(LoraConfig(r=rank, lora_alpha=rank, target_modules=targets))
    torch.nn.Module.to = move
    for module in model.modules():
        for name, part in module._parameters.items():
            if part is not None and part.requires_grad:
                module._parameters[name] = torch.nn.Parameter(part.data.float(), True)


def record(config, run, show, targets):
    figures = {}
    with device.fake_mode():
        watch = meter.Meter()
        full = run["kind"] in ("full", "full-bf16")
        model = phases.on_device(
            config, torch.float32 if run["kind"] == "full" else torch.bfloat16)
        if run["kind"] == "fp8" and config["_class_name"] == "UNet2DConditionModel":
            narrow(model)
        elif run["kind"] == "fp8":
            cast(model)
        if run["kind"] == "nf4":
            quantize(model)
        if full:
            model.requires_grad_(True)
        else:
            adapt(model, run["rank"], targets)
        with watch:
            for part in model.parameters():
                watch._seen(part, "parameter")
            model.train()
            if run.get("checkpointing"):
                model.enable_gradient_checkpointing()
            trained = [part for part in model.parameters() if part.requires_grad]
            for path, part in model.named_parameters():
                part.starts_at_zero = "lora_B" in path
            optimizer = (optimizers.KINDS["prodigy"](trained, {}) if run["kind"] == "prodigy"
                         else torch.optim.AdamW(trained, foreach=True))
            gc.collect()
            figures["weights"] = watch.live[-1]
            figures["trained"] = sum(part.numel() for part in trained)
            for _ in range(2):
                gc.collect()
                step(model, config, run, optimizer, watch)
        spans = watch.spans(lambda name: True)
        rest = watch.live[spans[4][1] - 1]
        figures["rest"] = rest
        for name, (start, end) in zip(("forward", "loss", "backward", "optimizer"), spans[5:9]):
            top = max(range(start, end), key=lambda i: watch.live[i])
            figures[name] = watch.live[top] - rest
            figures[name + " end"] = watch.live[end - 1] - rest
            if show:
                parts = {}
                for block, size in watch.alive_at(top):
                    key = block and (block.operator, str(block.dtype), block.shape)
                    if block is None or block.moment in ("forward", "loss", "backward", "optimizer"):
                        number, total = parts.get(key, (0, 0))
                        parts[key] = (number + 1, total + size)
                print(name, f"{figures[name]:,}")
                for key, (number, total) in sorted(parts.items(), key=lambda x: -x[1][1])[:show]:
                    print(f"   {total:>15,} {number:>4}", key)
    return figures
