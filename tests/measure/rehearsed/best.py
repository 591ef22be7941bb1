# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Keeps the best weights of three steps, or until they get worse, and reads them at the end."""

import itertools
import sys
import torch
model = torch.nn.Linear(64, 64).cuda()
optimizer = torch.optim.SGD(model.parameters(), 0.1)
best, kept, forever = float("inf"), 0, "--forever" in sys.argv
for _ in itertools.count() if forever else range(3):
    loss = model(torch.randn(8, 64, device="cuda")).square().mean()
    loss.backward()
    if loss.item() < best:  # line 14
        best = loss.item()
        torch.save(model.state_dict(), "old/best.pt")
        kept += 1
    elif forever:
        break
    optimizer.step()
    optimizer.zero_grad()
if kept:
    weights = torch.load("old/best.pt", map_location="cuda")
    assert weights["weight"].is_cuda and weights["weight"].shape == (64, 64)
    model.load_state_dict(weights)
print("ended with", kept)
