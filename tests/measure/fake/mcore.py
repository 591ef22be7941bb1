# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Megatron-Core's own GPT, data parallelism, optimizers and pipeline schedules: one rank of many.

The layers are those of `get_gpt_layer_local_spec`, which need neither Transformer Engine nor apex;
the loop around them is that of Megatron-LM's training.py and pretrain_gpt.py."""

import contextlib
import functools

import torch
from torch import nn
from torch.nn import functional as F

import device
import training
from meter import Meter, _tensors

METER = []  # the one that is counting


def kernel(function=None, **_):
    """In place of torch.compile, which makes one kernel of a function: only its results exist.
    Where autograd follows a function it runs operator by operator, since what it saves counts."""
    if function is None:
        return kernel

    @functools.wraps(function)
    def run(*args, **kwargs):
        followed = torch.is_grad_enabled() and any(
            x.requires_grad for x in _tensors((args, kwargs)))
        if not METER or followed:
            return function(*args, **kwargs)
        meter = METER[-1]
        before, meter.shapes_only = meter.shapes_only, True
        try:
            out = function(*args, **kwargs)
        finally:
            meter.shapes_only = before
        for tensor in _tensors(out):
            meter._seen(tensor, function.__name__)
        return out

    return run


def _norm(_, config, hidden_size, eps=1e-5, **__):
    """torch's norms, which save what apex's do: these alone may run under sequence parallelism."""
    kind = nn.RMSNorm if config.normalization == "RMSNorm" else nn.LayerNorm
    norm = kind(hidden_size, eps=eps)
    for parameter in norm.parameters():
        parameter.sequence_parallel = config.sequence_parallel
    return norm


def _all_agree(gathered, own, group=None):
    gathered[:] = [own] * len(gathered)


def _one_by_one(*_, **__):
    """In place of a coalesced collective, which fake tensors lack: all work in their buffers."""
    return contextlib.nullcontext(device.Stream())


def _norms(_, __, lists, *___):
    """utils.py, local_multi_tensor_l2_norm without reading the norms back."""
    each = [torch.norm(x) for part in lists for x in part]
    return torch.ones(1, device=each[0].device), None


class Chosen(torch.autograd.Function):
    """masked_select of a map that gives every token its top k experts: as long as that."""

    @staticmethod
    def forward(ctx, values, mask, count):
        ctx.save_for_backward(values, mask)
        return values.new_empty(count)

    @staticmethod
    def backward(ctx, gradient):
        values, mask = ctx.saved_tensors
        zeros = torch.zeros_like(values)
        return zeros.masked_scatter(mask, gradient), None, None


class Even:
    """As many rows for each of `parts`: what a rank would read back from the GPU."""

    def __init__(self, rows, parts):
        self.rows, self.shape = rows, parts

    def tolist(self):
        return [self.rows // self.shape] * self.shape


def _experts_alike(config):
    """Experts are used evenly; counts of tokens, which a rank reads back, are stated."""
    from megatron.core.transformer.moe import experts, moe_utils, token_dispatcher
    moe_utils.te_general_gemm = None  # 0.16.1 asks for it without Transformer Engine as well
    share = config.moe_router_topk / config.num_moe_experts
    torch.Tensor.masked_select = lambda values, mask: Chosen.apply(
        values, mask, int(mask.numel() * share))
    kind = token_dispatcher.MoEAlltoAllTokenDispatcher

    def preprocess(self, routing_map):
        rows = self.num_out_tokens = routing_map.size(0) * config.moe_router_topk
        self.input_splits = self.output_splits = Even(rows, self.ep_size).tolist()
        self.output_splits_tp = Even(rows * self.tp_size, self.tp_size)
        ranks = self.tp_size * self.ep_size
        every = Even(rows * self.tp_size, ranks * self.num_local_experts)
        every.ravel = lambda: every
        every.T = every
        self.num_global_tokens_per_local_expert = every
        self.sort_input_by_local_experts = Order(ranks, self.num_local_experts)
        self.restore_output_by_local_experts = Order(self.num_local_experts, ranks)
        return None

    class Order(Even):
        def tolist(self):
            return [part * self.shape + row for row in range(self.shape)
                    for part in range(self.rows)]

    kind.preprocess = preprocess
    kind._maybe_dtoh_and_synchronize = lambda self, point, counts: counts
    forward = experts.SequentialMLP.forward

    def one_after_another(self, tokens, _, probs):
        return forward(self, tokens, Even(tokens.shape[0], self.num_local_experts), probs)

    experts.SequentialMLP.forward = one_after_another


@functools.cache
def prepare():
    """Once a process: imports Megatron-Core with kernels in place of torch.compile, and without
    states of random numbers, which fake tensors do not have."""
    device.prepare()
    compiler, torch.compile = torch.compile, kernel
    try:
        import megatron.core
        from megatron.core import tensor_parallel
        from megatron.core.models.gpt import GPTModel  # noqa: F401
        from megatron.core.transformer.torch_norm import WrappedTorchNorm
    finally:
        torch.compile = compiler
    random = tensor_parallel.random
    random._get_all_rng_states = lambda: ()
    random._set_all_rng_states = lambda *_: None
    random.CudaRNGStatesTracker.fork = lambda *_, **__: contextlib.nullcontext()
    WrappedTorchNorm.__new__ = _norm
    torch.distributed.all_gather_object = _all_agree
    megatron.core.distributed.param_and_grad_buffer._coalescing_manager = _one_by_one


def groups(plan):
    """Megatron's process groups, made before anything is fake."""
    from megatron.core import parallel_state
    parallel = plan.get("parallel", {})
    parallel_state.initialize_model_parallel(
        tensor_model_parallel_size=parallel.get("tensor", 1),
        pipeline_model_parallel_size=parallel.get("pipeline", 1),
        virtual_pipeline_model_parallel_size=None,
        expert_model_parallel_size=parallel.get("expert", 1),
        expert_tensor_parallel_size=parallel.get("expert_tensor", parallel.get("tensor", 1)),
        create_gloo_process_groups=False)


RECOMPUTE = {
    "none": lambda _: {},
    "full": lambda _: {"recompute_granularity": "full", "recompute_method": "uniform",
                       "recompute_num_layers": 1},
    "every-k": lambda a: {"recompute_granularity": "full", "recompute_method": "uniform",
                          "recompute_num_layers": a["every"]},
    "block": lambda a: {"recompute_granularity": "full", "recompute_method": "block",
                        "recompute_num_layers": a["blocks"]},
    "selective-attention": lambda _: {"recompute_granularity": "selective",
                                      "recompute_modules": ["core_attn"]},
}


def config_of(plan):
    """Megatron's configuration of a plan. Kernels of apex are off: fused softmax, weight gradients
    that are added up inside their product."""
    from megatron.core.transformer import TransformerConfig
    stated, model = plan["model"]["config"], plan["model"]
    parallel, activations = plan.get("parallel", {}), plan.get("activations", {})
    gated, biases = model.get("gated_mlp", True), model.get("bias", [])
    experts = {}
    if "num_local_experts" in stated:
        experts = {"num_moe_experts": stated["num_local_experts"],
                   "moe_router_topk": stated["num_experts_per_tok"],
                   "moe_ffn_hidden_size": stated["intermediate_size"],
                   "moe_token_dispatcher_type": "alltoall",
                   "moe_router_load_balancing_type": "none"}
    return TransformerConfig(
        num_layers=stated["num_hidden_layers"], hidden_size=stated["hidden_size"],
        num_attention_heads=stated["num_attention_heads"],
        num_query_groups=stated.get("num_key_value_heads", stated["num_attention_heads"]),
        kv_channels=stated.get("head_dim"), ffn_hidden_size=stated["intermediate_size"],
        normalization="LayerNorm" if model.get("norm") == "layernorm" else "RMSNorm",
        gated_linear_unit=gated, activation_func=F.silu if gated else F.gelu,
        add_bias_linear="mlp" in biases, add_qkv_bias="qkv" in biases,
        hidden_dropout=activations.get("dropout", 0.0),
        attention_dropout=activations.get("attention_dropout", 0.0),
        bf16=True, params_dtype=torch.bfloat16, pipeline_dtype=torch.bfloat16,
        tensor_model_parallel_size=parallel.get("tensor", 1),
        pipeline_model_parallel_size=parallel.get("pipeline", 1),
        expert_model_parallel_size=parallel.get("expert", 1),
        expert_tensor_parallel_size=parallel.get("expert_tensor", parallel.get("tensor", 1)),
        sequence_parallel=parallel.get("sequence", False),
        attention_softmax_in_fp32=activations.get("attention") == "eager-fp32-softmax",
        masked_softmax_fusion=False, bias_dropout_fusion=False, bias_activation_fusion=True,
        gradient_accumulation_fusion=False, apply_rope_fusion=False, persist_layer_norm=False,
        perform_initialization=False, deallocate_pipeline_outputs=True,
        attention_backend=_unfused(), **experts,
        **RECOMPUTE[activations.get("checkpointing", "none")](activations))


def _unfused():
    from megatron.core.transformer.enums import AttnBackend
    return AttnBackend.unfused


def build(plan, config):
    """This rank's part of the model, wrapped as Megatron-LM's get_model wraps it."""
    from megatron.core import parallel_state
    from megatron.core.distributed import (DistributedDataParallel,
                                           DistributedDataParallelConfig)
    from megatron.core.models.gpt import GPTModel
    from megatron.core.models.gpt.gpt_layer_specs import get_gpt_layer_local_spec
    from megatron.core.transformer.module import Float16Module
    stated, parallel = plan["model"]["config"], plan.get("parallel", {})
    learned = plan["model"].get("learned_positions", 0)
    before = torch.get_default_dtype()
    torch.set_default_dtype(config.params_dtype)  # all is made where and as it stays
    with torch.device("cuda"):
        model = GPTModel(
            config, get_gpt_layer_local_spec(num_experts=config.num_moe_experts,
                                             normalization=config.normalization),
            vocab_size=plan["model"]["vocab_size_padded"],
            max_sequence_length=learned or plan["batch"]["sequence_length"],
            pre_process=parallel_state.is_pipeline_first_stage(),
            post_process=parallel_state.is_pipeline_last_stage(),
            share_embeddings_and_output_weights=stated.get("tie_word_embeddings", False),
            position_embedding_type="learned_absolute" if learned else "rope")
    torch.set_default_dtype(before)
    model.bfloat16 = lambda: model
    settings = DistributedDataParallelConfig(
        grad_reduce_in_fp32=plan["precision"].get("gradient_bytes", 4) == 4,
        overlap_grad_reduce=False,
        use_distributed_optimizer=parallel.get("strategy") == "megatron-distributed-optimizer")
    return DistributedDataParallel(config, settings, Float16Module(config, model))


def optimizer_of(plan, model):
    """Adam as torch has it. Where the plan's is fused, torch's fused kernel and an update in place
    stand for apex's, which make as little."""
    from megatron.core import optimizer as package
    from megatron.core.optimizer import OptimizerConfig, clip_grads, get_megatron_optimizer
    clip_grads.l2_norm_impl = _norms
    fused = plan["optimizer"].get("implementation") == "fused"
    if fused:
        clip_grads.multi_tensor_scale_impl = lambda _, __, lists, scale: [
            part.mul_(scale) for part in lists[0]]
    made = get_megatron_optimizer(
        OptimizerConfig(
            optimizer=plan["optimizer"]["name"].replace("adamw", "adam"), lr=1e-4, bf16=True,
            params_dtype=torch.bfloat16, clip_grad=1.0,
            use_distributed_optimizer=model.ddp_config.use_distributed_optimizer),
        [model], use_gloo_process_groups=False)
    assert package.USING_PYTORCH_OPTIMIZER
    for part in made.chained_optimizers:
        for group in part.param_groups:
            group.update(fused=fused, foreach=not fused)
    return made


class Watch(training.Watch):
    """Marks the moments of a step. In a pipeline forward and backward passes alternate and are not
    told apart."""

    def __init__(self, meter, model, pipelined):
        self.meter, self.model, self.micro, self.pipelined = meter, model, "", pipelined
        inner = model.module.module
        if hasattr(inner, "output_layer"):
            inner.output_layer.register_forward_pre_hook(self._head)
        if pipelined:
            return
        for number, layer in enumerate(inner.decoder.layers):
            layer.register_forward_pre_hook(
                lambda module, args, kwargs, number=number: self._block(
                    module, args, kwargs, number), with_kwargs=True)

    def _head(self, module, args):
        if self.pipelined:
            self.mark("loss")
        else:
            super()._head(module, args)

    def _whole(self, module):
        pass  # nothing is gathered


class Batch:
    """What Megatron-LM's get_batch_on_this_tp_rank gives a stage."""

    def __init__(self, plan, first, last):
        batch = plan["batch"]
        shape = (batch["micro_batch"], batch["sequence_length"])

        def zeros(dtype, *shape):
            return torch.zeros(shape, dtype=dtype, device="cuda")

        self.tokens = zeros(torch.int64, *shape) if first else None
        self.positions = zeros(torch.int64, *shape) if first else None
        self.labels = zeros(torch.int64, *shape) if last else None
        self.loss_mask = zeros(torch.float32, *shape) if last else None
        self.attention_mask = zeros(torch.bool, shape[0], 1, shape[1], shape[1]) \
            if batch.get("attention_mask", True) else None


def loss_of(watch, loss_mask, output):
    """pretrain_gpt.py, loss_func."""
    losses = output.view(-1).float()
    loss_mask = loss_mask.view(-1).float()
    loss = torch.sum(losses * loss_mask)
    tokens = loss_mask.sum().clone().detach().to(torch.int)
    report = torch.cat([loss.clone().detach().view(1), tokens.view(1)])
    if not watch.pipelined:
        watch.mark("loss, backward")
    return loss, tokens, {"lm loss": report}


def record(plan):
    """One rank of the plan's layout trains two steps; gives the meter that saw them."""
    prepare()
    from megatron.core import parallel_state
    groups(plan)
    try:
        with device.fake_mode(), Meter() as meter:
            METER.append(meter)
            run(plan, meter)
    finally:
        METER.clear()
        parallel_state.destroy_model_parallel()
    return meter


def run(plan, meter):
    from megatron.core import parallel_state
    from megatron.core.distributed import finalize_model_grads
    from megatron.core.pipeline_parallel.schedules import get_forward_backward_func
    meter.mark("load")
    batch, parallel = plan["batch"], plan.get("parallel", {})
    config = config_of(plan)
    if config.num_moe_experts:
        _experts_alike(config)
    model = build(plan, config)
    training.own(meter, model.module)
    meter.label([b.grad_data for b in model.buffers + model.expert_parallel_buffers], "gradients")
    optimizer = optimizer_of(plan, model)
    meter.label([p for part in optimizer.chained_optimizers for group in part.param_groups
                 for p in group["params"]], "master weights")
    config.finalize_model_grads_func = finalize_model_grads
    config.grad_scale_func = optimizer.scale_loss
    watch = Watch(meter, model, parallel.get("pipeline", 1) > 1)
    first = parallel_state.is_pipeline_first_stage()
    last = parallel_state.is_pipeline_last_stage()
    step = seen = 0

    def forward_step(_, model):
        nonlocal seen
        data = Batch(plan, first, last)
        watch.micro = f"step {step} micro {seen}" if not watch.pipelined else f"step {step}"
        seen += 1
        watch.mark("forward")
        output = model(data.tokens, data.positions, data.attention_mask, labels=data.labels)
        return output, functools.partial(loss_of, watch, data.loss_mask)

    for step in range(training.STEPS):
        seen = 0
        watch.micro = f"step {step}"
        watch.mark("begin")
        model.zero_grad_buffer()
        optimizer.zero_grad()
        reports = get_forward_backward_func()(
            forward_step_func=forward_step, data_iterator=None, model=[model],
            num_microbatches=batch.get("accumulation_steps", 1),
            seq_length=batch["sequence_length"], micro_batch_size=batch["micro_batch"],
            forward_only=False)
        watch.micro = f"step {step}"
        watch.mark("optimizer")
        optimizer.step()
        meter.label([value for part in optimizer.chained_optimizers
                     for value in training._states(part.optimizer)], "optimizer states")
        del reports
        watch.mark("rest")
