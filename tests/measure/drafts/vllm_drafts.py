#!/usr/bin/env python3
# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Asks vLLM itself what a draft adds: parameters, caches and groups of layers; writes vllm_drafts.csv. See README.md."""

import argparse
import csv
import fnmatch
import json
import pathlib
import sys
import tempfile
import traceback
from collections import Counter
from dataclasses import dataclass
from typing import Any

HERE = pathlib.Path(__file__).resolve().parent
CACHES = HERE.parent / "caches"
sys.path.insert(0, str(CACHES))

import no_gpu  # noqa: E402  first: vLLM looks for its device when it is imported
import torch  # noqa: E402
import vllm_specs as caches  # noqa: E402
from vllm.config import VllmConfig, get_layers_from_vllm_config, replace, set_current_vllm_config  # noqa: E402
from vllm.engine.arg_utils import EngineArgs  # noqa: E402
from vllm.model_executor.layers.attention_layer_base import AttentionLayerBase  # noqa: E402
from vllm.model_executor.layers.mamba.abstract import get_mamba_prefill_checkpoint_alignment  # noqa: E402
from vllm.model_executor.model_loader.utils import initialize_model  # noqa: E402
from vllm.usage.usage_lib import UsageContext  # noqa: E402
from vllm.utils.torch_utils import set_default_torch_dtype  # noqa: E402
from vllm.v1.core import kv_cache_planning as planning  # noqa: E402
from vllm.v1.worker.gpu.attn_utils import get_kv_cache_spec  # noqa: E402
from vllm.v1.worker.workspace import init_workspace_manager  # noqa: E402

TOKENS = 3


@dataclass(frozen=True)
class Case:
    model: str
    method: str
    draft: str
    tensor_parallel: int
    draft_tensor_parallel: int
    prefix_caching: bool


PAIRS = (
    ("qwen3-8b", "draft_model", "qwen3-0.6b"),
    ("llama-3.1-8b", "draft_model", "llama-3.2-1b"),
    ("llama-3.1-8b", "eagle", "eagle-llama3.1-8b"),
    ("llama-3.1-8b", "eagle3", "eagle3-llama3.1-8b"),
    ("deepseek-v3", "mtp", ""),
    ("deepseek-v3.2", "mtp", ""),
    ("glm-5", "mtp", ""),
    ("glm-4.5", "mtp", ""),
    ("qwen3-next-80b-a3b", "mtp", ""),
    ("qwen3.5-4b", "mtp", ""),
    ("qwen3.5-27b", "mtp", ""),
    ("qwen3.5-35b-a3b", "mtp", ""),
    ("qwen3.5-397b-a17b", "mtp", ""),
    ("mimo-7b", "mtp", ""),
    ("mimo-v2-flash", "mtp", ""),
    ("ernie-4.5-300b-a47b", "mtp", ""),
    ("nemotron-3-super-120b-a12b", "mtp", ""),
    ("nemotron-3-ultra-550b-a55b", "mtp", ""),
    ("qwen3-8b", "ngram", ""),
    ("qwen3-next-80b-a3b", "ngram", ""),
)


def read_config(model: str) -> dict[str, Any]:
    own = HERE / "configs" / f"{model}.json"
    source = json.loads((own if own.exists() else CACHES / "configs" / f"{model}.json").read_text())
    if source["model_type"] == "mimo":  # which transformers does not know; its layers are those of Qwen2
        source["model_type"] = "qwen2"
    return source


def engine_config(case: Case, folder: str) -> VllmConfig:
    for name, model in (("target", case.model), ("draft", case.draft)):
        if model:
            pathlib.Path(folder, name).mkdir()
            pathlib.Path(folder, name, "config.json").write_text(json.dumps(read_config(model)))
    speculation: dict[str, Any] = {"method": case.method, "num_speculative_tokens": TOKENS}
    if case.draft:
        speculation |= {"model": str(pathlib.Path(folder, "draft")),
                        "draft_tensor_parallel_size": case.draft_tensor_parallel}
    arguments = EngineArgs(model=str(pathlib.Path(folder, "target")), skip_tokenizer_init=True, load_format="dummy",
                           max_model_len=max(caches.LENGTHS), tensor_parallel_size=case.tensor_parallel,
                           enable_prefix_caching=case.prefix_caching, distributed_executor_backend="mp",
                           speculative_config=speculation)
    return arguments.create_engine_config(UsageContext.OPENAI_API_SERVER)


def build_draft(config: VllmConfig) -> torch.nn.Module | None:
    """The draft as its speculator builds it: v1/worker/gpu/spec_decode/eagle/utils.py, standalone_ar/speculator.py."""
    speculation = config.speculative_config
    if speculation.method == "ngram":
        return None
    if speculation.method == "draft_model":
        own = replace(config, model_config=speculation.draft_model_config, quant_config=None,
                      parallel_config=replace(speculation.draft_parallel_config, rank=config.parallel_config.rank))
        return initialize_model(own, prefix="draft_model")
    return initialize_model(speculation.apply_draft_overrides(config), model_config=speculation.draft_model_config)


def counted_parameters(model: torch.nn.Module | None) -> tuple[int, int, str]:
    """Parameters beside embedding and heads, those of these, and the integer tables."""
    if model is None:
        return 0, 0, ""
    rest = ends = 0
    for name, parameter in model.named_parameters():
        if "embed_tokens" in name or "lm_head" in name or "shared_head.head" in name:
            ends += parameter.numel()
        elif parameter.dtype.is_floating_point:
            rest += parameter.numel()
    tables = Counter(f"{name} {parameter.numel()}" for name, parameter in model.named_parameters()
                     if not parameter.dtype.is_floating_point)
    return rest, ends, "; ".join(tables)


def make_row(case: Case) -> dict[str, Any]:
    no_gpu.set_ranks(case.tensor_parallel)
    with tempfile.TemporaryDirectory() as folder:
        config = engine_config(case, folder)
        with set_current_vllm_config(config):
            with set_default_torch_dtype(config.model_config.dtype), torch.device("meta"), no_gpu.WithoutMemory():
                target = initialize_model(config)
                before = set(get_layers_from_vllm_config(config, AttentionLayerBase))
                draft = build_draft(config)
            kernel_block = caches.starting_block(config)
            align = get_mamba_prefill_checkpoint_alignment(config) if config.model_config.is_hybrid else None
            caches.platform().update_block_size_for_backend(config)
            specs = get_kv_cache_spec(config)
            layers = get_layers_from_vllm_config(config, AttentionLayerBase)
            backends = [layer.get_attn_backend() for name, layer in layers.items() if name in specs]
            supported = [layout.name for layout in caches.get_supported_kv_cache_layouts(backends)]
            layout = caches.resolve_kv_cache_layout(config, [supported], list(specs.values()))
            groups = planning.get_global_kv_cache_groups(config, [specs])
        plan = caches.Plan(config, "", specs, {backend.get_name() for backend in backends}, layout.name, kernel_block,
                           "" if align is None else align, groups)
        rest, ends, tables = counted_parameters(draft)
        added = {name: spec for name, spec in specs.items() if name not in before}
        states = [spec for spec in specs.values() if isinstance(spec, caches.MambaSpec)]
        attention = [spec for spec in specs.values() if isinstance(spec, caches.AttentionSpec)]
        return {
            "model": case.model, "method": case.method, "draft": case.draft, "tokens": TOKENS,
            "tp": case.tensor_parallel, "draft_tp": case.draft_tensor_parallel,
            "prefix_caching": "on" if case.prefix_caching else "off",
            "target_parameters": sum(p.numel() for p in target.parameters()),
            "draft_parameters": rest, "draft_ends": ends, "draft_tables": tables,
            "draft_layers": caches.counted(caches.kind_of(spec) for spec in added.values()),
            **caches.state_columns(states), **caches.attention_columns(attention), **caches.pool_columns(plan),
            "max_num_seqs": config.scheduler_config.max_num_seqs,
            "max_num_batched_tokens": config.scheduler_config.max_num_batched_tokens,
            "capture_sizes": config.compilation_config.max_cudagraph_capture_size,
            "how": f"{type(draft).__name__} beside {type(target).__name__}",
        }


def cases() -> list[Case]:
    made = []
    for model, method, draft in PAIRS:
        hybrid = caches.has_states(read_config(model))
        for ranks in (1, 2, 4):
            for caching in ((False, True) if hybrid else (True,)):
                for own in dict.fromkeys((1, ranks) if method in ("eagle", "eagle3") else (ranks,)):
                    made.append(Case(model, method, draft, ranks, own, caching))
    return made


def main() -> int:
    init_workspace_manager(torch.device("meta"))
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="*", help="models by pattern; prints rows and writes nothing")
    parser.add_argument("--tp", type=int, help="only this tensor parallel size")
    parser.add_argument("--trace", action="store_true", help="where a case failed")
    options = parser.parse_args()
    rows = []
    for case in cases():
        if not fnmatch.fnmatch(case.model, options.only) or options.tp not in (None, case.tensor_parallel):
            continue
        try:
            rows.append(make_row(case))
            row = rows[-1]
            print(f"{case}: {row['draft_parameters']} parameters, {row['draft_ends']} in the ends, "
                  f"{row['group_list']}, {row['block_bytes']}", flush=True)
        except Exception as error:
            print(f"{case}: refused: {' '.join(str(error).split())[:300]}", flush=True)
            if options.trace:
                traceback.print_exc()
    if options.only != "*" or options.tp:
        print(json.dumps(rows, indent=1))
        return 0
    with open(HERE / "vllm_drafts.csv", "w", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
