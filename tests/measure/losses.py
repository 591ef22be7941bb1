# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Losses by the names of the plan document. Each takes hidden states and gives a scalar; the second
value is what the training loop's variable keeps alive until backward is over, or None."""

import torch
from torch.nn import functional as F

import meter


def of(model, x, labels):
    if model.norm is None:  # BERT's classifier
        return F.cross_entropy(model.switches.wide(model.head(x)), labels[:, 0] % 2), None
    return KINDS[model.plan.get("loss")](model, x, labels)


def plain(model, x, labels):
    """logits = model(x); loss = F.cross_entropy(logits, …): the loop holds the logits."""
    logits = model.head(x)
    return F.cross_entropy(logits.flatten(0, 1), labels.flatten()), logits


def hugging_face(model, x, labels):
    """As ForCausalLMLoss since transformers 4.46: the logits' own variable, their fp32 copy and the
    shifted copy live until the loss is there."""
    logits = model.head(x)
    wide = logits.float()
    shifted = wide[:, :-1].contiguous()
    return F.cross_entropy(shifted.flatten(0, 1), labels[:, 1:].flatten()), None


def chunked(model, x, labels):
    """torchtune's CEWithChunkedOutputLoss: the logits are cut along the sequence and only one chunk
    is upcast at a time in forward."""
    chunks = model.plan["loss_chunks"]
    logits = [model.head(part) for part in x.chunk(chunks, dim=1)]
    total = 0
    for part, target in zip(logits, labels.chunk(chunks, dim=1)):
        total = total + F.cross_entropy(part.flatten(0, 1).float(), target.flatten(),
                                        reduction="sum")
    return total / labels.numel(), logits


class FusedLinear(torch.autograd.Function):
    """Liger's fused linear cross-entropy: chunk by chunk, logits are made, turned into their own
    gradient in place, and used up; the gradients of input and weight are ready in forward."""

    @staticmethod
    def forward(ctx, x, weight, labels, chunks):
        grad_x = torch.zeros_like(x)
        grad_weight = torch.zeros_like(weight) if weight.requires_grad else None
        total = 0.0
        for part, target, out in zip(x.chunk(chunks), labels.chunk(chunks), grad_x.chunk(chunks)):
            logits = part @ weight.t()
            with meter.fused_kernel():
                wide = logits.float()
                total += F.cross_entropy(wide, target, reduction="sum").item()
                wide = torch.softmax(wide, -1)
                wide[torch.arange(len(target)), target] -= 1
                logits.copy_(wide / len(labels))
                del wide
            out.copy_(logits @ weight)
            if grad_weight is not None:
                torch.addmm(grad_weight, logits.t(), part, out=grad_weight)
        ctx.save_for_backward(grad_x, grad_weight)
        return x.new_tensor(total / len(labels), dtype=torch.float32)

    @staticmethod
    def backward(ctx, grad):
        grad_x, grad_weight = ctx.saved_tensors
        grad_x.mul_(grad)
        if grad_weight is not None:
            grad_weight.mul_(grad)
        return grad_x, grad_weight, None, None


def fused_linear(model, x, labels):
    x = x.flatten(0, 1)
    # Liger's number of chunks: the logits of one take about as much as the hidden states.
    width = x.shape[1]
    chunks = -(-model.shape.vocab // width)
    return FusedLinear.apply(x, model.head.weight, labels.flatten(), chunks), None


KINDS = {
    "cross-entropy-fp32": plain,
    "hf-upcast": hugging_face,
    "chunked": chunked,
    "linear-fused": fused_linear,
}
