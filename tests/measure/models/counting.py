# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Models of Transformers and diffusers on the meta device, and what their parameters number.

Nothing is allocated: a parameter on the meta device has a shape and no bytes. A tensor that several
modules share is counted once. Buffers are no parameters; those that a checkpoint holds beside the
parameters are counted apart.
"""

import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

warnings.filterwarnings("ignore")

import fla_models
import torch
import transformers
from torch import nn
from transformers import AutoConfig, PreTrainedConfig
from transformers.models.auto import modeling_auto
from transformers.models.auto.configuration_auto import CONFIG_MAPPING_NAMES

transformers.logging.set_verbosity_error()

CAUSAL = modeling_auto.MODEL_FOR_CAUSAL_LM_MAPPING_NAMES
IMAGE_TEXT = modeling_auto.MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING_NAMES
MULTIMODAL = modeling_auto.MODEL_FOR_MULTIMODAL_LM_MAPPING_NAMES

# Types of which a part is counted, or that generate neither from text nor from images.
OTHER_CLASSES = {
    "bart": "BartForConditionalGeneration",
    "clip_text_model": "CLIPTextModel",
    "clip_vision_model": "CLIPVisionModel",
    "dinov2": "Dinov2Model",
    "m2m_100": "M2M100ForConditionalGeneration",
    "mbart": "MBartForConditionalGeneration",
    "modernbert": "ModernBertForMaskedLM",
    "mt5": "MT5ForConditionalGeneration",
    "nomic_bert": "NomicBertModel",
    "t5": "T5ForConditionalGeneration",
    "umt5": "UMT5ForConditionalGeneration",
    "vit": "ViTForImageClassification",
    "whisper": "WhisperForConditionalGeneration",
}

VISION = {"vision_tower", "visual", "vision_model", "vision_encoder", "image_encoder",
          "image_tower", "video_tower", "vision_embed_tokens", "high_res_vision_model",
          "high_res_vision_neck", "vqmodel", "image_embed"}
AUDIO = {"audio_tower", "audio_encoder", "acoustic_tokenizer_encoder", "semantic_tokenizer_encoder",
         "codec_model", "audio_embed", "word_timestamp_encoder", "word_timestamp_head", "talker",
         "token2wav"}
PROJECTOR = {"multi_modal_projector", "mm_projector", "connector", "projector", "aligner", "merger",
             "embed_vision", "embed_audio", "vision_projection", "vision_adapter",
             "language_projection", "qformer", "query_tokens", "image_to_text_projection",
             "visual_projection", "perceiver_resampler", "resampler_model",
             "visual_embeddings_table", "high_res_vision_proj", "high_res_vision_alpha",
             "image_newline", "view_separator", "layerwise_projectors", "spatial_projectors",
             "generation_embeddings", "generation_aligner", "generation_head"}
TEXT = {"language_model", "text_model", "text_decoder", "layers", "decoder"}

# Types whose tower is named "encoder".
ENCODERS = {"granite_speech": "audio", "granite_speech_plus": "audio", "pix2struct": "vision",
            "pp_formulanet": "vision", "vision-encoder-decoder": "vision"}


@dataclass(frozen=True)
class Counts:
    """What one model holds, in numbers of values."""

    class_name: str
    parameters: int
    embedding: int  # the table of tokens alone
    head: int  # 0 where it is the table of tokens
    vision: int
    audio: int
    projector: int
    stored_buffers: int

    @property
    def text(self) -> int:
        """The language model with its head: all but towers and projectors."""
        return self.parameters - self.vision - self.audio - self.projector


@dataclass
class LayerKind:
    """The layers of one list of modules that hold the same parameters in the same places."""

    path: str
    parameters: int
    parts: str
    shared: int  # of these, what layers of this list have in common
    indices: list[int] = field(default_factory=list)

    @property
    def ranges(self) -> str:
        return " ".join(ranges(self.indices))


def class_name(model_type: str) -> str | None:
    """The class that generates text, with towers where the type has them."""
    for names in (OTHER_CLASSES, fla_models.TYPES, IMAGE_TEXT, MULTIMODAL, CAUSAL):
        if model_type in names:
            name = names[model_type]
            return name if isinstance(name, str) else name[0]
    return None


def is_known(model_type: str) -> bool:
    return model_type in {*CONFIG_MAPPING_NAMES, *fla_models.TYPES} and class_name(model_type) is not None


def config_of(values: dict) -> PreTrainedConfig:
    """A config document as its class reads it: old keys translated, what is missing filled in."""
    if values["model_type"] in fla_models.TYPES:
        fla_models.causal_class(values["model_type"])  # registers its config
    fla_models.keep_transformers_own()
    return AutoConfig.for_model(**values)


def on_meta(config: PreTrainedConfig, name: str | None = None) -> nn.Module:
    known = config.model_type in fla_models.TYPES
    cls = (fla_models.causal_class(config.model_type) if known
           else getattr(transformers, name or class_name(config.model_type)))
    with torch.device("meta"):
        model = cls(config)
    model.tie_weights()
    return model


def diffusion_on_meta(values: dict) -> nn.Module:
    import diffusers

    cls = getattr(diffusers, values["_class_name"])
    with torch.device("meta"):
        return cls.from_config({k: v for k, v in values.items() if k != "_class_name"})


def named_parameters(module: nn.Module) -> Iterator[tuple[str, nn.Parameter]]:
    """Each parameter once, under the first of its names."""
    return module.named_parameters(remove_duplicate=True)


def size(parameters: Iterable[nn.Parameter]) -> int:
    return sum(p.numel() for p in {id(p): p for p in parameters}.values())


def part_of(name: str, model_type: str) -> str:
    """The part that a parameter belongs to: the first telling word of its path decides."""
    for word in name.split("."):
        if word in VISION:
            return "vision"
        if word in AUDIO:
            return "audio"
        if word in PROJECTOR:
            return "projector"
        if word in TEXT:
            return "text"
        if word == "encoder" and model_type in ENCODERS:
            return ENCODERS[model_type]
    return "text"


def _embeddings(model: nn.Module, get: str) -> nn.Module | None:
    try:
        return getattr(model, get)()
    except (AttributeError, NotImplementedError):
        return None


def embedding_and_head(model: nn.Module) -> tuple[int, int]:
    table = _embeddings(model, "get_input_embeddings")
    head = _embeddings(model, "get_output_embeddings")
    if head is None:
        head = next((m for n, m in model.named_modules() if n.split(".")[-1] == "lm_head"), None)
    held = [] if table is None else list(table.parameters())
    known = {id(p) for p in held}
    return size(held), size([] if head is None
                            else [p for p in head.parameters() if id(p) not in known])


def stored_buffers(model: nn.Module) -> int:
    """Values that a checkpoint holds beside the parameters: biases of routers, scalars of layers."""
    parameters = {n for n, _ in model.named_parameters(remove_duplicate=False)}
    tensors = {id(t): t for n, t in model.state_dict(keep_vars=True).items() if n not in parameters}
    return sum(t.numel() for t in tensors.values())


def count(model: nn.Module, model_type: str = "") -> Counts:
    parts = {"text": 0, "vision": 0, "audio": 0, "projector": 0}
    for name, parameter in named_parameters(model):
        parts[part_of(name, model_type)] += parameter.numel()
    embedding, head = (embedding_and_head(model)
                       if isinstance(model, transformers.PreTrainedModel) else (0, 0))
    return Counts(type(model).__name__, sum(parts.values()), embedding, head, parts["vision"],
                  parts["audio"], parts["projector"], stored_buffers(model))


def ranges(indices: list[int]) -> list[str]:
    """0-2 5 7-9 for 0, 1, 2, 5, 7, 8, 9."""
    found: list[list[int]] = []
    for i in indices:
        if found and found[-1][1] == i - 1:
            found[-1][1] = i
        else:
            found.append([i, i])
    return [f"{a}" if a == b else f"{a}-{b}" for a, b in found]


def parts_of_layer(layer: nn.Module) -> str:
    """self_attn.q_proj=16777216 …: modules with own parameters, numbers in a path as *."""
    sizes: dict[str, int] = {}
    for name, parameter in named_parameters(layer):
        words = name.split(".")
        place = words[:-1] if len(words) > 1 and words[-1] in ("weight", "bias") else words
        key = ".".join("*" if w.isdigit() else w for w in place)
        sizes[key] = sizes.get(key, 0) + parameter.numel()
    return " ".join(f"{n}={s}" for n, s in sizes.items() if s)


def layer_lists(model: nn.Module) -> Iterator[tuple[str, nn.ModuleList]]:
    """The outermost lists of modules: blocks of the language model and of the towers."""
    found: list[str] = []
    for name, module in model.named_modules():
        if isinstance(module, nn.ModuleList) and not any(name.startswith(f + ".") for f in found):
            found.append(name)
            yield name, module


def layer_kinds(model: nn.Module) -> list[LayerKind]:
    kinds: list[LayerKind] = []
    for path, layers in layer_lists(model):
        users: dict[int, int] = {}
        for layer in layers:
            for p in layer.parameters():
                users[id(p)] = users.get(id(p), 0) + 1
        here: dict[tuple[str, int], LayerKind] = {}
        for index, layer in enumerate(layers):
            parts, total = parts_of_layer(layer), size(layer.parameters())
            shared = size(p for p in layer.parameters() if users[id(p)] > 1)
            kind = here.setdefault((parts, shared), LayerKind(path, total, parts, shared))
            kind.indices.append(index)
        kinds += [k for k in here.values() if k.parameters]
    return kinds
