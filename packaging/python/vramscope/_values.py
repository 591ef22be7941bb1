# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What commands answer, as values with the names of their JSON. Sizes are bytes, exact; times of recordings are
nanoseconds, of plans seconds, as the names say."""

from __future__ import annotations

import dataclasses
import functools
import typing
from dataclasses import dataclass, field
from typing import Any, Optional, Union

from . import _notebook


def _made(kind: Any, value: Any) -> Any:
    """`value` of JSON as a value of the type that a field states."""
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if value is None:
        return None
    if origin is Union:
        return _made(next(one for one in arguments if one is not type(None)), value)
    if origin is list:
        return [_made(arguments[0], one) for one in value]
    if origin is dict:
        return {key: _made(arguments[1], one) for key, one in value.items()}
    return kind._of(value) if isinstance(kind, type) and issubclass(kind, Value) else value


@functools.lru_cache(maxsize=None)
def _hints(kind: type) -> dict[str, Any]:
    return typing.get_type_hints(kind)


@dataclass
class Value:
    """A part of an answer. What a newer program says beside the fields stands in `json`."""

    json: dict[str, Any] = field(default_factory=dict, repr=False)

    @classmethod
    def _of(cls, answer: dict[str, Any]) -> Any:
        hints = _hints(cls)
        given = {one.name: _made(hints[one.name], answer[name]) for one in dataclasses.fields(cls)
                 if (name := one.metadata.get("name", one.name)) in answer and one.name != "json"}
        return cls(json=answer, **given)


@dataclass
class Answer(Value):
    """What a command says of one file, or of words. In a notebook it shows itself."""

    file: str = ""
    _table: typing.ClassVar[str] = ""

    def to_pandas(self, table: Optional[str] = None) -> Any:
        """A list of the answer as a pandas.DataFrame, a row each: `table` names it, left out the one that matters most.
        Raises ImportError without pandas, KeyError where the answer has no such list."""
        import pandas

        return pandas.json_normalize(self.json[table or self._table])

    def _repr_html_(self) -> str:
        return _notebook.html(self)

    def _repr_svg_(self) -> Optional[str]:
        return _notebook.picture(self)


@dataclass
class Component(Value):
    category: str = ""
    name: str = ""
    bytes: int = 0
    formula: str = ""
    source: str = ""


@dataclass
class Heights(Value):
    """What stands at a moment: what tensors take, what the allocator reserves, what the device shows."""

    allocated: int = 0
    reserved: Optional[int] = None
    device: Optional[int] = None
    at: str = ""


@dataclass
class Uncertainty(Value):
    """The band around the device's figure that holds 95 % of runs never seen before."""

    low: int = 0
    high: int = 0
    reserved_low: Optional[int] = None
    reserved_high: Optional[int] = None


@dataclass
class Moment(Value):
    name: str = ""
    allocated: int = 0
    components: list[Component] = field(default_factory=list)


@dataclass
class Asked(Value):
    """How words were read: what was understood, what nobody said, and what no word is known for."""

    understood: list[dict[str, Any]] = field(default_factory=list)
    assumed: list[dict[str, Any]] = field(default_factory=list)
    not_understood: list[Any] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)


@dataclass
class Plan(Answer):
    """What a plan needs on one GPU."""

    name: Optional[str] = None
    workload: str = ""
    answer: str = ""
    verdict: str = ""
    fits: Optional[bool] = None
    capacity: Optional[int] = None
    headroom: Optional[int] = None
    peak: Optional[Heights] = None
    first_step_peak: Optional[Heights] = None
    at_rest: Optional[Heights] = None
    uncertainty: Optional[Uncertainty] = None
    parameters: dict[str, int] = field(default_factory=dict)
    components: list[Component] = field(default_factory=list)
    outside: list[Component] = field(default_factory=list)
    moments: list[Moment] = field(default_factory=list)
    inference: Optional[dict[str, Any]] = None
    host: Optional[dict[str, Any]] = None
    time: Optional[dict[str, Any]] = None
    not_counted: list[Any] = field(default_factory=list)
    issues: list[dict[str, Any]] = field(default_factory=list)
    asked: Optional[Asked] = None
    _table: typing.ClassVar[str] = "components"

    def document(self) -> dict[str, Any]:
        """The plan as a document (.vramplan): what plan() takes, and what the window opens."""
        return _notebook.plan_document(self)


@dataclass
class Way(Value):
    """A change, or several, and what it makes of the plan."""

    title: str = ""
    titles: list[str] = field(default_factory=list)
    price: str = ""
    kind: str = ""
    fields: dict[str, Any] = field(default_factory=dict)
    saved: Optional[int] = None
    gpus: Optional[int] = None
    peak: Optional[Heights] = None
    headroom: Optional[int] = None
    fits: Optional[bool] = None
    verdict: str = ""


@dataclass
class Bound(Value):
    """A value of a field, and what the plan needs with it."""

    field: str = ""
    value: Any = None
    peak: Optional[Heights] = None
    headroom: Optional[int] = None
    fits: Optional[bool] = None
    verdict: str = ""


@dataclass
class Fit(Answer):
    """The largest value, the fewest GPUs, the layouts or the changes that fit."""

    name: Optional[str] = None
    vary: list[str] = field(default_factory=list)
    capacity: Optional[int] = None
    answer: Optional[Bound] = None
    next: Optional[Bound] = None
    note: Optional[str] = None
    layouts: list[dict[str, Any]] = field(default_factory=list)
    ways: list[Way] = field(default_factory=list)
    recommendation: list[Way] = field(default_factory=list)
    _table: typing.ClassVar[str] = "ways"


@dataclass
class Scale(Value):
    """A plan's run on a number of GPUs."""

    gpus: int = 0
    device_bytes: Optional[int] = None
    verdict: str = ""
    speedup: Optional[float] = None
    efficiency: Optional[float] = None
    step_seconds: Optional[dict[str, float]] = None
    tokens_per_second: Optional[dict[str, float]] = None
    gpu_hours: Optional[dict[str, float]] = None
    communication_seconds: Optional[float] = None
    idle_seconds: Optional[float] = None


@dataclass
class Projection(Answer):
    """Speed, memory and cost over numbers of GPUs."""

    calibration: Optional[dict[str, Any]] = None
    weak: list[Scale] = field(default_factory=list)
    strong: list[Scale] = field(default_factory=list)
    strategies: Optional[dict[str, Any]] = None
    _table: typing.ClassVar[str] = "strong"


@dataclass
class Device(Value):
    """What a recording holds of one device."""

    device: int = 0
    host: bool = False
    events: int = 0
    peak_active: Optional[int] = None
    peak_active_event: Optional[int] = None
    peak_reserved: Optional[int] = None
    active_end: Optional[int] = None
    allocated_end: Optional[int] = None
    reserved_end: Optional[int] = None
    oom: list[dict[str, Any]] = field(default_factory=list)
    findings: list[dict[str, Any]] = field(default_factory=list)


@dataclass
class Trace(Answer):
    """What a recording of the allocator, or of nvidia-smi, holds."""

    format: str = ""
    producer: str = ""
    devices: list[Device] = field(default_factory=list)
    settings: dict[str, Any] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    _table: typing.ClassVar[str] = "devices"


@dataclass
class Kernel(Value):
    name: str = ""
    class_: str = field(default="", metadata={"name": "class"})
    count: int = 0
    total: int = 0
    mean: float = 0
    min: int = 0
    max: int = 0
    share: float = 0


@dataclass
class Profile(Answer):
    """Where the time of a recording went; times in nanoseconds."""

    events: int = 0
    rank: Optional[int] = None
    world_size: Optional[int] = None
    gpus: list[dict[str, Any]] = field(default_factory=list)
    devices: dict[str, dict[str, Any]] = field(default_factory=dict)
    steps: list[dict[str, Any]] = field(default_factory=list)
    kernels: list[Kernel] = field(default_factory=list)
    operators: list[dict[str, Any]] = field(default_factory=list)
    nccl: list[dict[str, Any]] = field(default_factory=list)
    findings: list[dict[str, Any]] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    _table: typing.ClassVar[str] = "kernels"


@dataclass
class Difference(Answer):
    """What differs between two recordings, profiles or plans; `delta` is b less a."""

    a: Any = None
    b: Any = None
    delta: Any = None
    sites: list[dict[str, Any]] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    _table: typing.ClassVar[str] = "sites"


@dataclass
class Figure(Value):
    value: float = 0
    unit: str = ""
    bytes: Optional[int] = None
    meaning: str = ""


@dataclass
class ServingLog(Answer):
    """What a serving engine logged while it started."""

    engine: str = ""
    version: Optional[str] = None
    best: dict[str, Figure] = field(default_factory=dict)
    figures: list[dict[str, Any]] = field(default_factory=list)
    refusals: list[dict[str, Any]] = field(default_factory=list)
    findings: list[dict[str, Any]] = field(default_factory=list)
    settings: list[dict[str, Any]] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    _table: typing.ClassVar[str] = "figures"


@dataclass
class Weights(Answer):
    """Bytes of a weight file by type and by layer."""

    format: str = ""
    valid: bool = False
    tensors: int = 0
    elements: int = 0
    bytes: int = 0
    by_type: list[dict[str, Any]] = field(default_factory=list)
    by_layer: list[dict[str, Any]] = field(default_factory=list)
    findings: list[dict[str, Any]] = field(default_factory=list)
    keys: dict[str, Any] = field(default_factory=dict)
    _table: typing.ClassVar[str] = "by_type"


@dataclass
class Validation(Answer):
    """The planner's figures beside measured ones."""

    rows: list[dict[str, Any]] = field(default_factory=list)
    families: list[dict[str, Any]] = field(default_factory=list)
    selections: list[dict[str, Any]] = field(default_factory=list)
    first_sight: list[dict[str, Any]] = field(default_factory=list)
    _table: typing.ClassVar[str] = "rows"
