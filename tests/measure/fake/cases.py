# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is recorded on the fake device: plan documents, each with the figures read off its run."""

import copy
from dataclasses import dataclass

PEAK, FIRST, REST = "peak.allocated", "first_step_peak.allocated", "at_rest.allocated"
STEP, LOSS = "moments.optimizer step.allocated", "moments.loss.allocated"
FORWARD = "moments.forward.allocated"
FIRST_BLOCK = "moments.first backward block.allocated"  # to run backward
LAST_BLOCK = "moments.last backward block.allocated"


@dataclass
class Case:
    name: str
    family: str
    plan: dict
    figures: tuple
    note: str = ""
    framework: str = ""  # whose models and trainer, where they are not transformers'


LLAMA_8B = {"model_type": "llama", "hidden_size": 4096, "num_hidden_layers": 32,
            "num_attention_heads": 32, "num_key_value_heads": 8, "intermediate_size": 14336,
            "vocab_size": 128256}
LLAMA_70B = {**LLAMA_8B, "hidden_size": 8192, "num_hidden_layers": 80, "num_attention_heads": 64,
             "intermediate_size": 28672}
EIGHT = {**LLAMA_8B, "num_hidden_layers": 8}  # the shape of an 8B model, fewer of its blocks
FOUR = {**LLAMA_8B, "num_hidden_layers": 4}
SMALL = {"model_type": "llama", "hidden_size": 2048, "num_hidden_layers": 6,
         "num_attention_heads": 16, "num_key_value_heads": 4, "intermediate_size": 5632,
         "vocab_size": 32000}
QWEN3 = {"model_type": "qwen3", "hidden_size": 2560, "num_hidden_layers": 12,
         "num_attention_heads": 32, "num_key_value_heads": 8, "head_dim": 128,
         "intermediate_size": 9728, "vocab_size": 151936, "tie_word_embeddings": True}
GPT2 = {"model_type": "gpt2", "hidden_size": 1280, "num_hidden_layers": 12,
        "num_attention_heads": 20, "intermediate_size": 5120, "vocab_size": 50257,
        "max_position_embeddings": 1024}
MIXTRAL = {**SMALL, "model_type": "mixtral", "intermediate_size": 2048, "num_local_experts": 8,
           "num_experts_per_tok": 2}
QWEN3_MOE = {**SMALL, "model_type": "qwen3_moe", "head_dim": 128, "num_experts": 32,
             "num_experts_per_tok": 4, "moe_intermediate_size": 768}
DEEPSEEK = {"model_type": "deepseek_v3", "hidden_size": 2048, "num_hidden_layers": 6,
            "num_attention_heads": 16, "num_key_value_heads": 16, "intermediate_size": 8192,
            "moe_intermediate_size": 1024, "vocab_size": 32000, "q_lora_rank": 768,
            "kv_lora_rank": 512, "qk_nope_head_dim": 128, "qk_rope_head_dim": 64,
            "v_head_dim": 128, "n_routed_experts": 16, "num_experts_per_tok": 4,
            "n_shared_experts": 1, "first_k_dense_replace": 1, "n_group": 1, "topk_group": 1}
DENSE_MLA = {**DEEPSEEK, "first_k_dense_replace": 6}

# Hybrids: layers that keep a state beside layers that attend, with the kernels of mamba-ssm,
# causal-conv1d and flash-linear-attention. Three shapes of each.
HYBRID = {"hidden_size": 2048, "num_hidden_layers": 8, "num_attention_heads": 16,
          "num_key_value_heads": 4, "head_dim": 128, "intermediate_size": 5632,
          "vocab_size": 32000, "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2}
EXPERTS = {"num_experts": 16, "num_experts_per_tok": 4, "moe_intermediate_size": 768,
           "shared_expert_intermediate_size": 768}
DELTA = {"linear_conv_kernel_dim": 4, "linear_key_head_dim": 128, "linear_value_head_dim": 128,
         "linear_num_key_heads": 16, "linear_num_value_heads": 32, "full_attention_interval": 4}
QWEN3_NEXT = {**HYBRID, **EXPERTS, **DELTA, "model_type": "qwen3_next"}
QWEN35 = {**HYBRID, **DELTA, "model_type": "qwen3_5_text",
          "layer_types": (["linear_attention"] * 3 + ["full_attention"]) * 2}
NEMOTRON = {**HYBRID, "model_type": "nemotron_h", "mamba_num_heads": 64, "mamba_head_dim": 64,
            "n_groups": 8, "ssm_state_size": 128, "chunk_size": 128,
            "layers_block_type": ["mamba", "mlp"] * 3 + ["attention", "mlp"]}
NEMOTRON_MOE = {**NEMOTRON, "n_routed_experts": 16, "num_experts_per_tok": 4,
                "moe_intermediate_size": 768, "moe_shared_expert_intermediate_size": 1536,
                "n_shared_experts": 1, "n_group": 1, "topk_group": 1,
                "layers_block_type": ["mamba", "moe", "mamba", "moe", "mamba", "attention", "moe",
                                      "mamba"]}
GRANITE = {**HYBRID, "model_type": "granitemoehybrid", "num_local_experts": 0,
           "shared_intermediate_size": 5632, "mamba_n_heads": 64, "mamba_d_head": 64,
           "mamba_n_groups": 1, "mamba_d_state": 128, "mamba_chunk_size": 256,
           "layer_types": ["mamba"] * 5 + ["attention"] + ["mamba"] * 2}
BAMBA = {**HYBRID, "model_type": "bamba", "attn_layer_indices": [3], "mamba_n_heads": 64,
         "mamba_d_head": 64, "mamba_n_groups": 1, "mamba_d_state": 128, "mamba_chunk_size": 256}
JAMBA = {**HYBRID, "model_type": "jamba", "attn_layer_period": 8, "attn_layer_offset": 4,
         "expert_layer_period": 2, "expert_layer_offset": 1, "num_experts": 1,
         "num_experts_per_tok": 1, "mamba_d_state": 16, "mamba_dt_rank": 128}
LFM2 = {**HYBRID, "model_type": "lfm2", "conv_L_cache": 3, "block_auto_adjust_ff_dim": False,
        "layer_types": ["conv", "conv", "full_attention"] * 2 + ["conv"] * 2}
MINIMAX = {**HYBRID, "model_type": "minimax", "num_local_experts": 8, "num_experts_per_tok": 2,
           "intermediate_size": 2048, "block_size": 256,
           "layer_types": (["linear_attention"] * 3 + ["full_attention"]) * 2}
KIMI = {**HYBRID, "model_type": "kimi_linear", "num_key_value_heads": 16, "kv_lora_rank": 512,
        "qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "v_head_dim": 128, "num_experts": 16,
        "num_experts_per_token": 4, "moe_intermediate_size": 768, "num_shared_experts": 1,
        "first_k_dense_replace": 1,
        "linear_attn_config": {"kda_layers": [1, 2, 3, 5, 6, 7], "full_attn_layers": [4, 8],
                               "num_heads": 16, "head_dim": 128, "short_conv_kernel_size": 4}}

FALCON_H1 = {**HYBRID, "model_type": "falcon_h1", "mamba_d_ssm": 3072, "mamba_n_heads": 24,
             "mamba_d_head": 128, "mamba_n_groups": 1, "mamba_d_state": 256,
             "mamba_chunk_size": 256}
# fla's own class, as its published configs have it.
RWKV7 = {**{k: v for k, v in HYBRID.items() if "heads" not in k}, "model_type": "rwkv7",
         "head_dim": 64, "intermediate_size": 8192, "decay_low_rank_dim": 96,
         "gate_low_rank_dim": 256, "a_low_rank_dim": 96, "v_low_rank_dim": 64, "norm_first": True,
         "fuse_norm": False, "fuse_cross_entropy": False, "fuse_linear_cross_entropy": False}
# Latent attention to the tokens that an index chooses: DeepSeek V3.2's classes and GLM-5's.
INDEXED = {**DEEPSEEK, "model_type": "deepseek_v32", "index_n_heads": 16, "index_head_dim": 128,
           "index_topk": 512, "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2}
GLM_INDEXED = {**INDEXED, "model_type": "glm_moe_dsa", "index_n_heads": 32, "qk_nope_head_dim": 192,
               "v_head_dim": 256, "num_attention_heads": 8, "num_key_value_heads": 8,
               "mlp_layer_types": ["dense"] * 2 + ["sparse"] * 4}

ZEROED = {"cublas_workspace_bytes": 0, "context_bytes": 0, "nccl_bytes": 0, "reserved_factor": 1}
LACKS = "without cuBLAS workspaces, kernels' scratch but flash attention's, allocator remainders"
NCCL = "; without NCCL buffers"

# Figures that the planner is not meant to reach, and why.
AT_THE_NORM = "the recording counts the gathering of the final norm's unit to the blocks"
TWO_UNITS = "the planner counts three gathered units at the end of forward, of which two are there"
NO_REDUCTION = "the planner counts a reduction beside the first block to run backward"
BLOCK_BEFORE = "the recording counts the whole gradients of the block before to the last block"
FUSED_NORM = "the planner counts an output of the final norm that a fused loss lets go of"
BUCKET_BESIDE = "the planner counts a bucket beside the rows of experts that are combined before it"
OUTSIDE = "the recording counts the root that is gathered again to the loss; the planner to what follows"
FIRST_ADAPTED = "the first block's input has no gradient, and fp32 adapters widen gradients inside"
NOT_COVERED = {("hybrid-kimi-zero2", PEAK): BUCKET_BESIDE, ("hybrid-kimi-zero2", FIRST): BUCKET_BESIDE,
               ("adapters", LAST_BLOCK): FIRST_ADAPTED,
               ("torchtitan", FORWARD): AT_THE_NORM, ("torchtitan", FIRST_BLOCK): AT_THE_NORM,
               ("context", FORWARD): TWO_UNITS, ("context", FIRST_BLOCK): NO_REDUCTION,
               ("context", LAST_BLOCK): BLOCK_BEFORE, ("expert", FORWARD): TWO_UNITS,
               ("context-fused-loss-ring-checkpointed", LOSS): FUSED_NORM,
               ("context-fused-loss-all-gather-checkpointed", LOSS): FUSED_NORM}

for kind in ("llama", "qwen25", "qwen3", "mistral"):
    NOT_COVERED[(f"kinds-{kind}-root-resharded-cross-entropy", LOSS)] = OUTSIDE

# Of models that read a source, whose blocks are checkpointed.
for kind in ("whisper", "whisper-turbo", "whisper-base", "bart", "mbart", "nllb", "t5", "flan-t5",
             "t5-wide", "umt5"):
    NOT_COVERED[(f"source-{kind}-checkpointed", FORWARD)] = \
        "the planner counts less of what a block works on while it runs forward"
for kind in ("whisper", "bart"):
    for figure in (PEAK, FIRST, FORWARD, LOSS):
        NOT_COVERED[(f"source-{kind}-lora-checkpointed", figure)] = \
            "the planner counts less beside adapters, why is not known"

for figure in (PEAK, FIRST, FORWARD, LOSS):
    NOT_COVERED[("source-t5-wide-fsdp2", figure)] = \
        "FSDP2 gathers attention that is wider than the model otherwise, why is not known"

CASES = []


def add(name, family, config, figures=(PEAK, REST), regime="pure-bf16", note="", framework="",
        **parts):
    batch = {"micro_batch": 1, "sequence_length": 4096, **parts.pop("batch", {})}
    loss = parts.pop("loss", "cross-entropy-fp32" if regime == "fp32" else "hf-upcast")
    optimizer = parts.pop("optimizer", ADAMW)
    own_loop = family not in ("pipeline", "trainer", "megatron") and not framework
    if own_loop and loss not in ("linear-fused", "selective-log-softmax"):
        parts["loss_keep_outputs"] = True  # outputs = model(…), and their loss runs backward
    overheads = {**ZEROED, **parts.pop("overheads", {})}
    plan = {"vramscope": 1, "name": f"{family}: {name.replace('-', ' ')}", "workload": "training",
            "model": {"config": dict(config), **parts.pop("model", {})},
            "precision": {"regime": regime, **parts.pop("precision", {})},
            "optimizer": optimizer, "batch": batch, "loss": loss, **parts,
            "overheads": overheads}
    lacks = LACKS + (NCCL if "parallel" in parts else "")
    CASES.append(Case(f"{family}-{name}", family, copy.deepcopy(plan), figures,
                      f"{note}; {lacks}" if note else lacks, framework))


# Transformers whose norms or rotation differ from Llama's.
DENSE = {"hidden_size": 2048, "num_hidden_layers": 6, "num_attention_heads": 16,
         "num_key_value_heads": 4, "head_dim": 128, "intermediate_size": 5632, "vocab_size": 32000,
         "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2}
OTHERS = {"gemma3": {**DENSE, "model_type": "gemma3_text", "sliding_window": 8192},
          "glm4": {**DENSE, "model_type": "glm4", "partial_rotary_factor": 0.5},
          "stablelm": {**DENSE, "model_type": "stablelm", "partial_rotary_factor": 0.25},
          "olmo2": {**DENSE, "model_type": "olmo2"},
          "olmo": {**DENSE, "model_type": "olmo"},
          "cohere2": {**DENSE, "model_type": "cohere2", "sliding_window": 8192},
          "phi3": {**DENSE, "model_type": "phi3"},
          "nemotron": {**DENSE, "model_type": "nemotron"},
          "hunyuan-moe": {**DENSE, "model_type": "hunyuan_v1_moe", "num_experts": 16,
                          "moe_topk": 4, "intermediate_size": 768},
          "exaone-moe": {**DENSE, "model_type": "exaone_moe", "num_experts": 16,
                         "num_experts_per_tok": 4, "moe_intermediate_size": 768,
                         "num_shared_experts": 1, "first_k_dense_replace": 1,
                         "sliding_window": 8192, "n_group": 1, "topk_group": 1},
          "qwen2-moe": {**DENSE, "model_type": "qwen2_moe", "num_experts": 16,
                        "num_experts_per_tok": 4, "moe_intermediate_size": 768,
                        "shared_expert_intermediate_size": 1536}}


def add_others():
    for name, config in OTHERS.items():
        for regime in ("pure-bf16", "autocast-bf16"):
            add(f"{name}-{regime}", "model", config, (PEAK, LOSS), regime, optimizer=SGD)


BUCKET = {"reduce_bucket_size": 50_000_000}
SHAPES = {"": {}, "-wide": {"hidden_size": 3072, "intermediate_size": 8192}, "-batch": {}}


def add_hybrids():
    """Each kind of layer at three shapes: of the model, a wider one, and a batch of sequences. The
    first figure is what the layers that keep a state save."""
    state = "moments.loss.components.Saved activations, state blocks.bytes"
    routed = "moments.loss.components.Saved activations, expert state blocks.bytes"
    both = "moments.loss.components.Saved activations, parallel blocks.bytes"
    every_fourth = [0, 1, 2, 4, 5, 6]
    for name, config, saved in (
            ("qwen3-next", QWEN3_NEXT, (routed, every_fourth)),
            ("qwen35", QWEN35, (state, every_fourth)), ("nemotron", NEMOTRON, (state, [0, 2, 4])),
            ("nemotron-moe", NEMOTRON_MOE, (state, [0, 2, 4, 7])),
            ("granite", GRANITE, (state, [0, 1, 2, 3, 4, 6, 7])),
            ("bamba", BAMBA, (state, [0, 1, 2, 4, 5, 6, 7])),
            ("jamba", JAMBA, (state, [0, 1, 2, 3, 5, 6, 7])),
            ("lfm2", LFM2, (state, [0, 1, 3, 4, 6, 7])),
            ("minimax", MINIMAX, (routed, every_fourth)), ("kimi", KIMI, (routed, [1, 2, 4, 5, 6])),
            ("falcon-h1", FALCON_H1, (both, list(range(8)))),
            ("rwkv7", RWKV7, (state, list(range(1, 8)))),
            ("rwkv7-fused-norms", {**RWKV7, "fuse_norm": True}, (state, list(range(1, 8))))):
        for shape, changes in SHAPES.items():
            wide = dict(changes)
            if shape == "-wide" and "mamba_d_ssm" in config:
                wide |= {"mamba_n_heads": 32, "mamba_d_ssm": 4096, "mamba_rms_norm": True}
            elif shape == "-wide" and "mamba_n_heads" in config:
                wide["mamba_n_heads"] = 96  # mamba_expand times the hidden size, of 64 each
            batch = {"micro_batch": 4, "sequence_length": 1024} if shape == "-batch" else {}
            add(name + shape, "hybrid", {**config, **wide}, (saved, PEAK), batch=batch,
                optimizer=SGD)
        add(f"{name}-checkpointed", "hybrid", config, (PEAK, LAST_BLOCK), optimizer=SGD, **FULL)
        add(f"{name}-autocast", "hybrid", config, (PEAK,), "autocast-bf16", optimizer=SGD)
        add(f"{name}-autocast-checkpointed", "hybrid", config, (PEAK, LAST_BLOCK), "autocast-bf16",
            optimizer=SGD, **FULL)
        if config["model_type"] == "rwkv7":
            continue  # with 16-bit weights its step under autocast is not computed
        add(f"{name}-autocast-16-bit", "hybrid", config, (PEAK,), "autocast-bf16",
            precision={"weight_bytes": 2}, optimizer=SGD)
    targets = ["q", "k", "v", "o", "gate", "up", "down"]
    for name, config in (("qwen35", QWEN35), ("nemotron", NEMOTRON), ("bamba", BAMBA),
                         ("jamba", JAMBA)):
        for width in (4, 2):
            lora = {"kind": "lora", "rank": 16, "targets": targets, "weight_bytes": width}
            add(f"{name}-lora-{width}-checkpointed", "hybrid", config, (PEAK, REST),
                adapters=lora, **FULL)
    add("granite-fsdp2", "hybrid", {**GRANITE, "vocab_size": 1000}, (PEAK, FIRST), "fsdp-mixed-bf16",
        precision={"reduce_bytes": 4}, optimizer=FUSED, note="a small head: backward is the peak",
        parallel={"strategy": "fsdp2", "sharding": "full_shard", "units": "root-resharded", "data": 8}, **FULL)
    for name, config in (("qwen35", QWEN35), ("nemotron-moe", NEMOTRON_MOE), ("kimi", KIMI),
                         ("falcon-h1", FALCON_H1), ("rwkv7", RWKV7)):
        for parallel, regime in (
                ({"strategy": "fsdp2", "sharding": "full_shard", "units": "root-resharded"}, "fsdp-mixed-bf16"),
                ({"strategy": "ddp"}, "pure-bf16"),
                ({"strategy": "zero2", "bucket": BUCKET}, "deepspeed-bf16"),
                ({"strategy": "zero3", "bucket": BUCKET}, "deepspeed-bf16")):
            if name == "falcon-h1" and regime.startswith("fsdp"):
                continue  # whose buffers, in fp32, widen the residual stream
            add(f"{name}-{parallel['strategy']}", "hybrid", config, (PEAK, FIRST), regime,
                precision={"reduce_bytes": 4} if regime.startswith("fsdp") else {},
                optimizer=FUSED, parallel={**parallel, "data": 8}, **FULL)


# The projections of each mixer that its class runs as modules; adapters of Mamba's others, whose
# weights it reads itself, are never trained.
OF_MIXERS = {"qwen3-next": (QWEN3_NEXT, ["in_proj", "out_proj"]),
             "qwen35": (QWEN35, ["in_proj", "out_proj"]),
             "nemotron": (NEMOTRON, ["in_proj"]), "nemotron-moe": (NEMOTRON_MOE, ["in_proj"]),
             "granite": (GRANITE, ["in_proj"]),
             "bamba": (BAMBA, ["in_proj"]),
             "jamba": (JAMBA, ["in_proj", "x_proj", "out_proj"]),
             "kimi": (KIMI, []), "falcon-h1": (FALCON_H1, ["in_proj"])}
STATE_BLOCKS = {"qwen3-next": ("expert state", [0, 1, 2, 4, 5, 6]),
                "qwen35": ("state", [0, 1, 2, 4, 5, 6]), "nemotron": ("state", [0, 2, 4]),
                "nemotron-moe": ("state", [0, 2, 4, 7]),
                "granite": ("state", [0, 1, 2, 3, 4, 6, 7]),
                "bamba": ("state", [0, 1, 2, 4, 5, 6, 7]),
                "jamba": ("state", [0, 1, 2, 3, 5, 6, 7]), "kimi": ("expert state", [1, 2, 4, 5, 6]),
                "falcon-h1": ("parallel", list(range(8)))}


def add_adapted_mixers():
    """Adapters of models whose layers are of several kinds: of attention alone, and of the layers
    that keep a state and the feed-forward as well."""
    for name, (config, mixers) in OF_MIXERS.items():
        kind, blocks = STATE_BLOCKS[name]
        saved = (f"moments.loss.components.Saved activations, {kind} blocks.bytes", blocks)
        feed = [] if config.get("num_experts", 1) > 1 or "n_routed_experts" in config else \
            ["gate", "up", "down"]

        def case(label, targets, width=4, figures=(saved, PEAK, REST), **more):
            lora = {"kind": "lora", "rank": 16, "targets": targets, "weight_bytes": width}
            add(f"{name}-{label}", "adapters", more.pop("config", config), figures, adapters=lora,
                **more)

        attention, every = ["q", "k", "v", "o"], ["q", "k", "v", "o", *mixers, *feed]
        for width in (4, 2):
            case(f"attention-{width}", attention, width, (PEAK, REST))
            case(f"mixers-{width}", every, width)
        case("mixers-checkpointed", every, figures=(PEAK, LAST_BLOCK, REST), **FULL)
        case("mixers-wide", every, config={**config, **wide_of(config)})
        case("mixers-batch", every, batch={"micro_batch": 4, "sequence_length": 1024})
        case("mixers-autocast", every, figures=(saved, PEAK, REST), regime="autocast-bf16",
             precision={"weight_bytes": 2})
        case("mixers-autocast-32-bit", every, figures=(PEAK, REST), regime="autocast-bf16")
        case("mixers-autocast-checkpointed", every, figures=(PEAK, LAST_BLOCK, REST),
             regime="autocast-bf16", precision={"weight_bytes": 2}, **FULL)


def add_adapted_latents():
    """Adapters of latent attention, with an index for it and without."""
    attention = ["q", "k", "v", "o"]
    for name, config in (("v32", INDEXED), ("glm", GLM_INDEXED), ("deepseek", DEEPSEEK)):
        def case(label, width=4, figures=(PEAK, LOSS, REST), **more):
            lora = {"kind": "lora", "rank": 16, "targets": attention, "weight_bytes": width}
            add(f"{name}-{label}", "adapters", more.pop("config", config), figures, adapters=lora,
                **more)

        sixteen = {"regime": "autocast-bf16", "precision": {"weight_bytes": 2}}
        for width in (4, 2):
            case(f"latent-{width}", width)
        case("latent-wide", config={**config, **SHAPES["-wide"]})
        case("latent-batch", batch={"micro_batch": 4, "sequence_length": 1024})
        case("latent-autocast", **sixteen)
        case("latent-checkpointed", figures=(PEAK, LAST_BLOCK, REST), **FULL)
        case("latent-autocast-checkpointed", figures=(PEAK, LAST_BLOCK, REST), **sixteen, **FULL)


def add_quantised_mixers():
    """Bases in NF4 under adapters of models whose layers are of several kinds."""
    for name in ("qwen35", "qwen3-next", "kimi"):
        config, mixers = OF_MIXERS[name]
        dense = name == "qwen35"
        feed = ["gate", "up", "down"] if dense else []

        def case(label, targets, figures=(PEAK, LOSS, REST), upcast=True, **more):
            lora = {"kind": "lora", "rank": 16, "targets": targets, "weight_bytes": 4,
                    "base_quantization": "nf4-double", "upcast_unquantized": upcast}
            if not dense:
                lora["modules_to_not_convert"] = ["embedding", "head", "expert"]
            regime = "autocast-bf16" if upcast else "pure-bf16"
            add(f"{name}-{label}", "adapters", config, figures, regime, adapters=lora,
                loss="hf-padded", note="bitsandbytes", **more)

        every = ["q", "k", "v", "o", *mixers, *feed]
        case("nf4-checkpointed", every, (PEAK, LAST_BLOCK, REST), **FULL)
        case("nf4-plain-checkpointed", every, (PEAK, LAST_BLOCK, REST), False, **FULL)


def wide_of(config):
    wide = dict(SHAPES["-wide"])
    if "mamba_d_ssm" in config:
        return wide | {"mamba_n_heads": 32, "mamba_d_ssm": 4096, "mamba_rms_norm": True}
    return wide | ({"mamba_n_heads": 96} if "mamba_n_heads" in config else {})


def add_indexed():
    """Attention to the tokens that an index chooses, at three shapes. The first figure is what the
    layers with experts save."""
    saved = "moments.loss.components.Saved activations, expert blocks.bytes"
    for name, config, experts in (("deepseek", INDEXED, [1, 2, 3, 4, 5]),
                                  ("glm", GLM_INDEXED, [2, 3, 4, 5])):
        for shape, changes in SHAPES.items():
            batch = {"micro_batch": 4, "sequence_length": 1024} if shape == "-batch" else {}
            add(name + shape, "indexed", {**config, **changes}, ((saved, experts), PEAK, FORWARD),
                batch=batch, optimizer=SGD)
        add(f"{name}-checkpointed", "indexed", config, (PEAK, FORWARD, LAST_BLOCK), optimizer=SGD,
            **FULL)
        add(f"{name}-autocast", "indexed", config, (PEAK, FORWARD), "autocast-bf16", optimizer=SGD)
        add(f"{name}-autocast-checkpointed", "indexed", config, (PEAK, FORWARD, LAST_BLOCK),
            "autocast-bf16", optimizer=SGD, **FULL)
        add(f"{name}-autocast-16-bit", "indexed", config, (PEAK, FORWARD), "autocast-bf16",
            precision={"weight_bytes": 2}, optimizer=SGD)
    # The index has no gradients, and so no states.
    add("adamw-checkpointed", "indexed", {**INDEXED, "index_n_heads": 64},
        (PEAK, FIRST, STEP, REST), batch={"micro_batch": 2, "sequence_length": 2048}, **FULL)
    for name, config in (("deepseek", INDEXED), ("glm", GLM_INDEXED)):
        add(f"{name}-fsdp2", "indexed", config, (PEAK, FIRST), "fsdp-mixed-bf16",
            precision={"reduce_bytes": 4}, optimizer=FUSED,
            parallel={"strategy": "fsdp2", "sharding": "full_shard", "units": "root-resharded", "data": 8},
            **FULL)
    add("few-tokens", "indexed", INDEXED, (PEAK, FORWARD),
        batch={"micro_batch": 2, "sequence_length": 256}, optimizer=SGD)


TEXT = {"hidden_size": 2048, "num_hidden_layers": 6, "num_attention_heads": 16,
        "num_key_value_heads": 4, "head_dim": 128, "intermediate_size": 5632, "vocab_size": 32000,
        "max_position_embeddings": 32768}
TURNED = {"rope_type": "default", "rope_theta": 1e6, "mrope_section": [16, 24, 24]}
GRID = {"depth": 6, "hidden_size": 1280, "num_heads": 16, "intermediate_size": 3420,
        "out_hidden_size": 2048, "spatial_merge_size": 2}
IMAGE_TOKEN = {"image_token_id": 31990, "video_token_id": 31991, "vision_start_token_id": 31992,
               "vision_end_token_id": 31993}
SEEING = {
    "qwen2-vl": {"model_type": "qwen2_vl", **IMAGE_TOKEN,
                 "text_config": {**TEXT, "model_type": "qwen2_vl_text", "rope_parameters": TURNED},
                 "vision_config": {"depth": 6, "embed_dim": 1280, "num_heads": 16, "mlp_ratio": 4,
                                   "hidden_size": 2048, "patch_size": 14,
                                   "spatial_merge_size": 2}},
    "qwen25-vl": {"model_type": "qwen2_5_vl", **IMAGE_TOKEN,
                  "text_config": {**TEXT, "model_type": "qwen2_5_vl_text",
                                  "rope_parameters": TURNED},
                  "vision_config": {**GRID, "patch_size": 14, "window_size": 112,
                                    "fullatt_block_indexes": [2, 5]}},
    "qwen3-vl": {"model_type": "qwen3_vl", **IMAGE_TOKEN,
                 "text_config": {**TEXT, "model_type": "qwen3_vl_text", "rope_parameters": TURNED},
                 "vision_config": {**GRID, "patch_size": 16, "num_position_embeddings": 2304,
                                   "deepstack_visual_indexes": [1, 3]}},
    "qwen35": {"model_type": "qwen3_5", **IMAGE_TOKEN,
               "text_config": {**QWEN35, "model_type": "qwen3_5_text"},
               "vision_config": {**GRID, "patch_size": 16, "num_position_embeddings": 2304,
                                 "out_hidden_size": QWEN35["hidden_size"]}},
    "internvl": {"model_type": "internvl", "image_token_id": 31990, "tie_word_embeddings": False,
                 "text_config": {**TEXT, "model_type": "qwen3"},
                 "vision_config": {"model_type": "internvl_vision", "hidden_size": 1024,
                                   "num_hidden_layers": 6, "num_attention_heads": 16,
                                   "intermediate_size": 4096, "image_size": [448, 448],
                                   "patch_size": [14, 14]}},
}


LLAMA4 = {"model_type": "llama4_text", "hidden_size": 2048, "num_hidden_layers": 4,
          "num_attention_heads": 16, "num_key_value_heads": 4, "head_dim": 128,
          "intermediate_size": 2048, "intermediate_size_mlp": 5632, "vocab_size": 32000,
          "num_local_experts": 4, "num_experts_per_tok": 1, "interleave_moe_layer_step": 1,
          "max_position_embeddings": 32768, "attention_chunk_size": 8192, "use_qk_norm": True}


def add_chunked():
    """Attention in chunks, and experts that all see every token."""
    for shape, changes, batch in (
            ("", {}, {}), ("-wide", {"num_local_experts": 8, "intermediate_size": 1024}, {}),
            ("-batch", {}, {"micro_batch": 4, "sequence_length": 1024})):
        add("llama4" + shape, "hybrid", {**LLAMA4, **changes}, (PEAK, LOSS), batch=batch,
            optimizer=SGD)
    add("llama4-checkpointed", "hybrid", LLAMA4, (PEAK, FIRST), optimizer=SGD, **FULL)


def add_vision():
    """Models that see images: the tower trained at three sizes of images, recomputed, frozen."""
    saved = ("moments.loss.components.Saved by the vision tower's blocks.bytes",
             [1000 + block for block in range(6)])
    for name, config in SEEING.items():
        tile = {"image_width": 448, "image_height": 448}
        sizes = {"": tile, "-two": {**tile, "images": 2, "micro_batch": 2}}
        if name != "internvl":
            sizes["-large"] = {"image_width": 1344, "image_height": 896}
        for size, images in sizes.items():
            # Between some blocks of Qwen3-VL further mergers run.
            figures = (PEAK, LOSS) if name == "qwen3-vl" else (saved, PEAK, LOSS)
            add(name + size, "vision", config, figures, batch={"images": 1, **images},
                optimizer=SGD)
        image = {"images": 1, **sizes.get("-large", tile)}
        add(f"{name}-checkpointed", "vision", config, (PEAK, LOSS), batch=image, optimizer=SGD,
            **FULL)
        add(f"{name}-frozen", "vision", config, (PEAK, REST),
            batch={**image, "vision_tower": "frozen"})
    image = {"images": 1, "image_width": 1344, "image_height": 896}
    lora = {"kind": "lora", "rank": 16, "targets": ["q", "k", "v", "o"]}
    for name in ("qwen25-vl", "qwen3-vl"):
        for how, parts in (("", {}), ("-checkpointed", FULL)):
            add(f"{name}-lora{how}", "vision", SEEING[name], (PEAK, REST),
                batch={**image, "vision_tower": "frozen"}, adapters={**lora, "weight_bytes": 4},
                **parts)
        add(f"{name}-adamw", "vision", SEEING[name], (PEAK, FIRST, REST), batch=image)
        add(f"{name}-ddp", "vision", SEEING[name], (PEAK, FIRST), batch=image, optimizer=FUSED,
            parallel={"strategy": "ddp", "data": 8}, **FULL)
        for tower in ("trained", "frozen"):
            add(f"{name}-fsdp2-{tower}", "vision", SEEING[name], (PEAK, FIRST), "fsdp-mixed-bf16",
                batch={**image, "vision_tower": tower}, precision={"reduce_bytes": 4},
                optimizer=FUSED, parallel={"strategy": "fsdp2", "sharding": "full_shard",
                                           "units": "root-resharded", "data": 8}, **FULL)
            for stage in (2, 3):
                add(f"{name}-zero{stage}-{tower}", "vision", SEEING[name], (PEAK, FIRST, REST),
                    "deepspeed-bf16", batch={**image, "vision_tower": tower}, optimizer=FUSED,
                    parallel={"strategy": f"zero{stage}", "bucket": BUCKET, "data": 8}, **FULL)


ADAMW = {"name": "adamw", "implementation": "foreach"}
FUSED = {"name": "adamw", "implementation": "fused"}
SGD = {"name": "sgd", "implementation": "foreach"}
FULL = {"activations": {"checkpointing": "full"}}
SHORT = {"micro_batch": 1, "sequence_length": 256}  # the step is the peak


def add_models():
    for name, config in (("llama", SMALL), ("llama-8b", EIGHT), ("qwen3", QWEN3), ("gpt2", GPT2)):
        length = {"sequence_length": 1024, "micro_batch": 4} if name == "gpt2" else {}
        for regime in ("pure-bf16", "autocast-bf16", "fp32"):
            add(f"{name}-{regime}", "model", config, (PEAK, LOSS), regime, batch=length,
                optimizer=SGD)
    for name, config in (("mixtral", MIXTRAL), ("qwen3-moe", QWEN3_MOE)):
        for regime in ("pure-bf16", "autocast-bf16"):
            add(f"{name}-{regime}", "moe", config, (PEAK, LOSS), regime, optimizer=SGD,
                note="experts by grouped matrix products")
        add(f"{name}-checkpointed", "moe", config, (PEAK, LOSS), optimizer=SGD, **FULL)
    for name, config in (("deepseek", DEEPSEEK), ("dense", DENSE_MLA)):
        for regime in ("pure-bf16", "autocast-bf16"):
            add(f"{name}-{regime}", "mla", config, (PEAK, LOSS), regime, optimizer=SGD)
        add(f"{name}-checkpointed", "mla", config, (PEAK, LOSS), optimizer=SGD, **FULL)


def add_attention():
    for length in (1024, 2048):
        add(f"llama-eager-{length}", "attention", SMALL, (PEAK,), optimizer=SGD,
            batch={"sequence_length": length},
            activations={"attention": "eager-fp32-softmax"})
    add("llama-eager-dropout", "attention", SMALL, (PEAK,), optimizer=SGD,
        batch={"sequence_length": 1024},
        activations={"attention": "eager-fp32-softmax", "attention_dropout": 0.1})
    for name, rates in (("dropout", {"dropout": 0.1}),
                        ("eager", {"attention": "eager"}),
                        ("eager-dropout", {"dropout": 0.1, "attention_dropout": 0.1,
                                           "attention": "eager"})):
        add(f"gpt2-{name}", "attention", GPT2, (PEAK,), optimizer=SGD,
            batch={"micro_batch": 4, "sequence_length": 1024}, activations=rates)


def add_checkpointing():
    kinds = {"full": {"checkpointing": "full"}, "every-2": {"checkpointing": "every-k", "every": 2},
             "every-4": {"checkpointing": "every-k", "every": 4},
             "block-4": {"checkpointing": "block", "blocks": 4},
             "selective-op": {"checkpointing": "selective-op"},
             "keep-matmuls": {"checkpointing": "keep-matmuls"}}
    for name, settings in kinds.items():
        for batch in (1, 4):
            add(f"{name}-{batch}", "checkpointing", EIGHT, (PEAK, LOSS), optimizer=SGD,
                batch={"micro_batch": batch}, activations=settings)
        add(f"{name}-fused-loss", "checkpointing", EIGHT, (PEAK,), optimizer=SGD,
            loss="linear-fused", activations=settings)
    add("full-autocast", "checkpointing", EIGHT, (PEAK, LOSS), "autocast-bf16", **FULL)


def add_optimizers():
    for name, how in (("adamw", "foreach"), ("adamw", "fused"), ("adamw", "for-loop"),
                      ("adamw", "in-backward"), ("sgd", "foreach"), ("sgd-momentum", "foreach"),
                      ("sgd-momentum", "for-loop"), ("adafactor-torch", "for-loop"),
                      ("muon", "for-loop"), ("adamw-8bit", "fused")):
        for regime in ("pure-bf16", "fp32"):
            add(f"{name.removesuffix('-torch')}-{how}-{regime}", "optimizer", EIGHT, (PEAK, FIRST, REST), regime,
                batch=SHORT, optimizer={"name": name, "implementation": how})


def add_optimizers_of_adapters():
    """Optimizers whose states depend on the first values of the weights."""
    for name, how in (("prodigy", "for-loop"), ("adamw-schedule-free", "foreach")):
        for regime in ("pure-bf16", "fp32"):
            add(f"{name}-{how}-{regime}", "optimizer", EIGHT, (PEAK, FIRST, REST), regime,
                batch=SHORT, optimizer={"name": name, "implementation": how})
        add(f"{name}-{how}-lora", "optimizer", EIGHT, (PEAK, FIRST, REST), "pure-bf16",
            batch=SHORT, optimizer={"name": name, "implementation": how},
            adapters={"kind": "lora", "rank": 64, "targets": ["all-linear"]})


def add_losses():
    for length in (2048, 8192):
        long = {"sequence_length": length}
        add(f"hf-{length}", "loss", EIGHT, (LOSS,), batch=long, optimizer=SGD)
        add(f"fp32-{length}", "loss", EIGHT, (LOSS,), "fp32", batch=long, optimizer=SGD)
        for chunks in (4, 16):
            add(f"chunked-{chunks}-{length}", "loss", EIGHT, (LOSS,), loss="chunked",
                loss_chunks=chunks, batch=long, optimizer=SGD)
        add(f"linear-fused-{length}", "loss", EIGHT, (LOSS,), loss="linear-fused", batch=long,
            optimizer=SGD, note="Liger's fused linear cross-entropy")
    for batch in (1, 2, 8):
        for regime in ("pure-bf16", "autocast-bf16"):
            add(f"policy-{batch}-{regime}", "loss", EIGHT, (LOSS, PEAK), regime, optimizer=SGD,
                loss="selective-log-softmax", **FULL,
                batch={"micro_batch": batch, "sequence_length": 1024})
    add("autocast", "loss", EIGHT, (LOSS,), "autocast-bf16", optimizer=SGD)
    add("tied", "loss", {**EIGHT, "tie_word_embeddings": True}, (LOSS, PEAK), optimizer=SGD)


def add_adapters():
    for name, targets in (("qv", ["q", "v"]), ("qkvo", ["q", "k", "v", "o"]),
                          ("all", ["all-linear"])):
        for width in (4, 2):
            lora = {"kind": "lora", "rank": 16, "targets": targets, "weight_bytes": width}
            add(f"{name}-{width}", "lora", EIGHT, (PEAK, REST), adapters=lora)
        add(f"{name}-checkpointed", "lora", EIGHT, (PEAK, REST), adapters=lora, **FULL)
    lora = {"kind": "lora", "rank": 16, "targets": ["all-linear"], "weight_bytes": 4}
    add("all-autocast", "lora", EIGHT, (PEAK, REST), "autocast-bf16", adapters=lora)


def add_dora():
    """Adapters that also train the length of each row (PEFT's use_dora)."""
    shapes = (("8b", EIGHT), ("small", SMALL), ("qwen3", QWEN3))

    def case(name, config=EIGHT, targets=("all-linear",), width=4, base="none", upcast=False,
             **more):
        lora = {"kind": "lora", "dora": True, "rank": 16, "targets": list(targets),
                "weight_bytes": width}
        if base != "none":
            lora.update(base_quantization=base, upcast_unquantized=upcast)
            more.update(loss="hf-padded", note="bitsandbytes")
        first = (FIRST_BLOCK,) if "activations" in more else ()
        add(name, "dora", config, (PEAK, LOSS, *first, STEP, REST), adapters=lora, **more)

    sixteen = {"regime": "autocast-bf16", "precision": {"weight_bytes": 2}}
    for name, config in shapes:
        case(name, config)
        case(f"{name}-bf16", config, width=2)
        case(f"{name}-autocast", config, **sixteen)
        case(f"{name}-checkpointed", config, **FULL)
        case(f"{name}-bf16-checkpointed", config, width=2, **FULL)
        case(f"{name}-autocast-checkpointed", config, **sixteen, **FULL)
    for targets in ("qv", "qkvo"):
        case(targets, targets=targets, **sixteen)
        case(f"{targets}-checkpointed", targets=targets, **sixteen, **FULL)
    case("short", batch={"sequence_length": 512}, **sixteen, **FULL)
    for name, config in shapes:
        case(f"{name}-nf4", config, base="nf4-double")
        case(f"{name}-nf4-checkpointed", config, base="nf4-double", **FULL)
        case(f"{name}-nf4-autocast-checkpointed", config, base="nf4-double", **sixteen, **FULL)
        case(f"{name}-nf4-prepared-checkpointed", config, base="nf4-double", upcast=True,
             regime="autocast-bf16", **FULL)


def add_quantised():
    def case(name, base, targets=("all-linear",), config=EIGHT, width=4, rank=16, upcast=False,
             **more):
        lora = {"kind": "lora", "rank": rank, "targets": list(targets), "weight_bytes": width,
                "base_quantization": base, **({"upcast_unquantized": True} if upcast else {})}
        if more.get("regime") == "autocast-bf16" and not upcast:
            more["precision"] = {"weight_bytes": 2}
        more.setdefault("loss", "hf-padded")
        add(name, "qlora", config, (PEAK, REST, LOSS), adapters=lora,
            note="bitsandbytes" + ("; without outliers" if base == "int8" else ""), **more)

    qv, long = ("q", "v"), {"sequence_length": 8192}
    case("nf4-qv", "nf4", qv)
    case("nf4-all", "nf4")
    case("nf4-all-bf16", "nf4", width=2)
    case("double-all", "nf4-double")
    case("double-all-2", "nf4-double", batch={"micro_batch": 2, "sequence_length": 2048})
    case("double-qv-checkpointed", "nf4-double", qv, **FULL)
    case("double-all-checkpointed", "nf4-double", **FULL)
    case("double-all-bf16-checkpointed", "nf4-double", width=2, rank=64, **FULL)
    case("double-8b-checkpointed", "nf4-double", config=LLAMA_8B, batch=long, **FULL)
    case("double-70b-checkpointed", "nf4-double", config=LLAMA_70B, rank=64,
         batch={"sequence_length": 2048}, **FULL)
    case("double-70b-fused-loss-checkpointed", "nf4-double", config=LLAMA_70B, rank=64,
         batch={"sequence_length": 2048}, loss="linear-fused", **FULL)
    case("double-fused-loss-checkpointed", "nf4-double", loss="linear-fused", batch=long, **FULL)
    case("double-small", "nf4-double", config=SMALL, batch={"micro_batch": 4})
    case("double-short", "nf4-double", config=LLAMA_8B, batch={"sequence_length": 1024})
    case("double-qwen3", "nf4-double", config=QWEN3)
    case("autocast", "nf4-double", regime="autocast-bf16")
    case("autocast-checkpointed", "nf4-double", regime="autocast-bf16", **FULL)
    case("prepared-autocast", "nf4-double", regime="autocast-bf16", upcast=True)
    case("prepared-autocast-checkpointed", "nf4-double", regime="autocast-bf16", upcast=True,
         **FULL)
    case("prepared-8b-checkpointed", "nf4-double", qv, config=LLAMA_8B, regime="autocast-bf16",
         upcast=True, **FULL)
    case("prepared-small-checkpointed", "nf4", config=SMALL, regime="autocast-bf16", upcast=True,
         batch={"micro_batch": 8, "sequence_length": 2048}, **FULL)
    case("int8-all", "int8")
    case("int8-qv", "int8", qv)
    case("int8-qv-bf16", "int8", qv, width=2)
    case("int8-all-checkpointed", "int8", **FULL)
    case("int8-8b-checkpointed", "int8", config=LLAMA_8B, batch=long, **FULL)
    case("int8-autocast-checkpointed", "int8", regime="autocast-bf16", **FULL)


def add_gradients():
    for name, moment in (("dropped", "after-step"), ("before-forward", "before-forward"),
                         ("never", "never")):
        add(f"{name}", "gradients", EIGHT, (PEAK, REST), batch={"sequence_length": 1024},
            optimizer={**ADAMW, "zero_grad": moment})
    add("accumulated", "gradients", EIGHT, (PEAK, FIRST), batch={"accumulation_steps": 3})
    add("accumulated-checkpointed", "gradients", EIGHT, (PEAK, FIRST),
        batch={"accumulation_steps": 3}, **FULL)
    add("logits-kept", "gradients", EIGHT, (PEAK, REST), loss_keep_logits=True)


def add_ddp():
    def case(name, regime="autocast-bf16", **parallel):
        add(name, "ddp", EIGHT, (PEAK, FIRST, REST), regime,
            parallel={"strategy": "ddp", "data": 8, **parallel}, **(FULL if "full" in name else {}))

    case("buckets")
    case("buckets-fp32", "fp32")
    case("buckets-bf16", "pure-bf16")
    case("view", gradient_as_bucket_view=True)
    case("view-full", gradient_as_bucket_view=True)
    case("buckets-full")

    def accumulated(name, regime="autocast-bf16", config=EIGHT, **more):
        view = "view" in name
        add(name, "ddp", config, (PEAK, FIRST, REST), regime,
            batch={"accumulation_steps": 3 if "3" in name else 2, "no_sync": "no-sync" in name,
                   **more.pop("batch", {})},
            parallel={"strategy": "ddp", "data": 8,
                      **({"gradient_as_bucket_view": True} if view else {})},
            **(FULL if "full" in name else {}), **more)

    for kind in ("accumulated", "no-sync"):
        for view in ("", "-view"):
            accumulated(f"{kind}{view}")
            accumulated(f"{kind}{view}-small-3", config=SMALL, batch={"micro_batch": 4})
            accumulated(f"{kind}{view}-short", "pure-bf16", batch=SHORT)
        accumulated(f"{kind}-bf16-full", "pure-bf16")


def add_fsdp():
    def case(name, version, config=EIGHT, data=8, regime="fsdp-mixed-bf16", batch=None, more=None,
             precision=None, **parallel):
        rest = () if parallel.get("cpu_offload") else (REST,)  # nothing is left there
        add(name, version, config, (PEAK, FIRST, *rest, LOSS), regime, batch=batch or {},
            precision=precision or ({"reduce_bytes": 4} if "mixed" in regime else {}),
            parallel={"strategy": version, "sharding": "full_shard", "data": data,
                      **({"units": "root-resharded"} if version == "fsdp2" else {}), **parallel},
            **(more or {}))

    for version in ("fsdp2", "fsdp1"):
        case("full", version)
        case("full-checkpointed", version, more=FULL)
        case("full-bf16-checkpointed", version, regime="pure-bf16", more=FULL)
        case("full-reduce-bf16-checkpointed", version, more=FULL, precision={"reduce_bytes": 2})
        case("grad-op", version, sharding="shard_grad_op")
        case("grad-op-checkpointed", version, sharding="shard_grad_op", more=FULL)
        case("hybrid-checkpointed", version, data=32, sharding="hybrid_shard", shard_group=8,
             more=FULL)
        case("fused-loss-checkpointed", version, more={**FULL, "loss": "linear-fused"})
        case("accumulated-checkpointed", version, batch={"accumulation_steps": 2}, more=FULL)
        case("no-sync-checkpointed", version, more=FULL,
             batch={"accumulation_steps": 2, "no_sync": True})
        case("8b-checkpointed", version, config=LLAMA_8B, batch={"sequence_length": 8192},
             more=FULL)
        case("8b-64-gpus-checkpointed", version, config=LLAMA_8B, data=64,
             batch={"sequence_length": 8192}, more={**FULL, "optimizer": FUSED})
        case("autocast", version, regime="autocast-bf16", more=FULL)
    for name, more in (("units", {}), ("units-checkpointed", FULL),
                       ("units-fused-loss-checkpointed", {**FULL, "loss": "linear-fused"})):
        case(name, "fsdp2", units="head-kept", more=more)
    case("units-tied-checkpointed", "fsdp2", config=QWEN3, units="head-kept", more=FULL)
    case("70b-64-gpus-checkpointed", "fsdp2", config=LLAMA_70B, data=64,
         batch={"sequence_length": 8192}, more=FULL)
    case("offload-checkpointed", "fsdp2", cpu_offload=True, more=FULL)
    grad_op = {"version": "fsdp1", "sharding": "shard_grad_op"}
    case("grad-op-bf16", regime="pure-bf16", **grad_op)
    case("grad-op-autocast-checkpointed", regime="autocast-bf16", more=FULL, **grad_op)
    case("grad-op-fused-loss-checkpointed", more={**FULL, "loss": "linear-fused"}, **grad_op)
    case("grad-op-accumulated-checkpointed", batch={"accumulation_steps": 2}, more=FULL,
         **grad_op)
    case("grad-op-no-sync-checkpointed", batch={"accumulation_steps": 2, "no_sync": True},
         more=FULL, **grad_op)
    case("grad-op-8b-64-gpus-checkpointed", config=LLAMA_8B, data=64,
         batch={"sequence_length": 8192}, more=FULL, **grad_op)
    case("grad-op-small", config=SMALL, data=4, batch={"micro_batch": 4, "sequence_length": 2048},
         **grad_op)
    case("grad-op-short", batch=SHORT, **grad_op)
    for prefetch in ("post", "none"):
        case(f"prefetch-{prefetch}-checkpointed", "fsdp1", backward_prefetch=prefetch, more=FULL)
    case("all-gathers-unlimited", "fsdp1", limit_all_gathers=False, more=FULL)
    case("lora-checkpointed", "fsdp2", regime="pure-bf16", more={**FULL, "adapters": {
        "kind": "lora", "rank": 16, "targets": ["all-linear"], "weight_bytes": 2}})


def add_zero():
    buckets = {"reduce_bucket_size": 50_000_000}

    def case(name, stage, data=8, config=EIGHT, optimizer=FUSED, bucket=buckets, more=None,
             batch=None):
        add(name, f"zero{stage}", config, (PEAK, FIRST, REST, STEP), "deepspeed-bf16",
            optimizer=optimizer, batch=batch or {}, note="the rank that most tensors reach into; torch's AdamW",
            parallel={"strategy": f"zero{stage}", "data": data, "bucket": bucket}, **(more or {}))

    for stage in (1, 2, 3):
        case("plain", stage)
        case("checkpointed", stage, more=FULL)
        case("foreach-checkpointed", stage, optimizer=ADAMW, more=FULL)
        case("default-buckets-checkpointed", stage, bucket={}, more=FULL)
        case("accumulated-checkpointed", stage, batch={"accumulation_steps": 2}, more=FULL)
        case("8b-64-gpus-checkpointed", stage, data=64, config=LLAMA_8B, more=FULL,
             batch={"sequence_length": 8192})


def add_zero_offload():
    def case(name, stage, data=8, config=EIGHT, bucket={"reduce_bucket_size": 50_000_000},
             batch=None, params=False, **more):
        add(f"{stage}-{name}", "zero-offload", config, (PEAK, FIRST, REST, STEP), "deepspeed-bf16",
            optimizer={**ADAMW, "offload": True}, batch=batch or {},
            note="torch's AdamW on the host" + ("; parameters on the host" if params else ""),
            parallel={"strategy": f"zero{stage}", "data": data, "bucket": bucket,
                      **({"cpu_offload": True} if params else {})}, **more)

    for stage in (1, 2, 3):
        case("checkpointed", stage, **FULL)
        case("accumulated-checkpointed", stage, batch={"accumulation_steps": 2}, **FULL)
        case("8b-64-gpus-checkpointed", stage, data=64, config=LLAMA_8B,
             batch={"sequence_length": 8192}, **FULL)
        case("short", stage, batch=SHORT)
        case("small", stage, config=SMALL, data=4, batch={"micro_batch": 4}, **FULL)
    case("overlap-short", 2, batch=SHORT, bucket={"reduce_bucket_size": 50_000_000,
                                                  "overlap_comm": True})
    case("default-buckets-short", 2, batch=SHORT, bucket={})
    case("default-buckets-short", 3, batch=SHORT, bucket={})
    for name, more in (("params-checkpointed", FULL),
                       ("params-accumulated-checkpointed",
                        {**FULL, "batch": {"accumulation_steps": 2}}),
                       ("params-short", {"batch": SHORT}),
                       ("params-8b-64-gpus-checkpointed",
                        {**FULL, "config": LLAMA_8B, "data": 64,
                         "batch": {"sequence_length": 8192}}),
                       ("params-small", {**FULL, "config": SMALL, "data": 4,
                                         "batch": {"micro_batch": 4}}),
                       ("params-few-live-small",
                        {"config": SMALL, "bucket": {"reduce_bucket_size": 50_000_000,
                                            "max_live_parameters": 100_000_000,
                                            "prefetch_bucket_size": 10_000_000}})):
        case(name, 3, params=True, **more)


def add_tensor():
    def case(name, degree, config=EIGHT, regime="pure-bf16", more=None, **parallel):
        add(name, "tensor", config, (PEAK, REST, LOSS, STEP), regime,
            parallel={"tensor": degree, **parallel}, **(more or {}))

    whole = {"loss": "hf-upcast"}
    split = {"loss": "loss-parallel"}
    for degree in (2, 8):
        case(f"tp{degree}", degree, more=whole)
        case(f"tp{degree}-sequence", degree, sequence=True, more=whole)
        case(f"tp{degree}-sequence-loss", degree, sequence=True, more=split)
        case(f"tp{degree}-sequence-loss-checkpointed", degree, sequence=True,
             more={**split, **FULL})
    sharded = {**split, **FULL, "precision": {"reduce_bytes": 4}}
    case("tp8-fsdp2", 8, regime="fsdp-mixed-bf16", sequence=True, more=sharded,
         strategy="fsdp2", units="root-resharded", data=8)
    case("70b-tp8-fsdp2", 8, config=LLAMA_70B, regime="fsdp-mixed-bf16", sequence=True,
         more=sharded, strategy="fsdp2", units="root-resharded", data=8)


def add_pipelines():
    def case(name, stage, micros=8, ranks=4, more=None, **parallel):
        config = {**EIGHT, "num_hidden_layers": 16}
        add(name, "pipeline", config, (PEAK, REST),
            batch={"sequence_length": 2048, "accumulation_steps": micros},
            parallel={"pipeline": ranks, "stage": stage, **parallel}, **(more or {}))

    for stage in range(4):
        case(f"1f1b-{stage}", stage)
    for stage in (0, 3):
        case(f"gpipe-{stage}", stage, schedule="gpipe")
        case(f"interleaved-{stage}", stage, virtual_stages=2)
        case(f"zero-bubble-{stage}", stage, virtual_stages=2, schedule="zero-bubble")
        case(f"1f1b-{stage}-checkpointed", stage, more=FULL)


def add_trainer():
    """What transformers' Trainer runs with bf16=True, as accelerate sets it up."""
    def case(name, config=EIGHT, strategy="none", regime="autocast-bf16", batch=None, more=None,
             weight=2, **parallel):
        more = {"loss": "hf-padded", **(more or {})}
        if strategy != "none":
            more["parallel"] = {"strategy": strategy, "data": 8, **parallel}
        if regime.startswith("autocast"):
            more["precision"] = {"weight_bytes": weight}
        add(name, "trainer", config, (PEAK, REST, LOSS), regime, trainer="hf", batch=batch or {},
            optimizer=FUSED, note="accelerate's preparation, mixed_precision bf16", **more)

    twice = {"accumulation_steps": 2, "no_sync": True}
    for name, config in (("llama", EIGHT), ("qwen3", QWEN3)):
        case(f"{name}", config)
        case(f"{name}-checkpointed", config, more=FULL)
    case("llama-fp32-checkpointed", weight=4, more=FULL)
    case("gpt2", GPT2, batch={"micro_batch": 4, "sequence_length": 1024})
    case("llama-fp32", regime="fp32")
    case("llama-outputs-kept", more={"loss_keep_outputs": True})
    case("llama-accumulated", batch={"accumulation_steps": 2}, more=FULL)
    case("lora-checkpointed", more={**FULL, "adapters": {
        "kind": "lora", "rank": 16, "targets": ["all-linear"], "weight_bytes": 4}})
    case("ddp-checkpointed", strategy="ddp", more=FULL)
    mixed = "fsdp-mixed-bf16"
    for name, config in (("llama", EIGHT), ("qwen3", QWEN3)):
        case(f"fsdp2-{name}", config, "fsdp2", mixed)
        case(f"fsdp2-{name}-checkpointed", config, "fsdp2", mixed, more=FULL)
    case("fsdp2-no-sync-checkpointed", EIGHT, "fsdp2", mixed, twice, FULL)
    case("fsdp2-8b-checkpointed", LLAMA_8B, "fsdp2", mixed, {"sequence_length": 8192}, FULL)
    case("fsdp2-gpt2", GPT2, "fsdp2", mixed, {"micro_batch": 4, "sequence_length": 1024})


def add_megatron():
    def case(name, config=LOCAL, data=1, tensor=1, fused=False, optimizer=True, vocab=None,
             more=None, batch=None, figures=(PEAK, FIRST, REST, LOSS, STEP), precision=None,
             model=None, activations=None, note="", **parallel):
        each = 128 * tensor
        padded = -(-config["vocab_size"] // each) * each
        add(name, "megatron", config, figures, "megatron-bf16", loss="vocab-parallel",
            note=note or "Megatron-Core's local layers with unfused attention",
            model={"vocab_size_padded": padded, **(model or {})}, precision=precision or {},
            optimizer=FUSED if fused else ADAMW, batch={"sequence_length": 1024, **(batch or {})},
            activations={"kernels": "megatron-local", "attention": "eager",
                         **(activations or {})},
            overheads={"engine_workspace_bytes": 0} if "num_experts" in config else {},
            parallel={"strategy": "megatron-distributed-optimizer" if optimizer else "megatron",
                      "data": data, **({"tensor": tensor} if tensor > 1 else {}), **parallel})

    case("one", optimizer=False)
    case("one-shared-keys", GROUPED, optimizer=False, batch={"micro_batch": 2})
    case("one-gpt", GPT3, optimizer=False, fused=True, model=OF_GPT3)
    case("one-gpt-dropout", GPT3, optimizer=False, fused=True, model=OF_GPT3,
         activations={"dropout": 0.1, "attention_dropout": 0.1})
    for tensor in (2, 4, 8):
        case(f"tp{tensor}", GROUPED, tensor=tensor, fused=True)
        case(f"tp{tensor}-sequence", GROUPED, tensor=tensor, fused=True, sequence=True,
             batch={"micro_batch": 2})
    case("tp8-gpt", GPT3, tensor=8, data=2, fused=True, model=OF_GPT3, sequence=True)
    case("dp8", data=8, optimizer=False, fused=True)
    case("dp8-foreach", data=8, optimizer=False)
    case("dp8-distributed", data=8, fused=True)
    case("dp8-distributed-foreach", data=8)
    case("dp8-distributed-accumulated", data=8, fused=True, batch={"accumulation_steps": 3})
    case("dp8-distributed-reduce-bf16", data=8, fused=True,
         precision={"gradient_bytes": 2, "reduce_bytes": 2})
    for name, settings in (("full", {"checkpointing": "full"}),
                           ("every-2", {"checkpointing": "every-k", "every": 2}),
                           ("block-4", {"checkpointing": "block", "blocks": 4}),
                           ("selective", {"checkpointing": "selective-attention"})):
        case(f"{name}", GROUPED, tensor=2, data=2, fused=True, sequence=True,
             batch={"micro_batch": 4}, activations=settings)
    case("8b-tp8-full", LLAMA_8B, tensor=8, data=8, fused=True, sequence=True,
         batch={"sequence_length": 4096}, activations={"checkpointing": "full"})
    case("70b-tp8-selective", LLAMA_70B, tensor=8, data=16, fused=True, sequence=True,
         batch={"sequence_length": 2048}, activations={"checkpointing": "selective-attention"})
    case("softmax-fp32", data=4, fused=True, activations={"attention": "eager-fp32-softmax"})
    for name, settings in (("experts", {"expert": 4}),
                           ("experts-whole", {"expert": 1}),
                           ("experts-full", {"expert": 8}),
                           ("experts-tp2", {"tensor": 2, "sequence": True, "expert": 4}),
                           ("experts-tp2-whole", {"tensor": 2, "sequence": True, "expert": 8,
                                                  "expert_tensor": 1})):
        case(name, EXPERTS, data=8, fused=True, batch={"sequence_length": 2048}, **settings,
             activations={"checkpointing": "full"} if "full" in name else None,
             note="Megatron-Core's local layers with unfused attention, one expert after another")
    for stage in (0, 1, 3):
        case(f"1f1b-{stage}", GROUPED, tensor=2, data=2, fused=True, sequence=True, pipeline=4,
             stage=stage, figures=(PEAK, FIRST, REST),
             batch={"accumulation_steps": 8, "micro_batch": 2})


LOCAL = {**SMALL, "num_key_value_heads": 16, "num_hidden_layers": 8}
GROUPED = {**LOCAL, "num_key_value_heads": 8, "vocab_size": 128256}
EXPERTS = {**GROUPED, "model_type": "mixtral", "vocab_size": 32000, "intermediate_size": 1024,
           "num_local_experts": 16, "num_experts_per_tok": 2}
GPT3 = {"model_type": "gpt", "hidden_size": 2048, "num_hidden_layers": 8,
        "num_attention_heads": 16, "intermediate_size": 8192, "vocab_size": 50257,
        "max_position_embeddings": 2048, "tie_word_embeddings": True}
OF_GPT3 = {"norm": "layernorm", "gated_mlp": False, "bias": ["qkv", "o", "mlp"],
           "learned_positions": 2048}


def add_context():
    def case(name, degree, config=FOUR, exchange="all-gather", data=1, regime="pure-bf16",
             local=4096, batch=1, more=None):
        add(name, "context", config, (PEAK, FORWARD, FIRST_BLOCK, LAST_BLOCK, LOSS, REST), regime,
            "not the last rank of the ring, which keeps less",
            batch={"sequence_length": local * degree, "micro_batch": batch},
            precision={"reduce_bytes": 4} if "mixed" in regime else {},
            parallel={"strategy": "fsdp2", "sharding": "full_shard", "units": "root-resharded", "data": data,
                      "context": degree, "context_exchange": exchange}, **(more or {}))

    own_keys = {**FOUR, "num_key_value_heads": 32}
    for exchange in ("all-gather", "ring"):
        for degree in (2, 4, 8):
            case(f"cp{degree}-{exchange}", degree, exchange=exchange)
            case(f"cp{degree}-{exchange}-checkpointed", degree, exchange=exchange, more=FULL,
                 local=8192)
        case(f"own-keys-{exchange}", 8, own_keys, exchange)
        case(f"own-keys-{exchange}-checkpointed", 8, own_keys, exchange, local=8192, more=FULL)
        case(f"fused-loss-{exchange}-checkpointed", 8, own_keys, exchange, data=2, local=16384,
             more={**FULL, "loss": "linear-fused"})
    case("small-checkpointed", 4, SMALL, local=16384, more=FULL)
    case("small-ring-batch-2", 4, SMALL, "ring", batch=2)
    mixed = {"regime": "fsdp-mixed-bf16", "data": 4}
    case("mixed", 4, **mixed)
    case("mixed-checkpointed", 4, more=FULL, **mixed)
    case("8b-mixed-checkpointed", 8, LLAMA_8B, local=8192, more=FULL, **mixed)


def rotary_buffers(config, length, each):
    """torchtitan keeps a table of every position in each block: a complex number for two channels,
    or their sine and cosine twice over."""
    width = config.get("head_dim", config["hidden_size"] // config["num_attention_heads"])
    return config["num_hidden_layers"] * length * each * width


def add_titan():
    def case(name, config=EIGHT, data=8, loss="chunked-backward", policy="selective-op", batch=1,
             length=8192):
        add(name, "torchtitan", config, (PEAK, FORWARD, LOSS, FIRST_BLOCK, LAST_BLOCK, STEP, REST),
            "fsdp-mixed-bf16", "scaled_dot_product_attention in place of compiled FlexAttention; "
            "no CUDA graphs", "torchtitan", trainer="torchtitan", loss=loss,
            model={"buffer_bytes": rotary_buffers(config, length, 4)},
            **({"loss_chunks": 8} if loss == "chunked-backward" else {}),
            precision={"reduce_bytes": 4}, batch={"micro_batch": batch, "sequence_length": length},
            optimizer={**FUSED, "zero_grad": "before-forward"},
            activations={"checkpointing": policy, "kernels": "fused"},
            parallel={"strategy": "fsdp2", "sharding": "full_shard", "units": "head-kept",
                      "data": data})

    case("selective")
    case("selective-batch-2", batch=2, length=4096)
    case("full", policy="full")
    case("none", policy="none", length=4096)
    case("full-cross-entropy", policy="full", loss="hf-padded", length=4096)
    case("none-cross-entropy", policy="none", loss="hf-padded", length=4096)
    case("8b-selective", LLAMA_8B)
    case("8b-full-64-gpus", LLAMA_8B, data=64, policy="full")
    case("small-full-batch-2", SMALL, policy="full", batch=2, length=4096)


def add_experts():
    def case(name, degree, data=8, config=QWEN3_MOE, loss="hf-padded", policy="none", batch=1,
             length=4096):
        add(name, "expert", config, (PEAK, FORWARD, LOSS, FIRST_BLOCK, LAST_BLOCK, STEP, REST),
            "fsdp-mixed-bf16", "torchtitan's Qwen3 with experts, spread evenly, all-to-all of "
            "tokens; scaled_dot_product_attention in place of compiled FlexAttention", "torchtitan",
            trainer="torchtitan",
            model={"buffer_bytes": rotary_buffers(config, length, 8)}, loss=loss,
            **({"loss_chunks": 8} if loss == "chunked-backward" else {}),
            precision={"reduce_bytes": 4}, batch={"micro_batch": batch, "sequence_length": length},
            optimizer={**FUSED, "zero_grad": "before-forward"},
            activations={"checkpointing": policy, "kernels": "fused"},
            parallel={"strategy": "fsdp2", "sharding": "full_shard", "units": "head-kept",
                      "data": data, "expert": degree})

    for degree in (1, 2, 4, 8):
        case(f"ep{degree}", degree)
    case("ep8-full", 8, policy="full")
    case("ep4-selective", 4, policy="selective-op", batch=2)
    case("ep2-chunked", 2, data=4, loss="chunked-backward")
    case("ep8-64-experts-full", 8, data=16, policy="full", loss="chunked-backward",
         config={**QWEN3_MOE, "num_experts": 64, "num_experts_per_tok": 8,
                 "moe_intermediate_size": 1024})


# Shapes of the families that people train, small enough for a minute's recording.
KINDS = {
    "llama": {**SMALL, "vocab_size": 64000},
    "qwen25": {**SMALL, "model_type": "qwen2", "vocab_size": 96000, "tie_word_embeddings": True},
    "qwen3": {**SMALL, "model_type": "qwen3", "head_dim": 128, "vocab_size": 96000,
              "tie_word_embeddings": True},
    "qwen3-moe": QWEN3_MOE,
    "mixtral": {**MIXTRAL, "intermediate_size": 7168},
    "gpt-oss": {**SMALL, "model_type": "gpt_oss", "head_dim": 64, "num_local_experts": 16,
                "num_experts_per_tok": 4, "intermediate_size": 2048, "sliding_window": 128,
                "tie_word_embeddings": False, "max_position_embeddings": 8192,
                "layer_types": ["sliding_attention", "full_attention"] * 3},
    "gemma2": {**DENSE, "model_type": "gemma2", "sliding_window": 1024, "vocab_size": 128000,
               "query_pre_attn_scalar": 128},
    "gemma3": {**DENSE, "model_type": "gemma3_text", "sliding_window": 512, "vocab_size": 128000},
    "mistral": {**DENSE, "model_type": "mistral", "sliding_window": 1024},
    "phi3": {**DENSE, "model_type": "phi3", "sliding_window": 1024},
    "deepseek": DEEPSEEK,
    "gpt2": GPT2,
    "bert": {"model_type": "bert", "hidden_size": 768, "num_hidden_layers": 6,
             "num_attention_heads": 12, "intermediate_size": 3072, "vocab_size": 30522,
             "max_position_embeddings": 512, "architectures": ["BertForMaskedLM"]},
    "falcon": {"model_type": "falcon", "hidden_size": 2048, "num_hidden_layers": 4,
               "num_attention_heads": 32, "vocab_size": 65024, "multi_query": True,
               "parallel_attn": True, "new_decoder_architecture": False, "bias": False,
               "alibi": False},
}
LENGTH = {"gpt2": 1024, "bert": 512}


def add_kinds():
    """Programs as people write them, over the families that they train: batches with padding,
    windows below the sequence, losses of a loop, plain fully_shard, embeddings that are tied."""
    def case(name, kind, batch=1, length=2048, figures=(PEAK, FIRST, LOSS, REST),
             regime="pure-bf16", **parts):
        length = min(length, LENGTH.get(kind, length))
        padded = {"attention_mask": True} if parts.pop("padded", False) else {}
        steps = parts.pop("accumulated", 1)
        loss = parts.pop("loss", "cross-entropy" if kind == "bert" else "hf-padded")
        add(f"{kind}-{name}", "kinds", KINDS[kind], figures, regime, loss=loss,
            batch={"micro_batch": batch, "sequence_length": length, "accumulation_steps": steps,
                   **padded}, optimizer=parts.pop("optimizer", SGD), **parts)

    for kind in KINDS:
        case("batch-4", kind, 4, 1024)
        case("autocast", kind, 2, regime="autocast-bf16")
        case("checkpointed", kind, 2, 4096, regime="autocast-bf16", **FULL)
        case("short", kind, 1, 256, optimizer=FUSED, **FULL)
        if kind != "bert":
            case("cross-entropy", kind, 2, 1024, loss="cross-entropy")
            case("cross-entropy-autocast", kind, 2, 1024, regime="autocast-bf16",
                 loss="cross-entropy")
    for kind in ("llama", "qwen25", "qwen3", "qwen3-moe", "gemma3", "mistral", "phi3"):
        case("padded-4", kind, 4, 1024, padded=True)
        case("padded-8-checkpointed", kind, 8, 1536, padded=True, regime="autocast-bf16", **FULL)
    for kind in ("gemma3", "mistral", "phi3"):
        case("window-8k", kind, 1, 8192, **FULL)
    for batch, length in ((8, 512), (32, 512), (1, 32768)):
        case(f"{batch}x{length}", "llama", batch, length, **FULL)
        case(f"{batch}x{length}", "qwen3", batch, length, regime="autocast-bf16", **FULL)
    for kind in ("qwen25", "qwen3", "gemma2", "llama"):
        case("accumulated", kind, 1, 256, optimizer=FUSED, accumulated=2, **FULL)
    sharded = {"strategy": "fsdp2", "sharding": "full_shard", "data": 8}
    for kind in ("llama", "qwen25", "qwen3", "mistral"):
        for name, units in (("root", "root"), ("root-resharded", "root-resharded"),
                            ("head-kept", "head-kept")):
            for loss in ("hf-padded", "cross-entropy"):
                case(f"{name}-{loss}", kind, 1, 2048, regime="fsdp-mixed-bf16", loss=loss,
                     precision={"reduce_bytes": 4}, optimizer=FUSED,
                     parallel={**sharded, "units": units}, **FULL)
        case("root-short", kind, 1, 256, regime="fsdp-mixed-bf16", precision={"reduce_bytes": 2},
             optimizer=FUSED, parallel={**sharded, "units": "root"}, **FULL)
        case("fsdp1-short", kind, 1, 256, regime="fsdp-mixed-bf16", precision={"reduce_bytes": 2},
             optimizer=FUSED, parallel={**sharded, "strategy": "fsdp1"}, **FULL)
        case("ddp-short", kind, 1, 256, optimizer=FUSED, parallel={"strategy": "ddp", "data": 8},
             **FULL)
        for stage in (1, 2, 3):
            case(f"zero{stage}-short", kind, 1, 256, regime="deepspeed-bf16", optimizer=FUSED,
                 parallel={"strategy": f"zero{stage}", "data": 8, "bucket": BUCKET}, **FULL)
    case("selective-op", "qwen25", 2, 2048, activations={"checkpointing": "selective-op"})
    case("selective-op", "phi3", 2, 2048, activations={"checkpointing": "selective-op"})
    case("lion", "llama", 1, 256, optimizer={"name": "lion", "implementation": "for-loop"})


WHISPER = {"model_type": "whisper", "d_model": 1280, "vocab_size": 51866, "num_mel_bins": 128,
           "encoder_layers": 6, "decoder_layers": 6, "encoder_ffn_dim": 5120,
           "decoder_ffn_dim": 5120, "encoder_attention_heads": 20, "decoder_attention_heads": 20,
           "max_source_positions": 1500, "max_target_positions": 448}
SOURCES = {
    "whisper": WHISPER,
    "whisper-turbo": {**WHISPER, "encoder_layers": 12, "decoder_layers": 4},
    "whisper-base": {**WHISPER, "d_model": 512, "num_mel_bins": 80, "vocab_size": 51865,
                     "encoder_ffn_dim": 2048, "decoder_ffn_dim": 2048,
                     "encoder_attention_heads": 8, "decoder_attention_heads": 8},
    "bart": {"model_type": "bart", "d_model": 1024, "vocab_size": 50265, "encoder_layers": 6,
             "decoder_layers": 6, "encoder_ffn_dim": 4096, "decoder_ffn_dim": 4096,
             "encoder_attention_heads": 16, "decoder_attention_heads": 16,
             "max_position_embeddings": 1024},
    "mbart": {"model_type": "mbart", "d_model": 1024, "vocab_size": 250027, "encoder_layers": 6,
              "decoder_layers": 6, "encoder_ffn_dim": 4096, "decoder_ffn_dim": 4096,
              "encoder_attention_heads": 16, "decoder_attention_heads": 16,
              "max_position_embeddings": 1024},
    "nllb": {"model_type": "m2m_100", "d_model": 1024, "vocab_size": 256206, "encoder_layers": 6,
             "decoder_layers": 6, "encoder_ffn_dim": 8192, "decoder_ffn_dim": 8192,
             "encoder_attention_heads": 16, "decoder_attention_heads": 16,
             "max_position_embeddings": 1024, "activation_function": "relu"},
    "t5": {"model_type": "t5", "d_model": 1024, "vocab_size": 32128, "num_layers": 6,
           "num_decoder_layers": 6, "d_ff": 4096, "d_kv": 64, "num_heads": 16},
    "flan-t5": {"model_type": "t5", "d_model": 768, "vocab_size": 32128, "num_layers": 4,
                "num_decoder_layers": 8, "d_ff": 2048, "d_kv": 64, "num_heads": 12,
                "feed_forward_proj": "gated-gelu"},
    "t5-wide": {"model_type": "t5", "d_model": 1024, "vocab_size": 32128, "num_layers": 4,
                "num_decoder_layers": 4, "d_ff": 16384, "d_kv": 128, "num_heads": 32},
    "umt5": {"model_type": "umt5", "d_model": 768, "vocab_size": 256384, "num_layers": 6,
             "num_decoder_layers": 6, "d_ff": 2048, "d_kv": 64, "num_heads": 12,
             "feed_forward_proj": "gated-gelu", "tie_word_embeddings": True},
}


def add_sources():
    """Models that read a source and write another sequence."""
    def case(name, kind, batch, length, source=0, regime="pure-bf16", **parts):
        stated = {"source_length": source} if source else {}
        if parts.pop("padded", False):
            stated["attention_mask"] = True
        add(f"{kind}-{name}", "source", SOURCES[kind], (PEAK, FIRST, FORWARD, LOSS, REST), regime,
            loss="cross-entropy", batch={"micro_batch": batch, "sequence_length": length, **stated},
            optimizer=parts.pop("optimizer", FUSED), **parts)

    for kind in SOURCES:
        source = 0 if kind.startswith("whisper") else 512
        case("batch-4", kind, 4, 128, source)
        case("batch-16", kind, 16, 448 if not source else 64, 2 * source)
        case("autocast", kind, 4, 128, source, "autocast-bf16")
        case("checkpointed", kind, 8, 256, source, **FULL)
        case("fsdp2", kind, 4, 128, source, "fsdp-mixed-bf16", precision={"reduce_bytes": 4},
             parallel={"strategy": "fsdp2", "sharding": "full_shard", "data": 8})
        case("dropout", kind, 4, 128, source, activations={"dropout": 0.1})
    for kind in ("t5", "flan-t5", "umt5"):  # which hand padding to torch's attention
        case("autocast-checkpointed", kind, 8, 256, 512, "autocast-bf16", **FULL)
        case("padded", kind, 4, 128, 512, padded=True)
    for kind in ("whisper", "bart"):
        source = 0 if kind == "whisper" else 512
        for name, targets in (("qv", ["q", "v"]), ("linear", ["all-linear"])):
            for regime in ("pure-bf16", "autocast-bf16"):
                case(f"lora-{name}-{regime}", kind, 4, 128, source, regime,
                     adapters={"kind": "lora", "rank": 16, "targets": targets})
        case("lora-checkpointed", kind, 8, 128, source, "autocast-bf16",
             adapters={"kind": "lora", "rank": 32, "targets": ["q", "v"]}, **FULL)


MODERN_BERT = {"model_type": "modernbert", "hidden_size": 768, "num_hidden_layers": 9,
               "num_attention_heads": 12, "intermediate_size": 1152, "vocab_size": 50368,
               "max_position_embeddings": 8192, "global_attn_every_n_layers": 3,
               "local_attention": 128, "architectures": ["ModernBertForMaskedLM"]}
ENCODERS = {
    "modernbert": MODERN_BERT,
    "modernbert-large": {**MODERN_BERT, "hidden_size": 1024, "num_hidden_layers": 7,
                         "num_attention_heads": 16, "intermediate_size": 2624},
    "nomic": {"model_type": "nomic_bert", "hidden_size": 768, "num_hidden_layers": 6,
              "num_attention_heads": 12, "intermediate_size": 3072, "vocab_size": 30528,
              "max_position_embeddings": 2048, "type_vocab_size": 2, "hidden_act": "silu",
              "architectures": ["NomicBertForMaskedLM"]},
}
VIT = {"model_type": "vit", "hidden_size": 768, "num_hidden_layers": 6, "num_attention_heads": 12,
       "intermediate_size": 3072, "image_size": 224, "patch_size": 16, "num_channels": 3,
       "num_labels": 1000, "architectures": ["ViTForImageClassification"]}
DINO = {"model_type": "dinov2", "hidden_size": 1024, "num_hidden_layers": 6,
        "num_attention_heads": 16, "mlp_ratio": 4, "image_size": 518, "patch_size": 14,
        "num_channels": 3, "num_labels": 1000, "architectures": ["Dinov2ForImageClassification"]}
PICTURES = {
    "vit": VIT,
    "vit-large-384": {**VIT, "hidden_size": 1024, "num_hidden_layers": 4,
                      "num_attention_heads": 16, "intermediate_size": 4096, "image_size": 384},
    "dinov2": DINO,
    "dinov2-giant": {**DINO, "hidden_size": 1536, "num_hidden_layers": 3,
                     "num_attention_heads": 24, "use_swiglu_ffn": True, "crop_size": 224},
    "clip-vision": {"model_type": "clip_vision_model", "hidden_size": 1024,
                    "num_hidden_layers": 6, "num_attention_heads": 16, "intermediate_size": 4096,
                    "hidden_act": "quick_gelu", "image_size": 336, "patch_size": 14, "num_channels": 3, "num_labels": 1000,
                    "architectures": ["CLIPForImageClassification"]},
}


def add_encoders():
    """Text encoders that predict masked tokens, and picture encoders that classify."""
    def case(name, kind, config, batch, length, regime="pure-bf16", padded=False, **parts):
        mask = {"attention_mask": True} if padded else {}
        figures = (PEAK, FIRST, LOSS, REST) if kind in ENCODERS else (PEAK, FIRST, REST)
        add(f"{kind}-{name}", "encoders", config, figures, regime,
            loss="cross-entropy-fp32" if regime == "fp32" else "cross-entropy",
            batch={"micro_batch": batch, "sequence_length": length, **mask},
            optimizer=parts.pop("optimizer", FUSED), **parts)

    for kind, config in ENCODERS.items():
        case("batch-8", kind, config, 8, 512)
        case("batch-2", kind, config, 2, 2048)
        case("autocast", kind, config, 8, 512, "autocast-bf16")
        case("fp32", kind, config, 4, 512, "fp32")
        case("checkpointed", kind, config, 8, 1024, "autocast-bf16", **FULL)
        case("short", kind, config, 32, 64, "autocast-bf16")
        case("padded", kind, config, 8, 512, "autocast-bf16", padded=True)
    for kind, config in PICTURES.items():
        side = config.get("crop_size", config["image_size"]) // config["patch_size"]
        tokens = side * side + 1
        case("batch-16", kind, config, 16, tokens)
        case("batch-64", kind, config, 64 if side < 30 else 24, tokens)
        case("autocast", kind, config, 16, tokens, "autocast-bf16")
        case("fp32", kind, config, 8, tokens, "fp32")
        case("checkpointed", kind, config, 64, tokens, "autocast-bf16", **FULL)
        case("bf16-checkpointed", kind, config, 64, tokens, **FULL)


for fill in (add_models, add_others, add_hybrids, add_adapted_mixers, add_adapted_latents,
             add_quantised_mixers, add_chunked, add_indexed, add_vision, add_attention, add_checkpointing,
             add_optimizers, add_optimizers_of_adapters, add_losses,
             add_adapters, add_dora, add_quantised, add_gradients, add_ddp, add_fsdp, add_zero, add_zero_offload, add_tensor,
             add_pipelines, add_trainer, add_megatron, add_context, add_titan, add_experts, add_kinds, add_sources,
             add_encoders):
    fill()
