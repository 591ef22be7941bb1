# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Models that several programs share."""
import torch, torch.nn as nn, torch.nn.functional as F
from recorder import DEV

# --- file: /srv/nets/decoder.py
class RMSNorm(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * self.weight


class Attention(nn.Module):
    """Causal attention with shared keys; cache: (keys, values, length) of this layer."""

    def __init__(self, width, heads, shared, linear=nn.Linear):
        super().__init__()
        self.heads, self.shared, self.size = heads, shared, width // heads
        self.q, self.o = linear(width, width, bias=False), linear(width, width, bias=False)
        self.k, self.v = (linear(width, shared * self.size, bias=False) for _ in range(2))

    def forward(self, x, cache=None):
        b, t, _ = x.shape
        q = self.q(x).view(b, t, self.heads, self.size).transpose(1, 2)
        k, v = (f(x).view(b, t, self.shared, self.size).transpose(1, 2) for f in (self.k, self.v))
        if cache is not None:
            k, v = cache.update(k, v)
        k, v = (z.repeat_interleave(self.heads // self.shared, dim=1) for z in (k, v))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=t > 1)
        return self.o(y.transpose(1, 2).reshape(b, t, -1))


class Layer(nn.Module):
    def __init__(self, width, heads, shared, linear=nn.Linear):
        super().__init__()
        self.norm1, self.norm2 = RMSNorm(width), RMSNorm(width)
        self.attention = Attention(width, heads, shared, linear)
        self.gate, self.up = (linear(width, 3 * width, bias=False) for _ in range(2))
        self.down = linear(3 * width, width, bias=False)

    def forward(self, x, cache=None):
        x = x + self.attention(self.norm1(x), cache)
        y = self.norm2(x)
        return x + self.down(F.silu(self.gate(y)) * self.up(y))


class Decoder(nn.Module):
    def __init__(self, vocab=4000, width=192, layers=2, heads=4, shared=2, linear=nn.Linear):
        super().__init__()
        self.embed = nn.Embedding(vocab, width)
        self.layers = nn.ModuleList(Layer(width, heads, shared, linear) for _ in range(layers))
        self.norm, self.head = RMSNorm(width), nn.Linear(width, vocab, bias=False)

    def forward(self, ids, caches=None):
        x = self.embed(ids)
        for layer, cache in zip(self.layers, caches or [None] * len(self.layers)):
            x = layer(x, cache)
        return self.head(self.norm(x))


class GrowingCache:
    """Keys and values of a layer, joined with each new token's."""

    def __init__(self):
        self.keys = self.values = None

    def update(self, k, v):
        self.keys = k if self.keys is None else torch.cat([self.keys, k], dim=2)
        self.values = v if self.values is None else torch.cat([self.values, v], dim=2)
        return self.keys, self.values


class FixedCache:
    """Keys and values of a layer in buffers of full length."""

    def __init__(self, batch, heads, length, size):
        self.keys = torch.zeros(batch, heads, length, size, device=DEV)
        self.values = torch.zeros(batch, heads, length, size, device=DEV)
        self.length = 0

    def update(self, k, v):
        end = self.length + k.shape[2]
        self.keys[:, :, self.length:end] = k
        self.values[:, :, self.length:end] = v
        self.length = end
        return self.keys[:, :, :end], self.values[:, :, :end]


# --- file: /srv/nets/encoder.py
class EncoderLayer(nn.Module):
    def __init__(self, width, heads, cross=False):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))
        if cross:
            self.norm3, self.cross_q = nn.LayerNorm(width), nn.Linear(width, width)
            self.cross_kv, self.cross_out = nn.Linear(width, 2 * width), nn.Linear(width, width)

    def split(self, x):
        return x.view(*x.shape[:2], self.heads, -1).transpose(1, 2)

    def attend(self, q, k, v, causal=False):
        y = F.scaled_dot_product_attention(self.split(q), self.split(k), self.split(v), is_causal=causal)
        return y.transpose(1, 2).flatten(2)

    def forward(self, x, memory=None):
        q, k, v = self.qkv(self.norm1(x)).chunk(3, -1)
        x = x + self.out(self.attend(q, k, v, causal=memory is not None))
        if memory is not None:
            k, v = self.cross_kv(memory).chunk(2, -1)
            x = x + self.cross_out(self.attend(self.cross_q(self.norm3(x)), k, v))
        return x + self.mlp(self.norm2(x))


# --- file: /srv/nets/data.py
def tokens(L, batch, length, vocab):
    """A batch of token ids on the device."""
    return L.inputs(torch.randint(0, vocab, (batch, length)).to(DEV))
