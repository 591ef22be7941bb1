# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the training loop that a plan document describes and gives the figures of the document's
answer: a step is the same for one process, a rank of several, and a pipeline stage."""

import contextlib

import torch

import meter
import model as models
import optimizers

STEPS = 2  # the last one is the steady state


class Batch:
    """Tokens, labels and mask, as a data loader hands them over."""

    def __init__(self, plan):
        batch = plan["batch"]
        vocab = plan["model"]["config"]["vocab_size"]
        shape = (batch["micro_batch"], batch["sequence_length"])
        self.tokens = torch.randint(vocab, shape)
        self.labels = torch.randint(vocab, shape)
        self.mask = torch.ones(shape, dtype=torch.int64)


def weight_type(plan):
    return torch.bfloat16 if plan["precision"]["regime"] == "pure-bf16" else torch.float32


def build(plan, **parts):
    """The model in the type of its weights; adapters keep their own."""
    torch.manual_seed(0)
    before = torch.get_default_dtype()
    torch.set_default_dtype(weight_type(plan))
    try:
        return models.Model(plan, **parts)
    finally:
        torch.set_default_dtype(before)


def optimizer_of(plan, model):
    outside = [p for part in (model.embeddings, model.head) if part is not None
               for p in part.parameters()]
    trained = [p for p in model.parameters() if p.requires_grad]
    if plan["optimizer"].get("implementation") == "in-backward":
        return InBackward(plan, trained, outside)
    return optimizers.of(plan, trained, outside)


class InBackward:
    """Each parameter is updated, and its gradient dropped, as soon as the gradient is there."""

    def __init__(self, plan, parameters, outside):
        self.accumulators = []
        plan = {**plan, "optimizer": {**plan["optimizer"], "implementation": "for-loop"}}
        for parameter in parameters:
            own = optimizers.of(plan, [parameter], outside)
            accumulator = parameter.expand_as(parameter).grad_fn.next_functions[0][0]
            accumulator.register_hook(lambda *_, own=own: (own.step(), own.zero_grad(True))[0])
            self.accumulators.append(accumulator)

    def zero_grad(self, set_to_none=True):
        pass

    def step(self):
        pass


def autocast(plan):
    if not plan["precision"]["regime"].startswith("autocast"):
        return contextlib.nullcontext()
    return torch.autocast("cpu", dtype=torch.bfloat16)


def micro_step(plan, model, kept):
    """Forward, loss and backward of one micro-batch. `kept` holds what outlives it."""
    batch = Batch(plan)
    with autocast(plan):
        loss, logits = model(batch.tokens, batch.labels)
    if plan.get("loss_keep_logits"):
        kept["logits"] = logits
    loss.backward()


def loop(plan, model, optimizer, micro=micro_step, before_last=None):
    zero_grad = plan["optimizer"].get("zero_grad", "after-step")
    kept = {}
    for step in range(STEPS):
        if before_last and step == STEPS - 1:
            before_last()
        models.watch.step = f"step {step}"
        with meter.phase(f"step {step}"):
            if zero_grad == "before-forward":
                optimizer.zero_grad(set_to_none=True)
            for _ in range(plan["batch"].get("accumulation_steps", 1)):
                micro(plan, model, kept)
            with meter.phase(f"step {step} optimizer"):
                optimizer.step()
            if zero_grad != "before-forward":
                optimizer.zero_grad(set_to_none=zero_grad == "after-step")


def run(plan, before_last=None):
    """One process trains the whole model; `before_last` is called before the last step."""
    with meter.phase("load"):
        model = build(plan)
        optimizer = optimizer_of(plan, model)
    loop(plan, model, optimizer, before_last=before_last)
    return facts(model)


def facts(model):
    """What the plan document states of the model that was built."""
    return {
        "buffers": sum(b.numel() * b.element_size() for b in model.buffers()),
        "parameters": sum(p.numel() for p in model.parameters()),
    }


LAST = f"step {STEPS - 1}"
FIGURES = {
    "peak.allocated": lambda history: history.peak(LAST),
    "first_step_peak.allocated": lambda history: history.peak("step 0"),
    "at_rest.allocated": lambda history: history.at_end(LAST),
    "moments.optimizer step.allocated": lambda history: history.peak(f"{LAST} optimizer"),
    "moments.loss.allocated": lambda history: history.peak(
        f"{LAST} loss", f"{LAST} gradient of head input"),
}


class Figures:
    """Reads the named figures out of a history; a class, so that it can be sent to a rank."""

    def __init__(self, names):
        self.names = names

    def __call__(self, history):
        return {name: FIGURES[name](history) for name in self.names}
