#!/usr/bin/env bash
# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Installs what is missing, builds, and opens the window:
#   packaging/run.sh              with an example plan and an example trace
#   packaging/run.sh FILE…        with these files
#   packaging/run.sh --check      with the examples, without a screen; exits 0 when every page came up
set -euo pipefail
cd "$(dirname "$0")/.."

packaging/install-dependencies.sh
export CMAKE_CXX_COMPILER_LAUNCHER=ccache CCACHE_SLOPPINESS=pch_defines,time_macros
cmake --preset release
cmake --build --preset release --target vramscope vramscope-cli

examples=(resources/examples/llama-70b-8xh200.vramplan resources/examples/training-out-of-memory.pickle)
if [ "${1:-}" = "--check" ]; then
    exec timeout 60 build/release/bin/vramscope --check "${examples[@]}"
fi
[ $# -gt 0 ] || set -- "${examples[@]}"
exec build/release/bin/vramscope "$@"
