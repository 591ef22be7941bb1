#!/usr/bin/env bash
# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Installs what is missing, checks the layout of the code, builds, and runs every test: the presets core (clang, no
# window) and asan (g++, everything, under the sanitizers), so that what both of dev and asan would find is looked for
# once. Name presets to run only those: packaging/test.sh dev
set -euo pipefail
cd "$(dirname "$0")/.."

packaging/install-dependencies.sh --test
find core ui app tests packaging \( -name '*.h' -o -name '*.cpp' \) -not -path 'tests/data/*' -print0 |
    xargs -0 clang-format --dry-run --Werror
export CMAKE_CXX_COMPILER_LAUNCHER=ccache
export QT_QPA_PLATFORM=offscreen

presets=("$@")
[ ${#presets[@]} -gt 0 ] || presets=(core asan)
for preset in "${presets[@]}"; do
    echo "== $preset"
    cmake --preset "$preset"
    cmake --build --preset "$preset"
    # Every header must compile alone; one preset is enough to know.
    [ "$preset" != asan ] || cmake --build --preset asan --target all_verify_interface_header_sets
    ctest --preset "$preset"
done
