# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Two training steps of a plan document on the fake device, and what its answer's figures were."""

import contextlib

import torch

import losses
import models
import optimizers
import quantised
import trainer
import vision

STEPS = 2  # the last one is the steady state


class Batch:
    """Tokens and labels, as a data loader hands them over."""

    positions = None  # stated where they are not counted from 0
    images = {}
    mask = None  # 0 where a token is padding

    def __init__(self, plan):
        batch = plan["batch"]
        shape = (batch["micro_batch"], batch["sequence_length"])
        self.tokens = torch.zeros(shape, dtype=torch.int64, device="cuda")
        self.labels = torch.zeros(shape, dtype=torch.int64, device="cuda")
        if batch.get("attention_mask"):
            self.mask = torch.ones(shape, dtype=torch.int64, device="cuda")
        self.source = source(plan)
        self.pixels = pixels(plan)
        if vision.sees(plan):
            self.images = vision.images(plan)


def source(plan):
    """What an encoder reads: tokens, or 30 seconds of sound as spectra in the type of the weights."""
    config, batch = plan["model"]["config"], plan["batch"]
    if config["model_type"] == "whisper":
        shape = (batch["micro_batch"], config["num_mel_bins"], 2 * config["max_source_positions"])
        return {"input_features": torch.zeros(shape, dtype=models.weight_type(plan), device="cuda")}
    if config["model_type"] in models.SOURCES:
        length = batch.get("source_length", batch["sequence_length"])
        shape = (batch["micro_batch"], length)
        tokens = torch.zeros(shape, dtype=torch.int64, device="cuda")
        padding = {"attention_mask": torch.ones_like(tokens)} if batch.get("attention_mask") else {}
        return {"input_ids": tokens, **padding}
    return {}


def pixels(plan):
    """Pictures in fp32, as an image processor gives them, of a model that reads nothing else."""
    config = plan["model"]["config"]
    if config["model_type"] not in models.PICTURES:
        return None
    side = config.get("crop_size", config["image_size"])
    shape = (plan["batch"]["micro_batch"], config["num_channels"], side, side)
    return torch.zeros(shape, device="cuda")


@contextlib.contextmanager
def whole_batch(plan):
    yield Batch(plan)


def autocast(plan):
    regime = plan["precision"]["regime"]
    if not regime.startswith("autocast") or plan.get("trainer") == "hf":  # around the model alone
        return contextlib.nullcontext()
    kind = torch.float16 if regime.endswith("fp16") else torch.bfloat16
    return torch.autocast("cuda", dtype=kind)


def parallel_loss(plan):
    if plan.get("loss") != "loss-parallel":
        return contextlib.nullcontext()
    from torch.distributed.tensor.parallel import loss_parallel
    return loss_parallel()


class Watch:
    """Marks the moments of a step: the loss begins where the head does; a block's backward pass is
    over when its input's gradient is there."""

    def __init__(self, meter, model):
        self.meter, self.model, self.micro = meter, model, ""
        self.batches = whole_batch  # where a micro-batch comes from
        head = model.get_output_embeddings() if hasattr(model, "get_output_embeddings") else None
        head = head if head is not None else getattr(model, "classifier", None)
        if head is not None:
            head.register_forward_pre_hook(self._head)
        norm = getattr(models.trunk_of(model), "norm", None)
        if norm is not None:  # a fused loss takes the head's weight and never calls it
            norm.register_forward_hook(lambda module, _, out: self._head(module, (out,)))
        for number, block in enumerate(models.blocks_of(model)):
            block.register_forward_pre_hook(
                lambda module, args, kwargs, number=number: self._block(
                    module, args, kwargs, number), with_kwargs=True)

        for number, block in enumerate(list(vision.tower_blocks(model)) +
                                       list(models.encoder_blocks(model))):
            block.register_forward_pre_hook(
                lambda *_, number=number: self._enter(vision.TOWER + number))

    def mark(self, moment):
        self.meter.mark(f"{self.micro} {moment}")

    def _head(self, module, args):
        self._whole(self.model)
        if self.meter.moment.endswith(" forward"):
            self.mark("loss")
            self._when_done(args[0], "backward of the blocks")

    def _whole(self, module):
        """What is sharded elsewhere is whole here; the plain model's parameters keep their name."""
        self.meter.label([p.data for p in module.parameters()], "gathered parameters")

    def _block(self, module, args, kwargs, number):
        self._whole(module if number else self.model)
        x = args[0] if args else kwargs["hidden_states"]
        if "forward" in self.meter.moment:
            self._enter(number)
            self._when_done(x, f"backward below block {number}")

    def _enter(self, number):
        self.meter.entries[number] = self.meter.live[-1]

    def _when_done(self, x, moment):
        if x.requires_grad:
            x.register_hook(lambda _: self.mark(moment))


def micro_step(plan, model, watch, kept):
    """Forward, loss and backward of one micro-batch; `kept` is what the loop's variables hold."""
    with watch.batches(plan) as batch, parallel_loss(plan):
        watch.mark("forward")
        with autocast(plan):
            loss, outputs = losses.of(plan, model, batch)
        if plan.get("loss_keep_outputs"):
            kept["outputs"] = outputs
        del outputs
        watch.mark("loss, backward")
        loss.backward()


def train(plan, meter, model, optimizer, watch, micro=micro_step):
    zero_grad = plan["optimizer"].get("zero_grad", "after-step")
    meter.numbers[torch.bool] = not plan["batch"].get("attention_mask")  # whether no token is padding
    kept = {}
    for step in range(STEPS):
        if zero_grad == "before-forward":
            optimizer.zero_grad(set_to_none=True)
        for number in range(plan["batch"].get("accumulation_steps", 1)):
            watch.micro = f"step {step} micro {number}"
            watch.last = number == plan["batch"].get("accumulation_steps", 1) - 1
            micro(plan, model, watch, kept)
            watch.mark("end of backward")
            meter.label(_gradients(model), "gradients")
        if not plan.get("loss_keep_logits"):
            kept.clear()
        watch.micro = f"step {step}"
        watch.mark("optimizer")
        optimizer.step()
        meter.label(_states(optimizer), "optimizer states")
        if zero_grad != "before-forward":
            optimizer.zero_grad(set_to_none=zero_grad == "after-step")
        watch.mark("rest")


def _gradients(model):
    return [p.grad for p in model.parameters() if p.grad is not None]


def _states(optimizer):
    return [value for state in getattr(optimizer, "state", {}).values() for value in state.values()
            if isinstance(value, torch.Tensor)]


def run(plan, meter):
    """One process trains the whole model."""
    meter.mark("load")
    model = models.build(plan)
    trainer.under_autocast(plan, model)
    own(meter, model)
    optimizer = optimizers.of(plan, model)
    train(plan, meter, model, optimizer, Watch(meter, model))
    return model


def own(meter, model):
    meter.label(list(model.parameters()) + quantised.scales(model), "parameters")
    meter.label(list(model.buffers()), "buffers")


LAST = f"step {STEPS - 1}"
FIGURES = {
    "peak.allocated": lambda name: name.startswith(LAST),
    "first_step_peak.allocated": lambda name: name.startswith("step 0"),
    "moments.forward.allocated": lambda name: name.startswith(LAST) and name.endswith(" forward"),
    "moments.loss.allocated": lambda name: name.startswith(LAST) and " loss" in name,
    "moments.first backward block.allocated":
        lambda name: name.startswith(LAST) and name.endswith("backward of the blocks"),
    "moments.last backward block.allocated":
        lambda name: name.startswith(LAST) and name.endswith("backward below block 1"),
    "moments.optimizer step.allocated": lambda name: name == f"{LAST} optimizer",
}
REST = "at_rest.allocated"


def saved_by(meter, layers):
    """What blocks save for backward: what is more when the next one begins. The first one, whose
    input a variable of the model holds, and the last one, which the final norm follows, save what
    the others do."""
    each = [meter.entries[layer + 1] - meter.entries[layer] for layer in layers
            if layer > 0 and layer + 1 in meter.entries]
    size = sum(each) * len(layers) // len(each)
    return {"bytes": size, "moment": f"{LAST} micro 0 forward", "categories": {}}


def figures(meter, names):
    """Each figure's bytes, moment and categories."""
    result = {}
    for name in names:
        if isinstance(name, tuple):
            component, layers = name
            result[component] = saved_by(meter, layers)
            continue
        if name == REST:
            index = meter.marks[-1][0] - 1  # the last mark says that the step is over
            value = meter.live[index]
        else:
            value, index = meter.peak(FIGURES[name])
        moment = [mark for start, mark in meter.marks if start <= index][-1]
        result[name] = {"bytes": value, "moment": moment, "categories": meter.categories(index)}
    return result
