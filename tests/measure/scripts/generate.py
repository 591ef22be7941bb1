# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""transformers' generate() on a small Llama in 16 bits: a prompt and 64 tokens."""

import sys

import torch
from transformers import LlamaConfig, LlamaForCausalLM


def main():
    torch.manual_seed(0)
    config = LlamaConfig(hidden_size=2048, intermediate_size=5632, num_hidden_layers=16,
                         num_attention_heads=16, num_key_value_heads=4, vocab_size=32000)
    with torch.device("cuda"):
        model = LlamaForCausalLM._from_config(config, dtype=torch.bfloat16).eval()
    prompt = torch.randint(5, 32000, (8, 1024), device="cuda")
    settings = {"cache_implementation": "static"} if "--static" in sys.argv else {}
    if settings:
        settings["disable_compile"] = True
    with torch.no_grad():
        model.generate(prompt, max_new_tokens=64, min_new_tokens=64, do_sample=False, **settings)


main()
