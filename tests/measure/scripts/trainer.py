# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Transformers' Trainer on a small Llama: all weights, or LoRA with checkpointing."""

import sys
import tempfile

import torch
from torch.utils.data import Dataset
from transformers import LlamaConfig, LlamaForCausalLM, Trainer, TrainingArguments


class Tokens(Dataset):
    def __len__(self):
        return 64

    def __getitem__(self, index):
        tokens = (torch.arange(1024) * (index + 1)) % 32000
        return {"input_ids": tokens, "labels": tokens}


def main():
    lora = "--lora" in sys.argv
    config = LlamaConfig(hidden_size=1024, intermediate_size=2816, num_hidden_layers=8,
                         num_attention_heads=16, num_key_value_heads=4, vocab_size=32000)
    model = LlamaForCausalLM(config)
    if lora:
        from peft import LoraConfig, get_peft_model
        model.enable_input_require_grads()
        model = get_peft_model(model, LoraConfig(r=16, target_modules="all-linear"))
    settings = TrainingArguments(
        output_dir=tempfile.mkdtemp(), per_device_train_batch_size=4,
        gradient_accumulation_steps=2, max_steps=3, bf16=True, gradient_checkpointing=lora,
        logging_steps=1, save_strategy="no", report_to=[], dataloader_num_workers=0)
    Trainer(model=model, args=settings, train_dataset=Tokens()).train()


main()
