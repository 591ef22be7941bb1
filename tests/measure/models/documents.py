# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Config documents and tables as files: compact JSON, without what says nothing about a shape."""

import csv
import json
import pathlib
from collections.abc import Iterable

from transformers import PreTrainedConfig

HERE = pathlib.Path(__file__).resolve().parent
CONFIGS = HERE.parents[2] / "resources" / "models" / "configs"
REGISTRY = HERE / "registry"

# Of every config, whatever its class: nothing here changes a parameter.
_COMMON = set(PreTrainedConfig().to_dict()) - {"tie_word_embeddings", "model_type", "architectures"}
_TRAINING = {
    "attention_dropout", "attn_pdrop", "attention_probs_dropout_prob", "activation_dropout",
    "classifier_dropout", "dropout", "embd_pdrop", "emb_pdrop", "hidden_dropout",
    "hidden_dropout_prob", "layerdrop", "resid_pdrop", "residual_dropout", "embedding_dropout",
    "initializer_range", "initializer_factor", "use_cache", "keys_to_ignore_at_inference",
    "rms_norm_eps", "layer_norm_eps", "layer_norm_epsilon", "norm_eps", "output_router_logits",
    "router_aux_loss_coef", "router_jitter_noise", "attn_implementation", "label_names",
    "transformers_version", "summary_type", "summary_use_proj", "summary_activation",
    "summary_proj_to_labels", "summary_first_dropout", "id2label", "label2id", "task_specific_params",
    "boi_token_id", "eoi_token_id", "image_token_id", "video_token_id", "audio_token_id",
    "bos_token_id", "sep_token_id", "cls_token_id", "mask_token_id",
    "decoder_start_token_id", "boi_token_index", "eoi_token_index", "image_token_index",
    "video_token_index", "audio_token_index", "boa_token_id", "eoa_token_index", "eoa_token_id",
    "vision_start_token_id", "vision_end_token_id", "eod_token_id", "rescale_prenorm_residual",
    "time_step_limit", "use_mambapy", "use_associative_scan", "use_mamba_kernels",
    "num_logits_to_keep", "pretraining_tp", "layer_rope_theta",
}
NOISE = _COMMON | _TRAINING


def plain(value):
    """A config document without noise, at every depth."""
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items() if k not in NOISE}
    return value


def document(config: PreTrainedConfig) -> dict:
    """Every key of the class, as the file of a model would hold it."""
    return plain(json.loads(config.to_json_string(use_diff=False)))


def text(value, depth: int = 0) -> str:
    """JSON with an indent of one; a list of plain values stays on its line."""
    pad = " " * (depth + 1)
    if isinstance(value, dict) and value:
        rows = [f"{pad}{json.dumps(k)}: {text(v, depth + 1)}" for k, v in value.items()]
        return "{\n" + ",\n".join(rows) + "\n" + " " * depth + "}"
    return json.dumps(value, ensure_ascii=False)


def write_document(path: pathlib.Path, value: dict) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text(value) + "\n", encoding="utf-8")


def read_document(path: pathlib.Path) -> dict:
    return json.loads(path.read_text(encoding="utf-8"))


def write_table(path: pathlib.Path, rows: Iterable[dict]) -> None:
    rows = list(rows)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def read_table(path: pathlib.Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
