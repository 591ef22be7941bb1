# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""transformers' model, saved and read again, whole and in shards, and by the Trainer."""

import os
import sys

import torch
from safetensors.torch import load_file
from transformers import AutoModelForCausalLM, LlamaConfig, LlamaForCausalLM, Trainer, \
    TrainingArguments


class Data(torch.utils.data.Dataset):
    def __len__(self):
        return 64

    def __getitem__(self, index):
        return {name: torch.zeros(16, dtype=torch.long) for name in ("input_ids", "labels")}


config = LlamaConfig(hidden_size=64, intermediate_size=128, num_hidden_layers=2,
                     num_attention_heads=4, num_key_value_heads=4, vocab_size=128)
batch = int(sys.argv[1]) if len(sys.argv) > 1 else 2
arguments = TrainingArguments(output_dir="new", max_steps=2, save_strategy="no", report_to=[],
                              per_device_train_batch_size=batch)
trainer = Trainer(model=LlamaForCausalLM(config), args=arguments, train_dataset=Data())
trainer.train()
trainer.save_model("new/final")
trainer.model.save_pretrained("new/shards", max_shard_size="100KB")
shards = [name for name in os.listdir("new/shards") if name.endswith(".safetensors")]
assert len(shards) > 2, shards
assert all(t.device.type == "cuda" for t in load_file(f"new/shards/{shards[0]}", "cuda").values())
AutoModelForCausalLM.from_pretrained("new/final").cuda()
print("ended")
