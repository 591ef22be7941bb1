# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the wheel holds runs where glibc 2.34 and the C++ library of GCC 11 are, and nothing else is."""

import importlib.metadata
import os
import pathlib
import re
import subprocess
import sys

import pytest
import vramscope
from vramscope import _program

PACKAGE = pathlib.Path(vramscope.__file__).parent
NEWEST = {"GLIBC": (2, 34), "GLIBCXX": (3, 4, 29), "CXXABI": (1, 3, 13), "GCC": (11, 0)}
PROGRAMS = sorted(PACKAGE.glob("bin/*")) + sorted(PACKAGE.glob("lib/**/*.so*"))


@pytest.mark.parametrize("file", PROGRAMS, ids=lambda path: path.name)
def test_no_symbol_is_newer_than_the_oldest_system_has(file):
    listed = subprocess.run(["objdump", "-T", file], capture_output=True, text=True, check=True).stdout
    versions = re.findall(r"\((GLIBC|GLIBCXX|CXXABI|GCC)_([0-9.]+)\)", listed)
    assert versions, "objdump names no version at all"
    newer = {line.split()[-1] for line in listed.splitlines() for kind, version in re.findall(r"\((GLIBC|GLIBCXX|CXXABI|GCC)_([0-9.]+)\)", line)
             if tuple(map(int, version.split("."))) > NEWEST[kind]}
    assert not newer


def test_every_library_lies_beside_the_programs_or_on_every_system():
    for file in PROGRAMS:
        named = re.findall(r"NEEDED +(\S+)", subprocess.run(["objdump", "-p", file], capture_output=True, text=True).stdout)
        assert named
        for name in named:
            everywhere = re.match(r"(ld-linux|lib(c|m|dl|rt|pthread|gcc_s|stdc\+\+|GL|EGL|OpenGL|xcb(-[a-z-]+)?|Qt6\w+)\.so)", name)
            assert everywhere or (PACKAGE / "lib" / name).exists(), f"{file.name} needs {name}"


def test_the_command_runs_without_what_the_user_has_set(tmp_path):
    done = subprocess.run([_program.program("vramscope-cli"), "plan", "llama 3.1 8b lora on a 4090"], cwd=tmp_path,
                          env={"PATH": "/nonexistent"}, capture_output=True, text=True)
    assert done.returncode == 0 and "GeForce RTX 4090" in done.stdout


def test_a_library_that_the_window_lacks_is_named():
    assert _program.missing_libraries(["libc.so.6", "libnothing.so.9"]) == ["libnothing.so.9"]


def test_versions_agree():
    told = subprocess.run([_program.program("vramscope-cli"), "--version"], capture_output=True, text=True).stdout
    assert vramscope.__version__ in told and importlib.metadata.version("vramscope") == vramscope.__version__


def test_the_desktop_learns_of_the_program(tmp_path):
    scripts = pathlib.Path(sys.executable).parent
    done = subprocess.run([scripts / "vramscope", "--register"], capture_output=True, text=True,
                          env={**os.environ, "XDG_DATA_HOME": str(tmp_path / "share"), "PATH": f"{scripts}:/usr/bin:/bin"})
    assert done.returncode == 0, done.stderr
    entry = (tmp_path / "share/applications/vramscope.desktop").read_text()
    assert f'Exec="{scripts}/vramscope" %F' in entry
    assert (tmp_path / "share/mime/packages/vramscope.xml").exists()
    assert list((tmp_path / "share/icons").rglob("*.svg"))


def test_the_recipe_that_rehearses_is_a_module():
    done = subprocess.run([sys.executable, "-m", "vramscope.rehearse", "--help"], capture_output=True, text=True)
    assert done.returncode == 0 and "--device" in done.stdout
