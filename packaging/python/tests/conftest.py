# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
import pathlib

import pytest

EXAMPLES = pathlib.Path(__file__).resolve().parents[3] / "resources/examples"


@pytest.fixture
def examples() -> pathlib.Path:
    return EXAMPLES
