# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Two steps of LoRA training of a transformer, as diffusers' examples/dreambooth run it, with latents
and prompt embeddings cached: a frozen base in bf16, adapters in fp32, autocast, AdamW."""

import gc

import phases  # first: prepares the fake device
import device
import meter

import torch
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
}


def step(model, config, run, optimizer, watch):
    watch.mark("forward")
    inputs = phases.inputs_of(config, run)
    target = torch.ones_like(inputs["hidden_states"])
    with torch.autocast("cuda", dtype=torch.bfloat16):
        prediction = model(**inputs)[0]
    watch.mark("loss")
    loss = ((prediction.float() - target.float()) ** 2).reshape(target.shape[0], -1).mean(1).mean()
    del prediction
    watch.mark("backward")
    loss.backward()
    watch.mark("optimizer")
    optimizer.step()
    optimizer.zero_grad()
    watch.mark("rest")


def record(config, run, show, targets):
    figures = {}
    with device.fake_mode():
        watch = meter.Meter()
        model = phases.on_device(config)
        move, torch.nn.Module.to = torch.nn.Module.to, lambda module, *_, **__: module
        with torch.device("cuda"):  # so that nothing has to move, which fake parameters cannot
            model.add_adapter(LoraConfig(r=run["rank"], lora_alpha=run["rank"],
                                         target_modules=targets))
        torch.nn.Module.to = move
        for module in model.modules():
            for name, part in module._parameters.items():
                if part is not None and part.requires_grad:
                    module._parameters[name] = torch.nn.Parameter(part.data.float(), True)
        with watch:
            for part in model.parameters():
                watch._seen(part, "parameter")
            model.train()
            if run.get("checkpointing"):
                model.enable_gradient_checkpointing()
            trained = [part for part in model.parameters() if part.requires_grad]
            optimizer = torch.optim.AdamW(trained, foreach=True)
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
