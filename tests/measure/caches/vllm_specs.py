#!/usr/bin/env python3
# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Asks vLLM itself how it lays out caches and recurrent states, and writes vllm_caches.csv. See README.md."""

import argparse
import csv
import fnmatch
import json
import pathlib
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import no_gpu  # first: vLLM looks for its device when it is imported
import stand_ins
import torch
from vllm.config import CacheConfig, VllmConfig, get_layers_from_vllm_config, set_current_vllm_config
from vllm.engine.arg_utils import EngineArgs
from vllm.model_executor.layers.attention_layer_base import AttentionLayerBase
from vllm.model_executor.layers.mamba.abstract import get_mamba_prefill_checkpoint_alignment
from vllm.model_executor.model_loader.utils import initialize_model
from vllm.usage.usage_lib import UsageContext
from vllm.utils.torch_utils import set_default_torch_dtype
from vllm.v1.attention.backends.utils import get_supported_kv_cache_layouts, resolve_kv_cache_layout
from vllm.v1.core import kv_cache_planning as planning
from vllm.v1.core.kv_cache_config_builder import get_kv_cache_config_builder
from vllm.v1.core.kv_cache_utils import get_max_concurrency_for_kv_cache_config
from vllm.v1.kv_cache_interface import (AttentionSpec, ChunkedLocalAttentionSpec, KVCacheGroupSpec, KVCacheSpec,
                                        MambaSpec, MLAAttentionSpec, SlidingWindowSpec, SparseCacheRole,
                                        iter_layer_specs)
from vllm.v1.worker.gpu.attn_utils import get_kv_cache_spec
from vllm.v1.worker.workspace import init_workspace_manager

HERE = pathlib.Path(__file__).resolve().parent
POOL = 20 * no_gpu.GIB
LENGTHS = (8192, 131072)


@dataclass(frozen=True)
class Case:
    model: str
    tensor_parallel: int
    cache_dtype: str
    prefix_caching: bool


@dataclass
class Plan:
    """What vLLM decided for one case."""

    config: VllmConfig
    how: str
    specs: dict[str, KVCacheSpec]
    backends: set[str]
    layout: str
    kernel_block: int | str
    state_align: int | str
    groups: list[KVCacheGroupSpec]


def read_config(model: str) -> dict[str, Any]:
    return json.loads((HERE / "configs" / f"{model}.json").read_text())


def engine_config(case: Case, source: dict[str, Any], folder: str) -> VllmConfig:
    pathlib.Path(folder, "config.json").write_text(json.dumps(source))
    arguments = EngineArgs(model=folder, skip_tokenizer_init=True, load_format="dummy", max_model_len=max(LENGTHS),
                           tensor_parallel_size=case.tensor_parallel, kv_cache_dtype=case.cache_dtype,
                           enable_prefix_caching=case.prefix_caching, distributed_executor_backend="mp")
    return arguments.create_engine_config(UsageContext.OPENAI_API_SERVER)


def platform() -> Any:
    return no_gpu.vllm.platforms.current_platform


def starting_block(config: VllmConfig) -> int | str:
    """The block that the attention kernels take, before states are looked at."""
    backends = platform()._find_non_ssm_backends(config)
    if not backends:
        return ""
    return platform()._preferred_block_size_for_backends(backends, CacheConfig.DEFAULT_BLOCK_SIZE, config)


def make_plan(case: Case) -> Plan:
    """The steps of vLLM's start, from the arguments to the groups of layers."""
    no_gpu.set_ranks(case.tensor_parallel)
    source, how = stand_ins.translate(read_config(case.model))
    with tempfile.TemporaryDirectory() as folder:
        config = engine_config(case, source, folder)
        with set_current_vllm_config(config):
            with set_default_torch_dtype(config.model_config.dtype), torch.device("meta"), no_gpu.WithoutMemory():
                initialize_model(config)
            kernel_block = starting_block(config)
            state_align = get_mamba_prefill_checkpoint_alignment(config) if config.model_config.is_hybrid else None
            platform().update_block_size_for_backend(config)
            specs = get_kv_cache_spec(config)
            layers = get_layers_from_vllm_config(config, AttentionLayerBase)
            backends = [layer.get_attn_backend() for name, layer in layers.items() if name in specs]
            supported = [layout.name for layout in get_supported_kv_cache_layouts(backends)]
            layout = resolve_kv_cache_layout(config, [supported], list(specs.values()))
            groups = planning.get_global_kv_cache_groups(config, [specs])
    return Plan(config, how, specs, {backend.get_name() for backend in backends}, layout.name, kernel_block,
                "" if state_align is None else state_align, groups)


def kind_of(spec: KVCacheSpec) -> str:
    if isinstance(spec, MambaSpec):
        return spec.mamba_type.name.lower()
    if isinstance(spec, ChunkedLocalAttentionSpec):
        return f"chunked({spec.attention_chunk_size})"
    if isinstance(spec, SlidingWindowSpec):
        return f"sliding({spec.sliding_window})"
    if isinstance(spec, MLAAttentionSpec):
        return "indexer" if spec.cache_role == SparseCacheRole.INDEXER else "mla"
    return "full"


def type_name(dtype: torch.dtype) -> str:
    return str(dtype).removeprefix("torch.")


def token_bytes(spec: AttentionSpec) -> int | float:
    """Whole where each token has a row of its own, not an entry for several tokens."""
    each, rest = divmod(spec.unpadded_page_size_bytes, spec.block_size)
    return spec.unpadded_page_size_bytes / spec.block_size if rest else each


def joined(parts: Iterable[Any]) -> str:
    return "; ".join(str(part) for part in dict.fromkeys(parts))


def counted(parts: Iterable[str]) -> str:
    return "; ".join(f"{name} {count}" for name, count in Counter(parts).items())


def layer_specs(group: KVCacheGroupSpec) -> list[KVCacheSpec]:
    specs = list(iter_layer_specs(group.kv_cache_spec))
    return specs if len(specs) == len(group.layer_names) else specs * len(group.layer_names)


def group_text(group: KVCacheGroupSpec) -> str:
    kinds = Counter(kind_of(spec) for spec in layer_specs(group))
    return " + ".join(f"{count} {kind}" for kind, count in kinds.items()) + f" of {group.kv_cache_spec.block_size}"


def groups_text(groups: list[KVCacheGroupSpec]) -> str:
    return "; ".join(f"{count} x {text}" for text, count in Counter(map(group_text, groups)).items())


def state_columns(specs: list[MambaSpec]) -> dict[str, Any]:
    sizes = [spec.state_content_size_bytes for spec in specs]
    return {
        "state_layers": len(specs),
        "state_kind": joined(kind_of(spec) for spec in specs),
        "state_shapes": joined(" ".join("x".join(map(str, shape)) for shape in spec.shapes) for spec in specs),
        "state_dtypes": joined(" ".join(map(type_name, spec.dtypes)) for spec in specs),
        "state_bytes_layer": joined(sizes),
        "state_bytes_sequence": sum(sizes),
    }


def attention_columns(specs: list[AttentionSpec]) -> dict[str, Any]:
    kinds = [(kind_of(spec), token_bytes(spec)) for spec in specs]
    return {
        "attention_layers": counted(kind for kind, _ in kinds),
        "token_bytes_layer": joined(f"{kind} {size}" for kind, size in kinds),
        "token_bytes": sum(size for _, size in kinds),
    }


def pages_needed(group: KVCacheGroupSpec, config: VllmConfig) -> int:
    spec = group.kv_cache_spec
    return -(-spec.max_memory_usage_bytes(config) // spec.page_size_bytes)


def starts(plan: Plan, blocks: int) -> bool:
    """Whether the engine takes a pool of 20 GiB at this maximum length. It keeps one block for itself."""
    try:
        cache, = planning.get_kv_cache_configs(plan.config, [plan.specs], [POOL], plan.groups)
    except ValueError:
        return False
    assert cache.num_blocks == blocks
    return True


def length_columns(plan: Plan, length: int, blocks: int) -> dict[str, Any]:
    """What one sequence of a maximum length takes, and how many of them vLLM would report."""
    plan.config.model_config.max_model_len = length
    builder = get_kv_cache_config_builder(plan.config)
    cache = builder.get_kv_cache_config_from_groups(plan.config, plan.groups, blocks)
    return {
        f"blocks_{length}": sum(pages_needed(group, plan.config) for group in plan.groups),
        f"layer_bytes_{length}": planning.max_memory_usage_bytes(plan.config, plan.specs.values()),
        f"sequence_bytes_{length}": planning._max_memory_usage_bytes_from_groups(builder, plan.config, plan.groups),
        f"concurrency_{length}": round(get_max_concurrency_for_kv_cache_config(plan.config, cache), 6),
        f"starts_{length}": "yes" if starts(plan, blocks) else "no",
    }


def pool_columns(plan: Plan) -> dict[str, Any]:
    builder = get_kv_cache_config_builder(plan.config)
    block_bytes = planning._pool_bytes_per_block_from_builder(builder, plan.config, plan.groups)
    blocks = POOL // block_bytes
    pages = [spec.page_size_bytes for group in plan.groups for spec in layer_specs(group)]
    state = [group for group in plan.groups if isinstance(layer_specs(group)[0], MambaSpec)]
    columns = {
        "kernel": joined(sorted(plan.backends)),
        "layout": plan.layout,
        "kernel_block": plan.kernel_block,
        "state_align": plan.state_align,
        "block_tokens": plan.config.cache_config.block_size,
        "page_bytes": joined(sorted(set(pages))),
        "state_blocks_sequence": joined(pages_needed(group, plan.config) for group in state),
        "groups": len(plan.groups),
        "group_layers": joined(len(group.layer_names) for group in plan.groups),
        "group_list": groups_text(plan.groups),
        "block_bytes": block_bytes,
        "blocks_20gib": blocks,
        "tokens_in_flight": plan.config.max_in_flight_tokens,
    }
    for length in LENGTHS:
        columns.update(length_columns(plan, length, blocks))
    return columns


def make_row(case: Case) -> dict[str, Any]:
    plan = make_plan(case)
    states = [spec for spec in plan.specs.values() if isinstance(spec, MambaSpec)]
    attention = [spec for spec in plan.specs.values() if isinstance(spec, AttentionSpec)]
    assert len(states) + len(attention) == len(plan.specs)
    return {
        "model": case.model, "tp": case.tensor_parallel, "cache_dtype": case.cache_dtype,
        "prefix_caching": "on" if case.prefix_caching else "off",
        **state_columns(states), **attention_columns(attention), **pool_columns(plan), "how": plan.how,
    }


def has_states(source: dict[str, Any]) -> bool:
    keys = ("linear_conv_kernel_dim", "mamba_num_heads", "mamba_d_conv", "conv_L_cache", "linear_attn_config",
            "attn_type_list", "state_size")
    return any(key in source for key in keys)


def cases_of(model: str) -> list[Case]:
    """Without states, prefix caching changes nothing; without attention, vLLM has none and there is no cache type."""
    source = read_config(model)
    pure_state = "state_size" in source
    dtypes = ("auto",) if pure_state else ("auto", "fp8")
    caching = (False,) if pure_state else (False, True) if has_states(source) else (True,)
    return [Case(model, tp, dtype, on) for tp in (1, 2, 8) for dtype in dtypes for on in caching]


def main() -> int:
    init_workspace_manager(torch.device("meta"))
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="*", help="models by pattern; prints rows and writes nothing")
    parser.add_argument("--tp", type=int, help="only this tensor parallel size")
    parser.add_argument("--trace", action="store_true", help="where a case failed")
    options = parser.parse_args()
    rows = []
    for model in sorted(path.stem for path in (HERE / "configs").glob("*.json")):
        if not fnmatch.fnmatch(model, options.only):
            continue
        for case in cases_of(model):
            if options.tp not in (None, case.tensor_parallel):
                continue
            try:
                rows.append(make_row(case))
                print(f"{case}: {rows[-1]['block_tokens']} tokens, {rows[-1]['blocks_20gib']} blocks", flush=True)
            except Exception as error:
                print(f"{case}: refused: {' '.join(str(error).split())[:300]}", flush=True)
                if options.trace:
                    traceback.print_exc()
    if options.only != "*" or options.tp:
        print(json.dumps(rows, indent=1))
        return 0
    with open(HERE / "vllm_caches.csv", "w", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
