#!/usr/bin/env python3
"""Programs whose recordings have a known role for every block: programs.py OUT [NAME…]

Recorded with Python 3.11 on a CPU, each program with the release of torch that it names: 2.15.0 where it names none, 2.10.0 or 2.6.0, all
of PyPI. A run makes the programs of the release that runs it. static_cache also needs transformers 5.24.0. recorder.py writes the
snapshots and the roles; tst_labelled.cpp compares them with the categories that the analysis finds.
"""
import copy, os, random, sys
import torch, torch.nn as nn, torch.nn.functional as F
import training, serving, growth  # each enters its programs
from allocator import GIB
from recorder import DEV, make, program
CARD = 25386352640

# --- file: /srv/lm/model.py
class Block(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.h = h
        self.ln1, self.ln2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.q, self.k, self.v, self.o = (nn.Linear(d, d) for _ in range(4))
        self.ff = nn.Sequential(nn.Linear(d, 4 * d), nn.GELU(), nn.Linear(4 * d, d))
    def forward(self, x):
        b, t, d = x.shape
        y = self.ln1(x)
        q, k, v = (p(y).view(b, t, self.h, d // self.h).transpose(1, 2) for p in (self.q, self.k, self.v))
        a = F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).reshape(b, t, d)
        x = x + self.o(a)
        return x + self.ff(self.ln2(x))
class LM(nn.Module):
    def __init__(self, vocab=6000, d=192, layers=3, h=4):
        super().__init__()
        self.emb, self.pos = nn.Embedding(vocab, d), nn.Parameter(torch.zeros(1024, d))
        self.blocks = nn.ModuleList(Block(d, h) for _ in range(layers))
        self.ln, self.out = nn.LayerNorm(d), nn.Linear(d, vocab, bias=False)
    def forward(self, ids):
        x = self.emb(ids) + self.pos[: ids.shape[1]]
        for b in self.blocks:
            x = b(x)
        return self.out(self.ln(x))
def tokens(L, b, t, vocab=6000):
    ids = torch.randint(0, vocab, (b, t + 1)).to(DEV)
    L.inputs(ids)
    return ids
# --- file: /srv/lm/fit.py
def fit(L, make, steps=5, begin=0, b=3, t=192, zero_first=False, **kw):
    model = L.module(LM(**kw).to(DEV))
    opt = make(model.parameters())
    for i in range(steps):
        if i == begin:
            L.start()
        with L.step():
            ids = tokens(L, b, t, kw.get("vocab", 6000))
            if zero_first:
                opt.zero_grad()
            logits = model(ids[:, :-1])
            loss = F.cross_entropy(logits.reshape(-1, logits.shape[-1]), ids[:, 1:].reshape(-1))
            loss.backward()
            opt.step()
            if not zero_first:
                opt.zero_grad()
    return model, opt
@program("LM with SGD without momentum, python", stacks="python", scale=16)
def p_lm_sgd_python(L):
    def main(L):
        return fit(L, lambda p: torch.optim.SGD(p, lr=1e-3), zero_first=True)
    return main(L)
@program("LM with Adam, after warmup, context alloc, python", stacks="python", context="alloc", scale=16)
def p_lm_adam_warm_alloc_python(L):
    def main(L):
        return fit(L, lambda p: torch.optim.Adam(p, lr=1e-3, fused=True), begin=2, steps=6)
    return main(L)
@program("LM with AMSGrad after warmup", stacks="all", scale=16)
def p_lm_amsgrad_warm(L):
    def main(L):
        return fit(L, lambda p: torch.optim.AdamW(p, lr=1e-3, amsgrad=True), begin=1, steps=5)
    return main(L)
# --- file: /srv/lm/lion_impl.py
class LionW(torch.optim.Optimizer):
    def __init__(self, params, lr=1e-4, betas=(0.9, 0.99)):
        super().__init__(params, dict(lr=lr, betas=betas))
    @torch.no_grad()
    def step(self):
        for g in self.param_groups:
            for p in g["params"]:
                if p.grad is None:
                    continue
                s = self.state[p]
                if not s:
                    s["m"] = torch.zeros_like(p)
                m = s["m"]
                u = (m * 0.9 + p.grad * 0.1).sign()
                p.add_(u, alpha=-g["lr"])
                m.mul_(0.99).add_(p.grad, alpha=0.01)
@program("LM with a Lion of its own", stacks="python", scale=16)
def p_lm_lion_own(L):
    def main(L):
        return fit(L, lambda p: LionW(p))
    return main(L)
# --- file: /srv/vae/run.py
class VAE(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.Sequential(nn.Conv2d(3, 32, 4, 2, 1), nn.ReLU(), nn.Conv2d(32, 64, 4, 2, 1), nn.ReLU())
        self.mu, self.lv = nn.Linear(64 * 16 * 16, 64), nn.Linear(64 * 16 * 16, 64)
        self.up = nn.Linear(64, 64 * 16 * 16)
        self.dec = nn.Sequential(nn.ConvTranspose2d(64, 32, 4, 2, 1), nn.ReLU(), nn.ConvTranspose2d(32, 3, 4, 2, 1))
    def forward(self, x):
        h = self.enc(x).flatten(1)
        mu, lv = self.mu(h), self.lv(h)
        z = mu + torch.randn_like(mu) * (lv / 2).exp()
        return self.dec(self.up(z).view(-1, 64, 16, 16)), mu, lv
@program("VAE with BCE, Adam", stacks="all", scale=16)
def p_vae(L):
    def main(L):
        net = L.module(VAE().to(DEV))
        opt = torch.optim.Adam(net.parameters(), lr=1e-3, foreach=True)
        for _ in range(6):
            with L.step():
                x = L.inputs(torch.rand(16, 3, 64, 64).to(DEV))
                y, mu, lv = net(x)
                loss = F.binary_cross_entropy_with_logits(y, x, reduction="sum") - 0.5 * (1 + lv - mu ** 2 - lv.exp()).sum()
                opt.zero_grad()
                loss.backward()
                opt.step()
        return net, opt
    L.start()
    return main(L)
# --- file: /srv/gan/train.py
@program("GAN, two optimizers", stacks="python", scale=16)
def p_gan(L):
    def main(L):
        G = L.module(nn.Sequential(nn.Linear(64, 512), nn.ReLU(), nn.Linear(512, 1024), nn.ReLU(), nn.Linear(1024, 3072), nn.Tanh()).to(DEV))
        D = L.module(nn.Sequential(nn.Linear(3072, 1024), nn.LeakyReLU(0.2), nn.Linear(1024, 256), nn.LeakyReLU(0.2), nn.Linear(256, 1)).to(DEV))
        og, od = (torch.optim.Adam(m.parameters(), lr=2e-4, betas=(0.5, 0.999), foreach=True) for m in (G, D))
        bce = nn.BCEWithLogitsLoss()
        for _ in range(6):
            with L.step():
                real = L.inputs(torch.randn(128, 3072).to(DEV))
                z = L.inputs(torch.randn(128, 64).to(DEV))
                one, zero = torch.ones(128, 1, device=DEV), torch.zeros(128, 1, device=DEV)
                fake = G(z)
                od.zero_grad()
                ld = bce(D(real), one) + bce(D(fake.detach()), zero)
                ld.backward()
                od.step()
                og.zero_grad()
                lg = bce(D(fake), one)
                lg.backward()
                og.step()
        return G, D, og, od
    L.start()
    return main(L)
# --- file: /srv/moe/moe.py
class MoE(nn.Module):
    def __init__(self, d, n):
        super().__init__()
        self.gate = nn.Linear(d, n)
        self.experts = nn.ModuleList(nn.Sequential(nn.Linear(d, 2 * d), nn.GELU(), nn.Linear(2 * d, d)) for _ in range(n))
    def forward(self, x):
        flat = x.reshape(-1, x.shape[-1])
        w, i = self.gate(flat).softmax(-1).topk(2, -1)
        y = torch.zeros_like(flat)
        for e, expert in enumerate(self.experts):
            row, slot = (i == e).nonzero(as_tuple=True)
            if len(row):
                y = y.index_add(0, row, expert(flat[row]) * w[row, slot, None])
        return y.view_as(x)
class MoELM(nn.Module):
    def __init__(self, vocab=5000, d=160):
        super().__init__()
        self.e, self.m = nn.Embedding(vocab, d), nn.ModuleList(MoE(d, 4) for _ in range(2))
        self.n, self.h = nn.LayerNorm(d), nn.Linear(d, vocab)
    def forward(self, ids):
        x = self.e(ids)
        for m in self.m:
            x = x + m(x)
        return self.h(self.n(x))
@program("MoE LM, AdamW, validation every second step", stacks="python", scale=16)
def p_moe_validation(L):
    def main(L):
        net = L.module(MoELM().to(DEV))
        opt = torch.optim.AdamW(net.parameters(), lr=1e-3, foreach=True)
        for i in range(6):
            with L.step():
                ids = tokens(L, 4, 128 + 16 * (i % 3), 5000)
                out = net(ids[:, :-1])
                loss = F.cross_entropy(out.reshape(-1, 5000), ids[:, 1:].reshape(-1))
                loss.backward()
                opt.step()
                opt.zero_grad()
                if i % 2:
                    net.eval()
                    with torch.no_grad(), L.at("evaluation"):
                        for _ in range(2):
                            val = tokens(L, 4, 128, 5000)
                            F.cross_entropy(net(val[:, :-1]).reshape(-1, 5000), val[:, 1:].reshape(-1)).item()
                    net.train()
        return net, opt
    L.start()
    return main(L)
# --- file: /srv/rnn/train.py
@program("LSTM tagger, accumulation, RMSprop", stacks="all", scale=16)
def p_rnn_accumulation(L):
    def main(L):
        class Tagger(nn.Module):
            def __init__(self):
                super().__init__()
                self.e, self.r, self.o = nn.Embedding(3000, 128), nn.LSTM(128, 256, 2, batch_first=True), nn.Linear(256, 3000)
            def forward(self, x):
                return self.o(self.r(self.e(x))[0])
        net = L.module(Tagger().to(DEV))
        opt = torch.optim.RMSprop(net.parameters(), lr=1e-3)
        for _ in range(5):
            with L.step():
                opt.zero_grad()
                for _ in range(3):
                    x, y = torch.randint(0, 3000, (8, 48)).to(DEV), torch.randint(0, 3000, (8, 48)).to(DEV)
                    L.inputs(x, y)
                    loss = F.cross_entropy(net(x).view(-1, 3000), y.view(-1)) / 3
                    loss.backward()
                opt.step()
        return net, opt
    L.start()
    return main(L)
# --- file: /srv/gnn/run.py
@program("GNN on one graph kept on the device", stacks="all", scale=16)
def p_gnn(L):
    def main(L):
        n, f = 4000, 128
        x = L.inputs(torch.randn(n, f).to(DEV))
        src, dst = torch.randint(0, n, (20000,)).to(DEV), torch.randint(0, n, (20000,)).to(DEV)
        y = torch.randint(0, 40, (n,)).to(DEV)
        L.inputs(src, dst, y)
        l1, l2 = L.module(nn.Linear(f, 256).to(DEV)), L.module(nn.Linear(256, 40).to(DEV))
        opt = torch.optim.Adam([*l1.parameters(), *l2.parameters()], lr=1e-2, foreach=True)
        for _ in range(6):
            with L.step():
                h = F.relu(l1(x))
                a = torch.zeros(n, 256, device=DEV).index_add(0, dst, h[src])
                loss = F.cross_entropy(l2(a), y)
                opt.zero_grad()
                loss.backward()
                opt.step()
        return l1, l2, opt, x, src, dst, y
    L.start()
    return main(L)
# --- file: /srv/dqn/agent.py
class Replay:
    def __init__(self, size, width):
        self.obs = torch.zeros(size, width, device=DEV)
        self.nxt = torch.zeros(size, width, device=DEV)
        self.act = torch.zeros(size, dtype=torch.long, device=DEV)
    def sample(self, n):
        i = torch.randint(0, len(self.obs), (n,), device=DEV)
        return self.obs[i], self.act[i], self.nxt[i]
@program("DQN with a replay buffer and target network", stacks="all", scale=16)
def p_dqn(L):
    def main(L):
        q = nn.Sequential(nn.Linear(256, 512), nn.ReLU(), nn.Linear(512, 512), nn.ReLU(), nn.Linear(512, 8)).to(DEV)
        target = copy.deepcopy(q)
        L.module(q)
        L.module(target)
        replay = Replay(20000, 256)
        L.kept(replay.obs, replay.nxt, replay.act)
        opt = torch.optim.Adam(q.parameters(), lr=1e-3, foreach=True)
        for i in range(10):
            with L.step():
                with torch.no_grad(), L.at("rollout"):
                    o = torch.randn(1, 256).to(DEV)
                    q(o).argmax(1)
                    replay.obs[i] = o[0]
                o, a, n = replay.sample(512)
                with torch.no_grad():
                    best = target(n).max(1).values
                loss = F.smooth_l1_loss(q(o).gather(1, a[:, None]).squeeze(1), best)
                opt.zero_grad()
                loss.backward()
                opt.step()
        return q, target, replay, opt
    L.start()
    return main(L)
# --- file: /srv/clip/train.py
@program("CLIP of two towers, bf16 autocast-free, AdamW fused after warm-up", stacks="all", scale=16)
def p_clip_warm(L):
    def main(L):
        img = nn.Sequential(nn.Conv2d(3, 64, 8, 8), nn.Flatten(), nn.Linear(64 * 64, 512), nn.GELU(), nn.Linear(512, 256))
        txt = nn.Sequential(nn.EmbeddingBag(5000, 256), nn.Linear(256, 512), nn.GELU(), nn.Linear(512, 256))
        m = L.module(nn.ModuleList([img, txt]).to(DEV))
        opt = torch.optim.AdamW(m.parameters(), lr=1e-4, fused=True)
        for i in range(6):
            if i == 2:
                L.start()
            with L.step():
                x, t = torch.randn(64, 3, 64, 64).to(DEV), torch.randint(0, 5000, (64, 24)).to(DEV)
                L.inputs(x, t)
                a, b = F.normalize(m[0](x), dim=-1), F.normalize(m[1](t), dim=-1)
                s = a @ b.T * 14
                y = torch.arange(64, device=DEV)
                loss = (F.cross_entropy(s, y) + F.cross_entropy(s.T, y)) / 2
                loss.backward()
                opt.step()
                opt.zero_grad()
        return m, opt
    return main(L)
# --- file: /srv/serve/hf.py
def tiny_llama(layers=3, d=256, **more):
    from transformers import LlamaConfig, LlamaForCausalLM
    return LlamaForCausalLM(LlamaConfig(vocab_size=6000, hidden_size=d, intermediate_size=3 * d, num_hidden_layers=layers,
                                        num_attention_heads=4, num_key_value_heads=2, max_position_embeddings=2048, **more))
@program("HF generate with a static cache", stacks="python", scale=16)
def p_static_cache(L):
    def main(L):
        from transformers import StaticCache
        model = L.module(tiny_llama().eval().to(DEV))
        with torch.no_grad(), L.at("inference"), L.on_device():
            for _ in range(2):
                with L.step():
                    prompt = L.inputs(torch.randint(0, 6000, (4, 200)).to(DEV))
                    cache = StaticCache(config=model.config, max_cache_len=256)
                    out = model(prompt, past_key_values=cache, use_cache=True)
                    for l in cache.layers:
                        L.kv(l.keys, l.values)
                    nxt = out.logits[:, -1:].argmax(-1)
                    for _ in range(12):
                        out = model(nxt, past_key_values=cache, use_cache=True)
                        nxt = out.logits[:, -1:].argmax(-1)
        return model, cache
    L.start()
    return main(L)
# --- file: /srv/serve/blocks.py
class BlockPool:
    def __init__(self, layers, blocks, size, heads, dim):
        self.layers = [(torch.zeros(blocks, size, heads, dim, device=DEV), torch.zeros(blocks, size, heads, dim, device=DEV)) for _ in range(layers)]
        self.free = list(range(blocks))
@program("Server with a block pool of its own", stacks="python", workspace=0)
def p_block_pool(L):
    def main(L):
        L.unit = "request"
        model = L.module(LM(d=192, layers=3).eval().to(DEV))
        pool = BlockPool(3, 512, 16, 4, 48)
        L.kv([t for pair in pool.layers for t in pair])
        sizes = random.Random(3)
        with torch.no_grad(), L.at("inference"):
            for _ in range(30):
                with L.step():
                    ids = L.inputs(torch.randint(0, 6000, (1, sizes.choice((40, 96, 200, 311)))).to(DEV))
                    model(ids)[:, -1].argmax(-1).tolist()
        return model, pool
    L.start()
    return main(L)
# --- file: /srv/serve/embed.py
@program("Embedding server whose dictionary cache grows with every request", stacks="python", workspace=0)
def p_leak_cache_dict(L):
    def main(L):
        L.unit = "request"
        model = L.module(LM(d=192, layers=3).eval().to(DEV))
        cache, sizes = {}, random.Random(3)
        def embed(key, ids):
            h = model.emb(ids)
            for b in model.blocks:
                h = b(h)
            cache[key] = h.mean(1).repeat(1, 2730)
            return cache[key]
        with torch.no_grad(), L.at("inference"):
            for i in range(50):
                with L.step():
                    ids = L.inputs(torch.randint(0, 6000, (1, sizes.choice((40, 96, 200, 311)))).to(DEV))
                    embed(i, ids)
                    L.kept(list(cache.values()))
        return model, cache
    L.leak = {"site": "embed", "bytes_per_step": 192 * 2730 * 4, "how": "cache"}
    L.start()
    return main(L)
@program("Embedding server, no leak, pool warms up", stacks="all", workspace=0)
def p_embed_no_leak(L):
    def main(L):
        L.unit = "request"
        model = L.module(LM(d=192, layers=3).eval().to(DEV))
        cache, sizes = {}, random.Random(3)
        with torch.no_grad(), L.at("inference"):
            for i in range(32):
                with L.step():
                    n = sizes.choice((40, 96, 200, 311))
                    if n not in cache:
                        cache[n] = torch.ones(n, n, device=DEV).tril()
                        L.kept(list(cache.values()))
                    ids = L.inputs(torch.randint(0, 6000, (1, n)).to(DEV))
                    h = model.emb(ids)
                    for b in model.blocks:
                        h = b(h)
                    h.mean(1).tolist()
        return model, cache
    L.start()
    return main(L)
# --- file: /srv/hooks/train.py
@program("Hooks that keep each layer's output, every step", stacks="all", workspace=0)
def p_leak_hooks(L):
    def main(L):
        model = L.module(LM(vocab=3000, d=128, layers=2).to(DEV))
        opt = torch.optim.AdamW(model.parameters(), lr=1e-3, foreach=True)
        seen = []
        def keep(module, args, out):
            seen.append(out.detach().clone())
            L.kept(seen[-1])
        for b in model.blocks:
            b.register_forward_hook(keep)
        for _ in range(12):
            with L.step():
                ids = tokens(L, 4, 128, 3000)
                loss = F.cross_entropy(model(ids[:, :-1]).reshape(-1, 3000), ids[:, 1:].reshape(-1))
                loss.backward()
                opt.step()
                opt.zero_grad()
        return model, opt, seen
    L.leak = {"site": "keep", "bytes_per_step": 2 * 4 * 128 * 128 * 4, "how": "hooks"}
    L.start()
    return main(L)
@program("EMA by hand in a dictionary, python, after warm-up", stacks="python", scale=16)
def p_ema_hand_warm(L):
    def main(L):
        model = L.module(LM(vocab=3000, d=128, layers=2).to(DEV))
        opt = torch.optim.AdamW(model.parameters(), lr=1e-3, foreach=True)
        ema = {k: v.detach().clone() for k, v in model.named_parameters()}
        L.role("ema", list(ema.values()))
        for i in range(7):
            if i == 2:
                L.start()
            with L.step():
                ids = tokens(L, 4, 128, 3000)
                loss = F.cross_entropy(model(ids[:, :-1]).reshape(-1, 3000), ids[:, 1:].reshape(-1))
                loss.backward()
                opt.step()
                opt.zero_grad()
                with torch.no_grad():
                    for k, v in model.named_parameters():
                        ema[k].lerp_(v, 0.01)
        return model, opt, ema
    return main(L)
# --- file: /srv/amp/master.py
@program("bf16 weights with fp32 masters and moments of its own", stacks="python", scale=16)
def p_master_weights(L):
    class Mixed:
        def __init__(self, params):
            self.params = list(params)
            self.master = [p.detach().float().clone() for p in self.params]
            self.m = [torch.zeros_like(x) for x in self.master]
            self.v = [torch.zeros_like(x) for x in self.master]
            L.role("state", self.master, self.m, self.v)
        def step(self):
            with torch.no_grad():
                for p, w, m, v in zip(self.params, self.master, self.m, self.v):
                    g = p.grad.float()
                    m.lerp_(g, 0.1)
                    v.lerp_(g * g, 0.01)
                    w.sub_(1e-3 * m / (v.sqrt() + 1e-8))
                    p.copy_(w)
        def zero_grad(self):
            for p in self.params:
                p.grad = None
    def main(L):
        model = L.module(LM(vocab=3000, d=192, layers=2).to(torch.bfloat16).to(DEV))
        opt = Mixed(model.parameters())
        for _ in range(6):
            with L.step():
                ids = tokens(L, 4, 128, 3000)
                loss = F.cross_entropy(model(ids[:, :-1]).float().reshape(-1, 3000), ids[:, 1:].reshape(-1))
                loss.backward()
                L.look()
                opt.step()
                opt.zero_grad()
        return model, opt
    L.start()
    return main(L)
# --- file: /srv/oom/evaluate.py
@program("OOM: evaluation without no_grad", stacks="all", capacity=CARD, scale=220)
def p_oom_eval_grad(L):
    L.oom = {"cause": ["full"], "what": "evaluation without no_grad"}
    def main(L):
        model = L.module(LM(vocab=2000, d=192, layers=3).to(DEV))
        opt = torch.optim.SGD(model.parameters(), lr=1e-3)
        for _ in range(4):
            with L.step():
                ids = tokens(L, 2, 128, 2000)
                loss = F.cross_entropy(model(ids[:, :-1]).reshape(-1, 2000), ids[:, 1:].reshape(-1))
                loss.backward()
                opt.step()
                opt.zero_grad()
        total = []
        def validate():
            for _ in range(40):
                ids = tokens(L, 8, 128, 2000)
                total.append(model(ids[:, :-1]).mean())
        validate()
        return model, total
    L.start()
    return main(L)
@program("OOM: others hold most of the card", stacks="all", capacity=CARD, others=16 * GIB, scale=100)
def p_oom_others(L):
    L.oom = {"cause": ["full"], "what": "others"}
    def main(L):
        return fit(L, lambda p: torch.optim.AdamW(p, lr=1e-3), steps=4, b=6)
    L.start()
    return main(L)

if __name__ == "__main__":
    torch.set_num_threads(1)
    os.makedirs(sys.argv[1], exist_ok=True)
    make(sys.argv[1], sys.argv[2:])
