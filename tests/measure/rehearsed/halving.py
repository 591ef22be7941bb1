# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Halves its batch until the memory suffices."""

import torch

batch = 1024
model = torch.nn.Sequential(torch.nn.Linear(4096, 4096), torch.nn.GELU()).cuda()
while True:
    try:
        model(torch.randn(batch * 64, 4096, device="cuda")).sum().backward()
        break
    except torch.cuda.OutOfMemoryError:
        torch.cuda.empty_cache()
        batch //= 2
print("ended with", batch)
