#!/usr/bin/env python3
# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What from_pretrained() holds while it merges experts, and afterwards.

Saves a small model, loads it again, and adds up the storages of all tensors alive after each
torch.stack() and torch.cat() of the loader. Prints the bytes of the loaded parameters, and how far
the highest sum lies above them.
"""

import gc
import json
import sys
import tempfile

import torch
from transformers import AutoConfig, AutoModelForCausalLM

SHAPE = {"hidden_size": 128, "intermediate_size": 352, "num_hidden_layers": 4,
         "num_attention_heads": 8, "num_key_value_heads": 2, "vocab_size": 1000, "head_dim": 16}
CONFIGS = {
    "llama": {"model_type": "llama", **SHAPE},
    "llama-tied": {"model_type": "llama", "tie_word_embeddings": True, **SHAPE},
    "qwen3-moe": {"model_type": "qwen3_moe", "moe_intermediate_size": 64, "num_experts": 8,
                  "num_experts_per_tok": 2, **SHAPE},
    "mixtral": {"model_type": "mixtral", "num_local_experts": 4, **SHAPE},
}


def alive() -> int:
    seen = {}
    for thing in gc.get_objects():
        if isinstance(thing, torch.Tensor) and thing.device.type != "meta":
            storage = thing.untyped_storage()
            seen[storage.data_ptr()] = storage.nbytes()
    return sum(seen.values())


def main() -> None:
    for name, values in CONFIGS.items():
        model = AutoModelForCausalLM.from_config(AutoConfig.for_model(**values),
                                                 dtype=torch.bfloat16)
        with tempfile.TemporaryDirectory() as folder:
            model.save_pretrained(folder)
            del model
            gc.collect()
            before = alive()
            peak = [0]
            plain = {f: getattr(torch, f) for f in ("stack", "cat")}

            def watched(function):
                def call(*arguments, **named):
                    result = function(*arguments, **named)
                    peak[0] = max(peak[0], alive() - before)
                    return result
                return call

            for function in plain:
                setattr(torch, function, watched(plain[function]))
            loaded = AutoModelForCausalLM.from_pretrained(folder, dtype="auto")
            for function in plain:
                setattr(torch, function, plain[function])
            held = sum(p.numel() * p.element_size() for p in loaded.parameters())
            print(json.dumps({"model": name, "held": held,
                              "above": max(peak[0] - held, 0) if peak[0] else 0}))


if __name__ == "__main__":
    sys.exit(main())
