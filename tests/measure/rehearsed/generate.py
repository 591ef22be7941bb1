# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""model.generate(): greedy, sampled, with beams, with a static cache."""

import torch
from transformers import LlamaConfig, LlamaForCausalLM

config = LlamaConfig(hidden_size=64, intermediate_size=128, num_hidden_layers=2,
                     num_attention_heads=4, num_key_value_heads=4, vocab_size=128)
model = LlamaForCausalLM(config).cuda().eval()
prompt = torch.randint(3, 100, (2, 10)).cuda()
for settings in ({"do_sample": False}, {"do_sample": True, "top_k": 5, "top_p": 0.9},
                 {"num_beams": 3}, {"cache_implementation": "static"}):
    out = model.generate(prompt, max_new_tokens=12, pad_token_id=0, eos_token_id=2,
                         attention_mask=torch.ones_like(prompt), **settings)
    assert out.shape == (2, 22), (settings, out.shape)
print("ended")
