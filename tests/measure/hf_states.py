#!/usr/bin/env python3
# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What transformers' and flash-linear-attention's classes keep between tokens: a prompt on fake
tensors, and the bytes of its cache by kind. Writes tests/data/hf_states.csv."""

import csv
import json
import pathlib
import sys
import warnings

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "fake"))
warnings.filterwarnings("ignore")

import torch
from torch._subclasses.fake_tensor import FakeTensorMode
from transformers import AutoConfig, AutoModelForCausalLM

import device
import extensions

MODELS = HERE / "models"
CONFIGS = ("fla/rwkv7-0.1b", "fla/rwkv7-1.5b", "fla/rwkv7-heads", "registry/zamba2",
           "registry/zamba2-blocks-2", "registry/zamba-small", "registry/falcon_h1-gated-norm",
           "registry/bailing_hybrid-groups-2", "registry/bamba-indices", "registry/jamba-periods",
           "registry/kimi_linear", "registry/lfm2-patterned", "registry/minimax-tied",
           "registry/qwen3_next", "registry/nemotron_h")
SEQUENCES, TOKENS = 2, 200
COLUMNS = ["config", "sequences", "tokens", "attention", "convolution", "recurrent"]


def tensors(value, seen):
    """Those of a cache, whatever objects they stand in."""
    if id(value) in seen:
        return
    seen.add(id(value))
    if isinstance(value, torch.Tensor):
        yield value
    inner = value.values() if isinstance(value, dict) else \
        value if isinstance(value, (list, tuple)) else \
        vars(value).values() if type(value).__module__.startswith(("fla", "transformers")) else ()
    for each in inner:
        yield from tensors(each, seen)


def kind_of(tensor):
    """Keys and values have a row a token; states that are summed up are in fp32."""
    if TOKENS in tensor.shape:
        return "attention"
    return "recurrent" if tensor.dtype == torch.float32 else "convolution"


def row(name):
    values = json.loads((MODELS / f"{name}.json").read_text())
    if values["model_type"] in extensions.FLA:
        extensions.register_fla()
    config = AutoConfig.for_model(**values)
    with FakeTensorMode(), torch.device("cuda"), torch.no_grad():
        model = AutoModelForCausalLM.from_config(config, dtype=torch.bfloat16,
                                                 attn_implementation="eager").eval()
        prompt = torch.zeros((SEQUENCES, TOKENS), dtype=torch.int64)
        cache = model(input_ids=prompt, use_cache=True).past_key_values
        sizes = dict.fromkeys(COLUMNS[3:], 0)
        for tensor in tensors(cache, set()):
            sizes[kind_of(tensor)] += tensor.numel() * tensor.element_size()
    return {"config": name, "sequences": SEQUENCES, "tokens": TOKENS, **sizes}


def main():
    device.prepare()
    with open(HERE.parents[0] / "data/hf_states.csv", "w", newline="") as file:
        table = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        table.writeheader()
        for name in sorted(CONFIGS, reverse=True):  # fla last: it renames configs of transformers
            table.writerow(row(name))


if __name__ == "__main__":
    main()
