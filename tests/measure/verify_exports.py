#!/usr/bin/env python3
# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Exports plans as the files of the trainers and reads each by the tool's own parser.

    venv/bin/python tests/measure/verify_exports.py build/release/bin/vramscope-cli
    venv/bin/python tests/measure/verify_exports.py build/release/bin/vramscope-cli --write

The first ends with an error where a parser refuses a file, or reads something else than the plan
says. --write also keeps the files in tests/data/exports, which tst_export compares byte by byte.
Versions: accelerate, transformers, trl, peft of requirements.txt, and

    venv/bin/pip install trl==1.16.0
    venv/bin/pip install --no-deps axolotl==0.19.0 llamafactory==0.9.5

axolotl and LLaMA-Factory are read by their schemas alone, which need no GPU; pip names no
dependency of theirs, so install what an import asks for. No model is loaded and nothing is fetched.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

os.environ.update(
    # One process of a group, so that parsers accept what is sharded.
    RANK="0", WORLD_SIZE="1", LOCAL_RANK="0", MASTER_ADDR="127.0.0.1", MASTER_PORT="29513",
    DISABLE_VERSION_CHECK="1",  # LLaMA-Factory 0.9.5 was released for transformers up to 5.6
    HF_HUB_OFFLINE="1", TRANSFORMERS_VERBOSITY="error", PYTHONWARNINGS="ignore",
)

import torch
import transformers.training_args
import yaml
from transformers import HfArgumentParser, TrainingArguments

transformers.training_args.is_torch_bf16_gpu_available = lambda: True  # as on a GPU
torch.cuda.is_bf16_supported = lambda *args, **kwargs: True

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "tests/data/exports"

LLAMA = {"preset": "llama-3.1-8b"}
PLANS = {
    "qlora": {
        "trainer": "hf", "model": LLAMA, "hardware": {"gpus": 1},
        "optimizer": {"name": "adamw-8bit"},
        "batch": {"micro_batch": 2, "sequence_length": 4096, "accumulation_steps": 8},
        "activations": {"checkpointing": "full"},
        "adapters": {"kind": "lora", "rank": 16, "targets": ["all-linear"], "dropout": 0.05,
                     "base_quantization": "nf4-double"},
    },
    "lora-ddp": {
        "trainer": "hf", "model": {"preset": "qwen3-8b"}, "hardware": {"gpus": 4},
        "parallel": {"data": 4, "strategy": "ddp"},
        "batch": {"micro_batch": 1, "sequence_length": 2048},
        "activations": {"checkpointing": "full", "kernels": "fused"}, "loss": "linear-fused",
        "adapters": {"kind": "lora", "rank": 32, "targets": ["q", "k", "v", "o"]},
    },
    "fsdp2": {
        "trainer": "hf", "model": LLAMA, "hardware": {"gpus": 16},
        "parallel": {"data": 16, "strategy": "fsdp2", "sharding": "hybrid_shard", "shard_group": 8},
        "optimizer": {"name": "adamw", "implementation": "fused"},
        "batch": {"micro_batch": 1, "sequence_length": 8192},
        "activations": {"checkpointing": "full"},
    },
    "fsdp1": {
        "trainer": "hf", "model": LLAMA, "hardware": {"gpus": 8},
        "parallel": {"data": 8, "strategy": "fsdp1", "sharding": "shard_grad_op",
                     "cpu_offload": True, "backward_prefetch": "post"},
        "batch": {"micro_batch": 4, "sequence_length": 2048},
        "activations": {"attention": "eager-fp32-softmax", "kernels": "compiled"},
        "overheads": {"alloc_conf": "expandable_segments:True"},
    },
    "zero3": {
        "trainer": "hf", "model": LLAMA, "hardware": {"gpus": 8},
        "parallel": {"data": 8, "strategy": "zero3", "cpu_offload": True,
                     "bucket": {"sub_group_size": 100000000, "overlap_comm": False}},
        "optimizer": {"name": "adamw", "offload": True},
        "batch": {"micro_batch": 2, "sequence_length": 4096, "accumulation_steps": 4},
        "activations": {"checkpointing": "full"},
    },
    "pure-bf16": {
        "trainer": "hf", "model": {"preset": "llama-3.2-1b"}, "hardware": {"gpus": 1},
        "precision": {"regime": "pure-bf16"}, "optimizer": {"name": "adafactor",
                                                            "implementation": "for-loop"},
        "batch": {"micro_batch": 8, "sequence_length": 1024},
    },
}
FORMATS = ["accelerate", "trainer", "trl", "axolotl", "llama-factory"]


def sharding(plan):
    return plan.get("parallel", {}).get("strategy", "none")


def same(what, read, wanted):
    if read != wanted:
        raise ValueError(f"{what} is {read!r}, not {wanted!r}")


def holds_deepspeed(read, plan):
    zero = read["zero_optimization"]
    same("stage", zero["stage"], int(sharding(plan)[-1]))
    same("offload", zero["offload_optimizer"]["device"], "cpu")
    same("sub_group_size", zero["sub_group_size"], 100000000)


def holds_arguments(args, plan):
    """What TrainingArguments and all that inherit from it read."""
    same("batch", args.per_device_train_batch_size, plan["batch"]["micro_batch"])
    same("accumulation", args.gradient_accumulation_steps,
         plan["batch"].get("accumulation_steps", 1))
    regime = plan.get("precision", {}).get("regime")
    same("bf16", args.bf16, regime != "pure-bf16")
    optimizer = plan.get("optimizer", {}).get("name", "adamw")
    same("optim", str(args.optim.value if hasattr(args.optim, "value") else args.optim),
         {"adamw": "adamw_torch_fused", "adamw-8bit": "adamw_bnb_8bit"}.get(optimizer, optimizer))
    strategy = sharding(plan)
    if strategy.startswith("zero"):
        holds_deepspeed(args.deepspeed, plan)
    if strategy.startswith("fsdp"):
        same("fsdp", args.fsdp_plugin_args["fsdp_version"], int(strategy[-1]))
        same("offload", args.fsdp_plugin_args.get("cpu_offload", False),
             plan["parallel"].get("cpu_offload", False))
    if strategy == "fsdp1":
        same("sharding", args.fsdp_plugin_args["reshard_after_forward"].upper(), "SHARD_GRAD_OP")
        same("prefetch", args.fsdp_plugin_args["backward_prefetch"], "BACKWARD_POST")
        same("compiled", args.torch_compile, True)


def read_accelerate(path, plan):
    from accelerate.commands.config.config_args import load_config_from_file

    config = load_config_from_file(str(path))
    strategy, gpus = sharding(plan), plan["hardware"]["gpus"]
    same("type", config.distributed_type.value,
         "FSDP" if "fsdp" in strategy else "DEEPSPEED" if "zero" in strategy
         else "MULTI_GPU" if gpus > 1 else "NO")
    same("processes", config.num_processes, gpus)
    same("machines", config.num_machines, max(1, gpus // 8))
    regime = plan.get("precision", {}).get("regime")
    same("precision", config.mixed_precision, "no" if regime == "pure-bf16" else "bf16")
    if "fsdp" in strategy:
        same("version", config.fsdp_config["fsdp_version"], int(strategy[-1]))
        launched(path)
    if "zero" in strategy:
        same("stage", config.deepspeed_config["zero_stage"], 3)
        launched(path)
    if strategy == "fsdp2":
        same("replicas", config.parallelism_config["parallelism_config_dp_replicate_size"], 2)
        same("shards", config.parallelism_config["parallelism_config_dp_shard_size"], 8)


def launched(path):
    """What `accelerate launch` makes of the file: the environment of its processes."""
    from accelerate.commands import launch

    args = launch.launch_command_parser().parse_args(["--config_file", str(path), "train.py"])
    args, defaults, mixed_precision = launch._validate_launch_command(args)


def read_trainer(path, plan):
    args, = HfArgumentParser(TrainingArguments).parse_yaml_file(str(path))
    holds_arguments(args, plan)
    same("checkpointing", args.gradient_checkpointing,
         plan["activations"].get("checkpointing") == "full" if "activations" in plan else False)
    same("liger", args.use_liger_kernel, plan.get("loss") == "linear-fused")


def read_trl(path, plan):
    from trl import ModelConfig, ScriptArguments, SFTConfig, TrlParser

    parser = TrlParser((ScriptArguments, SFTConfig, ModelConfig))
    # --output_dir is the person's, as is the data.
    script, args, model = parser.parse_args_and_config(
        ["--config", str(path), "--output_dir", tempfile.gettempdir()])
    holds_arguments(args, plan)
    same("allocator", os.environ.pop("PYTORCH_CUDA_ALLOC_CONF", None),
         plan.get("overheads", {}).get("alloc_conf"))
    same("length", args.max_length, plan["batch"]["sequence_length"])
    adapters = plan.get("adapters", {})
    same("peft", model.use_peft, bool(adapters))
    if adapters:
        from trl import get_peft_config

        config = get_peft_config(model)
        same("rank", config.r, adapters["rank"])
        same("targets", config.target_modules if isinstance(config.target_modules, str)
             else sorted(config.target_modules),
             "all-linear" if adapters["targets"] == ["all-linear"]
             else sorted(f"{target}_proj" for target in adapters["targets"]))
        same("4 bit", model.load_in_4bit, "base_quantization" in adapters)


def read_axolotl(path, plan):
    from axolotl.utils.schemas.config import AxolotlInputConfig

    own = yaml.safe_load(path.read_text())
    theirs = dict(datasets=[{"path": "a", "type": "alpaca"}], learning_rate=1e-4, num_epochs=1,
                  output_dir="out")
    config = AxolotlInputConfig(**own, **theirs)
    known = set(AxolotlInputConfig.model_fields) | {"plugins"}
    from axolotl.integrations.liger.args import LigerArgs

    known |= set(LigerArgs.model_fields)
    same("unknown keys", set(own) - known, set())
    same("batch", config.micro_batch_size, plan["batch"]["micro_batch"])
    same("length", config.sequence_len, plan["batch"]["sequence_length"])
    adapters = plan.get("adapters", {})
    same("adapter", config.adapter,
         ("qlora" if "base_quantization" in adapters else "lora") if adapters else None)
    if sharding(plan).startswith("zero"):
        holds_deepspeed(config.deepspeed, plan)
    if sharding(plan).startswith("fsdp"):
        same("fsdp", config.fsdp_version, int(sharding(plan)[-1]))
        fields = type(config.fsdp_config).model_fields
        same("unknown keys of fsdp_config", set(own["fsdp_config"]) - set(fields), set())


def read_llama_factory(path, plan):
    from llamafactory.hparams.parser import _parse_train_args

    own = yaml.safe_load(path.read_text())
    model, data, args, tuning, _ = _parse_train_args(own | {"output_dir": tempfile.gettempdir()})
    holds_arguments(args, plan)
    same("length", data.cutoff_len, plan["batch"]["sequence_length"])
    adapters = plan.get("adapters", {})
    same("tuning", tuning.finetuning_type, "lora" if adapters else "full")
    same("pure", tuning.pure_bf16, plan.get("precision", {}).get("regime") == "pure-bf16")
    if adapters:
        same("rank", tuning.lora_rank, adapters["rank"])
        same("bits", model.quantization_bit, 4 if "base_quantization" in adapters else None)
    same("attention", getattr(model.flash_attn, "value", model.flash_attn),
         "disabled" if sharding(plan) == "fsdp1" else "fa2")


READERS = {"accelerate": read_accelerate, "trainer": read_trainer, "trl": read_trl,
           "axolotl": read_axolotl, "llama-factory": read_llama_factory}


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cli", help="vramscope-cli")
    parser.add_argument("--write", action="store_true", help="keep the files in tests/data/exports")
    options = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory() as scratch:
        folder = FOLDER if options.write else pathlib.Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        for name, plan in PLANS.items():
            document = folder / f"{name}.vramplan"
            document.write_text(json.dumps({"vramscope": 1, **plan}, indent=2) + "\n")
            for form in FORMATS:
                path = folder / f"{name}.{form}.yaml"
                path.write_bytes(subprocess.run([options.cli, "export", document, "--as", form],
                                                check=True, stdout=subprocess.PIPE,
                                                stderr=subprocess.DEVNULL).stdout)
                try:
                    READERS[form](path, plan)
                    print(f"{name} as {form}: read")
                except Exception as error:  # of whatever kind a parser raises
                    failed += 1
                    print(f"{name} as {form}: {type(error).__name__}: {error}")
    print(f"{len(PLANS) * len(FORMATS) - failed} read, {failed} refused")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
