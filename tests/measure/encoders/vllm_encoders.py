#!/usr/bin/env python3
# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs vLLM's own vision towers on tensors without memory and writes what they take: vllm_encoders.csv. See README.md."""

import argparse
import csv
import fnmatch
import json
import pathlib
import sys
import tempfile
from dataclasses import asdict, dataclass
from typing import Any

HERE = pathlib.Path(__file__).resolve().parent
MEASURE = HERE.parent
MODELS = MEASURE.parents[1] / "resources" / "models" / "configs"
sys.path[:0] = [str(MEASURE / "caches"), str(MEASURE / "fake")]

import no_gpu  # noqa: E402  first: vLLM looks for its device when it is imported
import torch  # noqa: E402
from meter import Meter  # noqa: E402
from vllm.config import VllmConfig, set_current_vllm_config  # noqa: E402
from vllm.engine.arg_utils import EngineArgs  # noqa: E402
from vllm.forward_context import set_forward_context  # noqa: E402
from vllm.ir.op import enable_torch_wrap  # noqa: E402
from vllm.model_executor.custom_op import CustomOp  # noqa: E402
from vllm.model_executor.layers.attention.mm_encoder_attention import MMEncoderAttention  # noqa: E402
from vllm.model_executor.layers.rotary_embedding.common import ApplyRotaryEmb  # noqa: E402
from vllm.model_executor.model_loader.utils import initialize_model  # noqa: E402
from vllm.model_executor.models import internvl, qwen3_vl  # noqa: E402
from vllm.usage.usage_lib import UsageContext  # noqa: E402
from vllm.utils.torch_utils import set_default_torch_dtype  # noqa: E402
from transformers import AutoConfig, PretrainedConfig  # noqa: E402

ARCHITECTURES = {
    "mistral3": "Mistral3ForConditionalGeneration",
    "gemma3": "Gemma3ForConditionalGeneration",
    "internvl": "InternVLForConditionalGeneration",
    "internvl_chat": "InternVLChatModel",
    "llama4": "Llama4ForConditionalGeneration",
    "qwen2_vl": "Qwen2VLForConditionalGeneration",
    "qwen2_5_vl": "Qwen2_5_VLForConditionalGeneration",
    "qwen3_vl": "Qwen3VLForConditionalGeneration",
    "qwen3_vl_moe": "Qwen3VLMoeForConditionalGeneration",
    "qwen3_5": "Qwen3_5ForConditionalGeneration",
    "qwen3_5_moe": "Qwen3_5MoeForConditionalGeneration",
}
BYTES = 2
INTERN_VISION = {"num_channels": 3, "hidden_act": "gelu", "layer_norm_eps": 1e-6, "norm_type": "layer_norm",
                 "qk_normalization": False, "initializer_factor": 0.1, "qkv_bias": True}


@dataclass(frozen=True)
class Case:
    model: str
    width: int
    height: int
    images: int = 1
    tensor_parallel: int = 1


@dataclass(frozen=True)
class Row(Case):
    tokens: int = 0
    features: int = 0  # bytes of what the tower gives
    attention: int = 0  # bytes at the worst moment of a block's attention, pixels and features included
    feed_forward: int = 0
    rest: int = 0  # norms, embedding, projector


SIZES = {"gemma": [(896, 896)], "llama": [(1344, 1344)], "intern": [(448, 448), (1792, 1344)]}
CASES = [Case(model, width, height, images, ranks)
         for model in ("qwen2-vl-7b-instruct", "qwen2.5-vl-7b-instruct", "qwen2.5-vl-32b-instruct",
                       "qwen3-vl-2b-instruct", "qwen3-vl-8b-instruct", "qwen3.5-4b", "qwen3.5-27b",
                       "gemma-3-4b-it", "gemma-3-27b-it", "internvl3-8b-instruct", "llama-4-scout-17b-16e-instruct")
         for width, height in next((sizes for name, sizes in SIZES.items() if model.startswith(name)),
                                   [(448, 448), (1792, 1792), (3584, 3584)])
         for images, ranks in ((1, 1), (3, 1), (1, 2), (1, 4))]


def compiled(self, function, *, enable=True):
    """torch.compile makes one kernel of an activation: an output and nothing beside it."""
    def run(x):
        half = function(x.new_empty((1, x.shape[-1]))).shape[-1]
        return x.new_empty((*x.shape[:-1], half))
    return run if enable else function


def rotate(self, x, cos, sin):
    """flash_attn's rotary kernel, not in place."""
    return torch.empty_like(x)


def attend(self, query, key, value, *_, **__):
    """FlashAttention: an output, and the log-sum-exp of each row while it runs."""
    out = torch.empty_like(query, memory_format=torch.contiguous_format)
    torch.empty(query.shape[:-1], dtype=torch.float32, device=query.device)
    return out


def interpolate(table, frames, height, width, side, merge, dtype):
    """A kernel of Triton's: one tensor for all frames."""
    return torch.empty((frames * height * width, table.shape[1]), dtype=dtype, device=table.device)


class WithoutPinnedMemory(no_gpu.WithoutMemory):
    """Pinned memory is the driver's."""

    def __torch_function__(self, function: Any, types: Any, args: Any = (),
                           kwargs: dict[str, Any] | None = None) -> Any:
        kwargs = {key: value for key, value in (kwargs or {}).items() if key != "pin_memory"}
        return super().__torch_function__(function, types, args, kwargs)


def use_kernels() -> None:
    CustomOp.maybe_compile = compiled
    ApplyRotaryEmb.forward = rotate
    MMEncoderAttention.forward = attend
    qwen3_vl.triton_pos_embed_interpolate = interpolate
    internvl.InternVLProcessingInfo.ctx_video_token = "<|video_pad|>"  # which only a tokenizer knows


def pixels(case: Case, config: dict[str, Any]) -> dict[str, Any]:
    """What the processor hands over, in the model's type."""
    tower = config["vision_config"]
    kind = config["model_type"]

    def made(*shape: int) -> torch.Tensor:
        return torch.empty(shape, dtype=torch.bfloat16, device="meta")

    if kind.startswith("qwen"):
        side = tower.get("patch_size", 14)
        rows, columns = case.height // side, case.width // side
        return {"pixel_values": made(case.images * rows * columns, 3 * 2 * side * side),
                "image_grid_thw": torch.tensor([[1, rows, columns]] * case.images, device="cpu")}
    if kind == "gemma3":
        side = tower.get("image_size", 896)
        return {"pixel_values": made(case.images, 3, side, side),
                "num_patches": torch.tensor([1] * case.images, device="cpu")}
    if kind == "internvl_chat":
        side = tower.get("image_size", 448)
        tiles = (case.width // side) * (case.height // side)
        tiles = tiles + 1 if tiles > 1 else 1
        return {"pixel_values_flat": made(case.images * tiles, 3, side, side),
                "image_num_patches": [tiles] * case.images,  # numbers, which the meter does not give
                "image_token_id": torch.tensor(1)}
    if kind == "llama4":
        side = tower.get("image_size", 336)
        tiles = (case.width // side) * (case.height // side)
        tiles = tiles + 1 if tiles > 1 else 1
        return {"pixel_values": made(case.images * tiles, 3, side, side),
                "patches_per_image": torch.tensor([tiles] * case.images, device="cpu"),
                "aspect_ratios": torch.tensor([[1, 1]] * case.images, device="cpu")}
    if kind == "mistral3":
        return {"pixel_values": [made(3, case.height, case.width)] * case.images}
    raise NotImplementedError(kind)


class InternVLChatConfig(PretrainedConfig):
    """As the published models' own code has it."""

    model_type = "internvl_chat"

    def __init__(self, vision_config=None, llm_config=None, **rest):
        self.vision_config = PretrainedConfig(**INTERN_VISION | (vision_config or {}))
        self.text_config = AutoConfig.for_model(**(llm_config or {"model_type": "qwen2"}))
        super().__init__(**{"force_image_size": 448, "select_layer": -1, "ps_version": "v2"} | rest)

    def get_text_config(self, *_, **__):
        return self.text_config


def engine_config(case: Case, folder: str, source: dict[str, Any]) -> VllmConfig:
    source = {"architectures": [ARCHITECTURES[source["model_type"]]], "dtype": "bfloat16"} | source
    pathlib.Path(folder, "config.json").write_text(json.dumps(source))
    return EngineArgs(model=folder, skip_tokenizer_init=True, load_format="dummy", max_model_len=32768,
                      tensor_parallel_size=case.tensor_parallel, distributed_executor_backend="mp",
                      dtype="bfloat16").create_engine_config(UsageContext.OPENAI_API_SERVER)


def watch(model: torch.nn.Module, meter: Meter) -> None:
    """Marks which part of a block runs."""
    for name, module in model.named_modules():
        last = name.rpartition(".")[2]
        part = ("attention" if last in ("attn", "self_attn") else "feed-forward" if last in ("mlp", "feed_forward") else "")
        if part and "language_model" not in name and not isinstance(module, MMEncoderAttention):
            module.register_forward_pre_hook(lambda *_, part=part: meter.mark("encode " + part))
            module.register_forward_hook(lambda *_: meter.mark("encode"))


def run(case: Case) -> Row:
    no_gpu.set_ranks(case.tensor_parallel)
    source = json.loads((MODELS / f"{case.model}.json").read_text())
    with tempfile.TemporaryDirectory() as folder:
        config = engine_config(case, folder, source)
        with set_current_vllm_config(config):
            with set_default_torch_dtype(config.model_config.dtype), torch.device("meta"), no_gpu.WithoutMemory():
                built = initialize_model(config)
            inputs = pixels(case, source)
            meter = Meter(device="meta")
            with (torch.no_grad(), WithoutPinnedMemory(), enable_torch_wrap(False),
                  set_forward_context(None, config), meter):
                for tensor in (*built.parameters(), *built.buffers()):
                    tensor.detach()
                weights = meter.live[-1]
                next(iter(inputs.values())).detach()
                watch(built, meter)
                meter.mark("encode")
                out = built.embed_multimodal(**inputs)
                meter.mark("end")
    peaks = [meter.peak(lambda name, part=part: name == part)[0] - weights
             for part in ("encode attention", "encode feed-forward", "encode")]
    tokens = sum(part.shape[0] for part in out)
    features = sum(part.numel() * BYTES for part in out)
    return Row(**asdict(case), tokens=tokens, features=features, attention=peaks[0], feed_forward=peaks[1], rest=peaks[2])


def main() -> None:
    AutoConfig.register("internvl_chat", InternVLChatConfig)
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", help="a pattern of models: prints their rows, writes nothing")
    only = parser.parse_args().only
    use_kernels()
    rows = []
    for case in CASES:
        if not only or fnmatch.fnmatch(case.model, only):
            rows.append(asdict(run(case)))
            print(*rows[-1].values(), flush=True)
    if not only:
        with open(HERE / "vllm_encoders.csv", "w", newline="") as file:
            writer = csv.DictWriter(file, fieldnames=list(rows[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)


if __name__ == "__main__":
    main()
