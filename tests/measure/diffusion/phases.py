# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""One pass of each component, as its pipeline makes it, on the fake device: what is there beside
the weights at its highest moment."""

import gc
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "fake"))

import device
import meter

device.prepare()

import torch

import components

FP32 = ("time_embedder", "scale_shift_table", "norm1", "norm2", "norm3")  # WanTransformer3DModel


def wide(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None,
         enable_gqa=False):
    """Flash attention takes heads up to 256 wide; a VAE's one head is wider. No fused kernel takes
    three dimensions."""
    if query.dim() == 3:
        return torch.ops.aten._scaled_dot_product_attention_math(query, key, value)[0]
    if query.shape[-1] > 256 and attn_mask is None:
        return torch.ops.aten._scaled_dot_product_efficient_attention(
            query, key, value, None, torch.is_grad_enabled(), dropout_p, is_causal, scale=scale)[0]
    if attn_mask is not None and attn_mask.dtype == torch.bool:
        # sdp_utils: a mask of booleans becomes one of numbers, expanded by no copy
        attn_mask = torch.zeros_like(attn_mask, dtype=query.dtype)
    return device.attention(query, key, value, attn_mask, dropout_p, is_causal, scale, enable_gqa)


torch.nn.functional.scaled_dot_product_attention = wide


def ones(*shape, dtype=torch.bfloat16):
    return torch.ones(*shape, dtype=dtype, device="cuda")


def ids(batch, tokens):
    return torch.ones(batch, tokens, dtype=torch.int64, device="cuda")


def on_device(config, dtype=torch.bfloat16):
    with torch.device("cuda"):
        model = components.build(config, dtype)
    if config["_class_name"] == "WanTransformer3DModel":
        for path, module in model.named_modules():
            for name, part in module._parameters.items():
                if part is not None and any(w in (path + "." + name).split(".") for w in FP32):
                    module._parameters[name] = torch.nn.Parameter(part.data.float(), False)
    return model


def encode(model, config, run):
    batch, tokens = run["batch"], run["tokens"]
    kind = config["_class_name"]
    if kind == "T5EncoderModel":
        return model(ids(batch, tokens), output_hidden_states=False)[0]
    if kind == "UMT5EncoderModel":
        return model(ids(batch, tokens), ids(batch, tokens)).last_hidden_state
    if kind == "CLIPVisionModel":
        side = config["image_size"]
        return model(ones(batch, 3, side, side), output_hidden_states=True).hidden_states[-2]
    if kind.startswith("CLIPText"):
        found = model(ids(batch, tokens), output_hidden_states=kind != "CLIPTextModel")
        return found[0]
    # FLUX.2 keeps no cache; Z-Image and Qwen-Image leave it on, as the model does.
    if kind == "LlamaModel":
        return model(input_ids=ids(batch, tokens), attention_mask=ids(batch, tokens),
                     output_hidden_states=True).hidden_states[-3]
    cache = dict(use_cache=False) if kind in ("Qwen3ForCausalLM", "Mistral3ForConditionalGeneration") else {}
    found = model(input_ids=ids(batch, tokens), attention_mask=ids(batch, tokens),
                  output_hidden_states=True, **cache)
    if cache:
        return torch.stack([found.hidden_states[k] for k in (9, 18, 27)], dim=1)
    return found.hidden_states[-1]


def inputs_of(config, run):
    """The arguments of a transformer's pass."""
    batch, text = run["batch"], run["tokens"]
    height, width = run["height"], run["width"]
    kind = config["_class_name"]
    side = run.get("reference", 0) // 16  # of a picture to edit, whose latents join the others
    if kind == "ZImageTransformer2DModel":
        return dict(x=[ones(config["in_channels"], 1, height // 8, width // 8)] * batch,
                    t=ones(batch), cap_feats=[ones(text, config["cap_feat_dim"])] * batch,
                    return_dict=False)
    if kind == "Flux2Transformer2DModel":
        image = (height // 16) * (width // 16) + side * side
        return dict(hidden_states=ones(batch, image, config["in_channels"]),
                    encoder_hidden_states=ones(batch, text, config["joint_attention_dim"]),
                    timestep=ones(batch), img_ids=ids(image, 4), txt_ids=ids(text, 4),
                    guidance=ones(batch, dtype=torch.float32) if config["guidance_embeds"] else None,
                    return_dict=False)
    if kind == "FluxTransformer2DModel":
        image = (height // 16) * (width // 16) + side * side
        return dict(hidden_states=ones(batch, image, config["in_channels"]),
                    encoder_hidden_states=ones(batch, text, config["joint_attention_dim"]),
                    pooled_projections=ones(batch, config["pooled_projection_dim"]),
                    timestep=ones(batch), img_ids=ones(image, 3), txt_ids=ones(text, 3),
                    guidance=ones(batch, dtype=torch.float32) if config["guidance_embeds"] else None,
                    return_dict=False)
    if kind == "SD3Transformer2DModel":
        return dict(hidden_states=ones(batch, 16, height // 8, width // 8),
                    encoder_hidden_states=ones(batch, text, config["joint_attention_dim"]),
                    pooled_projections=ones(batch, config["pooled_projection_dim"]),
                    timestep=ones(batch, dtype=torch.float32), return_dict=False)
    if kind == "QwenImageTransformer2DModel":
        image = (height // 16) * (width // 16) + side * side
        shapes = [(1, height // 16, width // 16)] + ([(1, side, side)] if side else [])
        return dict(hidden_states=ones(batch, image, 64),
                    encoder_hidden_states=ones(batch, text, config["joint_attention_dim"]),
                    encoder_hidden_states_mask=None, timestep=ones(batch),
                    img_shapes=[shapes] * batch, return_dict=False)
    if kind == "UNet2DConditionModel":
        added = {}
        if config.get("addition_embed_type") == "text_time":
            pooled = config["projection_class_embeddings_input_dim"] - 6 * config["addition_time_embed_dim"]
            added = dict(text_embeds=ones(batch, pooled), time_ids=ones(batch, 6))
        return dict(sample=ones(batch, config["in_channels"], height // 8, width // 8),
                    timestep=ones(batch, dtype=torch.int64),
                    encoder_hidden_states=ones(batch, text, config["cross_attention_dim"]),
                    added_cond_kwargs=added, return_dict=False)
    if kind == "HunyuanImageTransformer2DModel":
        # ByT5's tokens come with the others: a mask chooses no rows of a fake tensor.
        return dict(hidden_states=ones(batch, config["in_channels"], height // 32, width // 32),
                    timestep=ones(batch), encoder_attention_mask=ids(batch, text),
                    encoder_hidden_states=ones(batch, text, config["text_embed_dim"]),
                    return_dict=False)
    if kind == "LTXVideoTransformer3DModel":
        shape = ((run["frames"] - 1) // 8 + 1, height // 32, width // 32)
        return dict(hidden_states=ones(batch, shape[0] * shape[1] * shape[2], config["in_channels"]),
                    encoder_hidden_states=ones(batch, text, config["caption_channels"]),
                    timestep=ones(batch), encoder_attention_mask=ids(batch, text),
                    num_frames=shape[0], height=shape[1], width=shape[2],
                    rope_interpolation_scale=(8 / 25, 32, 32), return_dict=False)
    patch = run["patch"]
    frames = (run["frames"] - 1) // 4 + 1
    if kind == "HunyuanVideoTransformer3DModel":
        return dict(hidden_states=ones(batch, config["in_channels"], frames, height // 8, width // 8),
                    timestep=ids(batch, 1)[:, 0], guidance=ones(batch),
                    encoder_hidden_states=ones(batch, text, config["text_embed_dim"]),
                    encoder_attention_mask=ids(batch, text),
                    pooled_projections=ones(batch, config["pooled_projection_dim"]),
                    return_dict=False)
    if kind == "CogVideoXTransformer3DModel":
        places, turned = frames * (height // 16) * (width // 16), None
        if config["use_rotary_positional_embeddings"]:
            turned = tuple(ones(places, config["attention_head_dim"], dtype=torch.float32)
                           for _ in range(2))
        return dict(hidden_states=ones(batch, frames, 16, height // 8, width // 8),
                    encoder_hidden_states=ones(batch, text, config["text_embed_dim"]),
                    timestep=ids(batch, 1)[:, 0], image_rotary_emb=turned, return_dict=False)
    shape = (batch, config["in_channels"], frames, height // patch, width // patch)
    steps = ids(batch, 1)[:, 0]
    if run.get("per_token"):
        steps = ids(batch, frames * (height // patch // 2) * (width // patch // 2))
    seen = {}
    if config.get("image_dim"):  # a picture to begin with, as CLIP sees it
        seen = dict(encoder_hidden_states_image=ones(batch, 257, config["image_dim"]))
    return dict(hidden_states=ones(*shape), timestep=steps,
                encoder_hidden_states=ones(batch, text, config["text_dim"]), return_dict=False,
                **seen)


def denoise(model, config, run):
    return model(**inputs_of(config, run))[0]


def decode(model, config, run):
    kind = config["_class_name"]
    dtype = next(model.parameters()).dtype
    patch = run["patch"]
    step, given = 4, []
    if kind == "AutoencoderKLLTXVideo":
        step, patch = 8, 32
        given = [ones(run["batch"], dtype=dtype)] if config["timestep_conditioning"] else []
    if kind == "AutoencoderKLHunyuanImage":
        patch = 32
    if kind in ("AutoencoderKL", "AutoencoderKLFlux2", "AutoencoderKLHunyuanImage"):
        latents = ones(run["batch"], config["latent_channels"], run["height"] // patch,
                       run["width"] // patch, dtype=dtype)
    else:
        channels = config.get("z_dim") or config["latent_channels"]
        latents = ones(run["batch"], channels, (run["frames"] - 1) // step + 1,
                       run["height"] // patch, run["width"] // patch, dtype=dtype)
    if run.get("slicing"):
        model.enable_slicing()
    if run.get("tiling"):
        model.enable_tiling()
    return model.decode(latents, *given, return_dict=False)[0]


def read(model, config, run):
    """The latents of a picture or video that is to be edited or continued."""
    dtype = next(model.parameters()).dtype
    shape = (run["height"], run["width"])
    if config["_class_name"] not in ("AutoencoderKL", "AutoencoderKLFlux2"):
        shape = (run["frames"], *shape)
    return model.encode(ones(run["batch"], 3, *shape, dtype=dtype)).latent_dist.mode()


PASSES = {"encode": encode, "denoise": denoise, "decode": decode, "read": read}


def record(config, phase, run, show=0):
    """(bytes of the weights, bytes beside them and registered buffers at the highest moment)."""
    dtype = torch.float32 if run.get("fp32") else torch.bfloat16
    with device.fake_mode():
        watch = meter.Meter()
        with watch:
            model = on_device(config, dtype)
            if run.get("gguf"):
                import gguf_files
                gguf_files.quantize(model, config["_class_name"], run["gguf"])
            gc.collect()
            weights = sum(meter.rounded(p.nbytes) for p in model.parameters())
            buffers = sum(meter.rounded(b.nbytes) for b in model.buffers())
            watch.mark("forward")
            with torch.no_grad():
                result = PASSES[phase](model, config, run)
            peak, index = watch.peak(lambda name: name == "forward")
            if show:
                parts = sorted(((b, s) for b, s in watch.alive_at(index)
                                if b is None or b.moment == "forward"), key=lambda x: -x[1])
                for block, size in parts[:show]:
                    print("   ", f"{size:>14,}", block and (block.shape, block.dtype, block.operator))
            del result
            return weights, peak - weights - buffers
