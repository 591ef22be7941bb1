# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Classes of Transformers that hold the same parameters as a model whose own code is not part of it.

A stand-in proves a shape, not a model: what it says is marked in the tables.
"""

from collections.abc import Callable


def _renamed(values: dict, model_type: str, names: dict[str, str] | None = None, **more) -> dict:
    names = names or {}
    return {**{names.get(k, k): v for k, v in values.items()}, "model_type": model_type, **more}


def _llama(values: dict) -> dict:
    return _renamed(values, "llama")


def _deepseek(values: dict) -> dict:
    head = values["hidden_size"] // values["num_attention_heads"]
    return _renamed(values, "glm4_moe", head_dim=head, use_qk_norm=False, attention_bias=False)


def _bailing(values: dict) -> dict:
    names = {"num_experts": "n_routed_experts", "num_shared_experts": "n_shared_experts"}
    return _renamed(values, "glm4_moe", names, attention_bias=False)


def _minimax_m3(values: dict) -> dict:
    return _renamed(values, "minimax_m3_vl_text")


def _step(values: dict) -> dict:
    return {"model_type": "step3p7", "tie_word_embeddings": values["tie_word_embeddings"],
            "text_config": values}


def _internvl(values: dict) -> dict:
    text, vision = values["llm_config"], values["vision_config"]
    text = _llama(text) if text["model_type"] == "internlm2" else text
    vision = _renamed(vision, "internvl_vision", {"qkv_bias": "attention_bias"})
    return {"model_type": "internvl", "downsample_ratio": values["downsample_ratio"],
            "tie_word_embeddings": text["tie_word_embeddings"], "text_config": text,
            "vision_config": vision}


STAND_INS: dict[str, Callable[[dict], dict]] = {
    "bailing_moe_v2": _bailing,
    "deepseek": _deepseek,
    "exaone": _llama,
    "internlm2": _llama,
    "internvl_chat": _internvl,
    "kimi_k2": lambda values: _renamed(values, "deepseek_v3"),
    "mimo": lambda values: _renamed(values, "qwen2"),
    "minimax_m3": _minimax_m3,
    "step3p5": _step,
}

# Of these, the language model with its head alone is the model.
TEXT_ONLY = {"step3p5"}
