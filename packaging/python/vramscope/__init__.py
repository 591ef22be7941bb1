# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Plan and inspect GPU memory of model training and serving.

    import vramscope
    vramscope.plan("llama 3.1 8b lora on a 4090").fits
    vramscope.trace("snapshot.pickle").devices[0].peak_active

Each function runs the command of vramscope-cli that has its name, and answers with what the command says as JSON.
Keyword arguments are the options of the command: plan("qwen3 8b", gpus="8xh100", set={"optimizer.name": "lion"}).
A command that fails raises VramscopeError with its sentence."""

from __future__ import annotations

import json as _json
from typing import Any, Mapping, Type, TypeVar, Union

from . import _program
from ._program import VramscopeError
from ._record import Recording, record
from ._values import (Answer, Asked, Bound, Component, Device, Difference, Figure, Fit, Heights, Kernel, Moment, Plan, Profile,
                      Projection, Scale, ServingLog, Trace, Uncertainty, Validation, Value, Way, Weights)
from ._version import __version__

_Of = TypeVar("_Of", bound=Answer)
PlanLike = Union[str, Mapping[str, Any], Plan, Any]
"""Words, the path of a plan or of a model's config.json, a plan's document as a dict, or a Plan."""


def _answer(kind: Type[_Of], command: str, operands: list[Any], options: Mapping[str, Any], document: Any = None) -> _Of:
    found = _program.objects(command, operands, options, document)
    if not found:
        raise VramscopeError(f"vramscope-cli {command} said nothing of {', '.join(map(str, operands))}.")
    made = kind._of(found[0])
    made._asked = (operands, dict(options), document)
    return made


def _planned(kind: Type[_Of], command: str, what: PlanLike, options: Mapping[str, Any]) -> _Of:
    if isinstance(what, Plan):
        what = what.document()
    if isinstance(what, Mapping):
        return _answer(kind, command, ["-"], options, _json.dumps(what))
    return _answer(kind, command, [what], options)


def plan(what: PlanLike, **options: Any) -> Plan:
    """What a plan needs on one GPU, and whether it fits."""
    return _planned(Plan, "plan", what, options)


def fit(what: PlanLike, vary: Any = None, **options: Any) -> Fit:
    """Left out, `vary` asks for the single changes that fit; a field of numbers, for its largest value;
    "hardware.gpus", for the fewest; several fields or "parallel", for the layouts."""
    vary = ",".join(vary) if isinstance(vary, (list, tuple)) else vary
    return _planned(Fit, "fit", what, {"vary": vary, **options})


def project(what: PlanLike, gpus: Any = None, **options: Any) -> Projection:
    """Speed, memory and cost over numbers of GPUs."""
    gpus = ",".join(map(str, gpus)) if isinstance(gpus, (list, tuple, range)) else gpus
    return _planned(Projection, "project", what, {"gpus": gpus, **options})


def trace(path: Any, **options: Any) -> Trace:
    """What a snapshot, a profiler trace or a log of nvidia-smi holds."""
    return _answer(Trace, "trace", [path], options)


def profile(path: Any, **options: Any) -> Profile:
    """Where the time of a recording went."""
    return _answer(Profile, "profile", [path], options)


def diff(a: Any, b: Any, **options: Any) -> Difference:
    """What differs between two recordings, two profiles or two plans (paths)."""
    return _answer(Difference, "diff", [a, b], options)


def serving_log(path: Any, **options: Any) -> ServingLog:
    """What a serving engine logged while it started."""
    return _answer(ServingLog, "serving-log", [path], options)


def weights(path: Any, **options: Any) -> Weights:
    """Bytes of a GGUF or safetensors model, from its header alone."""
    return _answer(Weights, "weights", [path], options)


def validate(rows: Any = None, **options: Any) -> Validation:
    """The planner's figures beside measured ones: those that ship, or a table's."""
    return _answer(Validation, "validate", [] if rows is None else [rows], options)


__all__ = ["Answer", "Asked", "Bound", "Component", "Device", "Difference", "Figure", "Fit", "Heights", "Kernel", "Moment",
           "Plan", "Profile", "Projection", "Recording", "Scale", "ServingLog", "Trace", "Uncertainty", "Validation", "Value",
           "VramscopeError", "Way", "Weights", "__version__", "diff", "fit", "plan", "profile", "project", "record",
           "serving_log", "trace", "validate", "weights"]
