# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The two programs of the package, and how they are run."""

from __future__ import annotations

import ctypes
import importlib.util
import json
import os
import pathlib
import shutil
import subprocess
import sys
from typing import Any, Mapping, NoReturn, Optional, Sequence

_FOLDER = pathlib.Path(__file__).resolve().parent
_SOME_BEYOND = 3  # what --must-fit and its kind end with: the answer stands on standard output


class VramscopeError(RuntimeError):
    """What a command refused, in its own sentence; `status` is its exit status."""

    def __init__(self, message: str, status: int = 1):
        super().__init__(message)
        self.status = status


def program(name: str) -> pathlib.Path:
    """The path of vramscope-cli or vramscope: what the environment variable VRAMSCOPE_CLI or VRAMSCOPE names, the one
    of this package, or else the first on PATH. Raises VramscopeError where there is none."""
    stated = os.environ.get(name.upper().replace("-", "_"))
    if stated:
        return pathlib.Path(stated)
    own = _FOLDER / "bin" / name
    if own.exists():
        return own
    found = shutil.which(name)
    # A launcher of this package would only come back to here.
    if found and not pathlib.Path(found).read_bytes()[:2] == b"#!":
        return pathlib.Path(found)
    raise VramscopeError(f"{name} is not installed: pip install --force-reinstall vramscope brings it.")


def _arguments(options: Mapping[str, Any]) -> list[str]:
    """Options by their names in Python: seq=8192 is --seq 8192, must_fit=True is --must-fit, and
    set={"batch.micro_batch": 4} is --set batch.micro_batch=4. A list repeats its option; False and None leave it out."""
    made: list[str] = []
    for name, value in options.items():
        flag = ("-" if len(name) <= 3 and name in _SINGLE_DASH else "--") + name.replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            made.append(flag)
        elif isinstance(value, Mapping):
            for key, one in value.items():
                made += [flag, f"{key}={_text(one)}"]
        elif isinstance(value, (list, tuple)):
            for one in value:
                made += [flag, _text(one)]
        else:
            made += [flag, _text(value)]
    return made


# Options of llama.cpp, which are spelled as there.
_SINGLE_DASH = {"md", "ngl", "ts", "sm", "mg", "ot", "ctk", "ctv", "c", "ub", "np", "fa"}


def _text(value: Any) -> str:
    return json.dumps(value) if isinstance(value, bool) else os.fspath(value) if hasattr(value, "__fspath__") else str(value)


def _environment(name: str) -> dict[str, str]:
    """What the window's Qt needs to find the libraries of X11 that many systems lack, behind what the user has set."""
    made = dict(os.environ)
    if name == "vramscope":
        made["LD_LIBRARY_PATH"] = os.pathsep.join(filter(None, [made.get("LD_LIBRARY_PATH"), str(_FOLDER / "lib" / "x11")]))
    return made


def run(command: str, operands: Sequence[Any], options: Mapping[str, Any], *, document: Optional[str] = None,
        name: str = "vramscope-cli") -> str:
    """What a command prints, as text. `document` is handed to it on standard input. Raises VramscopeError with the
    sentence of the command where it fails."""
    words = [str(program(name)), command, *_arguments(options), *(_text(one) for one in operands)]
    done = subprocess.run(words, input=document, stdin=None if document is not None else subprocess.DEVNULL,
                          env=_environment(name), capture_output=True, text=True, encoding="utf-8", errors="replace")
    if done.returncode not in (0, _SOME_BEYOND):
        said = done.stderr.strip() or f"{command} ended with status {done.returncode}."
        raise VramscopeError(said.removeprefix("vramscope-cli: "), done.returncode)
    return done.stdout


def objects(command: str, operands: Sequence[Any], options: Mapping[str, Any], document: Optional[str] = None) -> list[dict]:
    """The JSON objects that a command prints, one a file."""
    lines = run(command, operands, {"json": True, **options}, document=document).splitlines()
    return [json.loads(line) for line in lines if line]


def _become(name: str) -> NoReturn:
    try:
        path = program(name)
    except VramscopeError as error:
        sys.exit(f"{name}: {error}")
    sys.stdout.flush()
    if os.name == "nt":
        sys.exit(subprocess.call([str(path), *sys.argv[1:]], env=_environment(name)))
    os.execve(path, [name, *sys.argv[1:]], _environment(name))


def cli() -> NoReturn:
    """The command vramscope-cli."""
    _become("vramscope-cli")


_LIBRARIES = {"libGL.so.1": "libgl1", "libEGL.so.1": "libegl1", "libxkbcommon.so.0": "libxkbcommon-x11-0",
              "libfontconfig.so.1": "libfontconfig1", "libdbus-1.so.3": "libdbus-1-3", "libglib-2.0.so.0": "libglib2.0-0"}


def missing_libraries(names: Sequence[str] = tuple(_LIBRARIES)) -> list[str]:
    """The libraries of these that the loader does not find; by default those that the window needs of a system."""
    missing = []
    for name in names:
        try:
            ctypes.CDLL(name)
        except OSError:
            missing.append(name)
    return missing


def window() -> NoReturn:
    """The command vramscope. Its Qt is that of PySide6, beside which it looks for it."""
    if sys.argv[1:2] == ["--register"]:
        from ._register import register
        sys.exit(register())
    if (_FOLDER / "bin" / "vramscope").exists() and importlib.util.find_spec("PySide6") is None:
        sys.exit('vramscope: the window needs Qt: pip install "vramscope[window]". vramscope-cli works without.')
    if sys.platform == "linux" and (missing := missing_libraries()):
        sys.exit(f"vramscope: this system lacks {', '.join(missing)}, which the window needs; on Debian and Ubuntu: "
                 f"apt install {' '.join(_LIBRARIES[name] for name in missing)}. vramscope-cli works without.")
    _become("vramscope")
