# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""torch's context parallelism, as accelerate runs it: `context_parallel` splits the batch and turns
scaled_dot_product_attention into ring attention; FSDP2 shards over data and context ranks."""

import contextlib

import torch
from torch.distributed import _functional_collectives as collectives
from torch.distributed.tensor.experimental import context_parallel
from torch.distributed.tensor.experimental._context_parallel import _attention

import training

ROTATIONS = {"ring": "alltoall", "all-gather": "allgather"}


class Batch(training.Batch):
    """Whole sequences with their positions, of which context_parallel leaves a rank's part."""

    def __init__(self, plan):
        super().__init__(plan)
        self.positions = torch.arange(self.tokens.shape[1], device="cuda")[None]


def batches(plan, mesh):
    """The context in which a micro-batch runs, forward and backward."""
    _attention.set_rotate_method(ROTATIONS[plan["parallel"].get("context_exchange", "ring")])
    # Collectives on fake tensors are waited for at once, those on a GPU when their result is used.
    collectives._maybe_wrap_tensor = lambda tensor: tensor
    _attention._maybe_wait = collectives.wait_tensor

    @contextlib.contextmanager
    def part(plan):
        batch = Batch(plan)
        buffers = [batch.tokens, batch.labels, batch.positions]
        with context_parallel(mesh, buffers=buffers, buffer_seq_dims=[1] * len(buffers),
                              no_restore_buffers=set(buffers)):
            yield batch

    return part
