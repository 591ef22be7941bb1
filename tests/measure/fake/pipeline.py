# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""One stage of a pipeline under the schedules of torch.distributed.pipelining; what comes from a
neighbour is an empty tensor of its shape."""

import torch
from torch import nn
from torch.distributed.pipelining import PipelineStage, schedules
from torch.nn import functional as F

import models
import optimizers
import training

KINDS = {"1f1b": "Schedule1F1B", "gpipe": "ScheduleGPipe",
         "zero-bubble": "ScheduleInterleavedZeroBubble"}


class Part(nn.Module):
    """The stage's blocks, with the embedding before the first and norm and head after the last."""

    def __init__(self, model, layers, first, last, watch):
        super().__init__()
        trunk = models.trunk_of(model)
        self.rotary = trunk.rotary_emb
        self.embedding = trunk.embed_tokens if first else None
        self.layers = nn.ModuleList(models.blocks_of(model)[i] for i in layers)
        self.norm = trunk.norm if last else None
        self.head = model.lm_head if last else None
        self.watch = watch

    def forward(self, x):
        self.watch("forward")
        x = self.embedding(x) if self.embedding else x
        positions = torch.arange(x.shape[1], device="cuda")[None]
        turned = self.rotary(x, position_ids=positions)
        for layer in self.layers:
            x = layer(x, attention_mask=None, position_ids=positions, position_embeddings=turned)
        if not self.head:
            return x
        x = self.norm(x)
        self.watch("loss")
        return self.head(x)


def loss_of(logits, labels):
    """As Hugging Face's loss: fp32 logits."""
    return F.cross_entropy(logits.flatten(0, 1).float(), labels.flatten())


def run(plan, meter, mesh):
    meter.mark("load")
    parallel, batch = plan["parallel"], plan["batch"]
    ranks, rank = parallel["pipeline"], parallel.get("stage", 0)
    chunks, micros = parallel.get("virtual_stages", 1), batch["accumulation_steps"]
    model = models.build(plan)
    total = ranks * chunks
    size = len(models.blocks_of(model)) // total
    moment = [""]

    def watch(name):
        meter.mark(f"{moment[0]} {name}")

    shape = (batch["micro_batch"], batch["sequence_length"])
    kind = models.weight_type(plan)
    wide = (*shape, plan["model"]["config"]["hidden_size"])
    stages = []
    for place in range(rank, total, ranks):
        first, last = place == 0, place == total - 1
        part = Part(model, range(place * size, (place + 1) * size), first, last, watch)
        tokens = torch.empty(shape, dtype=torch.int64, device="meta")
        hidden = torch.empty(wide, dtype=kind, device="meta", requires_grad=True)
        out = torch.empty((*shape, plan["model"]["config"]["vocab_size"]), dtype=kind,
                          device="meta", requires_grad=True)
        stages.append(PipelineStage(part, place, total, torch.device("cuda", 0),
                                    input_args=(tokens if first else hidden,),
                                    output_args=(out if last else hidden,), group=mesh.get_group()))
    del model
    parts = nn.ModuleList(stage.submod for stage in stages)
    training.own(meter, parts)
    name = KINDS[parallel.get("schedule", "1f1b")]
    if chunks > 1 and name == "Schedule1F1B":
        name = "ScheduleInterleaved1F1B"
    kind = getattr(schedules, name)
    many = issubclass(kind, schedules.PipelineScheduleMulti)
    schedule = kind(stages if many else stages[0], micros, loss_fn=loss_of)
    optimizer = optimizers.of(plan, parts)
    holds_first, holds_last = stages[0].is_first, stages[-1].is_last
    for step in range(training.STEPS):
        moment[0] = f"step {step}"
        watch("forward")
        whole = (micros * shape[0], shape[1])
        tokens = torch.zeros(whole, dtype=torch.int64, device="cuda")
        labels = torch.zeros(whole, dtype=torch.int64, device="cuda") if holds_last else None
        losses = [] if holds_last else None
        schedule.step(*([tokens] if holds_first else []), target=labels, losses=losses,
                      return_outputs=False)
        meter.label(training._gradients(parts), "gradients")
        del tokens, labels, losses
        watch("optimizer")
        optimizer.step()
        meter.label(training._states(optimizer), "optimizer states")
        optimizer.zero_grad(set_to_none=True)
        watch("rest")
