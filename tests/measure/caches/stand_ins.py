# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Two architectures that vLLM dropped with 0.23.0, put together from the layers that it still has.

Bamba's layers are those of Granite 4.0 H. MiniMax-Text-01 (and M1, which has the same layers) needs a model class:
it has what the last release with one, 0.22.1, builds in vllm/model_executor/models/minimax_text_01.py."""

from typing import Any

import torch
from vllm.config import VllmConfig
from vllm.distributed import get_tensor_model_parallel_world_size
from vllm.model_executor.layers.attention import Attention
from vllm.model_executor.layers.mamba.linear.minimax_linear_attn import MiniMaxText01LinearAttention
from vllm.model_executor.layers.mamba.mamba_utils import MambaStateDtypeCalculator, MambaStateShapeCalculator
from vllm.model_executor.models import ModelRegistry
from vllm.model_executor.models.interfaces import HasInnerState, IsHybrid

BAMBA = "restated: BambaForCausalLM was dropped with vLLM 0.23.0; its sizes in GraniteMoeHybridForCausalLM"
MINIMAX = "restated: MiniMaxText01ForCausalLM was dropped with vLLM 0.23.0; its layers as 0.22.1 makes them"


class MiniMaxStandIn(torch.nn.Module, HasInnerState, IsHybrid):
    def __init__(self, *, vllm_config: VllmConfig, prefix: str = "") -> None:
        super().__init__()
        config = vllm_config.model_config.hf_config
        self.layers = torch.nn.ModuleList(
            self.attention(config, vllm_config, f"layers.{index}.attn") if full
            else MiniMaxText01LinearAttention(config, vllm_config, f"layers.{index}.linear")
            for index, full in enumerate(config.attn_type_list))

    @staticmethod
    def attention(config: Any, vllm_config: VllmConfig, prefix: str) -> Attention:
        ranks = get_tensor_model_parallel_world_size()
        return Attention(config.num_attention_heads // ranks, config.head_dim, config.head_dim**-0.5,
                         num_kv_heads=max(1, config.num_key_value_heads // ranks),
                         cache_config=vllm_config.cache_config, prefix=prefix)

    @classmethod
    def get_mamba_state_dtype_from_config(cls, vllm_config: VllmConfig) -> tuple[torch.dtype, ...]:
        return MambaStateDtypeCalculator.linear_attention_state_dtype(
            vllm_config.model_config.dtype, vllm_config.cache_config.mamba_cache_dtype)

    @classmethod
    def get_mamba_state_shape_from_config(cls, vllm_config: VllmConfig) -> tuple[tuple[int, ...], ...]:
        config = vllm_config.model_config.hf_config
        return MambaStateShapeCalculator.linear_attention_state_shape(
            config.num_attention_heads, vllm_config.parallel_config.tensor_parallel_size, config.head_dim)

    def embed_input_ids(self, input_ids: torch.Tensor) -> torch.Tensor:
        raise NotImplementedError

    def forward(self, input_ids: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
        raise NotImplementedError

    def compute_logits(self, hidden_states: torch.Tensor) -> torch.Tensor:
        raise NotImplementedError


ModelRegistry.register_model("MiniMaxStandIn", MiniMaxStandIn)


def bamba_as_granite(source: dict[str, Any]) -> dict[str, Any]:
    kinds = ["attention" if index in source["attn_layer_indices"] else "mamba"
             for index in range(source["num_hidden_layers"])]
    return {**source, "architectures": ["GraniteMoeHybridForCausalLM"], "model_type": "granitemoehybrid",
            "layer_types": kinds, "num_local_experts": 0, "shared_intermediate_size": source["intermediate_size"]}


def translate(source: dict[str, Any]) -> tuple[dict[str, Any], str]:
    """The config that vLLM gets, and how the figures came about where its own model class does not build it."""
    if source["model_type"] == "bamba":
        return bamba_as_granite(source), BAMBA
    if source["model_type"] == "minimax_text_01":
        return {**source, "architectures": ["MiniMaxStandIn"], "model_type": "minimax"}, MINIMAX
    return source, f"model class {source['architectures'][0]}"
