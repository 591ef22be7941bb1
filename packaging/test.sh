#!/usr/bin/env bash
# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Installs what is missing, builds, and runs every test: the presets dev (g++), asan (sanitizers) and core (clang, no
# window). Name presets to run only those: packaging/test.sh dev
set -euo pipefail
cd "$(dirname "$0")/.."

packaging/install-dependencies.sh --test
export CMAKE_CXX_COMPILER_LAUNCHER=ccache
export QT_QPA_PLATFORM=offscreen

presets=("$@")
[ ${#presets[@]} -gt 0 ] || presets=(dev core asan)
for preset in "${presets[@]}"; do
    echo "== $preset"
    cmake --preset "$preset"
    cmake --build --preset "$preset"
    # Every header must compile alone; one preset is enough to know.
    [ "$preset" != dev ] || cmake --build --preset dev --target all_verify_interface_header_sets
    ctest --preset "$preset"
done
