# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is recorded on the fake device: plan documents, each with the figures read off its run."""

import copy
from dataclasses import dataclass

PEAK, FIRST, REST = "peak.allocated", "first_step_peak.allocated", "at_rest.allocated"
STEP, LOSS = "moments.optimizer step.allocated", "moments.loss.allocated"


@dataclass
class Case:
    name: str
    family: str
    plan: dict
    figures: tuple
    note: str = ""


LLAMA_8B = {"model_type": "llama", "hidden_size": 4096, "num_hidden_layers": 32,
            "num_attention_heads": 32, "num_key_value_heads": 8, "intermediate_size": 14336,
            "vocab_size": 128256}
LLAMA_70B = {**LLAMA_8B, "hidden_size": 8192, "num_hidden_layers": 80, "num_attention_heads": 64,
             "intermediate_size": 28672}
EIGHT = {**LLAMA_8B, "num_hidden_layers": 8}  # the shape of an 8B model, fewer of its blocks
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

ZEROED = {"cublas_workspace_bytes": 0, "context_bytes": 0, "nccl_bytes": 0, "reserved_factor": 1}
LACKS = "without cuBLAS workspaces, kernels' scratch but flash attention's, allocator remainders"
NCCL = "; without NCCL buffers"

CASES = []


def add(name, family, config, figures=(PEAK, REST), regime="pure-bf16", note="", **parts):
    batch = {"micro_batch": 1, "sequence_length": 4096, **parts.pop("batch", {})}
    loss = parts.pop("loss", "cross-entropy-fp32" if regime == "fp32" else "hf-upcast")
    optimizer = parts.pop("optimizer", ADAMW)
    if regime == "fp32" and config.get("num_key_value_heads", 0) < config["num_attention_heads"] \
            and "num_key_value_heads" in config:
        # No fused kernel takes shared keys in fp32; they are recorded repeated for each head.
        parts["activations"] = {**parts.get("activations", {}), "expanded_kv": True}
    plan = {"vramscope": 1, "name": f"{family}: {name.replace('-', ' ')}", "workload": "training",
            "model": {"config": dict(config)},
            "precision": {"regime": regime, **parts.pop("precision", {})},
            "optimizer": optimizer, "batch": batch, "loss": loss, **parts,
            "overheads": dict(ZEROED)}
    lacks = LACKS + (NCCL if "parallel" in parts else "")
    CASES.append(Case(f"{family}-{name}", family, copy.deepcopy(plan), figures,
                      f"{note}; {lacks}" if note else lacks))


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
                      ("sgd-momentum", "for-loop"), ("adafactor", "for-loop"),
                      ("muon", "for-loop"), ("adamw-8bit", "fused")):
        for regime in ("pure-bf16", "fp32"):
            add(f"{name}-{how}-{regime}", "optimizer", EIGHT, (PEAK, FIRST, REST), regime,
                batch=SHORT, optimizer={"name": name, "implementation": how})


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


def add_fsdp():
    def case(name, version, config=EIGHT, data=8, regime="fsdp-mixed-bf16", batch=None, more=None,
             precision=None, **parallel):
        rest = () if parallel.get("cpu_offload") else (REST,)  # nothing is left there
        add(name, version, config, (PEAK, FIRST, *rest, LOSS), regime, batch=batch or {},
            precision=precision or {},
            parallel={"strategy": version, "sharding": "full_shard", "data": data, **parallel},
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
    case("70b-64-gpus-checkpointed", "fsdp2", config=LLAMA_70B, data=64,
         batch={"sequence_length": 8192}, more=FULL)
    case("offload-checkpointed", "fsdp2", cpu_offload=True, more=FULL)
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
            optimizer=optimizer, batch=batch or {}, note="rank 0; torch's AdamW",
            parallel={"strategy": f"zero{stage}", "data": data, "bucket": bucket}, **(more or {}))

    for stage in (1, 2, 3):
        case("plain", stage)
        case("checkpointed", stage, more=FULL)
        case("foreach-checkpointed", stage, optimizer=ADAMW, more=FULL)
        case("default-buckets-checkpointed", stage, bucket={}, more=FULL)
        case("accumulated-checkpointed", stage, batch={"accumulation_steps": 2}, more=FULL)
        case("8b-64-gpus-checkpointed", stage, data=64, config=LLAMA_8B, more=FULL,
             batch={"sequence_length": 8192})


def add_tensor():
    def case(name, degree, config=EIGHT, regime="pure-bf16", more=None, **parallel):
        add(name, "tensor", config, (PEAK, REST, LOSS, STEP), regime,
            parallel={"tensor": degree, **parallel}, **(more or {}))

    whole = {"loss": "hf-upcast"}
    split = {"loss": "vocab-parallel"}
    for degree in (2, 8):
        case(f"tp{degree}", degree, more=whole)
        case(f"tp{degree}-sequence", degree, sequence=True, more=whole)
        case(f"tp{degree}-sequence-loss", degree, sequence=True, more=split)
        case(f"tp{degree}-sequence-loss-checkpointed", degree, sequence=True,
             more={**split, **FULL})
    case("tp8-fsdp2", 8, regime="fsdp-mixed-bf16", sequence=True, more={**split, **FULL},
         strategy="fsdp2", data=8)
    case("70b-tp8-fsdp2", 8, config=LLAMA_70B, regime="fsdp-mixed-bf16", sequence=True,
         more={**split, **FULL}, strategy="fsdp2", data=8)


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


for fill in (add_models, add_attention, add_checkpointing, add_optimizers, add_losses, add_adapters,
             add_gradients, add_ddp, add_fsdp, add_zero, add_tensor, add_pipelines):
    fill()
