# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Hugging Face's models and PEFT's adapters as a plan document describes them, on the fake device."""

import functools

import torch
from torch import nn
from torch.utils.checkpoint import (CheckpointPolicy, checkpoint,
                                    create_selective_checkpoint_contexts)
from transformers import (AutoConfig, AutoModelForCausalLM, AutoModelForImageClassification,
                          AutoModelForMaskedLM, AutoModelForSeq2SeqLM, AutoModelForSpeechSeq2Seq,
                          CLIPConfig, masking_utils)

import extensions
import quantised
import vision

masking_utils.is_tracing = lambda *_: False  # fake tensors run eagerly here, so no mask is built

aten = torch.ops.aten
# The names that models have for a plan's targets; each has some of them.
TARGETS = {"q": ["q_proj", "q_a_proj", "q_b_proj"], "k": ["k_proj", "kv_a_proj_with_mqa"],
           "v": ["v_proj", "kv_b_proj"], "o": ["o_proj"], "gate": ["gate_proj", "input_linear"],
           "up": ["up_proj", "input_linear"], "down": ["down_proj", "output_linear"],
           "in_proj": ["in_proj", "in_proj_qkvz", "in_proj_ba", "in_proj_qkv", "in_proj_z",
                       "in_proj_b", "in_proj_a"],
           "out_proj": ["out_proj"], "x_proj": ["x_proj"], "dt_proj": ["dt_proj"]}
ENCODERS = ("bert", "roberta", "distilbert", "electra", "modernbert", "nomic_bert")
PICTURES = ("vit", "dinov2", "clip_vision_model")  # read an image each
T5 = ("t5", "mt5", "umt5")
SOURCES = ("whisper", "bart", "mbart", "m2m_100", *T5)  # read a sequence and write another one
SIXTEEN = ("pure-bf16", "deepspeed-bf16", "megatron-bf16")


def weight_type(plan):
    stated = plan["precision"].get("weight_bytes")
    sixteen = stated == 2 or (stated is None and plan["precision"]["regime"] in SIXTEEN)
    return torch.bfloat16 if sixteen else torch.float32


def build(plan):
    """The model on "cuda" in the type of its weights, with adapters and checkpointing."""
    activations = plan.get("activations", {})
    kind = weight_type(plan)
    config = config_of(plan)
    if plan.get("loss") == "linear-fused":
        from liger_kernel.transformers import apply_liger_kernel_to_llama
        apply_liger_kernel_to_llama(rope=False, cross_entropy=False, rms_norm=False, swiglu=False,
                                    fused_linear_cross_entropy=True)
    eager = activations.get("attention", "flash") != "flash"
    parallel = plan.get("parallel", {})
    offloaded = parallel.get("cpu_offload") and parallel["strategy"] == "fsdp1"
    with torch.device("cpu" if offloaded else "cuda"):
        model = vision.build(plan, config, kind) if vision.sees(plan) else \
            kind_of(config).from_config(
                config, attn_implementation="eager" if eager or not attends(config) else "sdpa",
                dtype=kind)
    model.train()
    quantised.quantise(plan, model)
    add_adapters(plan, model)
    add_checkpoints(activations, blocks_of(model))
    add_checkpoints(activations, encoder_blocks(model))
    if vision.sees(plan):
        add_checkpoints(activations, vision.tower_blocks(model))
    return model


def kind_of(config):
    if config.model_type == "whisper":
        return AutoModelForSpeechSeq2Seq
    if config.model_type in SOURCES:
        return AutoModelForSeq2SeqLM
    if config.model_type in PICTURES:
        return Classifier
    return AutoModelForMaskedLM if config.model_type in ENCODERS else AutoModelForCausalLM


class Classifier:
    """Image classification, of CLIP with its vision tower alone."""

    @staticmethod
    def from_config(config, **settings):
        if config.model_type == "clip_vision_model":
            config = CLIPConfig(vision_config=config, num_labels=config.num_labels)
        return AutoModelForImageClassification.from_config(config, **settings)


def attends(config):
    """Whether a model knows another implementation than eager."""
    return not config.model_type.startswith(("mamba", "falcon_mamba", "rwkv", "gemma2", "gpt_oss"))


def config_of(plan):
    stated = dict(plan["model"]["config"])
    activations = plan.get("activations", {})
    rate = activations.get("dropout", 0.0)
    stated.setdefault("attention_dropout", activations.get("attention_dropout", 0.0))
    if stated["model_type"] == "gpt2":
        stated.update(n_embd=stated.pop("hidden_size"), n_layer=stated.pop("num_hidden_layers"),
                      n_head=stated.pop("num_attention_heads"),
                      n_inner=stated.pop("intermediate_size"),
                      n_positions=stated.pop("max_position_embeddings", 1024),
                      resid_pdrop=rate, embd_pdrop=rate, attn_pdrop=stated.pop("attention_dropout"))
    if stated["model_type"] in T5:
        stated.update(dropout_rate=rate, decoder_start_token_id=0, pad_token_id=0)
    elif stated["model_type"] in SOURCES:
        stated.update(dropout=rate, activation_dropout=0.0, encoder_layerdrop=0.0,
                      decoder_layerdrop=0.0)
    if stated["model_type"] in ("bert", "nomic_bert", *PICTURES[:2]):
        stated.update(hidden_dropout_prob=rate,
                      attention_probs_dropout_prob=stated.pop("attention_dropout"))
    if stated["model_type"] in extensions.FLA:
        extensions.register_fla()
    return AutoConfig.for_model(**stated)


def add_adapters(plan, model):
    adapters = plan.get("adapters", {})
    if adapters.get("kind", "none") == "none":
        return
    from peft import LoraConfig, get_peft_model
    names = adapters["targets"]
    targets = "all-linear" if "all-linear" in names else sorted(
        module for name in names for module in TARGETS[name])
    before = torch.get_default_dtype()
    kind = torch.float32 if adapters.get("weight_bytes", 4) == 4 else torch.bfloat16
    torch.set_default_dtype(kind)
    move, nn.Module.to = nn.Module.to, lambda module, *_, **__: module  # all is made where it stays
    try:
        with torch.device("cuda"):
            get_peft_model(model, LoraConfig(r=adapters["rank"], target_modules=targets,
                                             use_dora=adapters.get("dora", False)),
                           autocast_adapter_dtype=kind == torch.float32)
    finally:
        nn.Module.to = move
        torch.set_default_dtype(before)


def trunk_of(model):
    """The module that holds embedding, blocks and final norm."""
    base = getattr(model, "base_model", model)
    trunk = getattr(base, "transformer", None) or getattr(base, "model", None) or base
    for name in ("bert", "roberta", "nomic_bert", "vit", "dinov2", "vision_model"):
        trunk = getattr(trunk, name, trunk)
    return getattr(trunk, "language_model", trunk)


def encoder_blocks(model):
    """Of a model that reads a source, whose other blocks are the decoder's."""
    trunk = trunk_of(model)
    return layers_of(trunk.encoder) if hasattr(trunk, "decoder") else []


def layers_of(half):
    return half.block if hasattr(half, "block") else half.layers


def blocks_of(model):
    trunk = trunk_of(model)
    if hasattr(trunk, "decoder"):
        return layers_of(trunk.decoder)
    if hasattr(trunk, "encoder"):
        return trunk.encoder.layer if hasattr(trunk.encoder, "layer") else trunk.encoder.layers
    blocks = trunk.h if hasattr(trunk, "h") else trunk.layers
    return list(blocks.values()) if isinstance(blocks, nn.ModuleDict) else blocks


class Chunk(nn.Module):
    """Blocks that are checkpointed together; it stands where the first of them stood."""

    def __init__(self, blocks):
        super().__init__()
        self.blocks = nn.ModuleList(blocks)

    def forward(self, x, *args, **kwargs):
        def run(x):
            for block in self.blocks:
                x = block(x, *args, **kwargs)
                x = x[0] if isinstance(x, tuple) else x
            return x

        return checkpoint(run, x, use_reentrant=False)


class Nothing(nn.Module):
    """Stands where a block stood that a chunk before it has taken in."""

    def forward(self, x, *_, **__):
        return x


def add_checkpoints(settings, blocks):
    policy = settings.get("checkpointing", "none")
    if policy == "none":
        return
    if policy == "every-k":
        every = settings["every"]
        taken = list(blocks)
        for start in range(0, len(taken), every):
            blocks[start] = Chunk(taken[start:start + every])
            for place in range(start + 1, min(start + every, len(taken))):
                blocks[place] = Nothing()
        return
    for block in blocks:  # T5's attention gives its empty bias of positions a gradient then
        for module in block.modules():
            if hasattr(module, "has_relative_attention_bias"):
                module.gradient_checkpointing = True
    last = settings["blocks"] if policy == "block" else len(blocks)
    context = {"selective-op": every_second_product, "keep-matmuls": keep_products}.get(policy)
    for block in blocks[:last]:
        block.forward = functools.partial(_checkpointed, block.forward, context)


def _checkpointed(forward, context, *args, **kwargs):
    more = {"context_fn": context} if context else {}
    return checkpoint(forward, *args, use_reentrant=False, **more, **kwargs)


PRODUCTS = (aten.mm.default, aten.bmm.default, aten.addmm.default)


def keep_products():
    def policy(_, operator, *__, **___):
        keep = operator in PRODUCTS
        return CheckpointPolicy.MUST_SAVE if keep else CheckpointPolicy.PREFER_RECOMPUTE

    return create_selective_checkpoint_contexts(policy)


def every_second_product():
    """torchtitan's selective policy: attention outputs and every second product are kept."""
    counts = {False: 0, True: 0}
    always = (aten._scaled_dot_product_flash_attention.default,
              aten._scaled_dot_product_efficient_attention.default,
              aten._scaled_dot_product_cudnn_attention.default)

    def policy(context, operator, *_, **__):
        if operator is aten.mm.default:
            counts[context.is_recompute] += 1
            keep = counts[context.is_recompute] % 2 == 1
        else:
            keep = operator in always
        return CheckpointPolicy.MUST_SAVE if keep else CheckpointPolicy.PREFER_RECOMPUTE

    return create_selective_checkpoint_contexts(policy)
