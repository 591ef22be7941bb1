# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs that train in ways that those of programs.py do not."""
import copy, math
import torch, torch.nn as nn, torch.nn.functional as F
from torch.utils.checkpoint import checkpoint
from models import Decoder, EncoderLayer, GrowingCache, RMSNorm, tokens
from recorder import DEV, program


# --- file: /srv/finetune/trainer.py
class Loop:
    def __init__(self, L, model, optimizer, schedule, vocab):
        self.L, self.model, self.optimizer, self.schedule, self.vocab = L, model, optimizer, schedule, vocab

    def compute_loss(self, ids):
        logits = self.model(ids[:, :-1])
        return F.cross_entropy(logits.flatten(0, 1), ids[:, 1:].flatten())

    def training_step(self, ids):
        loss = self.compute_loss(ids)
        loss.backward()
        return loss.detach()

    def train(self, steps):
        total = torch.zeros((), device=DEV)
        for _ in range(steps):
            with self.L.step():
                for _ in range(2):
                    total += self.training_step(tokens(self.L, 2, 129, self.vocab))
                nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
                self.optimizer.step()
                self.schedule.step()
                self.model.zero_grad()
        return total.item()


@program("Trainer-like loop: two micro-batches, gradient clipping, a schedule", torch="2.10", stacks="python", scale=16)
def p_trainer_loop(L):
    def main(L):
        model = L.module(Decoder(vocab=3000).to(DEV))
        optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, foreach=True)
        loop = Loop(L, model, optimizer, torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 10), 3000)
        loop.train(4)
        return loop
    L.start()
    return main(L)


# --- file: /srv/muon/muon.py
class Muon(torch.optim.Optimizer):
    """Orthogonal updates of matrices, plain momentum of the rest."""

    def __init__(self, params, lr=0.02, momentum=0.95):
        super().__init__(params, {"lr": lr, "momentum": momentum})

    @staticmethod
    def orthogonal(g):
        x = g.to(torch.bfloat16)
        x = x / (x.norm() + 1e-7)
        for _ in range(2):
            a = x @ x.T
            x = 3.4445 * x + (-4.7750 * a + 2.0315 * a @ a) @ x
        return x

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                if "momentum_buffer" not in self.state[p]:
                    self.state[p]["momentum_buffer"] = torch.zeros_like(p)
                buffer = self.state[p]["momentum_buffer"]
                buffer.lerp_(p.grad, 1 - group["momentum"])
                update = p.grad.lerp(buffer, group["momentum"])
                p.add_(self.orthogonal(update) if p.ndim == 2 else update, alpha=-group["lr"])


@program("Muon for matrices, fused AdamW for embedding and head", torch="2.6", stacks="all", scale=24)
def p_muon(L):
    def main(L):
        model = L.module(Decoder(vocab=2000, width=256).to(DEV))
        outer = [*model.embed.parameters(), *model.head.parameters(), *model.norm.parameters()]
        optimizers = [Muon(model.layers.parameters()), torch.optim.AdamW(outer, lr=1e-3, fused=True)]
        for _ in range(4):
            with L.step():
                ids = tokens(L, 2, 129, 2000)
                loss = F.cross_entropy(model(ids[:, :-1]).flatten(0, 1), ids[:, 1:].flatten())
                loss.backward()
                for optimizer in optimizers:
                    optimizer.step()
                model.zero_grad()
        return model, optimizers
    L.start()
    return main(L)


# --- file: /srv/lora/layers.py
class LoRALinear(nn.Linear):
    def __init__(self, inputs, outputs, bias=False, rank=8):
        super().__init__(inputs, outputs, bias)
        self.weight.requires_grad_(False)
        self.a = nn.Parameter(torch.randn(rank, inputs) * 0.01)
        self.b = nn.Parameter(torch.zeros(outputs, rank))

    def forward(self, x):
        return super().forward(x) + F.linear(F.linear(x, self.a), self.b) * 2


# --- file: /srv/lora/train.py
@program("LoRA by layers of its own over a frozen bf16 base", stacks="all", scale=48)
def p_lora_own(L):
    def main(L):
        model = Decoder(vocab=2000, width=320, layers=2, linear=LoRALinear).to(torch.bfloat16)
        model.requires_grad_(False)
        adapters = [p for n, p in model.named_parameters() if n.endswith((".a", ".b"))]
        for p in adapters:
            p.requires_grad_(True)
        L.module(model.to(DEV))
        optimizer = torch.optim.AdamW(adapters, lr=2e-4, foreach=True)
        for _ in range(4):
            with L.step():
                ids = tokens(L, 2, 129, 2000)
                optimizer.zero_grad()
                logits = model(ids[:, :-1]).float()
                loss = F.cross_entropy(logits.flatten(0, 1), ids[:, 1:].flatten())
                loss.backward()
                optimizer.step()
        return model, optimizer
    L.start()
    return main(L)


# --- file: /srv/qlora/packed.py
class Dequantize(torch.autograd.Function):
    """x times a weight of four bits, which forward and backward unpack."""

    @staticmethod
    def unpack(packed, scale, outputs):
        low, high = packed & 15, packed >> 4
        values = torch.stack([low, high], dim=-1).to(torch.bfloat16) - 8
        return (values.view(-1, 64) * scale[:, None]).view(outputs, -1)

    @staticmethod
    def forward(ctx, x, packed, scale, outputs):
        ctx.save_for_backward(packed, scale)
        ctx.outputs = outputs
        return x @ Dequantize.unpack(packed, scale, outputs).T

    @staticmethod
    def backward(ctx, gradient):
        packed, scale = ctx.saved_tensors
        return gradient @ Dequantize.unpack(packed, scale, ctx.outputs), None, None, None


class PackedLinear(nn.Module):
    def __init__(self, inputs, outputs, bias=False, rank=8):
        super().__init__()
        self.outputs = outputs
        self.register_buffer("packed", torch.randint(0, 256, (inputs * outputs // 2,), dtype=torch.uint8))
        self.register_buffer("scale", torch.full((inputs * outputs // 64,), 0.003, dtype=torch.bfloat16))
        self.a = nn.Parameter(torch.randn(rank, inputs) * 0.01)
        self.b = nn.Parameter(torch.zeros(outputs, rank))

    def forward(self, x):
        y = Dequantize.apply(x, self.packed, self.scale, self.outputs)
        return y + F.linear(F.linear(x, self.a), self.b)


# --- file: /srv/qlora/train.py
@program("QLoRA-like: base of four bits packed in uint8 buffers", torch="2.10", stacks="python", scale=64)
def p_qlora_packed(L):
    def main(L):
        model = Decoder(vocab=2000, width=320, layers=2, linear=PackedLinear).to(torch.bfloat16)
        model.requires_grad_(False)
        adapters = [p for n, p in model.named_parameters() if n.endswith((".a", ".b"))]
        for p in adapters:
            p.requires_grad_(True)
        L.module(model.to(DEV))
        optimizer = torch.optim.AdamW(adapters, lr=2e-4, foreach=True)
        for _ in range(4):
            with L.step():
                ids = tokens(L, 1, 129, 2000)
                logits = model(ids[:, :-1])
                L.role("loss", logits)
                loss = F.cross_entropy(logits.float().flatten(0, 1), ids[:, 1:].flatten())
                loss.backward()
                nn.utils.clip_grad_norm_(adapters, 0.3)
                optimizer.step()
                optimizer.zero_grad()
        return model, optimizer
    L.start()
    return main(L)


# --- file: /srv/amp/train.py
class Scaler:
    """The scale of the loss, and whether gradients overflowed."""

    def __init__(self):
        self.scale, self.found = torch.full((), 1024.0).to(DEV), torch.zeros((), device=DEV)

    def step(self, optimizer):
        gradients = [p.grad for group in optimizer.param_groups for p in group["params"] if p.grad is not None]
        self.found.zero_()
        torch._amp_foreach_non_finite_check_and_unscale_(gradients, self.found, self.scale.reciprocal())
        if not self.found.item():
            optimizer.step()


@program("fp32 weights under bf16 autocast with a scaled loss", torch="2.6", stacks="all", scale=16)
def p_amp_scaler(L):
    def main(L):
        model = L.module(Decoder(vocab=3000).to(DEV))
        optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, foreach=True)
        scaler = Scaler()
        for _ in range(4):
            with L.step():
                ids = tokens(L, 4, 129, 3000)
                with torch.autocast("cpu", dtype=torch.bfloat16):
                    logits = model(ids[:, :-1])
                    L.role("loss", logits)
                    loss = F.cross_entropy(logits.float().flatten(0, 1), ids[:, 1:].flatten())
                (loss * scaler.scale).backward()
                scaler.step(optimizer)
                optimizer.zero_grad()
        return model, optimizer, scaler
    L.start()
    return main(L)


# --- file: /srv/long/train.py
@program("Each layer under checkpoint() without re-entrance, fused AdamW", torch="2.6", stacks="python", scale=24)
def p_checkpoint_layers(L):
    def main(L):
        model = L.module(Decoder(vocab=1500, layers=3).to(DEV))
        optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, fused=True)
        for _ in range(5):
            with L.step():
                ids = tokens(L, 4, 193, 1500)
                x = model.embed(ids[:, :-1])
                for layer in model.layers:
                    x = checkpoint(layer, x, use_reentrant=False)
                logits = model.head(model.norm(x))
                loss = F.cross_entropy(logits.flatten(0, 1), ids[:, 1:].flatten())
                loss.backward()
                optimizer.step()
                optimizer.zero_grad()
        return model, optimizer
    L.start()
    return main(L)


# --- file: /srv/seg/unet.py
def double(inputs, outputs):
    return nn.Sequential(nn.Conv2d(inputs, outputs, 3, padding=1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU(inplace=True),
                         nn.Conv2d(outputs, outputs, 3, padding=1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU(inplace=True))


class UNet(nn.Module):
    def __init__(self, classes=12, widths=(16, 32, 64)):
        super().__init__()
        self.down = nn.ModuleList(double(a, b) for a, b in zip((3, *widths), widths))
        self.middle = double(widths[-1], 2 * widths[-1])
        self.raise_ = nn.ModuleList(nn.ConvTranspose2d(2 * w, w, 2, 2) for w in reversed(widths))
        self.up = nn.ModuleList(double(2 * w, w) for w in reversed(widths))
        self.out = nn.Conv2d(widths[0], classes, 1)

    def forward(self, x):
        skips = []
        for block in self.down:
            x = block(x)
            skips.append(x)
            x = F.max_pool2d(x, 2)
        x = self.middle(x)
        for raise_, block, skip in zip(self.raise_, self.up, reversed(skips)):
            x = block(torch.cat([raise_(x), skip], dim=1))
        return self.out(x)


# --- file: /srv/seg/train.py
@program("U-Net that segments images, SGD with Nesterov momentum", torch="2.10", stacks="all", scale=16)
def p_unet_segmentation(L):
    def main(L):
        model = L.module(UNet().to(DEV))
        optimizer = torch.optim.SGD(model.parameters(), lr=1e-2, momentum=0.9, nesterov=True, foreach=True)
        for _ in range(5):
            with L.step():
                images = L.inputs(torch.rand(4, 3, 64, 64).to(DEV))
                masks = L.inputs(torch.randint(0, 12, (4, 64, 64)).to(DEV))
                loss = F.cross_entropy(model(images), masks)
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
        return model, optimizer
    L.start()
    return main(L)


# --- file: /srv/ddp/buckets.py
class Buckets:
    """Gradients as views of flat buckets, which a stream of its own reduces in bf16."""

    def __init__(self, L, parameters, size):
        self.L, self.buckets, group = L, [], []
        for p in parameters:
            group.append(p)
            if sum(q.numel() for q in group) >= size:
                self.add(group)
                group = []
        self.add(group)

    def add(self, group):
        if not group:
            return
        flat, start = torch.zeros(sum(p.numel() for p in group), device=DEV), 0
        for p in group:
            p.grad = flat[start:start + p.numel()].view_as(p)
            start += p.numel()
        self.buckets.append(flat)

    def all_reduce(self):
        for flat in reversed(self.buckets):
            with self.L.stream(0x7A3C410):
                narrow = flat.to(torch.bfloat16)
                self.L.role("comm", narrow)
                self.L.record_stream(narrow)
                with self.L.collective("nccl:all_reduce"):
                    flat.copy_(narrow)

    def zero(self):
        for flat in self.buckets:
            flat.zero_()


# --- file: /srv/ddp/train.py
@program("DDP-like: gradients are views of flat buckets, reduced on another stream", stacks="python", scale=24)
def p_flat_buckets(L):
    def main(L):
        model = L.module(Decoder(vocab=3000).to(DEV))
        buckets = Buckets(L, model.parameters(), 400_000)
        optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, foreach=True)
        for _ in range(5):
            with L.step():
                ids = tokens(L, 2, 129, 3000)
                L.metadata = "forward"
                loss = F.cross_entropy(model(ids[:, :-1]).flatten(0, 1), ids[:, 1:].flatten())
                L.metadata = "backward"
                loss.backward()
                L.metadata = "reduce"
                buckets.all_reduce()
                L.metadata = "update"
                optimizer.step()
                buckets.zero()
                L.metadata = ""
        return model, buckets, optimizer
    L.start()
    return main(L)


# --- file: /srv/zero/sharded.py
class Sharded:
    """bf16 weights and gradients in flat buffers; fp32 weights and moments of one rank in four."""

    def __init__(self, L, model, ranks=4):
        self.L, parameters = L, list(model.parameters())
        self.flat = torch.zeros(-(-sum(p.numel() for p in parameters) // ranks) * ranks, dtype=torch.bfloat16, device=DEV)
        self.gradient, start = torch.zeros_like(self.flat), 0
        for p in parameters:
            view = self.flat[start:start + p.numel()].view_as(p)
            view.copy_(p.data)
            p.data, p.grad = view, self.gradient[start:start + p.numel()].view_as(p)
            start += p.numel()
        self.part = len(self.flat) // ranks
        self.weights = self.flat[:self.part].float()
        self.mean, self.square = torch.zeros_like(self.weights), torch.zeros_like(self.weights)
        L.role("state", self.weights, self.mean, self.square)
        L.look()

    @torch.no_grad()
    def step(self):
        received = torch.empty_like(self.gradient[:self.part])
        self.L.role("comm", received)
        with self.L.collective("nccl:_reduce_scatter_base"):
            received.copy_(self.gradient[:self.part])
        shard = received.float()
        self.mean.lerp_(shard, 0.1)
        self.square.lerp_(shard * shard, 0.01)
        self.weights.sub_(1e-3 * self.mean / (self.square.sqrt() + 1e-8))
        gathered = torch.empty_like(self.flat)
        self.L.role("comm", gathered)
        with self.L.collective("nccl:_all_gather_base"):
            gathered[:self.part] = self.weights
        self.flat[:self.part] = gathered[:self.part]
        self.gradient.zero_()


# --- file: /srv/zero/train.py
@program("ZeRO-1-like: flat bf16 buffers, sharded fp32 weights and moments", torch="2.10", stacks="all", scale=32)
def p_zero_flat(L):
    def main(L):
        model = Decoder(vocab=2000, width=256).to(torch.bfloat16).to(DEV)
        sharded = Sharded(L, model)
        L.module(model)
        for _ in range(4):
            with L.step():
                ids = tokens(L, 2, 97, 2000)
                logits = model(ids[:, :-1])
                loss = F.cross_entropy(logits.flatten(0, 1), ids[:, 1:].flatten())
                loss.backward()
                with L.at("optimizer"):
                    sharded.step()
        return model, sharded
    L.start()
    return main(L)


# --- file: /srv/grpo/grpo.py
def generate(L, model, prompts, count):
    """Samples count tokens behind each prompt with growing caches."""
    caches = [GrowingCache() for _ in model.layers]
    ids, fresh = prompts, prompts
    for _ in range(count):
        logits = model(fresh, caches)[:, -1]
        for cache in caches:
            L.kv(cache.keys, cache.values)
        fresh = torch.multinomial(logits.softmax(-1), 1)
        ids = torch.cat([ids, fresh], dim=1)
    return ids


def token_logps(L, model, ids):
    logits = model(ids[:, :-1])
    L.role("loss", logits)
    with L.born("loss"):
        logps = logits.log_softmax(-1)
    return logps.gather(-1, ids[:, 1:, None]).squeeze(-1)


@program("GRPO: rollouts by a growing cache, frozen reference, two updates of each batch", stacks="all", scale=24)
def p_grpo(L):
    def main(L):
        policy = Decoder(vocab=1000).to(DEV)
        reference = copy.deepcopy(policy).requires_grad_(False)
        L.module(policy)
        L.module(reference)
        optimizer = torch.optim.AdamW(policy.parameters(), lr=1e-5, foreach=True)
        for _ in range(2):
            with torch.no_grad(), L.at("rollout"):
                prompts = L.inputs(torch.randint(0, 1000, (4, 48)).to(DEV).repeat_interleave(4, dim=0))
                ids = L.inputs(generate(L, policy, prompts, 4))
                reward = L.inputs(torch.rand(16, 1).to(DEV))
                advantage = L.inputs((reward - reward.mean()) / (reward.std() + 1e-4))
                with L.at("evaluation"):
                    old, ref = L.inputs(token_logps(L, policy, ids), token_logps(L, reference, ids))
            for _ in range(2):
                with L.step():
                    new = token_logps(L, policy, ids)
                    ratio = (new - old).exp()
                    gain = torch.min(ratio * advantage, ratio.clamp(0.8, 1.2) * advantage)
                    gap = ref - new
                    loss = -(gain - 0.04 * (gap.exp() - gap - 1)).mean()
                    loss.backward()
                    optimizer.step()
                    optimizer.zero_grad()
        return policy, reference, optimizer
    L.start()
    return main(L)


# --- file: /srv/translate/model.py
class Translator(nn.Module):
    def __init__(self, vocab=2500, width=160):
        super().__init__()
        self.embed = nn.Embedding(vocab, width)
        self.encoder = nn.ModuleList(EncoderLayer(width, 4) for _ in range(2))
        self.decoder = nn.ModuleList(EncoderLayer(width, 4, cross=True) for _ in range(2))
        self.head = nn.Linear(width, vocab, bias=False)

    def forward(self, source, target):
        memory = self.embed(source)
        for layer in self.encoder:
            memory = layer(memory)
        x = self.embed(target)
        for layer in self.decoder:
            x = layer(x, memory)
        return self.head(x)


# --- file: /srv/translate/train.py
@program("Encoder and decoder, Adafactor, batches of changing length", torch="2.10", stacks="python", scale=20)
def p_translator(L):
    def main(L):
        model = L.module(Translator().to(DEV))
        optimizer = torch.optim.Adafactor(model.parameters(), lr=1e-2, foreach=False)
        for i in range(4):
            with L.step():
                source, target = tokens(L, 3, 96 + 32 * (i % 2), 2500), tokens(L, 3, 81 + 16 * (i % 3), 2500)
                logits = model(source, target[:, :-1])
                loss = F.cross_entropy(logits.flatten(0, 1), target[:, 1:].flatten(), label_smoothing=0.1)
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
        return model, optimizer
    L.start()
    return main(L)


# --- file: /srv/mae/pretrain.py
class MaskedAutoencoder(nn.Module):
    def __init__(self, width=160, patch=8, size=96):
        super().__init__()
        self.patch, count = patch, (size // patch) ** 2
        self.embed = nn.Linear(3 * patch * patch, width)
        self.position = nn.Parameter(torch.zeros(1, count, width))
        self.mask = nn.Parameter(torch.zeros(1, 1, width))
        self.encoder = nn.ModuleList(EncoderLayer(width, 4) for _ in range(3))
        self.decoder = nn.ModuleList(EncoderLayer(width, 4) for _ in range(1))
        self.out = nn.Linear(width, 3 * patch * patch)

    def forward(self, images):
        patches = F.unfold(images, self.patch, stride=self.patch).transpose(1, 2)
        order = torch.rand(*patches.shape[:2], device=DEV).argsort(1)
        seen = order[:, :patches.shape[1] // 4]
        x = self.embed(patches) + self.position
        x = x.gather(1, seen[..., None].expand(-1, -1, x.shape[-1]))
        for layer in self.encoder:
            x = layer(x)
        full = self.mask.repeat(images.shape[0], patches.shape[1], 1)
        full = full.scatter(1, seen[..., None].expand(-1, -1, x.shape[-1]), x) + self.position
        for layer in self.decoder:
            full = layer(full)
        return (self.out(full) - patches).pow(2).mean()


@program("Masked autoencoder of images, fused AdamW, recorded after two steps", torch="2.6", stacks="all", scale=16)
def p_masked_autoencoder_warm(L):
    def main(L):
        model = L.module(MaskedAutoencoder().to(DEV))
        optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4, fused=True)
        for i in range(6):
            if i == 2:
                L.start()
            with L.step():
                images = L.inputs(torch.rand(8, 3, 96, 96).to(DEV))
                loss = model(images)
                loss.backward()
                optimizer.step()
                optimizer.zero_grad()
        return model, optimizer
    return main(L)


# --- file: /srv/fit/lbfgs.py
@program("L-BFGS with a history of five steps over the whole data", stacks="all", scale=16)
def p_lbfgs(L):
    def main(L):
        model = L.module(nn.Sequential(nn.Linear(256, 512), nn.Tanh(), nn.Linear(512, 512), nn.Tanh(), nn.Linear(512, 64)).to(DEV))
        x, y = L.inputs(torch.randn(2000, 256).to(DEV), torch.randn(2000, 64).to(DEV))
        optimizer = torch.optim.LBFGS(model.parameters(), lr=0.5, max_iter=3, history_size=5)

        def closure():
            optimizer.zero_grad()
            loss = F.mse_loss(model(x), y)
            loss.backward()
            return loss
        for _ in range(5):
            with L.step():
                optimizer.step(closure)
        return model, x, y, optimizer
    L.start()
    return main(L)


# --- file: /srv/sam/sam.py
class SAM(torch.optim.Optimizer):
    """Climbs to the worst point nearby, takes the gradient there, goes back and steps."""

    def __init__(self, parameters, rho=0.05, lr=0.1):
        super().__init__(parameters, {"rho": rho})
        self.base = torch.optim.SGD(self.param_groups, lr=lr, momentum=0.9)

    @torch.no_grad()
    def first_step(self):
        for group in self.param_groups:
            norm = torch.stack([p.grad.norm() for p in group["params"]]).norm()
            for p in group["params"]:
                self.state[p]["before"] = p.detach().clone()
                p.add_(p.grad * (group["rho"] / (norm + 1e-12)))
        self.zero_grad()

    @torch.no_grad()
    def second_step(self):
        for group in self.param_groups:
            for p in group["params"]:
                p.copy_(self.state[p].pop("before"))
        self.base.step()
        self.zero_grad()


@program("SAM: two backward passes a step over SGD with momentum", torch="2.10", stacks="python", scale=16)
def p_sam(L):
    def main(L):
        model = L.module(nn.Sequential(nn.Conv2d(3, 32, 3, 2, 1), nn.ReLU(), nn.Conv2d(32, 64, 3, 2, 1), nn.ReLU(), nn.Flatten(),
                                       nn.Linear(64 * 16 * 16, 256), nn.ReLU(), nn.Linear(256, 100)).to(DEV))
        sam = SAM(model.parameters())
        L.optimizers.add(sam)
        for _ in range(6):
            with L.step():
                x = L.inputs(torch.rand(16, 3, 64, 64).to(DEV))
                y = L.inputs(torch.randint(0, 100, (16,)).to(DEV))
                F.cross_entropy(model(x), y).backward()
                with L.at("optimizer"):
                    sam.first_step()
                L.look()
                F.cross_entropy(model(x), y).backward()
                with L.at("optimizer"):
                    sam.second_step()
        return model, sam
    L.start()
    return main(L)


# --- file: /srv/experts/layer.py
class Experts(nn.Module):
    """Each expert takes its best tokens up to a capacity, gathered in one buffer for all experts."""

    def __init__(self, width, count):
        super().__init__()
        self.router = nn.Linear(width, count, bias=False)
        self.w1 = nn.Parameter(torch.randn(count, width, 2 * width) * 0.02)
        self.w2 = nn.Parameter(torch.randn(count, 2 * width, width) * 0.02)

    def forward(self, x):
        flat = x.flatten(0, 1)
        scores = self.router(flat).softmax(-1)
        weight, index = scores.T.topk(flat.shape[0] // 4, dim=-1)
        y = torch.bmm(F.gelu(torch.bmm(flat[index], self.w1)), self.w2) * weight[..., None]
        return torch.zeros_like(flat).index_add(0, index.flatten(), y.flatten(0, 1)).view_as(x)


class ExpertModel(nn.Module):
    def __init__(self, vocab, width, experts):
        super().__init__()
        self.embed = nn.Embedding(vocab, width)
        self.layers = nn.ModuleList(Experts(width, experts) for _ in range(3))
        self.norms = nn.ModuleList(RMSNorm(width) for _ in range(3))
        self.head = nn.Linear(width, vocab, bias=False)

    def forward(self, ids):
        x = self.embed(ids)
        for layer, norm in zip(self.layers, self.norms):
            x = x + layer(norm(x))
        return self.head(x)


# --- file: /srv/experts/train.py
@program("Mixture of experts with buffers of fixed capacity, NAdam", torch="2.6", stacks="python", scale=16)
def p_expert_capacity(L):
    def main(L):
        model = L.module(ExpertModel(1500, 160, 8).to(DEV))
        optimizer = torch.optim.NAdam(model.parameters(), lr=1e-3, foreach=True)
        for _ in range(5):
            with L.step():
                ids = tokens(L, 4, 129, 1500)
                loss = F.cross_entropy(model(ids[:, :-1]).flatten(0, 1), ids[:, 1:].flatten())
                loss.backward()
                optimizer.step()
                optimizer.zero_grad()
        return model, optimizer
    L.start()
    return main(L)


# --- file: /srv/scan/mixer.py
class Mixer(nn.Module):
    """A selective state space that runs over the sequence in chunks."""

    def __init__(self, width, states=8):
        super().__init__()
        self.inner = nn.Linear(width, 4 * width, bias=False)
        self.conv = nn.Conv1d(2 * width, 2 * width, 4, padding=3, groups=2 * width)
        self.select = nn.Linear(2 * width, 2 * states + 1, bias=False)
        self.log_a = nn.Parameter(torch.zeros(2 * width, states))
        self.out = nn.Linear(2 * width, width, bias=False)

    def forward(self, x):
        y, gate = self.inner(x).chunk(2, -1)
        y = F.silu(self.conv(y.transpose(1, 2))[..., :x.shape[1]].transpose(1, 2))
        b, c, step = self.select(y).split([self.log_a.shape[1], self.log_a.shape[1], 1], dim=-1)
        step = F.softplus(step)
        state, out = y.new_zeros(*y.shape[::2], self.log_a.shape[1]), []
        for chunk in range(0, x.shape[1], 64):
            part = slice(chunk, chunk + 64)
            decay = (step[:, part, :, None] * -self.log_a.exp()).exp()
            add = (step[:, part] * y[:, part])[..., None] * b[:, part, None, :]
            total = decay.cumprod(1) * state[:, None] + add.cumsum(1)
            state = total[:, -1]
            out.append((total * c[:, part, None, :]).sum(-1))
        return self.out(torch.cat(out, dim=1) * F.silu(gate))


# --- file: /srv/scan/train.py
@program("Selective scan in chunks, RAdam, expandable segments", stacks="all", expandable=True, scale=16)
def p_selective_scan(L):
    def main(L):
        embed, head = nn.Embedding(1000, 96), nn.Linear(96, 1000, bias=False)
        mixers = nn.ModuleList(Mixer(96) for _ in range(2))
        model = L.module(nn.ModuleList([embed, mixers, head]).to(DEV))
        optimizer = torch.optim.RAdam(model.parameters(), lr=1e-3, foreach=True)
        for _ in range(4):
            with L.step():
                ids = tokens(L, 2, 129, 1000)
                x = embed(ids[:, :-1])
                for mixer in mixers:
                    x = x + mixer(x)
                loss = F.cross_entropy(head(x).flatten(0, 1), ids[:, 1:].flatten())
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
        return model, optimizer
    L.start()
    return main(L)


# --- file: /srv/distill/train.py
@program("Distillation: a frozen teacher, KL of the logits, AdamW", torch="2.6", stacks="all", scale=16)
def p_distillation(L):
    def main(L):
        teacher = L.module(Decoder(vocab=2000, width=320, layers=2).requires_grad_(False).eval().to(DEV))
        student = L.module(Decoder(vocab=2000, width=128, layers=2).to(DEV))
        optimizer = torch.optim.AdamW(student.parameters(), lr=1e-3, foreach=True)
        for _ in range(4):
            with L.step():
                ids = tokens(L, 2, 129, 2000)
                with torch.no_grad(), L.at("evaluation"):
                    wanted = teacher(ids[:, :-1])
                L.role("loss", wanted)
                logits = student(ids[:, :-1])
                L.role("loss", logits)
                with L.born("loss"):
                    soft = F.kl_div((logits / 2).log_softmax(-1), (wanted / 2).log_softmax(-1), reduction="batchmean", log_target=True)
                loss = soft * 4 + F.cross_entropy(logits.flatten(0, 1), ids[:, 1:].flatten())
                loss.backward()
                optimizer.step()
                optimizer.zero_grad()
        return teacher, student, optimizer
    L.start()
    return main(L)


# --- file: /srv/moco/train.py
class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(3, 32, 4, 4), nn.ReLU(), nn.Conv2d(32, 64, 3, 2, 1), nn.ReLU(), nn.Flatten())
        self.head = nn.Linear(64 * 8 * 8, 128)

    def forward(self, x):
        return F.normalize(self.head(self.body(x)), dim=-1)


@program("Contrastive learning with a queue of keys and a momentum encoder", torch="2.10", stacks="all", scale=32)
def p_memory_queue(L):
    def main(L):
        query = Encoder().to(DEV)
        key = copy.deepcopy(query).requires_grad_(False)
        L.module(query)
        L.module(key, ema=True)
        queue = F.normalize(torch.randn(8192, 128), dim=-1).to(DEV)
        L.kept(queue)
        optimizer = torch.optim.SGD(query.parameters(), lr=0.03, momentum=0.9, foreach=True)
        for i in range(6):
            with L.step():
                a, b = L.inputs(torch.rand(64, 3, 64, 64).to(DEV), torch.rand(64, 3, 64, 64).to(DEV))
                with torch.no_grad():
                    for p, q in zip(key.parameters(), query.parameters()):
                        p.lerp_(q, 0.01)
                    k = key(b)
                q = query(a)
                logits = torch.cat([(q * k).sum(1, keepdim=True), q @ queue.T], dim=1) / 0.07
                loss = F.cross_entropy(logits, torch.zeros(64, dtype=torch.long, device=DEV))
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
                queue[64 * i:64 * i + 64] = k
        return query, key, queue, optimizer
    L.start()
    return main(L)


# --- file: /srv/heads/train.py
@program("Three heads on one body, Adagrad, recorded after one step; frees have the stack of their allocation", torch="2.6",
         stacks="all", context="alloc", scale=24)
def p_heads_adagrad_warm(L):
    def main(L):
        body = nn.Sequential(nn.Linear(384, 1024), nn.GELU(), nn.Linear(1024, 512), nn.GELU())
        heads = nn.ModuleList(nn.Linear(512, n) for n in (10, 400, 1))
        model = L.module(nn.ModuleList([body, heads]).to(DEV))
        optimizer = torch.optim.Adagrad(model.parameters(), lr=1e-2, foreach=True)
        for i in range(7):
            if i == 1:
                L.start()
            with L.step():
                x = L.inputs(torch.randn(512, 384).to(DEV))
                kinds, topics = L.inputs(torch.randint(0, 10, (512,)).to(DEV), torch.randint(0, 400, (512,)).to(DEV))
                h = body(x)
                loss = (F.cross_entropy(heads[0](h), kinds) + F.cross_entropy(heads[1](h), topics)
                        + heads[2](h).pow(2).mean())
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
        return model, optimizer
    return main(L)


# --- file: /srv/cls/train.py
@program("Encoder with SGD and momentum, recorded after three steps", torch="2.10", stacks="python", scale=24)
def p_encoder_momentum_warm(L):
    def main(L):
        embed = nn.Embedding(3000, 192)
        layers = nn.ModuleList(EncoderLayer(192, 4) for _ in range(3))
        head = nn.Linear(192, 20)
        model = L.module(nn.ModuleList([embed, layers, head]).to(DEV))
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
        for i in range(8):
            if i == 3:
                L.start()
            with L.step():
                ids, y = tokens(L, 8, 96, 3000), L.inputs(torch.randint(0, 20, (8,)).to(DEV))
                x = embed(ids) * math.sqrt(192)
                for layer in layers:
                    x = layer(x)
                loss = F.cross_entropy(head(x.mean(1)), y)
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
        return model, optimizer
    return main(L)
