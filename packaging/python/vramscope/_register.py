# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""vramscope --register: the entry of the desktop, the icons and the kinds of files, for this user."""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess
import sys


def register() -> int:
    """Copies them to the user's data folder and says where; gives the exit status."""
    share = pathlib.Path(__file__).resolve().parent / "share"
    home = pathlib.Path(os.environ.get("XDG_DATA_HOME") or pathlib.Path.home() / ".local/share")
    if not share.is_dir():
        print("vramscope: this installation brings no desktop files.", file=sys.stderr)
        return 1
    try:
        shutil.copytree(share, home, dirs_exist_ok=True)
        entry = home / "applications/vramscope.desktop"
        launcher = shutil.which("vramscope") or pathlib.Path(sys.executable).with_name("vramscope")
        entry.write_text(entry.read_text().replace("Exec=vramscope", f'Exec="{launcher}"'))
    except OSError as error:
        print(f"vramscope: {error.filename} cannot be written: {error.strerror}.", file=sys.stderr)
        return 1
    for update in (["update-mime-database", home / "mime"], ["update-desktop-database", home / "applications"],
                   ["gtk-update-icon-cache", "-q", "-t", home / "icons/hicolor"]):
        if shutil.which(update[0]):  # where the desktop has none, it looks by itself
            subprocess.run(update, check=False)
    print(f"Registered in {home}: plans and recordings open with VRAMscope.")
    return 0
