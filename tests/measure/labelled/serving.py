# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs that answer requests: models that run forward alone, with caches."""
import random
import torch, torch.nn as nn, torch.nn.functional as F
from models import Decoder, EncoderLayer, FixedCache, GrowingCache, tokens
from recorder import DEV, program


# --- file: /srv/spec/engine.py
class Speculator:
    """A small model drafts four tokens, the large one checks them in one pass."""

    def __init__(self, L, large, small, length):
        self.L, self.large, self.small = L, large, small
        self.caches = [[FixedCache(1, 2, length, layer.attention.size) for layer in model.layers] for model in (large, small)]
        L.kv([[(cache.keys, cache.values) for cache in caches] for caches in self.caches])

    def rewind(self, length):
        for caches in self.caches:
            for cache in caches:
                cache.length = length

    def draft(self, token, count):
        drafted = [token]
        for _ in range(count):
            drafted.append(self.small(drafted[-1], self.caches[1])[:, -1:].argmax(-1))
        return torch.cat(drafted, dim=1)

    def answer(self, prompt, count):
        self.rewind(0)
        self.small(prompt, self.caches[1])
        token, length = self.large(prompt, self.caches[0])[:, -1:].argmax(-1), prompt.shape[1]
        for _ in range(count):
            ids = self.draft(token, 4)
            wanted = self.large(ids, self.caches[0]).argmax(-1)
            length += 1 + int((wanted[:, :-1] == ids[:, 1:]).cumprod(1).sum())
            token = wanted[:, :1]
            self.rewind(length)


@program("Speculative decoding: two models, two fixed caches", torch="2.6", stacks="python", scale=16)
def p_speculative(L):
    def main(L):
        L.unit = "request"
        large = L.module(Decoder(vocab=2000, width=256, layers=3).eval().to(DEV))
        small = L.module(Decoder(vocab=2000, width=64, layers=1, heads=2).eval().to(DEV))
        engine = Speculator(L, large, small, 512)
        with torch.inference_mode(), L.at("inference"):
            for i in range(4):
                with L.step():
                    engine.answer(tokens(L, 1, 96 + 24 * (i % 3), 2000), 2)
        return engine
    L.start()
    return main(L)


# --- file: /srv/paged/scheduler.py
class PagedCache:
    """Pages of 16 tokens in one tensor per layer; pages of known prefixes are shared."""

    def __init__(self, layers, pages, shared, size):
        self.layers = [torch.zeros(2, pages, 16, shared, size, device=DEV) for _ in range(layers)]
        self.free, self.prefixes = list(range(pages)), {}

    def take(self, ids):
        """Pages of a prompt, and how many tokens of it are there already."""
        pages, known = [], 0
        for start in range(0, len(ids), 16):
            key = tuple(ids[:start + 16])
            if key in self.prefixes and len(key) == start + 16:
                known += 16
            else:
                self.prefixes[key] = self.free.pop()
            pages.append(self.prefixes[key])
        return pages, min(known, len(ids) - 1)


class PageView:
    """The cache of one sequence in one layer."""

    def __init__(self, store, pages, length):
        self.store, self.length = store, length
        self.slots = [page * 16 + i for page in pages for i in range(16)]

    def update(self, k, v):
        end = self.length + k.shape[2]
        flat = self.store.view(2, -1, *self.store.shape[3:])
        flat[0, self.slots[self.length:end]] = k[0].transpose(0, 1)
        flat[1, self.slots[self.length:end]] = v[0].transpose(0, 1)
        self.length = end
        keys, values = flat[0, self.slots[:end]], flat[1, self.slots[:end]]
        return keys.transpose(0, 1)[None], values.transpose(0, 1)[None]


class Server:
    def __init__(self, L, model, pages):
        attention = model.layers[0].attention
        self.L, self.model = L, model
        self.cache = PagedCache(len(model.layers), pages, attention.shared, attention.size)
        L.kv(self.cache.layers)

    def prefill(self, ids):
        pages, known = self.cache.take(ids)
        pages.append(self.cache.free.pop())
        views = [PageView(store, pages, known) for store in self.cache.layers]
        new = self.L.inputs(torch.tensor([ids[known:]]).to(DEV))
        return views, self.model(new, views)[:, -1:].argmax(-1)

    def iterate(self, running):
        for i, (views, token) in enumerate(running):
            running[i] = (views, self.model(token, views)[:, -1:].argmax(-1))


@program("Continuous batching over a paged cache that shares prefixes", torch="2.10", stacks="python", scale=16)
def p_paged_prefix(L):
    def main(L):
        L.unit = "request"
        chance = random.Random(5)
        server = Server(L, L.module(Decoder(vocab=2000, width=192, layers=2).eval().to(DEV)), 640)
        system = [chance.randrange(2000) for _ in range(64)]
        running = []
        with torch.inference_mode(), L.at("inference"):
            for _ in range(9):
                with L.step():
                    running.append(server.prefill(system + [chance.randrange(2000) for _ in range(chance.choice((20, 45, 90)))]))
                    server.iterate(running)
                    if len(running) == 4:
                        running.pop(0)
        return server, running
    L.start()
    return main(L)


# --- file: /srv/rerank/app.py
class Reranker(nn.Module):
    def __init__(self, vocab=8000, width=192):
        super().__init__()
        self.embed = nn.Embedding(vocab, width)
        self.layers = nn.ModuleList(EncoderLayer(width, 4) for _ in range(3))
        self.score = nn.Linear(width, 1)

    def forward(self, ids):
        x = self.embed(ids)
        for layer in self.layers:
            x = layer(x)
        return self.score(x[:, 0]).squeeze(-1)


@program("Reranker: batches of pairs of changing size, half precision", stacks="all", scale=16)
def p_reranker(L):
    def main(L):
        L.unit = "request"
        chance = random.Random(11)
        model = L.module(Reranker().half().eval().to(DEV))

        def rank(pairs):
            scores = [model(chunk).float() for chunk in pairs.split(8)]
            return torch.cat(scores).argsort(descending=True).tolist()
        with torch.inference_mode(), L.at("inference"):
            for _ in range(14):
                with L.step():
                    rank(tokens(L, chance.choice((4, 12, 20)), chance.choice((48, 96, 160)), 8000))
        return model
    L.start()
    return main(L)


# --- file: /srv/sampler/sample.py
class Denoiser(nn.Module):
    def __init__(self, channels=64):
        super().__init__()
        self.time, self.text = nn.Linear(1, channels), nn.Linear(128, channels)
        self.first = nn.Conv2d(4, channels, 3, padding=1)
        self.down = nn.Conv2d(channels, 2 * channels, 3, 2, 1)
        self.middle = nn.ModuleList(nn.Conv2d(2 * channels, 2 * channels, 3, padding=1) for _ in range(3))
        self.up = nn.ConvTranspose2d(2 * channels, channels, 2, 2)
        self.last = nn.Conv2d(2 * channels, 4, 3, padding=1)

    def forward(self, x, t, text):
        h = self.first(x) + (self.time(t) + self.text(text))[:, :, None, None]
        y = self.down(F.silu(h))
        for layer in self.middle:
            y = y + layer(F.silu(y))
        return self.last(torch.cat([self.up(y), h], dim=1))


@program("Diffusion sampling with classifier-free guidance, then a decoder", torch="2.6", stacks="python", scale=32)
def p_guided_sampling(L):
    def main(L):
        L.unit = "request"
        denoiser = L.module(Denoiser().eval().to(DEV))
        decoder = L.module(nn.Sequential(nn.ConvTranspose2d(4, 64, 4, 2, 1), nn.SiLU(), nn.ConvTranspose2d(64, 32, 4, 2, 1), nn.SiLU(),
                                         nn.Conv2d(32, 3, 3, padding=1)).eval().to(DEV))

        def sample(text, steps):
            x = torch.randn(2, 4, 32, 32, device=DEV)
            both = torch.cat([torch.zeros_like(text), text])
            for i in range(steps):
                t = torch.full((4, 1), 1 - i / steps, device=DEV)
                plain, guided = denoiser(torch.cat([x, x]), t, both).chunk(2)
                x = x - (plain + 5 * (guided - plain)) / steps
            return decoder(x).clamp(-1, 1).cpu()
        with torch.no_grad(), L.at("inference"):
            for _ in range(5):
                with L.step():
                    sample(L.inputs(torch.randn(2, 128).to(DEV)), 6)
        return denoiser, decoder
    L.start()
    return main(L)


# --- file: /srv/speech/transcribe.py
class Speech(nn.Module):
    def __init__(self, vocab=3000, width=160):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv1d(80, width, 3, padding=1), nn.GELU(), nn.Conv1d(width, width, 3, 2, 1), nn.GELU())
        self.encoder = nn.ModuleList(EncoderLayer(width, 4) for _ in range(2))
        self.decoder = Decoder(vocab, width, layers=2)
        self.cross = nn.ModuleList(nn.Linear(width, 2 * width) for _ in range(2))
        self.query = nn.ModuleList(nn.Linear(width, width) for _ in range(2))

    def encode(self, sound):
        x = self.conv(sound).transpose(1, 2)
        for layer in self.encoder:
            x = layer(x)
        return [projection(x).chunk(2, -1) for projection in self.cross]

    def decode(self, ids, caches, memory):
        x = self.decoder.embed(ids)
        for layer, cache, query, (k, v) in zip(self.decoder.layers, caches, self.query, memory):
            x = layer(x, cache)
            x = x + F.scaled_dot_product_attention(query(x), k, v)
        return self.decoder.head(self.decoder.norm(x))


@program("Transcription of windows: keys and values of the sound, a growing cache of the text", stacks="python", scale=24)
def p_transcription(L):
    def main(L):
        L.unit = "request"
        model = L.module(Speech().eval().to(DEV))

        def transcribe(window):
            memory = model.encode(window)
            L.kv(memory)
            caches = [GrowingCache() for _ in range(2)]
            token, text = torch.zeros(4, 1, dtype=torch.long, device=DEV), []
            for _ in range(6):
                token = model.decode(token, caches, memory)[:, -1:].argmax(-1)
                L.kv([(cache.keys, cache.values) for cache in caches])
                text.append(token.tolist())
            return text
        with torch.no_grad(), L.at("inference"):
            for _ in range(5):
                with L.step():
                    transcribe(L.inputs(torch.randn(4, 80, 400).to(DEV)))
        return model
    L.start()
    return main(L)
