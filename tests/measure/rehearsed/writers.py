# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes over files of an earlier run by what training programs write with."""

import os

import numpy
import torch
import torch.distributed.checkpoint as checkpoint
from torch.distributed.checkpoint.state_dict import get_state_dict


class Data(torch.utils.data.Dataset):
    def __len__(self):
        return 8

    def __getitem__(self, index):
        with open("old/worker", "w") as file:
            file.write(str(index))
        return torch.full((64,), float(index))


model = torch.nn.Linear(64, 64).cuda()
optimizer = torch.optim.AdamW(model.parameters())
for x in torch.utils.data.DataLoader(Data(), batch_size=4, num_workers=2, pin_memory=True):
    model(x.cuda()).sum().backward()
    optimizer.step()
numpy.save("old/array.npy", numpy.zeros(3))
assert numpy.load("old/array.npy").shape == (3,)
with open("old/bytes", "wb") as file:
    file.write(b"new")
torch.save({"weights": model.state_dict(), "steps": torch.arange(5)}, "old/model.pt")
read = torch.load("old/model.pt")
assert read["weights"]["weight"].is_cuda and read["steps"].tolist() == [0, 1, 2, 3, 4]
torch.jit.save(torch.jit.script(torch.nn.Linear(3, 3)), "old/script.pt")
states = dict(zip(("model", "optimizer"), get_state_dict(model, optimizer)))
checkpoint.save(states, checkpoint_id="old/shards")
checkpoint.load(states, checkpoint_id="old/shards")
os.remove("old/bytes")
os.rename("old/shards", "old/moved")
assert os.path.exists("old/moved/.metadata") and not os.path.exists("old/bytes")
print("ended")
