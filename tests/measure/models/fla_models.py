# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Models of flash-linear-attention that Transformers has not, built without a GPU."""

TYPES = {"rwkv7": "RWKV7ForCausalLM"}


def causal_class(model_type: str) -> type:
    """fla's own class. It sets weights value by value, which no count depends on, and its layers that
    attend look for the kernels of flash-attn; both are left out."""
    import fla.layers.attn
    import fla.layers.rwkv6
    import fla.layers.rwkv7
    import fla.models
    from fla.models.rwkv7 import modeling_rwkv7

    fla.layers.attn.flash_attn_func = print
    for kind in (fla.layers.rwkv7.RWKV7Attention, modeling_rwkv7.RWKV7FeedForward,
                 fla.layers.rwkv6.LoRA):
        kind._initialize_weights = lambda *_: None
    modeling_rwkv7.RWKV7PreTrainedModel._init_weights = lambda *_, **__: None
    return getattr(fla.models, TYPES[model_type])


def keep_transformers_own() -> None:
    """fla registers its own configs in place of Transformers' whenever it is imported."""
    from transformers.models.auto.configuration_auto import CONFIG_MAPPING

    CONFIG_MAPPING._extra_content = {kind: config for kind, config
                                     in CONFIG_MAPPING._extra_content.items() if kind in TYPES}
