# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Losses by the names of the plan document: the loss, and what the loop's variable holds."""

import torch
from torch.nn import functional as F
from transformers.loss.loss_utils import ForCausalLMLoss

import extensions
import models


def of(plan, model, batch):
    return KINDS[plan.get("loss", "hf-upcast")](plan, model, batch)


def hugging_face(plan, model, batch):
    """outputs = model(**batch); outputs.loss.backward(): the logits live as long as `outputs`. A
    model that is not transformers' own has a loss of its own; transformers' is taken all the same."""
    if plan["model"]["config"]["model_type"] in extensions.FLA:
        return of_logits(plan, model, batch)
    outputs = model(**{"input_ids": batch.tokens, "labels": batch.labels, **arguments(batch),
                       **batch.images})
    return outputs.loss, outputs


def of_logits(plan, model, batch):
    outputs = model(input_ids=batch.tokens, use_cache=False)
    vocabulary = plan["model"]["config"]["vocab_size"]
    return ForCausalLMLoss(outputs.logits, batch.labels, vocabulary), outputs


def plain(plan, model, batch):
    """logits = model(x); loss = F.cross_entropy(logits, …)."""
    if batch.pixels is not None:
        logits = model(pixel_values=batch.pixels).logits
        return F.cross_entropy(logits, batch.labels[:, 0]), logits
    if batch.source:
        logits = model(**batch.source, decoder_input_ids=batch.tokens, use_cache=False).logits
    else:
        logits = model(input_ids=batch.tokens, **arguments(batch)).logits
    return F.cross_entropy(logits.flatten(0, 1), batch.labels.flatten()), logits


def vocabulary_parallel(plan, model, batch):
    """torch's loss_parallel on the upcast logits of this rank's part of the vocabulary."""
    logits = model(input_ids=batch.tokens, position_ids=positions(batch), use_cache=False).logits
    return F.cross_entropy(logits.flatten(0, 1).float(), batch.labels.flatten()), logits


def arguments(batch):
    """What a model is told beside its tokens: padding hides tokens from attention."""
    told = {"position_ids": positions(batch), "use_cache": False}
    return told if batch.mask is None else {**told, "attention_mask": batch.mask}


def positions(batch):
    """Stated, because a model cannot count them where its embeddings are split along the sequence."""
    if batch.positions is not None:
        return batch.positions
    return torch.arange(batch.tokens.shape[1], device="cuda")[None]


def hidden_of(model, batch):
    return models.trunk_of(model)(
        input_ids=batch.tokens, position_ids=positions(batch), use_cache=False).last_hidden_state


def chunked(plan, model, batch):
    """torchtune's CEWithChunkedOutputLoss: one chunk of the logits is upcast at a time."""
    hidden, chunks = hidden_of(model, batch), plan["loss_chunks"]
    head = model.get_output_embeddings()
    logits = [head(part) for part in hidden.chunk(chunks, dim=1)]
    total = 0
    for part, target in zip(logits, batch.labels.chunk(chunks, dim=1)):
        total = total + F.cross_entropy(part.flatten(0, 1).float(), target.flatten(),
                                        reduction="sum")
    return total / batch.labels.numel(), logits


def selective_log_softmax(plan, model, batch):
    """A policy's loss over log-probabilities as TRL's GRPOTrainer takes them (trainer/utils.py,
    selective_log_softmax): the softmax of one sequence at a time."""
    logits = model(input_ids=batch.tokens, use_cache=False).logits[:, :-1]
    logits.div_(0.9)
    rows = [F.log_softmax(row, dim=-1).gather(-1, labels[:, None])
            for row, labels in zip(logits, batch.labels[:, 1:])]
    return -torch.stack(rows).mean(), None


KINDS = {
    "hf-upcast": hugging_face,
    "hf-padded": hugging_face,
    "cross-entropy": plain,
    "cross-entropy-fp32": plain,
    "chunked": chunked,
    "linear-fused": hugging_face,  # the model's own forward, as Liger replaces it
    "loss-parallel": vocabulary_parallel,
    "selective-log-softmax": selective_log_softmax,
}
