# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""torchtitan's own models, parallelised by its own functions and trained as its trainer does it:
Llama 3 and Qwen3's experts, FSDP2, expert parallelism, its checkpointing, its losses."""

import types

import torch
from torchtitan.components.loss import ChunkedLossWrapper, CrossEntropyLoss
from torchtitan.config import CompileConfig, ParallelismConfig, TrainingConfig
from torchtitan.distributed import ParallelDims, spmd_types, utils
from torchtitan.distributed.activation_checkpoint import FullAC, SelectiveAC
from torchtitan.models import llama3, qwen3
from torchtitan.models.common import ComplexRoPE, CosSinRoPE, Embedding, Linear
from torchtitan.models.common.attention import ScaledDotProductAttention
from torchtitan.models.common.nn_modules import RMSNorm
from torchtitan.models.common.token_dispatcher import AllToAllTokenDispatcher

import models
import optimizers
import training

CHECKPOINTING = {"none": None, "full": FullAC.Config(), "selective-op": SelectiveAC.Config()}


def shape(plan):
    """The layers' settings by torchtitan's names."""
    config = plan["model"]["config"]
    heads = config["num_attention_heads"]
    width = config.get("head_dim", config["hidden_size"] // heads)
    rope = (CosSinRoPE if config["model_type"].startswith("qwen3") else ComplexRoPE).Config(
        dim=width, max_seq_len=plan["batch"]["sequence_length"])
    return {"n_layers": config["num_hidden_layers"], "dim": config["hidden_size"],
            "n_heads": heads, "n_kv_heads": config["num_key_value_heads"], "rope": rope,
            "attn_backend": "flex"}


def layers(plan):
    """torchtitan's layers, with scaled_dot_product_attention in place of compiled FlexAttention."""
    config, settings = plan["model"]["config"], shape(plan)
    if config["model_type"] == "llama":
        made = llama3._build_llama3_layers(hidden_dim=config["intermediate_size"], **settings)
    else:
        made = qwen3._build_qwen3_moe_layers(
            head_dim=config["head_dim"], moe_hidden_dim=config["moe_intermediate_size"],
            num_experts=config["num_experts"], top_k=config["num_experts_per_tok"],
            moe_comm_backend="standard", **settings)
    for layer in made:
        layer.attention.inner_attention = ScaledDotProductAttention.Config()
    return made


def build(plan):
    """The model in fp32, as torchtitan keeps it, and the function that parallelises it. What the
    plan calls a chunked loss is torchtitan's, which runs backward chunk by chunk."""
    config = plan["model"]["config"]
    width, vocab = config["hidden_size"], config["vocab_size"]
    kind, parallelize = (llama3.Llama3Model, llama3.parallelize_llama) \
        if config["model_type"] == "llama" else (qwen3.Qwen3Model, qwen3.parallelize_qwen3)
    described = kind.Config(
        dim=width, vocab_size=vocab, layers=layers(plan),
        enable_weight_tying=config.get("tie_word_embeddings", False),
        tok_embeddings=Embedding.Config(num_embeddings=vocab, embedding_dim=width),
        norm=RMSNorm.Config(normalized_shape=width),
        lm_head=Linear.Config(in_features=width, out_features=vocab))
    described.update_from_config(config=Job(plan))
    with torch.device("cuda"):
        model = described.build()
    return model.train(), parallelize


class Job:
    """The part of the trainer's settings that a model reads."""

    def __init__(self, plan):
        parallel = plan["parallel"]
        self.parallelism = ParallelismConfig(
            data_parallel_shard_degree=parallel.get("data", 1),
            expert_parallel_degree=parallel.get("expert", 1))
        self.training = TrainingConfig(local_batch_size=plan["batch"]["micro_batch"],
                                       seq_len=plan["batch"]["sequence_length"])


def meshes(plan):
    """Made before anything is fake: a mesh computes its ranks."""
    job = Job(plan)
    dims = ParallelDims.from_config(job.parallelism, plan["parallel"].get("data", 1))
    dims.build_mesh()
    spmd_types._MESH_TLS = types.SimpleNamespace()  # the engine's thread recomputes blocks as well
    utils.set_spmd_backend(job.parallelism.spmd_backend)
    return dims


class Optimizer:
    """Gradients are clipped before each step (max_norm 1.0, foreach)."""

    def __init__(self, plan, model, dims):
        self.inner, self.model, self.dims = optimizers.of(plan, model), model, dims

    @property
    def state(self):
        return self.inner.state

    def step(self):
        utils.clip_grad_norm_(list(self.model.parameters()), 1.0, foreach=True,
                              ep_enabled=self.dims.ep_enabled)
        self.inner.step()

    def zero_grad(self, set_to_none):
        self.inner.zero_grad(set_to_none=set_to_none)


def loss_of(plan, model):
    whole = CrossEntropyLoss.Config()
    if plan["loss"] == "chunked-backward":
        loss = ChunkedLossWrapper.Config(num_chunks=plan["loss_chunks"], loss_fn=whole).build()
        loss.set_lm_head(model.lm_head)
        model._skip_lm_head = True
        return loss
    return whole.build()


def even_splits(dispatcher, counts, received, ranks):
    """As AllToAllTokenDispatcher has it, but what it reads back from the GPU is the even split."""
    received = torch.ops._c10d_functional.wait_tensor(received).reshape(-1)
    counts.view(ranks, -1).sum(dim=1), received.view(ranks, -1).sum(dim=1)
    each = [dispatcher.rows // ranks] * ranks
    return received, each, each


def run(plan, meter, dims):
    meter.mark("load")
    model, parallelize = build(plan)
    job = Job(plan)
    AllToAllTokenDispatcher._sync_token_count_exchange = even_splits
    AllToAllTokenDispatcher.rows = plan["batch"]["micro_batch"] * \
        plan["batch"]["sequence_length"] * plan["model"]["config"].get("num_experts_per_tok", 1)
    policy = plan.get("activations", {}).get("checkpointing", "none")
    parallelize(model, parallel_dims=dims, training=job.training, parallelism=job.parallelism,
                compile_config=CompileConfig(), ac_config=CHECKPOINTING[policy], dump_folder="")
    training.own(meter, model)
    context = utils.get_spmd_context(parallel_dims=dims)
    loss_fn = loss_of(plan, model)
    tokens = torch.ones((), dtype=torch.int64, device="cuda")

    def micro(plan, model, watch, kept):
        with watch.batches(plan) as batch, context():
            watch.mark("forward")
            positions = torch.zeros_like(batch.tokens)
            pred = model(batch.tokens, positions=positions)
            loss, _ = loss_fn(pred, batch.labels, tokens, positions=positions)
            del pred
            watch.mark("loss, backward")
            loss.backward()

    training.train(plan, meter, model, Optimizer(plan, model, dims),
                   training.Watch(meter, model), micro)
