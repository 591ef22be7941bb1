# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Recurrent networks: padded and packed, in both directions."""

import torch

lstm = torch.nn.LSTM(32, 64, num_layers=2, batch_first=True, dropout=0.1).cuda()
head = torch.nn.Linear(64, 4).cuda()
optimizer = torch.optim.Adam([*lstm.parameters(), *head.parameters()])
for _ in range(2):
    y, _ = lstm(torch.randn(8, 20, 32, device="cuda"))
    head(y[:, -1]).sum().backward()
    optimizer.step()
    optimizer.zero_grad()
packed = torch.nn.utils.rnn.pack_padded_sequence(torch.randn(3, 7, 32, device="cuda"), [7, 5, 2],
                                                 batch_first=True)
padded, lengths = torch.nn.utils.rnn.pad_packed_sequence(lstm(packed)[0], batch_first=True)
assert padded.shape == (3, 7, 64) and lengths.tolist() == [7, 5, 2]
for kind in (torch.nn.GRU, torch.nn.RNN):
    y, state = kind(32, 64, bidirectional=True).cuda()(torch.randn(5, 2, 32, device="cuda"))
    assert y.shape == (5, 2, 128) and state.shape == (2, 2, 64)
    y.sum().backward()
print("ended")
