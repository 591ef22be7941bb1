#!/usr/bin/env python3
# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Counts the components of the pipelines in resources/diffusion by their own classes, and records
on fake tensors what a pass of each takes beside its weights, and what a step of LoRA or full
training of their denoisers takes: parameters.csv, phases.csv, training.csv and gguf.csv of tests/data/diffusion. With --show it prints
what is there at each peak and writes nothing."""

import argparse
import csv
import fnmatch
import logging
import multiprocessing
import pathlib
import sys
import warnings

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "diffusion"))
warnings.filterwarnings("ignore")
logging.disable(logging.WARNING)

import torch

import components
import lora
import phases

FOLDER = HERE.parents[0] / "data/diffusion"
RUN = ["batch", "tokens", "height", "width", "frames", "fp32", "slicing", "tiling", "reference"]


def images(pipeline, component, *runs, **options):
    for batch, tokens, height, width in runs:
        yield pipeline, component, "denoise", dict(batch=batch, tokens=tokens, height=height,
                                                   width=width, **options)


def videos(pipeline, *runs, patch=8, per_token=False):
    for batch, tokens, height, width, frames in runs:
        yield pipeline, "transformer", "denoise", dict(
            batch=batch, tokens=tokens, height=height, width=width, frames=frames, patch=patch,
            per_token=per_token)


def texts(pipeline, component, *runs):
    for batch, tokens in runs:
        yield pipeline, component, "encode", dict(batch=batch, tokens=tokens)


def decodes(pipeline, *runs, patch=8, **options):
    for batch, height, width, frames in runs:
        yield pipeline, "vae", "decode", dict(batch=batch, height=height, width=width,
                                              frames=frames, patch=patch, **options)


def reads(pipeline, *runs, **options):
    for batch, height, width, frames in runs:
        yield pipeline, "vae", "read", dict(batch=batch, height=height, width=width,
                                            frames=frames, **options)


CASES = [
    *texts("flux.1-dev", "text_encoder", (1, 77), (2, 77)),
    *texts("flux.1-dev", "text_encoder_2", (1, 512), (1, 256), (2, 512)),
    *texts("sd3-medium", "text_encoder", (1, 77), (2, 77)),
    *texts("sd3-medium", "text_encoder_2", (1, 77), (2, 77)),
    *texts("wan2.1-t2v-14b", "text_encoder", (1, 512), (1, 226), (2, 512)),
    *texts("qwen-image", "text_encoder", (1, 200), (1, 1058), (2, 546)),
    *images("flux.1-dev", "transformer", (1, 512, 1024, 1024), (2, 512, 768, 512),
            (1, 512, 1536, 1536), (4, 256, 512, 512), (1, 512, 256, 256)),
    *images("flux.1-schnell", "transformer", (1, 256, 1024, 1024)),
    *images("sd3-medium", "transformer", (2, 333, 1024, 1024), (1, 333, 512, 512),
            (8, 589, 768, 1344), (2, 333, 256, 256)),
    *images("sd3.5-medium", "transformer", (2, 333, 1024, 1024), (1, 589, 512, 512),
            (2, 333, 1440, 1440)),
    *images("sd3.5-large", "transformer", (2, 333, 1024, 1024), (1, 333, 512, 512)),
    *images("qwen-image", "transformer", (1, 512, 1328, 1328), (1, 64, 928, 1664),
            (2, 1024, 512, 512), (1, 512, 256, 256)),
    *images("sdxl", "unet", (2, 77, 1024, 1024), (1, 77, 512, 512),
            (2, 77, 768, 1344), (8, 154, 768, 768), (2, 77, 1536, 1536), (2, 77, 1000, 1000)),
    *images("sd1.5", "unet", (2, 77, 512, 512), (1, 77, 768, 512),
            (8, 77, 512, 512), (2, 231, 1024, 1024), (2, 77, 256, 256)),
    *images("sd2.1", "unet", (2, 77, 768, 768)),
    *videos("wan2.1-t2v-1.3b", (1, 512, 480, 832, 81), (2, 512, 480, 832, 33),
            (1, 512, 832, 480, 1)),
    *videos("wan2.1-t2v-14b", (1, 512, 720, 1280, 81), (1, 512, 480, 832, 49)),
    *videos("wan2.2-ti2v-5b", (1, 512, 704, 1280, 121), (1, 512, 704, 1280, 49),
            (1, 512, 480, 832, 1), patch=16, per_token=True),
    *texts("z-image-turbo", "text_encoder", (1, 512), (1, 200), (2, 512)),
    *texts("flux.2-dev", "text_encoder", (1, 512), (1, 200)),
    *texts("flux.2-klein-4b", "text_encoder", (1, 512), (2, 200)),
    *texts("flux.2-klein-9b", "text_encoder", (1, 512)),
    *images("z-image-turbo", "transformer", (1, 512, 1024, 1024), (2, 512, 1024, 1024),
            (1, 96, 512, 768), (1, 512, 256, 256), (4, 128, 1536, 1024)),
    *images("flux.2-dev", "transformer", (1, 512, 1024, 1024), (2, 512, 768, 512),
            (1, 512, 256, 256), (1, 128, 1536, 2048)),
    *images("flux.2-klein-4b", "transformer", (1, 512, 1024, 1024), (2, 256, 768, 768)),
    *images("flux.2-klein-9b", "transformer", (1, 512, 1024, 1024)),
    *images("flux.1-kontext-dev", "transformer", (1, 512, 1024, 1024), (2, 512, 768, 512),
            reference=1024),
    *images("qwen-image-edit", "transformer", (1, 512 + 1369, 1024, 1024),
            (2, 64 + 1369, 512, 768), reference=1024),
    *reads("flux.1-kontext-dev", (1, 1024, 1024, 1), (2, 1024, 768, 1)),
    *reads("flux.1-kontext-dev", (1, 1024, 1024, 1), fp32=True),
    *reads("qwen-image-edit", (1, 1024, 1024, 1), (2, 1024, 768, 1)),
    *reads("qwen-image-edit", (1, 1024, 1024, 1), fp32=True),
    *videos("cogvideox-2b", (2, 226, 480, 720, 49), (1, 226, 256, 256, 17)),
    *videos("cogvideox-5b", (2, 226, 480, 720, 49), (1, 226, 256, 384, 17)),
    *decodes("cogvideox-5b", (1, 480, 720, 49), (1, 480, 720, 25), (1, 256, 256, 49),
             (1, 480, 720, 9), (1, 768, 1360, 81)),
    *decodes("cogvideox-5b", (1, 480, 720, 49), (1, 480, 720, 25), (1, 768, 1360, 81), tiling=True),
    *decodes("cogvideox-5b", (1, 480, 720, 49), fp32=True),
    *texts("wan2.1-i2v-14b", "image_encoder", (1, 257), (2, 257)),
    *videos("wan2.1-i2v-14b", (1, 512, 480, 832, 81), (1, 512, 720, 1280, 81),
            (2, 512, 480, 832, 17)),
    *videos("wan2.2-i2v-a14b", (1, 512, 480, 832, 81)),
    *reads("wan2.1-i2v-14b", (1, 480, 832, 81), (1, 720, 1280, 81), (1, 480, 832, 17),
           (1, 480, 832, 5), (1, 480, 832, 9)),
    *reads("wan2.1-i2v-14b", (1, 480, 832, 81), (1, 480, 832, 5), fp32=True),
    *videos("ltx-video-2b", (2, 128, 512, 704, 161), (1, 128, 512, 704, 25), (2, 128, 704, 1216, 257),
            (2, 256, 256, 256, 9)),
    *videos("ltx-video-13b", (2, 128, 512, 704, 121), (1, 128, 704, 1216, 121)),
    *decodes("ltx-video-2b", (1, 512, 704, 161), (1, 256, 256, 25), (2, 512, 768, 97),
             (1, 704, 1216, 121)),
    *decodes("ltx-video-2b", (1, 512, 704, 161), (1, 704, 1216, 121), (1, 1024, 1024, 9), tiling=True),
    *decodes("ltx-video-13b", (1, 512, 704, 121), (1, 704, 1216, 49), (1, 256, 256, 25)),
    *decodes("ltx-video-13b", (1, 704, 1216, 121), (1, 1024, 1024, 9), tiling=True),
    *texts("hunyuanvideo", "text_encoder", (1, 351), (2, 351), (1, 150)),
    *videos("hunyuanvideo", (1, 256, 720, 1280, 129), (1, 256, 544, 960, 61), (1, 256, 320, 512, 17)),
    *decodes("hunyuanvideo", (1, 320, 512, 17), (1, 544, 960, 61), (1, 720, 1280, 129), (1, 256, 256, 5),
             (1, 256, 256, 1)),
    *decodes("hunyuanvideo", (1, 544, 960, 61), (1, 720, 1280, 129), (1, 256, 256, 61), tiling=True),
    *decodes("hunyuanvideo", (1, 256, 256, 17), fp32=True),
    *decodes("ltx-video-2b", (1, 256, 256, 25), fp32=True),
    *decodes("ltx-video-13b", (1, 256, 256, 25), fp32=True),
    *texts("hunyuanimage-2.1", "text_encoder_2", (1, 128)),
    *images("hunyuanimage-2.1", "transformer", (1, 1128, 2048, 2048), (1, 1128, 1024, 1024),
            (2, 1128, 1536, 2048)),
    *decodes("hunyuanimage-2.1", (1, 1024, 1024, 1), (2, 768, 1024, 1)),
    *decodes("hunyuanimage-2.1", (1, 2048, 2048, 1), tiling=True),
    *decodes("flux.2-dev", (1, 1024, 1024, 1), (2, 768, 512, 1)),
    *decodes("flux.2-dev", (1, 2048, 2048, 1), tiling=True),
    *decodes("flux.1-dev", (1, 1024, 1024, 1), (2, 768, 512, 1)),
    *decodes("flux.1-dev", (1, 1024, 1024, 1), fp32=True),
    *decodes("flux.1-dev", (4, 1024, 1024, 1), slicing=True),
    *decodes("flux.1-dev", (1, 2048, 2048, 1), (1, 1536, 2560, 1), (2, 1024, 1536, 1), tiling=True),
    *decodes("sdxl", (1, 1024, 1024, 1), fp32=True),
    *decodes("sdxl", (2, 768, 1344, 1)),
    *decodes("sd1.5", (1, 512, 512, 1)),
    *decodes("qwen-image", (1, 1328, 1328, 1), (2, 928, 1664, 1)),
    *decodes("qwen-image", (1, 1024, 1024, 1), fp32=True),
    *decodes("wan2.1-t2v-14b", (1, 480, 832, 81), (1, 720, 1280, 81), (1, 480, 832, 5),
             (1, 480, 832, 9), (1, 480, 832, 1)),
    *decodes("wan2.1-t2v-14b", (1, 480, 832, 81), (1, 720, 1280, 33), (1, 480, 832, 5),
             (1, 480, 832, 1), fp32=True),
    *decodes("wan2.2-ti2v-5b", (1, 704, 1280, 121), (1, 480, 832, 49), (1, 704, 1280, 9),
             (1, 704, 1280, 5), (1, 704, 1280, 1), (1, 480, 832, 1), patch=16),
    *decodes("wan2.2-ti2v-5b", (1, 704, 1280, 49), (1, 704, 1280, 1), patch=16, fp32=True),
]

# Pipeline, blocks (of FLUX double and single ones; 0: as published), images, tokens, height, width, frames,
# rank, checkpointing. Of U-Nets the blocks of a level and the depth of the deepest transformers.
LORA_STEPS = [*(("flux.1-dev", *step[:6], 1, *step[6:]) for step in (
             (2, 3, 1, 512, 512, 512, 16, 0), (3, 3, 1, 512, 512, 512, 16, 0),
             (2, 4, 1, 512, 512, 512, 16, 0), (2, 3, 1, 512, 1024, 1024, 16, 0),
             (2, 3, 2, 512, 512, 512, 16, 0), (2, 3, 1, 256, 512, 512, 64, 0),
             (2, 3, 1, 512, 512, 512, 16, 1), (2, 3, 1, 512, 1024, 1024, 16, 1),
             (2, 3, 2, 256, 768, 512, 64, 1), (0, 0, 1, 512, 512, 512, 16, 0),
             (0, 0, 1, 512, 1024, 1024, 16, 1))),
         *((pipeline, blocks, 0, *step, 1, rank, checkpointing)
           for pipeline, tokens in (("sd3-medium", 333), ("sd3.5-medium", 333), ("sd3.5-large", 333),
                                    ("qwen-image", 512))
           for blocks, step, rank, checkpointing in (
               (0, (1, tokens, 1024, 1024), 16, 0), (0, (1, tokens, 1024, 1024), 16, 1),
               (4, (2, tokens, 768, 1344), 64, 0), (4, (2, tokens, 768, 1344), 64, 1))),
         *((pipeline, blocks, 0, batch, 512, 480, 832, frames, rank, checkpointing)
           for pipeline in ("wan2.1-t2v-1.3b", "wan2.1-t2v-14b")
           for blocks, batch, frames, rank, checkpointing in (
               (0, 1, 49, 32, 1), (0, 1, 81, 32, 1), (4, 1, 17, 32, 0), (4, 2, 17, 64, 1)))]

LORA_STEPS += [*(("z-image", layers, 0, batch, 512, side, side, 1, rank, checkpointing)
                 for layers, batch, side, rank, checkpointing in (
                     (2, 1, 512, 16, 0), (4, 1, 512, 16, 0), (4, 1, 1024, 16, 0),
                     (4, 1, 512, 64, 0), (2, 1, 512, 16, 1), (4, 1, 512, 16, 1),
                     (4, 1, 1024, 16, 1), (4, 2, 512, 64, 1), (0, 1, 1024, 16, 1))),
               *(("flux.2-klein-4b", double, single, 1, 512, side, side, 1, rank, checkpointing)
                 for double, single, side, rank, checkpointing in (
                     (2, 2, 512, 16, 0), (4, 2, 512, 16, 0), (2, 4, 512, 16, 0),
                     (2, 4, 1024, 16, 0), (2, 4, 512, 64, 0), (2, 2, 512, 16, 1),
                     (4, 2, 512, 16, 1), (2, 4, 512, 16, 1), (2, 4, 1024, 16, 1),
                     (0, 0, 1024, 16, 1))),
               ("flux.2-dev", 3, 6, 1, 512, 1024, 1024, 1, 32, 1)]

# The same with the kind of training: over a base in bf16, with AdamW or Prodigy, over one in fp8, or
# of everything in fp32 or in bf16.
STEPS = [*((*step, "lora") for step in LORA_STEPS),
         *(("flux.1-dev", 2, 3, 1, 512, 512, 512, 1, 16, checkpointing, "fp8")
           for checkpointing in (0, 1)),
         ("flux.1-dev", 3, 5, 1, 512, 1024, 1024, 1, 64, 1, "fp8"),
         ("sd3.5-large", 8, 0, 1, 333, 1024, 1024, 1, 16, 1, "fp8"),
         ("qwen-image", 8, 0, 1, 512, 1024, 1024, 1, 16, 1, "fp8"),
         ("wan2.1-t2v-1.3b", 0, 0, 1, 512, 480, 832, 49, 32, 1, "fp8"),
         ("z-image", 4, 0, 1, 512, 1024, 1024, 1, 16, 1, "fp8"),
         ("flux.2-klein-4b", 2, 4, 1, 512, 1024, 1024, 1, 16, 1, "fp8"),
         *((*step, "nf4") for step in (
             ("flux.1-dev", 2, 3, 1, 512, 512, 512, 1, 16, 0),
             ("flux.1-dev", 2, 3, 1, 512, 512, 512, 1, 16, 1),
             ("flux.1-dev", 3, 5, 1, 512, 1024, 1024, 1, 64, 1),
             ("sd3.5-large", 8, 0, 1, 333, 1024, 1024, 1, 16, 1),
             ("qwen-image", 8, 0, 1, 512, 1024, 1024, 1, 16, 1),
             ("wan2.1-t2v-1.3b", 0, 0, 1, 512, 480, 832, 49, 32, 1),
             ("z-image", 4, 0, 1, 512, 1024, 1024, 1, 16, 1),
             ("flux.2-klein-4b", 2, 4, 1, 512, 1024, 1024, 1, 16, 1),
             ("sdxl", 0, 0, 1, 77, 1024, 1024, 1, 16, 0),
             ("sdxl", 0, 0, 1, 77, 1024, 1024, 1, 16, 1))),
         ("flux.1-dev", 2, 3, 1, 512, 512, 512, 1, 64, 1, "prodigy"),
         ("wan2.1-t2v-1.3b", 0, 0, 1, 512, 480, 832, 49, 128, 1, "prodigy"),
         ("sdxl", 0, 0, 1, 77, 1024, 1024, 1, 128, 1, "prodigy"),
         ("sdxl", 0, 0, 1, 77, 1024, 1024, 1, 16, 0, "fp8"),
         ("sdxl", 0, 0, 1, 77, 1024, 1024, 1, 16, 1, "fp8"),
         ("sd1.5", 0, 0, 2, 77, 512, 512, 1, 32, 1, "fp8"),
         ("flux.1-dev", 4, 8, 1, 512, 1024, 1024, 1, 0, 1, "full"),
         ("z-image", 4, 0, 1, 512, 1024, 1024, 1, 0, 1, "full"),
         ("flux.2-klein-4b", 2, 4, 1, 512, 1024, 1024, 1, 0, 1, "full"),
         ("sd3-medium", 0, 0, 1, 333, 1024, 1024, 1, 0, 1, "full"),
         ("sd3.5-large", 0, 0, 1, 333, 1024, 1024, 1, 0, 1, "full"),
         ("qwen-image", 20, 0, 1, 512, 1024, 1024, 1, 0, 1, "full"),
         ("wan2.1-t2v-1.3b", 0, 0, 1, 512, 480, 832, 49, 0, 1, "full"),
         *((pipeline, blocks, depth, *step, 1, rank, checkpointing, kind)
           for pipeline, blocks, depth, step, rank, kind in (
               ("sdxl", 0, 0, (1, 77, 1024, 1024), 16, "lora"),
               ("sdxl", 0, 0, (4, 77, 768, 1344), 64, "lora"),
               ("sdxl", 1, 2, (2, 231, 512, 768), 128, "lora"),
               ("sdxl", 3, 4, (1, 77, 1024, 1024), 4, "lora"),
               ("sd1.5", 0, 0, (1, 77, 512, 512), 16, "lora"),
               ("sd1.5", 0, 0, (4, 77, 768, 512), 64, "lora"),
               ("sd1.5", 1, 2, (2, 154, 1024, 1024), 8, "lora"),
               ("sd2.1", 0, 0, (1, 77, 768, 768), 16, "lora"),
               ("sdxl", 0, 0, (1, 77, 1024, 1024), 0, "full"),
               ("sdxl", 0, 0, (1, 77, 1024, 1024), 0, "full-bf16"),
               ("sdxl", 1, 2, (4, 77, 768, 1344), 0, "full-bf16"),
               ("sd1.5", 0, 0, (2, 77, 512, 512), 0, "full"),
               ("sd1.5", 0, 0, (8, 77, 512, 512), 0, "full-bf16"))
           for checkpointing in (0, 1))]


# Pipeline, what the transformer takes, and the format of its GGUF file.
GGUF = [(pipeline, run, form) for pipeline, run, forms in (
    ("flux.1-dev", (1, 512, 1024, 1024, 1), ("q2_k", "q3_k_m", "q4_0", "q4_1", "q4_k_s", "q4_k_m", "q5_0",
                                             "q5_k_m", "q6_k", "q8_0")),
    ("flux.1-dev", (1, 512, 512, 512, 1), ("q4_k_s", "q8_0")),
    ("flux.1-dev", (2, 512, 1536, 1024, 1), ("q5_1",)),
    ("flux.2-dev", (1, 512, 1024, 1024, 1), ("q4_k_m",)),
    ("flux.2-klein-4b", (1, 512, 512, 512, 1), ("q4_k_m", "q8_0")),
    ("flux.2-klein-4b", (1, 512, 1024, 1024, 1), ("q5_1",)),
    ("sd3-medium", (2, 333, 512, 512, 1), ("q4_k_m", "q5_1")),
    ("sd3.5-large", (2, 333, 1024, 1024, 1), ("q4_0", "q8_0")),
    ("z-image-turbo", (1, 512, 512, 512, 1), ("q4_k_m", "q5_1", "q3_k_m")),
    ("z-image-turbo", (1, 512, 1024, 1024, 1), ("q4_k_m",)),
    ("wan2.1-t2v-14b", (1, 512, 480, 832, 81), ("q5_k_m", "q4_k_s", "q4_0")),
    ("wan2.1-t2v-1.3b", (1, 512, 480, 832, 5), ("q5_1", "q3_k_m")),
    ("wan2.1-i2v-14b", (1, 512, 480, 832, 81), ("q4_k_m",)),
    ("qwen-image", (1, 512, 512, 512, 1), ("q8_0", "q5_1", "q4_k_m")),
    ("ltx-video-2b", (2, 128, 512, 704, 25), ("q8_0", "q5_0", "q4_k_m")),
    ("hunyuanvideo", (1, 256, 320, 512, 5), ("q4_k_m", "q5_1")),
    ("hunyuanvideo", (1, 256, 544, 960, 61), ("q4_k_s",))) for form in forms]


def count(config):
    """What a component has: parameters, matrices that bitsandbytes takes, bytes of its checkpoint's
    buffers, and what layerwise casting to fp8 leaves."""
    with torch.device("meta"):
        model = components.build(config)
    shapes = components.linear_shapes(model)
    buffers = sum(part.nbytes for name, part in model.named_buffers()
                  if name in model.state_dict())
    parameters = sum(part.numel() for part in model.parameters())
    cast = ""
    if hasattr(model, "enable_layerwise_casting"):
        model.enable_layerwise_casting(torch.float8_e4m3fn, torch.bfloat16)
        cast = sum(part.nbytes for part in model.parameters())
    return [parameters, sum(rows * columns for rows, columns in shapes), len(shapes),
            max((rows * columns for rows, columns in shapes), default=0), buffers, cast]


def record(case, show):
    pipeline, component, phase, run = case
    config = components.pipelines()[pipeline][component]
    return phases.record(config, phase, run, show)


def denoiser(document, double, single):
    """The config of a transformer or U-Net with so many blocks; 0: as published."""
    if "unet" in document:
        config = dict(document["unet"])
        if double:
            config["layers_per_block"] = double
        if single:
            depths = config.get("transformer_layers_per_block",
                                [1] * len(config["block_out_channels"]))
            config["transformer_layers_per_block"] = [*depths[:-1], single]
        return config
    config = dict(document["transformer"])
    if double:
        config["n_layers" if "n_layers" in config else "num_layers"] = double
    if single:
        config["num_single_layers"] = single
    if double and "dual_attention_layers" in config:
        config["dual_attention_layers"] = config["dual_attention_layers"][:double // 2]
    return config


def train(step, show):
    """Bytes of all weights, how many are trained, what is there between steps, and the peaks of
    forward, backward and the optimizer above that."""
    pipeline, double, single, batch, tokens, height, width, frames, rank, checkpointing, kind = step
    config = denoiser(components.pipelines()[pipeline], double, single)
    found = lora.record(config, dict(batch=batch, tokens=tokens, height=height, width=width,
                                     frames=frames, patch=8, rank=rank, kind=kind,
                                     checkpointing=checkpointing), show, lora.TARGETS[config["_class_name"]])
    return [found[name] for name in ("weights", "trained", "rest", "forward", "backward",
                                     "optimizer")]


def apart(work, *arguments):
    """In a fresh copy of this process, so that nothing of the case before is alive."""
    with multiprocessing.get_context("fork").Pool(1) as pool:
        return pool.apply(work, arguments)


def write_gguf():
    with open(FOLDER / "gguf.csv", "w", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["pipeline", "batch", "tokens", "height", "width", "frames", "format",
                        "weights", "peak"])
        for pipeline, run, form in GGUF:
            names = ("batch", "tokens", "height", "width", "frames")
            case = (pipeline, "transformer", "denoise",
                    dict(zip(names, run), patch=8, gguf=form))
            table.writerow([pipeline, *run, form, *apart(record, case, 0)])
            file.flush()


def write_steps():
    with open(FOLDER / "training.csv", "w", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["pipeline", "double", "single", "batch", "tokens", "height", "width",
                        "frames", "rank", "checkpointing", "kind", "weights", "trained", "rest", "forward", "backward",
                        "optimizer"])
        for step in STEPS:
            table.writerow([*step, *apart(train, step, 0)])
            file.flush()


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--only", default="*", help="pipeline.component.phase, with wildcards")
    arguments.add_argument("--show", type=int, default=0, help="print this many parts of each peak")
    arguments.add_argument("--steps", action="store_true", help="training.csv alone")
    arguments.add_argument("--gguf", action="store_true", help="gguf.csv alone")
    options = arguments.parse_args()
    FOLDER.mkdir(parents=True, exist_ok=True)
    if options.steps:
        return write_steps()
    if options.gguf:
        return write_gguf()
    rows = []
    for case in CASES:
        pipeline, component, phase, run = case
        if not fnmatch.fnmatch(f"{pipeline}.{component}.{phase}", options.only):
            continue
        weights, peak = apart(record, case, options.show)
        row = [pipeline, component, phase, *(int(run.get(name, 0)) for name in RUN), weights, peak]
        print(*row, flush=True)
        rows.append(row)
    if options.show or options.only != "*":
        return
    with open(FOLDER / "phases.csv", "w", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["pipeline", "component", "phase", *RUN, "weights", "peak"])
        table.writerows(rows)
    write_steps()
    write_gguf()
    with open(FOLDER / "parameters.csv", "w", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["pipeline", "component", "parameters", "matrix_elements", "matrices",
                        "largest_matrix", "buffer_bytes", "cast_bytes"])
        for pipeline, document in components.pipelines().items():
            for component, config in components.components(document):
                table.writerow([pipeline, component, *apart(count, config)])


if __name__ == "__main__":
    sys.exit(main())
