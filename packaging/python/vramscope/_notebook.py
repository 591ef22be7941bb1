# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How an answer shows itself in a notebook: the picture that `vramscope render` draws, where the window is installed,
and a table of its main figures."""

from __future__ import annotations

import base64
import html as _html
import json
import pathlib
import tempfile
from typing import TYPE_CHECKING, Any, Optional

from . import _program

if TYPE_CHECKING:
    from ._values import Answer, Plan

_VIEWS = {"Plan": "plan", "Trace": "trace", "Profile": "profile", "ServingLog": "serving-log", "Weights": "weights"}
_MOST_ROWS = 20


def size(count: int) -> str:
    """Bytes as the program writes them: "20.6 GiB"."""
    value, unit = float(count), "B"
    for unit in ("B", "KiB", "MiB", "GiB", "TiB"):
        if abs(value) < 1000 or unit == "TiB":
            break
        value /= 1024
    return f"{count} B" if unit == "B" else f"{value:.3g} {unit}"


def plan_document(plan: "Plan") -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "plan.vramplan"
        operands, options, document = plan._asked
        _program.run("plan", operands, {**options, "out": out}, document=document)
        return json.loads(out.read_text(encoding="utf-8"))


def picture(answer: "Answer") -> Optional[str]:
    """The SVG that `vramscope render` draws; None where the window is not installed or has no picture of such an answer."""
    view = _VIEWS.get(type(answer).__name__)
    if view is None:
        return None
    try:
        with tempfile.TemporaryDirectory() as folder:
            file, out = pathlib.Path(answer.file), pathlib.Path(folder) / "picture.svg"
            if view == "plan":
                file = pathlib.Path(folder) / "plan.vramplan"
                file.write_text(json.dumps(plan_document(answer)), encoding="utf-8")  # type: ignore[arg-type]
            _program.run("render", [file], {"view": view, "out": out}, name="vramscope")
            return out.read_text(encoding="utf-8")
    except (_program.VramscopeError, OSError):
        return None


def _cell(key: str, value: Any) -> str:
    if isinstance(value, int) and not isinstance(value, bool) and ("bytes" in key or key in _SIZES):
        return f'<td style="text-align:right" title="{value:,} bytes">{size(value)}</td>'
    if isinstance(value, float):
        value = f"{value:.4g}"
    elif isinstance(value, int) and not isinstance(value, bool):
        value = f"{value:,}"
    return f"<td>{_html.escape(str(value))}</td>"


_SIZES = {"a", "b", "delta", "saved", "headroom", "reserved_end", "allocated_end", "active_end", "requested_end", "baseline",
          "baseline_requested", "peak_active", "peak_requested", "peak_reserved"}


def _table(rows: list[dict[str, Any]]) -> str:
    shown = [{key: value for key, value in row.items() if not isinstance(value, (dict, list))} for row in rows[:_MOST_ROWS]]
    columns = [key for key in (shown[0] if shown else {}) if any(row.get(key) not in (None, "") for row in shown)]
    if not columns:
        return ""
    head = "".join(f"<th>{_html.escape(key.replace('_', ' '))}</th>" for key in columns)
    lines = "".join("<tr>" + "".join(_cell(key, "" if row.get(key) is None else row[key]) for key in columns) + "</tr>"
                    for row in shown)
    rest = len(rows) - len(shown)
    more = f"<p>{rest:,} more: .to_pandas()</p>" if rest > 0 else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table>{more}"


def _title(answer: "Answer") -> str:
    said = answer.json
    if isinstance(said.get("answer"), str):
        return said["answer"]
    if isinstance(said.get("a"), dict) and isinstance(said.get("b"), dict):
        return f"{said['b'].get('file', 'B')} against {said['a'].get('file', 'A')}"
    found = [one for device in said.get("devices") or [] if isinstance(device, dict) for one in device.get("findings") or []]
    return f"{answer.file}: {found[0]['text']}" if found else answer.file


def html(answer: "Answer") -> str:
    shown = picture(answer)
    found = "".join(f"<li>{_html.escape(one.get('text') or one.get('sentence') or one.get('title') or '')}</li>"
                    for one in answer.json.get("findings") or [])
    # A picture of a recording has its figures in it; that of a plan has no formulas.
    table = "" if shown and type(answer).__name__ != "Plan" else _table(answer.json.get(answer._table) or [])
    # As an image of its own: the names within two pictures of one page would be taken for each other's.
    image = f'<img src="data:image/svg+xml;base64,{base64.b64encode(shown.encode()).decode()}">' if shown else ""
    return (f"<div><p><b>{_html.escape(_title(answer))}</b></p>{image}" + (f"<ul>{found}</ul>" if found else "") +
            table + "</div>")
