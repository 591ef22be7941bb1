# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checkpoints of accelerate, written and read."""

import torch
from accelerate import Accelerator

accelerator = Accelerator(project_dir="old")
model = torch.nn.Linear(8, 8)
model, optimizer = accelerator.prepare(model, torch.optim.AdamW(model.parameters()))
accelerator.backward(model(torch.randn(2, 8, device=accelerator.device)).sum())
optimizer.step()
accelerator.save_state("old/state")
accelerator.load_state("old/state")
accelerator.save_model(model, "old/model")
print("ended")
