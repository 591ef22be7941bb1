# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs whose memory grows, by a leak or rightly, and programs that run out of memory."""
import collections, random
import torch, torch.nn as nn, torch.nn.functional as F
from allocator import GIB
from models import Decoder, EncoderLayer, tokens
from recorder import DEV, program


# --- file: /srv/metrics/train.py
@program("Metrics that keep a value of each step with its graph", torch="2.10", stacks="python")
def p_leak_metric_graph(L):
    class Metrics:
        def __init__(self):
            self.values = collections.defaultdict(list)

        def update(self, name, value):
            self.values[name].append(value)

    def drift(model, x):
        hidden = model[:4](x)
        return (hidden - hidden.mean(0)).pow(2).mean()

    def main(L):
        model = L.module(nn.Sequential(nn.Linear(256, 1024), nn.GELU(), nn.Linear(1024, 1024), nn.GELU(), nn.Linear(1024, 64)).to(DEV))
        optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, foreach=True)
        metrics = Metrics()
        for _ in range(12):
            with L.step():
                x, y = L.inputs(torch.randn(256, 256).to(DEV)), L.inputs(torch.randint(0, 64, (256,)).to(DEV))
                loss = F.cross_entropy(model(x), y)
                metrics.update("drift", drift(model, x))
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
        return model, optimizer, metrics
    L.leak = {"site": "drift", "bytes_per_step": None, "how": "graph"}
    L.start()
    return main(L)


# --- file: /srv/validate/collect.py
@program("Training that collects outputs on the device, 2 to 8 MiB a step", torch="2.6", stacks="python")
def p_leak_outputs(L):
    def main(L):
        model = L.module(nn.Sequential(nn.Linear(512, 2048), nn.GELU(), nn.Linear(2048, 1024)).to(DEV))
        optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, fused=True)
        outputs, sizes = [], random.Random(9)

        def collect(y):
            outputs.append(y.detach().repeat(2, 1))
            L.kept(outputs[-1])
        for _ in range(16):
            with L.step():
                n = 256 * sizes.choice((1, 2, 3, 4))
                x, target = L.inputs(torch.randn(n, 512).to(DEV), torch.randn(n, 1024).to(DEV))
                y = model(x)
                collect(y)
                F.mse_loss(y, target).backward()
                optimizer.step()
                optimizer.zero_grad()
        L.leak["bytes_per_step"] = sum(one.nbytes for one in outputs) // len(outputs)
        return model, optimizer, outputs
    L.leak = {"site": "collect", "bytes_per_step": 0, "how": "list"}
    L.start()
    return main(L)


# --- file: /srv/rag/server.py
class LastUsed:
    """A cache of the last used entries, whose limit nobody set."""

    def __init__(self, limit=None):
        self.entries, self.limit = collections.OrderedDict(), limit

    def put(self, key, value):
        self.entries[key] = value
        if self.limit and len(self.entries) > self.limit:
            self.entries.popitem(last=False)


@program("Server whose cache of passages never evicts: a third of the requests add one", torch="2.10", stacks="all")
def p_leak_lru(L):
    def main(L):
        L.unit = "request"
        chance = random.Random(2)
        embed, layer = nn.Embedding(4000, 256).to(DEV), EncoderLayer(256, 4).to(DEV)
        L.module(nn.ModuleList([embed, layer]))
        cache = LastUsed()

        def passage(ids):
            kept = layer(embed(ids)).repeat(1, 4, 2)
            L.kept(kept)
            return kept

        def answer(i):
            ids = tokens(L, 1, chance.choice((60, 128, 250)), 4000)
            layer(embed(ids)).mean(1).tolist()
            if i % 3 == 0:
                cache.put(i, passage(tokens(L, 1, 250, 4000)))
        with torch.inference_mode(), L.at("inference"):
            for i in range(48):
                with L.step():
                    answer(i)
        return embed, layer, cache
    L.leak = {"site": "passage", "bytes_per_step": 250 * 4 * 512 * 4 // 3, "how": "cache"}
    L.start()
    return main(L)


# --- file: /srv/thaw/train.py
@program("No leak: layers thaw one after another, so that gradients and states come one after another", stacks="python", scale=8)
def p_thaw(L):
    def main(L):
        model = Decoder(vocab=1500, width=224, layers=3).to(DEV)
        L.module(model)
        model.requires_grad_(False)
        model.head.requires_grad_(True)
        optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, foreach=True)
        for i in range(9):
            if i % 2 == 1 and i < 6:
                model.layers[-(i // 2) - 1].requires_grad_(True)
            with L.step():
                ids = tokens(L, 2, 97, 1500)
                loss = F.cross_entropy(model(ids[:, :-1]).flatten(0, 1), ids[:, 1:].flatten())
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
        return model, optimizer
    L.start()
    return main(L)


# --- file: /srv/curriculum/train.py
@program("No leak: a curriculum of longer and longer sequences", torch="2.6", stacks="python", scale=8)
def p_curriculum(L):
    def main(L):
        model = L.module(Decoder(vocab=1000, width=128, layers=2).to(DEV))
        optimizer = torch.optim.RMSprop(model.parameters(), lr=1e-3, momentum=0.9, foreach=True)
        for i in range(9):
            with L.step():
                ids = tokens(L, 4, 33 + 24 * i, 1000)
                loss = F.cross_entropy(model(ids[:, :-1]).flatten(0, 1), ids[:, 1:].flatten())
                loss.backward()
                optimizer.step()
                optimizer.zero_grad()
        return model, optimizer
    L.start()
    return main(L)


# --- file: /srv/oom/batch.py
@program("OOM: the activations of a batch that is too large", torch="2.10", stacks="all", capacity=24 * GIB, scale=256)
def p_oom_batch(L):
    L.oom = {"cause": ["full"], "what": "batch too large"}

    def main(L):
        model = L.module(Decoder(vocab=1000, width=192, layers=6).to(DEV))
        optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, foreach=True)
        for _ in range(3):
            with L.step():
                ids = tokens(L, 16, 129, 1000)
                loss = F.cross_entropy(model(ids[:, :-1]).flatten(0, 1), ids[:, 1:].flatten())
                loss.backward()
                optimizer.step()
        return model, optimizer
    L.start()
    return main(L)


# --- file: /srv/oom/first_backward.py
@program("OOM: the first backward pass, in the gradient of the logits", torch="2.6", stacks="all", capacity=16 * GIB, scale=256)
def p_oom_first_backward(L):
    L.oom = {"cause": ["full"], "what": "first backward pass"}

    def main(L):
        model = L.module(Decoder(vocab=8000, width=128, layers=2).to(DEV))
        optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, foreach=True)
        for _ in range(3):
            with L.step():
                ids = tokens(L, 4, 129, 8000)
                loss = F.cross_entropy(model(ids[:, :-1]).flatten(0, 1), ids[:, 1:].flatten())
                loss.backward()
                optimizer.step()
        return model, optimizer
    L.start()
    return main(L)


# --- file: /srv/oom/ragged.py
@program("OOM: each upload leaves a hole that is too small for the next", stacks="python", capacity=3 * GIB, scale=16)
def p_oom_fragmented(L):
    L.oom = {"cause": ["fragmented"], "what": "holes"}
    L.leak = {"site": "index", "bytes_per_step": None, "how": "list"}

    def main(L):
        L.unit = "request"
        model = L.module(nn.Sequential(nn.Linear(1024, 256), nn.GELU(), nn.Linear(256, 1)).eval().to(DEV))
        chosen = []

        def index(rows):
            padded = torch.randn(rows, 1024)
            scores = model(L.inputs(padded.to(DEV))).squeeze(1)
            best = scores.topk(rows * 6 // 10).indices.cpu()
            del scores
            chosen.append(padded[best].to(DEV))
            L.kept(chosen[-1])
        with torch.no_grad(), L.at("inference"):
            for i in range(40):
                with L.step():
                    index(640 + 48 * i)
        return model, chosen
    L.start()
    return main(L)
