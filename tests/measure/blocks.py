# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Transformer blocks in plain PyTorch, built from the `model.config` of a plan document.

They call the operators that Hugging Face's modules call (RMSNorm with its fp32 copy, rotary tables,
grouped keys, gated feed-forward, GPT-2's and BERT's biases and dropout, DeepSeek's latent
attention, Mixtral's loop over experts), so that autograd saves the same tensors.
"""

import math

import torch
from torch import nn
from torch.nn import functional as F

import meter


class Shape:
    """A config.json with the defaults of its model class."""

    def __init__(self, config):
        self.type = config["model_type"]
        self.hidden = config["hidden_size"]
        self.layers = config["num_hidden_layers"]
        self.heads = config["num_attention_heads"]
        self.kv_heads = config.get("num_key_value_heads", self.heads)
        self.head_dim = config.get("head_dim", self.hidden // self.heads)
        self.ffn = config.get("intermediate_size", 0)
        self.vocab = config["vocab_size"]
        self.positions = config.get("max_position_embeddings", 0)
        self.experts = config.get("num_local_experts", config.get("n_routed_experts", 0))
        self.top_k = config.get("num_experts_per_tok", 0)
        self.expert_ffn = config.get("moe_intermediate_size", self.ffn)
        self.shared = config.get("n_shared_experts", 0)
        self.dense_layers = config.get("first_k_dense_replace", 0)
        self.q_rank = config.get("q_lora_rank", 0)
        self.kv_rank = config.get("kv_lora_rank", 0)
        self.nope = config.get("qk_nope_head_dim", 0)
        self.rope = config.get("qk_rope_head_dim", self.head_dim)
        self.v_dim = config.get("v_head_dim", 0)
        self.old_style = self.type in ("gpt2", "bert")  # LayerNorm, GELU, biases, positions
        self.tied = config.get("tie_word_embeddings", self.old_style)
        self.qk_norm = self.type == "qwen3"


class Switches:
    """Settings of a run that change what a block does."""

    def __init__(self, plan):
        activations = plan.get("activations", {})
        self.attention = activations.get("attention", "flash")
        self.dropout = activations.get("dropout", 0)
        self.attention_dropout = activations.get("attention_dropout", 0)
        self.kernels = activations.get("kernels", "eager")
        self.autocast = plan["precision"]["regime"].startswith("autocast")

    def wide(self, x):
        """CUDA's autocast runs norms, softmax and losses in fp32; the CPU's does not, so the cast
        is written out."""
        return x.float() if self.autocast else x


class DropoutKernel(torch.autograd.Function):
    """CUDA's fused dropout: a mask of one byte an element. (The CPU's keeps it in the input's
    type.)"""

    @staticmethod
    def forward(ctx, x, rate):
        with meter.fused_kernel():
            mask = torch.empty_like(x, dtype=torch.bool).bernoulli_(1 - rate)
            out = x * mask
            out.div_(1 - rate)
        ctx.save_for_backward(mask)
        ctx.rate = rate
        return out

    @staticmethod
    def backward(ctx, grad):
        (mask,) = ctx.saved_tensors
        with meter.fused_kernel():
            return (grad * mask).div_(1 - ctx.rate), None


def dropout(x, rate):
    return DropoutKernel.apply(x, rate) if rate > 0 else x


class FlashAttention(torch.autograd.Function):
    """What CUDA's flash attention keeps: queries, keys, values, output and the log-sum-exp of each
    row. Its inner products stay on the chip. Shapes (batch, heads, sequence, head dim); the output
    is laid out (batch, sequence, heads, head dim)."""

    @staticmethod
    def forward(ctx, q, k, v, causal):
        out = q.new_empty(q.shape[0], q.shape[2], q.shape[1], v.shape[3]).transpose(1, 2)
        lse = q.new_empty(q.shape[:3], dtype=torch.float32)
        with meter.fused_kernel(), torch.autocast("cpu", enabled=False):
            for head in range(q.shape[1]):
                scores = FlashAttention.scores(q, k, head, causal)
                lse[:, head] = scores.logsumexp(-1)
                weights = torch.exp(scores - lse[:, head, :, None]).to(v.dtype)
                out[:, head] = weights @ v[:, FlashAttention.group(q, k, head)]
        ctx.save_for_backward(q, k, v, out, lse)
        ctx.causal = causal
        return out

    @staticmethod
    def group(q, k, head):
        return head * k.shape[1] // q.shape[1]

    @staticmethod
    def scores(q, k, head, causal):
        keys = k[:, FlashAttention.group(q, k, head)]
        scores = (q[:, head] @ keys.transpose(1, 2)).float() / math.sqrt(q.shape[3])
        if causal:
            length = q.shape[2]
            scores += torch.full((length, length), -math.inf).triu_(1)
        return scores

    @staticmethod
    def backward(ctx, grad):
        q, k, v, out, lse = ctx.saved_tensors
        dq, dk, dv = torch.empty_like(q), torch.zeros_like(k), torch.zeros_like(v)
        with meter.fused_kernel():
            for head in range(q.shape[1]):
                group = FlashAttention.group(q, k, head)
                scores = FlashAttention.scores(q, k, head, ctx.causal)
                weights = torch.exp(scores - lse[:, head, :, None])
                dv[:, group] += weights.to(v.dtype).transpose(1, 2) @ grad[:, head]
                dots = (grad[:, head] * out[:, head]).sum(-1, keepdim=True).float()
                inner = (grad[:, head] @ v[:, group].transpose(1, 2)).float() - dots
                inner = (weights * inner / math.sqrt(q.shape[3])).to(q.dtype)
                dq[:, head] = inner @ k[:, group]
                dk[:, group] += inner.transpose(1, 2) @ q[:, head]
        return dq, dk, dv, None


def attend(q, k, v, switches, mask):
    """softmax(q kᵀ) v by the attention kernel asked for. `mask` is None where tokens see all."""
    if switches.autocast:
        q, k, v = (x.bfloat16() for x in (q, k, v))
    if switches.attention == "flash":
        return FlashAttention.apply(q, k, v, mask is not None)
    if k.shape[1] < q.shape[1]:  # repeat_kv: eager attention spreads the keys over all heads
        k, v = (repeat(x, q.shape[1] // x.shape[1]) for x in (k, v))
    scores = q @ k.transpose(2, 3) / math.sqrt(q.shape[3])
    if mask is not None:
        scores = scores + mask
    if switches.attention == "eager-fp32-softmax":
        weights = scores.softmax(-1, dtype=torch.float32).to(q.dtype)
    else:
        weights = switches.wide(scores).softmax(-1)
    del scores
    return dropout(weights, switches.attention_dropout) @ v


def repeat(x, times):
    batch, heads, length, width = x.shape
    wide = x[:, :, None].expand(batch, heads, times, length, width)
    return wide.reshape(batch, heads * times, length, width)


class RmsNorm(nn.Module):
    """As Hugging Face writes it: work in fp32, scale in the input's type. The mean is written as a
    sum, because torch 1.13's mean keeps its input for backward and today's does not."""

    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x):
        kind = x.dtype
        x = x.float()
        variance = x.pow(2).sum(-1, keepdim=True) / x.shape[-1]
        x = x * torch.rsqrt(variance + 1e-6)
        return self.weight * x.to(kind)


class LayerNorm(nn.LayerNorm):
    def __init__(self, width, switches):
        super().__init__(width)
        self.switches = switches

    def forward(self, x):
        return super().forward(self.switches.wide(x))


def rotate(x, cos, sin):
    half = x.shape[-1] // 2
    turned = torch.cat((-x[..., half:], x[..., :half]), dim=-1)
    return x * cos + turned * sin


class RotaryTables(nn.Module):
    def __init__(self, width, length):
        super().__init__()
        angles = torch.outer(torch.arange(length), 1 / 10000 ** (torch.arange(0, width, 2) / width))
        angles = torch.cat((angles, angles), dim=-1)
        self.register_buffer("cos", angles.cos())
        self.register_buffer("sin", angles.sin())


def split_heads(x, heads):
    return x.view(x.shape[0], x.shape[1], heads, -1).transpose(1, 2)


def join_heads(x):
    return x.transpose(1, 2).reshape(x.shape[0], x.shape[2], -1)


class Attention(nn.Module):
    """Multi-head or grouped attention with rotary positions (Llama, Mixtral, Qwen3)."""

    def __init__(self, shape, switches):
        super().__init__()
        width, kv = shape.heads * shape.head_dim, shape.kv_heads * shape.head_dim
        self.shape, self.switches = shape, switches
        self.q = nn.Linear(shape.hidden, width, bias=False)
        self.k = nn.Linear(shape.hidden, kv, bias=False)
        self.v = nn.Linear(shape.hidden, kv, bias=False)
        self.o = nn.Linear(width, shape.hidden, bias=False)
        if shape.qk_norm:
            self.q_norm, self.k_norm = RmsNorm(shape.head_dim), RmsNorm(shape.head_dim)

    def forward(self, x, context):
        q = self.q(x).view(*x.shape[:2], self.shape.heads, -1)
        k = self.k(x).view(*x.shape[:2], self.shape.kv_heads, -1)
        if self.shape.qk_norm:
            q, k = self.q_norm(q), self.k_norm(k)
        v = split_heads(self.v(x), self.shape.kv_heads)
        q = rotate(q.transpose(1, 2), context.cos, context.sin)
        k = rotate(k.transpose(1, 2), context.cos, context.sin)
        return self.o(join_heads(attend(q, k, v, self.switches, context.mask)))


class LatentAttention(nn.Module):
    """DeepSeek's multi-head latent attention, expanded for training as in modeling_deepseek_v3."""

    def __init__(self, shape, switches):
        super().__init__()
        self.shape, self.switches = shape, switches
        query = shape.heads * (shape.nope + shape.rope)
        if shape.q_rank:
            self.q_a = nn.Linear(shape.hidden, shape.q_rank, bias=False)
            self.q_norm = RmsNorm(shape.q_rank)
            self.q_b = nn.Linear(shape.q_rank, query, bias=False)
        else:
            self.q = nn.Linear(shape.hidden, query, bias=False)
        self.kv_a = nn.Linear(shape.hidden, shape.kv_rank + shape.rope, bias=False)
        self.kv_norm = RmsNorm(shape.kv_rank)
        self.kv_b = nn.Linear(shape.kv_rank, shape.heads * (shape.nope + shape.v_dim), bias=False)
        self.o = nn.Linear(shape.heads * shape.v_dim, shape.hidden, bias=False)

    def forward(self, x, context):
        shape = self.shape
        q = self.q_b(self.q_norm(self.q_a(x))) if shape.q_rank else self.q(x)
        q_pass, q_turn = split_heads(q, shape.heads).split([shape.nope, shape.rope], dim=-1)
        latent = self.kv_a(x)
        k_pass, k_turn = latent.split([shape.kv_rank, shape.rope], dim=-1)
        kv = split_heads(self.kv_b(self.kv_norm(k_pass)), shape.heads)
        k_pass, v = kv.split([shape.nope, shape.v_dim], dim=-1)
        k_turn = rotate(k_turn[:, None], context.cos, context.sin)
        q_turn = rotate(q_turn, context.cos, context.sin)
        k_turn = k_turn.expand(*k_pass.shape[:-1], -1)
        q = torch.cat((q_pass, q_turn), dim=-1)
        k = torch.cat((k_pass, k_turn), dim=-1)
        return self.o(join_heads(attend(q, k, v, self.switches, context.mask)))


class GatedMlp(nn.Module):
    def __init__(self, hidden, width):
        super().__init__()
        self.gate = nn.Linear(hidden, width, bias=False)
        self.up = nn.Linear(hidden, width, bias=False)
        self.down = nn.Linear(width, hidden, bias=False)

    def forward(self, x):
        return self.down(F.silu(self.gate(x)) * self.up(x))


class Experts(nn.Module):
    """A router and a loop over its experts, as in modeling_mixtral and modeling_deepseek_v3."""

    def __init__(self, shape):
        super().__init__()
        self.top_k = shape.top_k
        self.router = nn.Linear(shape.hidden, shape.experts, bias=False)
        width = shape.expert_ffn
        self.experts = nn.ModuleList(GatedMlp(shape.hidden, width) for _ in range(shape.experts))
        self.shared = GatedMlp(shape.hidden, width * shape.shared) if shape.shared else None

    def forward(self, x):
        tokens = x.reshape(-1, x.shape[-1])
        weights = self.router(tokens).softmax(-1, dtype=torch.float32)
        weights, chosen = weights.topk(self.top_k, dim=-1)
        weights = (weights / weights.sum(-1, keepdim=True)).to(x.dtype)
        out = torch.zeros_like(tokens)
        for index, expert in enumerate(self.experts):
            token, place = torch.where(chosen == index)
            part = expert(tokens[token]) * weights[token, place, None]
            out.index_add_(0, token, part.to(out.dtype))
        out = out.view_as(x)
        return out + self.shared(x) if self.shared else out


class PreNormBlock(nn.Module):
    """Llama, Qwen3, Mixtral, DeepSeek."""

    def __init__(self, shape, switches, layer):
        super().__init__()
        latent = shape.kv_rank > 0
        self.norm_1, self.norm_2 = RmsNorm(shape.hidden), RmsNorm(shape.hidden)
        self.attention = (LatentAttention if latent else Attention)(shape, switches)
        moe = shape.experts and layer >= shape.dense_layers
        self.mlp = Experts(shape) if moe else GatedMlp(shape.hidden, shape.ffn)

    def forward(self, x, context):
        x = x + self.attention(self.norm_1(x), context)
        return x + self.mlp(self.norm_2(x))


class BiasedAttention(nn.Module):
    """GPT-2 (one product for q, k, v) and BERT (three)."""

    def __init__(self, shape, switches):
        super().__init__()
        self.shape, self.switches = shape, switches
        self.fused = shape.type == "gpt2"
        if self.fused:
            self.qkv = nn.Linear(shape.hidden, 3 * shape.hidden)
        else:
            self.q, self.k, self.v = (nn.Linear(shape.hidden, shape.hidden) for _ in range(3))
        self.o = nn.Linear(shape.hidden, shape.hidden)

    def forward(self, x, context):
        if self.fused:
            parts = self.qkv(x).split(self.shape.hidden, dim=-1)
        else:
            parts = self.q(x), self.k(x), self.v(x)
        q, k, v = (split_heads(part, self.shape.heads) for part in parts)
        del parts
        out = self.o(join_heads(attend(q, k, v, self.switches, context.mask)))
        return dropout(out, self.switches.dropout)


class GeluMlp(nn.Module):
    def __init__(self, shape, switches):
        super().__init__()
        self.switches = switches
        self.up = nn.Linear(shape.hidden, shape.ffn)
        self.down = nn.Linear(shape.ffn, shape.hidden)

    def forward(self, x):
        return dropout(self.down(F.gelu(self.up(x))), self.switches.dropout)


class Gpt2Block(nn.Module):
    def __init__(self, shape, switches, _layer):
        super().__init__()
        self.norm_1, self.norm_2 = (LayerNorm(shape.hidden, switches) for _ in range(2))
        self.attention = BiasedAttention(shape, switches)
        self.mlp = GeluMlp(shape, switches)

    def forward(self, x, context):
        x = x + self.attention(self.norm_1(x), context)
        return x + self.mlp(self.norm_2(x))


class BertBlock(Gpt2Block):
    """Norms after the residual."""

    def forward(self, x, context):
        x = self.norm_1(x + self.attention(x, context))
        return self.norm_2(x + self.mlp(x))


def block(shape, switches, layer):
    kinds = {"gpt2": Gpt2Block, "bert": BertBlock}
    return kinds.get(shape.type, PreNormBlock)(shape, switches, layer)
