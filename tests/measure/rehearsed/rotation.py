# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""transformers' Trainer with a limit of checkpoints, in a folder with checkpoints of an earlier run:
it writes two and removes the older ones."""

import torch
from transformers import Trainer, TrainingArguments


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(64, 64)

    def forward(self, x=None, labels=None):
        y = self.layer(x)
        return {"loss": (y - labels).pow(2).mean(), "logits": y}


class Data(torch.utils.data.Dataset):
    def __len__(self):
        return 64

    def __getitem__(self, index):
        return {"x": torch.zeros(64), "labels": torch.zeros(64)}


arguments = TrainingArguments(output_dir="old", max_steps=4, per_device_train_batch_size=2,
                              save_steps=2, save_total_limit=1, report_to=[])
Trainer(model=Model(), args=arguments, train_dataset=Data()).train()
print("ended")
