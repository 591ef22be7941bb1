# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is measured: plan documents, each with the figures that are read off its run."""

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
    covered: bool = True
    note: str = ""


LLAMA = {"model_type": "llama", "hidden_size": 256, "num_hidden_layers": 4,
         "num_attention_heads": 4, "num_key_value_heads": 2, "intermediate_size": 688,
         "vocab_size": 2000}
SMALL = {**LLAMA, "intermediate_size": 384, "vocab_size": 512}  # roots of matrices take time
QWEN3 = {**LLAMA, "model_type": "qwen3", "head_dim": 96, "tie_word_embeddings": True}
GPT2 = {"model_type": "gpt2", "hidden_size": 256, "num_hidden_layers": 4, "num_attention_heads": 4,
        "intermediate_size": 1024, "vocab_size": 2000, "max_position_embeddings": 128, "activation_function": "gelu"}
UNTIED = {**GPT2, "tie_word_embeddings": False}
BERT = {**GPT2, "model_type": "bert", "max_position_embeddings": 128}
MIXTRAL = {**LLAMA, "model_type": "mixtral", "num_hidden_layers": 3, "intermediate_size": 256,
           "num_local_experts": 4, "num_experts_per_tok": 2}
DEEPSEEK = {"model_type": "deepseek_v2", "hidden_size": 256, "num_hidden_layers": 4,
            "num_attention_heads": 4, "intermediate_size": 512, "moe_intermediate_size": 128,
            "vocab_size": 2000, "q_lora_rank": 96, "kv_lora_rank": 64, "qk_nope_head_dim": 64,
            "qk_rope_head_dim": 32, "v_head_dim": 64, "n_routed_experts": 8,
            "num_experts_per_tok": 2, "n_shared_experts": 1, "first_k_dense_replace": 1}
DENSE_MLA = {**DEEPSEEK, "first_k_dense_replace": 4}

ZEROED = {"cublas_workspace_bytes": 0, "context_bytes": 0, "nccl_bytes": 0, "reserved_factor": 1}

CASES = []


def add(name, family, config, figures, regime="pure-bf16", covered=True, note="", **parts):
    """A case: a plan of one bf16 model without optimizer states, and what differs from that."""
    optimizer = parts.pop("optimizer", {"name": "sgd", "implementation": "foreach"})
    batch = {"micro_batch": 2, "sequence_length": 128, **parts.pop("batch", {})}
    loss = parts.pop("loss", "cross-entropy-fp32" if regime == "fp32" else "hf-upcast")
    if config["model_type"] == "bert":
        loss = "none"
    if regime == "fp32":  # for which PyTorch has no flash attention, but these recorders have
        parts["activations"] = {"attention": "flash", **parts.get("activations", {})}
    plan = {"vramscope": 1, "name": f"{family}: {name.replace('-', ' ')}", "workload": "training",
            "model": {"config": dict(config)}, "precision": {"regime": regime},
            "optimizer": optimizer, "batch": batch, "loss": loss, **parts,
            "overheads": dict(ZEROED)}
    CASES.append(Case(f"{family}-{name}", family, copy.deepcopy(plan), figures, covered, note))


def activations(**settings):
    return {"activations": settings}


def adapters(*targets, **settings):
    return {"adapters": {"kind": "lora", "rank": 8, "targets": list(targets), **settings}}


ADAMW = {"name": "adamw", "implementation": "foreach"}


NO_HEAD = ("the planner counts a gradient of the tied head (V h) from the first block's backward "
           "pass on; a classifier without a loss over tokens has it at the end only")


def add_blocks():
    for name, config in (("llama", LLAMA), ("qwen3", QWEN3), ("gpt2", GPT2)):
        add(f"{name}-bf16", "block", config, (PEAK,))
        add(f"{name}-fp32", "block", config, (PEAK,), regime="fp32")
        add(f"{name}-autocast", "autocast", config, (PEAK, REST), regime="autocast-bf16")
    tied = {**LLAMA, "tie_word_embeddings": True}
    add("llama-tied-head", "block", tied, (PEAK, STEP), optimizer=ADAMW)
    add("llama-checkpointed", "autocast", LLAMA, (PEAK,), regime="autocast-bf16",
        **activations(checkpointing="full"))
    add("bert-fp32", "block", BERT, (PEAK,), regime="fp32", covered=False, note=NO_HEAD)
    add("bert-dropout", "dropout", BERT, (PEAK,), covered=False, note=NO_HEAD,
        **activations(dropout=0.1, attention_dropout=0.1, attention="eager"))
    for name, parts in (("dropout", {"dropout": 0.1}),
                        ("eager", {"dropout": 0.1, "attention_dropout": 0.1,
                                   "attention": "eager"})):
        add(f"gpt2-{name}", "dropout", GPT2, (PEAK,), **activations(**parts))
    add("gpt2-eager", "textbook", GPT2, (PEAK,),
        **activations(dropout=0.1, attention_dropout=0.1, attention="eager", kernels="textbook"))
    add("gpt2-checkpointed", "textbook", UNTIED, (PEAK,), loss="linear-fused", covered=False,
        note="the formula of the paper has no gradients of a block's inner tensors",
        **activations(dropout=0.1, attention_dropout=0.1, attention="eager", kernels="textbook",
                      checkpointing="full"))


def add_attention():
    for kind in ("eager", "eager-fp32-softmax"):
        add(f"llama-{kind}", "attention", LLAMA, (PEAK,), **activations(attention=kind))
        add(f"llama-{kind}-dropout", "attention", LLAMA, (PEAK,),
            **activations(attention=kind, attention_dropout=0.1))
    add("gpt2-eager-fp32", "attention", GPT2, (PEAK,), regime="fp32",
        **activations(attention="eager"))
    add("gpt2-eager-autocast", "attention", GPT2, (PEAK,), regime="autocast-bf16",
        **activations(attention="eager"))


def add_checkpointing():
    # The fused loss keeps the loss moment low, so that the recomputed segment is the peak.
    def case(name, config=LLAMA, loss="linear-fused", figures=(PEAK,), **settings):
        add(name, "checkpointing", config, figures, loss=loss, **activations(**settings))

    case("full", checkpointing="full")
    case("full-at-the-loss", loss="hf-upcast", checkpointing="full", figures=(PEAK, LOSS))
    case("full-gpt2", config=UNTIED, checkpointing="full")
    case("full-eager", checkpointing="full", attention="eager")
    case("every-2", checkpointing="every-k", every=2)
    case("every-4", checkpointing="every-k", every=4)
    case("every-2-at-the-loss", loss="hf-upcast", checkpointing="every-k", every=2)
    case("block-2", checkpointing="block", blocks=2)
    case("keep-matmuls", loss="hf-upcast", checkpointing="keep-matmuls")
    case("keep-matmuls-gpt2", config=GPT2, loss="hf-upcast", attention="eager",
         checkpointing="keep-matmuls")


def add_latent_and_experts():
    for name, regime in (("bf16", "pure-bf16"), ("fp32", "fp32"), ("autocast", "autocast-bf16")):
        add(f"dense-{name}", "mla", DENSE_MLA, (PEAK,), regime=regime)
        add(f"mixtral-{name}", "moe", MIXTRAL, (PEAK,), regime=regime)
    add("dense-checkpointed", "mla", DENSE_MLA, (PEAK,), loss="linear-fused",
        **activations(checkpointing="full"))
    add("deepseek", "mla", DEEPSEEK, (PEAK, STEP), optimizer=ADAMW)
    plain = {key: value for key, value in DENSE_MLA.items() if key != "q_lora_rank"}
    add("plain-queries", "mla", plain, (PEAK,))
    add("mixtral-checkpointed", "moe", MIXTRAL, (PEAK,), loss="linear-fused",
        **activations(checkpointing="full"))


SAME_TYPE = ("litgpt's published tables show that adapters of the activations' own type keep the "
             "inputs of frozen matrices and norms, so the planner counts them; plain PyTorch does "
             "not keep them")
RECOMPUTED = ("the fp32 results of the last adapter at the end of the recomputation stand beside "
              "the gradients; not modelled")


def add_adapters():
    sets = {"qv": ("q", "v"), "qkvo": ("q", "k", "v", "o"),
            "mlp": ("gate", "up", "down"), "all": ("all-linear",)}
    for name, targets in sets.items():
        for bytes_ in (4, 2):
            add(f"{name}-{'fp32' if bytes_ == 4 else 'bf16'}", "lora", LLAMA, (PEAK,),
                optimizer=ADAMW, covered=bytes_ == 4, note="" if bytes_ == 4 else SAME_TYPE,
                **adapters(*targets, weight_bytes=bytes_))
        add(f"{name}-checkpointed", "lora", LLAMA, (PEAK,), optimizer=ADAMW, covered=False,
            note=RECOMPUTED,
            loss="linear-fused", **adapters(*targets), **activations(checkpointing="full"))
    add("qv-fp32-base", "lora", LLAMA, (PEAK,), optimizer=ADAMW, regime="fp32", covered=False,
        note=SAME_TYPE, **adapters("q", "v"))
    add("qv-at-rest", "lora", LLAMA, (REST,), optimizer=ADAMW, **adapters("q", "v"))
    add("all-autocast", "lora", LLAMA, (PEAK,), optimizer=ADAMW, regime="autocast-bf16",
        **adapters("all-linear"))


ROOTS = ("the temporaries of one factor's root, three matrices of its side squared in fp32, show "
         "at this size; the planner leaves them out")


def add_optimizers():
    short = {"micro_batch": 1, "sequence_length": 64}  # the step is the peak
    for name, how in (("adamw", "foreach"), ("adamw", "for-loop"), ("adamw", "in-backward"),
                      ("sgd", "foreach"), ("sgd-momentum", "foreach"),
                      ("sgd-momentum", "for-loop"), ("lion", "foreach"), ("lion", "for-loop"),
                      ("adafactor", "for-loop"), ("muon", "for-loop"), ("shampoo", "for-loop")):
        for regime in ("pure-bf16", "fp32"):
            config = SMALL if name == "shampoo" else LLAMA
            add(f"{name}-{how}-{'bf16' if regime == 'pure-bf16' else 'fp32'}", "optimizer", config,
                (PEAK, REST), regime=regime, batch=short, covered=name != "shampoo", note=ROOTS
                if name == "shampoo" else "",
                optimizer={"name": name, "implementation": how})


    few = {**LLAMA, "vocab_size": 128}  # a block's matrix is the largest tensor
    for name, how in (("muon", "for-loop"), ("adamw", "for-loop"), ("adafactor", "for-loop")):
        add(f"{name}-small-vocabulary", "optimizer", few, (PEAK,), batch=short,
            optimizer={"name": name, "implementation": how})


def add_losses():
    wide = {**LLAMA, "num_hidden_layers": 2, "vocab_size": 8000}
    add("hf-upcast", "loss", wide, (PEAK,), loss="hf-upcast")
    add("fp32", "loss", wide, (PEAK,), regime="fp32")
    add("hf-fp32", "loss", wide, (PEAK,), regime="fp32", loss="hf-upcast")
    add("autocast", "loss", wide, (PEAK,), regime="autocast-bf16", loss="hf-upcast")
    add("logits-kept", "loss", wide, (PEAK, REST), regime="fp32", loss_keep_logits=True)
    for chunks in (4, 8):
        add(f"chunked-{chunks}", "loss", wide, (PEAK,), loss="chunked", loss_chunks=chunks,
            covered=False, note="torch 1.13 adds the chunks' gradients of the head out of place "
                                "and holds one more of them (2 V h) than today's, which adds in "
                                "place (pytorch/pytorch#88339)")
    add("linear-fused", "loss", wide, (LOSS, PEAK), loss="linear-fused")
    add("linear-fused-lora", "loss", wide, (PEAK,), loss="linear-fused", optimizer=ADAMW,
        **adapters("q", "v"))


def add_gradients():
    def case(name, zero_grad="after-step", steps=1, figures=(PEAK, REST), **parts):
        optimizer = {**ADAMW, "zero_grad": zero_grad}
        add(name, "gradients", LLAMA, figures, optimizer=optimizer,
            batch={"accumulation_steps": steps}, **parts)

    case("dropped")
    case("before-forward", zero_grad="before-forward")
    case("never-dropped", zero_grad="never")
    tied = {**LLAMA, "tie_word_embeddings": True}
    add("tied-embeddings", "gradients", tied, (PEAK,), covered=False,
        batch={"micro_batch": 1, "sequence_length": 64},
        note="torch 1.13 adds the two gradients of the tied embedding out of place and so holds "
             "three of them; since 2.0 it adds them in place (pytorch/pytorch#88339) as the "
             "planner does")
    case("accumulated", steps=3, figures=(PEAK, FIRST))
    case("accumulated-checkpointed", steps=2, loss="linear-fused", figures=(PEAK,),
         **activations(checkpointing="full"))


def add_data_parallel():
    # fp32: gloo of torch 1.13 cannot add up bf16.
    def case(name, family, strategy, figures, optimizer=ADAMW, batch=None, bucket=None, **parallel):
        settings = {"strategy": strategy, "data": 2, **parallel}
        if bucket:
            settings["bucket"] = bucket
        add(name, family, LLAMA, figures, regime="fp32", optimizer=optimizer, batch=batch or {},
            parallel=settings)

    case("buckets", "ddp", "ddp", (PEAK, FIRST, REST))
    case("bucket-view", "ddp", "ddp", (PEAK, REST), gradient_as_bucket_view=True)
    short = {"micro_batch": 1, "sequence_length": 64}
    case("buckets-at-the-step", "ddp", "ddp", (PEAK,), batch=short)
    case("view-at-the-step", "ddp", "ddp", (PEAK,), batch=short, gradient_as_bucket_view=True)
    case("accumulated", "ddp", "ddp", (PEAK,), batch={"accumulation_steps": 2})
    case("accumulated-no-sync", "ddp", "ddp", (PEAK,),
         batch={"accumulation_steps": 2, "no_sync": True}, gradient_as_bucket_view=True)
    # Parameters are handed over in place, gradients through a bucket of the largest tensor's size.
    one = {"allgather_bucket_size": 1, "reduce_bucket_size": 2000 * 256}
    for strategy in ("zero1", "zero2"):
        case(f"{strategy}", "zero", strategy, (PEAK, REST), bucket=one)
        case(f"{strategy}-at-the-step", "zero", strategy, (PEAK, FIRST), batch=short, bucket=one)
        case(f"{strategy}-momentum", "zero", strategy, (PEAK, REST), batch=short, bucket=one,
             optimizer={"name": "sgd-momentum", "implementation": "foreach"})


def add_pipelines():
    def case(name, stage, micros, regime="fp32", ranks=2, virtual=1, config=LLAMA,
             schedule="1f1b", **parts):
        add(name, "pipeline", config, (PEAK,), regime=regime,
            batch={"micro_batch": 1, "accumulation_steps": micros},
            parallel={"pipeline": ranks, "stage": stage, "virtual_stages": virtual,
                      "schedule": schedule}, **parts)

    case("first-of-2", 0, 4)
    case("last-of-2", 1, 4)
    case("first-of-4", 0, 8, ranks=4)
    case("second-of-4", 1, 8, ranks=4, covered=False,
         note="a loop of its own frees what torch's pipelines keep: inputs and outputs of a stage")
    case("gpipe-first-of-2", 0, 4, schedule="gpipe")
    case("gpipe-last-of-2", 1, 4, schedule="gpipe")
    case("few-micro-batches", 0, 2, ranks=4)
    case("bf16-first-of-2", 0, 4, regime="pure-bf16")
    case("first-of-2-checkpointed", 0, 4, **activations(checkpointing="full"))
    deep = {**LLAMA, "num_hidden_layers": 8}
    case("interleaved-first-of-2", 0, 4, virtual=2, config=deep)
    case("interleaved-last-of-2", 1, 4, virtual=2, config=deep)


for fill in (add_blocks, add_attention, add_checkpointing, add_latent_and_experts, add_adapters,
             add_optimizers, add_losses, add_gradients, add_data_parallel, add_pipelines):
    fill()
