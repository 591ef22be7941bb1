#!/usr/bin/env python3
# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lets vLLM make its slots for adapters (--enable-lora) and writes vllm_adapters.csv: their bytes by module. See README.md."""

import argparse
import csv
import fnmatch
import json
import pathlib
import signal
import sys
import tempfile
from typing import Any

import no_gpu  # first: vLLM looks for its device when it is imported
import torch
from transformers.models.auto.modeling_auto import MODEL_FOR_CAUSAL_LM_MAPPING_NAMES
from vllm.config import set_current_vllm_config
from vllm.engine.arg_utils import EngineArgs
from vllm.lora.layers import fused_moe
from vllm.lora.layers.base import BaseLayerWithLoRA
from vllm.lora.model_manager import LoRAModelManager
from vllm.model_executor.model_loader.utils import initialize_model
from vllm.usage.usage_lib import UsageContext
from vllm.utils.torch_utils import set_default_torch_dtype
from vllm.v1.worker.workspace import init_workspace_manager

HERE = pathlib.Path(__file__).resolve().parent
CONFIGS = HERE.parents[2] / "resources/models/configs"
MODELS = ("llama-3.1-8b", "llama-3.2-1b", "qwen2.5-7b", "qwen3-8b", "mistral-7b-v0.3", "gemma-2-9b", "phi-4",
          "glm-4-9b-0414", "granite-3.3-8b-instruct", "olmo-2-1124-7b-instruct", "exaone-4.0-1.2b", "qwen3-30b-a3b",
          "gpt-oss-20b", "mixtral-8x7b-v0.1", "olmoe-1b-7b-0125", "qwen1.5-moe-a2.7b", "glm-4.5-air",
          "ernie-4.5-21b-a3b-pt", "deepseek-v3", "deepseek-v2-lite", "glm-4.7-flash")
SLOTS, RANK = 2, 16
LIMIT = 240  # seconds


def without_kernel(self: Any, base_layer: Any) -> None:
    """Sets up a layer of experts but for its kernel, which needs weights."""
    BaseLayerWithLoRA.__init__(self)
    self.base_layer, self.moe_config, self.device = base_layer, base_layer.moe_config, torch.device("meta")
    parallel = self.moe_config.moe_parallel_config
    self.tp_size, self.tp_rank = parallel.tp_size, parallel.tp_rank
    self._shared_experts, self.enable_moe_shared_loras = base_layer._shared_experts, False
    joined = isinstance(self, fused_moe.FusedMoE3DWithLoRA)
    self._w13_slices = 2 if self.moe_config.is_act_and_mul and not joined else 1
    self.n_slices = self.local_num_experts * (self._w13_slices + 1)


fused_moe.FusedMoEWithLoRA.__init__ = fused_moe.FusedMoE3DWithLoRA.__init__ = without_kernel
fused_moe.FusedMoEWithLoRA.set_mapping = BaseLayerWithLoRA.set_mapping


def layers_of(model: str, ranks: int, sharded: bool) -> dict[str, BaseLayerWithLoRA]:
    no_gpu.set_ranks(ranks)
    source = json.loads((CONFIGS / f"{model}.json").read_text())
    source.setdefault("architectures", [MODEL_FOR_CAUSAL_LM_MAPPING_NAMES.get(source["model_type"], "")])
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "config.json").write_text(json.dumps(source))
        config = EngineArgs(model=folder, skip_tokenizer_init=True, load_format="dummy", max_model_len=8192,
                            tensor_parallel_size=ranks, distributed_executor_backend="mp", runner="generate",
                            enable_lora=True, max_loras=SLOTS, max_lora_rank=RANK, fully_sharded_loras=sharded,
                            ).create_engine_config(UsageContext.OPENAI_API_SERVER)
        with (set_current_vllm_config(config), set_default_torch_dtype(config.model_config.dtype), torch.device("meta"),
              no_gpu.WithoutMemory()):
            built = initialize_model(config)
            manager = LoRAModelManager(built, 256, 8192, config.model_config.get_vocab_size(), config.lora_config,
                                       torch.device("meta"), config)
    return manager.modules


def bytes_of(layer: BaseLayerWithLoRA) -> int:
    """Of its stacked factors; experts list views of theirs again."""
    experts = isinstance(layer, fused_moe.FusedMoEWithLoRA)
    names = [name for name in vars(layer) if name.endswith("_stacked")]
    found = [vars(layer)[name] for name in names if not experts or not name.startswith("lora_")]
    tensors = [tensor for one in found for tensor in (one if isinstance(one, (tuple, list)) else [one])]
    return sum(tensor.numel() * tensor.element_size() for tensor in tensors)


def row_of(model: str, ranks: int, sharded: bool) -> dict[str, Any]:
    parts: dict[str, int] = {}
    for path, layer in layers_of(model, ranks, sharded).items():
        name = path.rpartition(".")[2]
        parts[name] = parts.get(name, 0) + bytes_of(layer)
    return {"model": model, "tp": ranks, "fully_sharded": "yes" if sharded else "no", "slots": SLOTS, "rank": RANK,
            "bytes": sum(parts.values()), "parts": "; ".join(f"{name} {size}" for name, size in parts.items())}


def late(*_: Any) -> None:
    raise TimeoutError("no answer in time")


def main() -> int:
    init_workspace_manager(torch.device("meta"))
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="*", help="models by pattern; writes no other rows")
    options = parser.parse_args()
    signal.signal(signal.SIGALRM, late)
    rows = []
    for model in MODELS:
        if not fnmatch.fnmatch(model, options.only):
            continue
        for ranks, sharded in ((1, False), (2, False), (8, False), (2, True)):
            signal.alarm(LIMIT)
            try:
                rows.append(row_of(model, ranks, sharded))
                print(rows[-1], flush=True)
            except Exception as error:
                print(f"{model}, {ranks}: refused: {' '.join(str(error).split())[:300]}", flush=True)
            signal.alarm(0)
    with open(HERE / "vllm_adapters.csv", "w", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
