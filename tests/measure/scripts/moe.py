# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A small Qwen3-MoE of transformers in a plain loop, weights in 16 bits."""

import torch
from transformers import Qwen3MoeConfig, Qwen3MoeForCausalLM


def main():
    torch.manual_seed(0)
    config = Qwen3MoeConfig(hidden_size=1024, num_hidden_layers=4, num_attention_heads=16,
                            num_key_value_heads=4, head_dim=64, intermediate_size=2816,
                            moe_intermediate_size=512, num_experts=16, num_experts_per_tok=4,
                            vocab_size=32000)
    with torch.device("cuda"):
        model = Qwen3MoeForCausalLM._from_config(config, dtype=torch.bfloat16)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4, fused=True)
    for _ in range(3):
        tokens = torch.randint(0, 32000, (4, 1024), device="cuda")
        loss = model(input_ids=tokens, labels=tokens, use_cache=False).loss
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()


main()
