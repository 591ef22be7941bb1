#!/usr/bin/env python3
# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Small checkpoints in the layouts of real ones, written by Transformers and safetensors.

Writes ../../data/checkpoints: of each checkpoint the config.json, the index, and of each file its
header alone (FILE.safetensors.json: the data behind it says nothing), and truth.json with what
safetensors counts in the files and what Transformers holds of them after from_pretrained() on the
CPU (`held`, where it can load the layout there). Random weights, fixed shapes.
"""

import json
import math
import pathlib
import struct
import sys
import tempfile

import torch
from safetensors import safe_open
from safetensors.torch import load_file, save_file
from transformers import AutoConfig, AutoModelForCausalLM, BitsAndBytesConfig

DATA = pathlib.Path(__file__).resolve().parents[2] / "data" / "checkpoints"
SHAPE = {"hidden_size": 256, "intermediate_size": 512, "num_hidden_layers": 2,
         "num_attention_heads": 8, "num_key_value_heads": 2, "vocab_size": 1000, "head_dim": 32,
         "max_position_embeddings": 512}
LLAMA = {"model_type": "llama", **SHAPE}
GROUP = 64


def write_plain(folder: pathlib.Path, values: dict, dtype=torch.bfloat16, shard: str | None = None):
    model = AutoModelForCausalLM.from_config(AutoConfig.for_model(**values), dtype=dtype)
    model.save_pretrained(folder, **({"max_shard_size": shard} if shard else {}))


def rewrite(folder: pathlib.Path, change, quantization: dict | None = None) -> None:
    """The one file of a folder with other tensors."""
    file = folder / "model.safetensors"
    save_file(change(load_file(file)), file, metadata={"format": "pt"})
    if quantization:
        config = json.loads((folder / "config.json").read_text())
        config["quantization_config"] = quantization
        (folder / "config.json").write_text(json.dumps(config))


def linears(tensors: dict) -> list[str]:
    return [n for n in tensors if n.endswith(("_proj.weight", "_proj_with_mqa.weight"))]


def fp8_blocks(tensors: dict) -> dict:
    out = dict(tensors)
    for name in linears(tensors):
        rows, columns = tensors[name].shape
        out[name] = tensors[name].to(torch.float8_e4m3fn)
        out[name + "_scale_inv"] = torch.ones(math.ceil(rows / 128), math.ceil(columns / 128))
    return out


def gptq(tensors: dict) -> dict:
    out = {n: t.half() for n, t in tensors.items() if n not in linears(tensors)}
    for name in linears(tensors):
        rows, columns = tensors[name].shape
        stem = name.removesuffix("weight")
        groups = columns // GROUP
        out[stem + "qweight"] = torch.zeros(columns // 8, rows, dtype=torch.int32)
        out[stem + "qzeros"] = torch.zeros(groups, rows // 8, dtype=torch.int32)
        out[stem + "scales"] = torch.ones(groups, rows, dtype=torch.float16)
        out[stem + "g_idx"] = torch.zeros(columns, dtype=torch.int32)
    return out


def awq(tensors: dict) -> dict:
    out = {n: t.half() for n, t in tensors.items() if n not in linears(tensors)}
    for name in linears(tensors):
        rows, columns = tensors[name].shape
        stem = name.removesuffix("weight")
        out[stem + "qweight"] = torch.zeros(columns, rows // 8, dtype=torch.int32)
        out[stem + "qzeros"] = torch.zeros(columns // GROUP, rows // 8, dtype=torch.int32)
        out[stem + "scales"] = torch.ones(columns // GROUP, rows, dtype=torch.float16)
    return out


def write_nf4(folder: pathlib.Path, values: dict) -> None:
    """bitsandbytes itself quantises, on the CPU."""
    with tempfile.TemporaryDirectory() as plain:
        write_plain(pathlib.Path(plain), values)
        AutoModelForCausalLM.from_pretrained(
            plain, device_map="cpu",
            quantization_config=BitsAndBytesConfig(
                load_in_4bit=True, bnb_4bit_quant_type="nf4", bnb_4bit_use_double_quant=True,
                bnb_4bit_compute_dtype=torch.bfloat16)).save_pretrained(folder)


def tied_twice(tensors: dict) -> dict:
    return {**tensors, "lm_head.weight": tensors["model.embed_tokens.weight"].clone()}


def with_rotary(tensors: dict) -> dict:
    layers = {f"model.layers.{i}.self_attn.rotary_emb.inv_freq": torch.ones(16) for i in range(2)}
    return {**tensors, **layers}


def with_masks(tensors: dict) -> dict:
    masks = {f"transformer.h.{i}.attn.bias": torch.ones(1, 1, 64, 64) for i in range(2)}
    return {**tensors, **masks}


def with_prediction(tensors: dict) -> dict:
    """As DeepSeek V3 has it: one layer more, with an embedding and a head of its own."""
    last = 1
    more = {n.replace(f".{last}.", f".{last + 1}.", 1): t.clone() for n, t in tensors.items()
            if n.startswith(f"model.layers.{last}.")}
    start = f"model.layers.{last + 1}."
    width = tensors["model.norm.weight"].numel()
    more[start + "eh_proj.weight"] = torch.zeros(width, 2 * width, dtype=torch.bfloat16)
    for norm in ("enorm", "hnorm", "shared_head.norm"):
        more[start + norm + ".weight"] = torch.ones(width, dtype=torch.bfloat16)
    more[start + "embed_tokens.weight"] = tensors["model.embed_tokens.weight"].clone()
    more[start + "shared_head.head.weight"] = tensors["lm_head.weight"].clone()
    return fp8_blocks({**tensors, **more})


MOE = {"model_type": "qwen3_moe", "moe_intermediate_size": 64, "num_experts": 8,
       "num_experts_per_tok": 2, **SHAPE}
DEEPSEEK = {"model_type": "deepseek_v3", **{k: v for k, v in SHAPE.items() if k != "head_dim"},
            "num_key_value_heads": 8, "moe_intermediate_size": 128, "n_routed_experts": 8,
            "n_shared_experts": 1, "num_experts_per_tok": 2, "first_k_dense_replace": 1,
            "n_group": 1, "topk_group": 1, "q_lora_rank": 128, "kv_lora_rank": 64,
            "qk_nope_head_dim": 32, "qk_rope_head_dim": 16, "v_head_dim": 32,
            "num_nextn_predict_layers": 1}
GPT2 = {"model_type": "gpt2", "n_embd": 128, "n_layer": 2, "n_head": 4, "vocab_size": 1000,
        "n_positions": 64, "bos_token_id": 0, "eos_token_id": 0}
BLOCKS = {"quant_method": "fp8", "activation_scheme": "dynamic", "weight_block_size": [128, 128]}
INT4 = {"bits": 4, "group_size": GROUP}

# name: config, arguments of write_plain(), change of the tensors, quantization_config, loadable
CHECKPOINTS = {
    "llama-sharded": (LLAMA, {"shard": "600KB"}, None, None, True),
    "llama-tied": ({**LLAMA, "tie_word_embeddings": True}, {}, None, None, True),
    "llama-tied-twice": ({**LLAMA, "tie_word_embeddings": True}, {}, tied_twice, None, True),
    "llama-rotary": (LLAMA, {}, with_rotary, None, True),
    "llama-fp32": (LLAMA, {"dtype": torch.float32}, None, None, True),
    "gpt2-masks": (GPT2, {"dtype": torch.float32}, with_masks, None, True),
    "qwen3-moe": (MOE, {"shard": "1MB"}, None, None, True),
    "deepseek-fp8": (DEEPSEEK, {}, with_prediction, BLOCKS, False),
    "llama-gptq": (LLAMA, {}, gptq, {"quant_method": "gptq", "sym": True, "desc_act": False, **INT4},
                   False),
    "llama-awq": (LLAMA, {}, awq, {"quant_method": "awq", "zero_point": True, **INT4}, False),
    "llama-nf4": (LLAMA, None, None, None, True),
}


def header(file: pathlib.Path) -> str:
    with file.open("rb") as stream:
        size, = struct.unpack("<Q", stream.read(8))
        return stream.read(size).decode()


def truth(folder: pathlib.Path, loadable: bool) -> dict:
    tensors, total, types = 0, 0, {}
    for file in sorted(folder.glob("*.safetensors")):
        with safe_open(file, framework="pt") as opened:
            for name in opened.keys():  # noqa: SIM118 - not a dict
                tensor = opened.get_tensor(name)
                size = tensor.numel() * tensor.element_size()
                tensors, total = tensors + 1, total + size
                kind = opened.get_slice(name).get_dtype()
                types[kind] = types.get(kind, 0) + size
    found = {"tensors": tensors, "bytes": total, "types": types}
    if loadable:
        model = AutoModelForCausalLM.from_pretrained(folder, dtype="auto")
        held = {p.data_ptr(): p.numel() * p.element_size() for p in model.parameters()}
        for parameter in model.parameters():
            state = getattr(parameter, "quant_state", None)
            if state is not None:
                second = state.state2
                held |= {t.data_ptr(): t.numel() * t.element_size()
                         for t in (state.absmax, state.code, state.offset, second.absmax,
                                   second.code)}
        found["held"] = sum(held.values())
    return found


def main() -> None:
    for name, (values, arguments, change, quantization, loadable) in CHECKPOINTS.items():
        torch.manual_seed(0)
        with tempfile.TemporaryDirectory() as place:
            folder = pathlib.Path(place)
            if arguments is None:
                write_nf4(folder, values)
            else:
                write_plain(folder, values, **arguments)
            if change:
                rewrite(folder, change, quantization)
            found = truth(folder, loadable)
            target = DATA / name
            target.mkdir(parents=True, exist_ok=True)
            for file in folder.glob("*.safetensors"):
                (target / (file.name + ".json")).write_text(header(file))
            for file in ("config.json", "model.safetensors.index.json"):
                if (folder / file).exists():
                    value = json.loads((folder / file).read_text())
                    (target / file).write_text(json.dumps(value, indent=1) + "\n")
            (target / "truth.json").write_text(json.dumps(found) + "\n")
            print(name, found)


if __name__ == "__main__":
    sys.exit(main())
