#!/usr/bin/env bash
# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# clang-tidy over these files, or over the files that the last commits changed, the newest first: all of them would
# take longer than the rest of CI. Any finding is an error (.clang-tidy).
#   packaging/tidy.sh [FILE.cpp…]
set -euo pipefail
cd "$(dirname "$0")/.."

commits=10
most=16 # files: a small one of core takes 10 seconds of a processor

files=("$@")
if [ ${#files[@]} -eq 0 ]; then
    if ! git rev-parse --verify --quiet HEAD > /dev/null; then
        echo "clang-tidy: no history here that says what changed; nothing is looked at."
        exit 0
    fi
    # A header is seen with the source that implements it. A shallow checkout takes its oldest commit for one of all files.
    mapfile -t files < <({ git diff --name-only HEAD; git log -n "$commits" --format= --name-only; } |
        sed -n 's/\.h$/.cpp/; /^\(app\|core\|ui\)\/.*\.cpp$/p' | awk '!seen[$0]++' |
        while IFS= read -r file; do [ ! -e "$file" ] || echo "$file"; done)
    if [ ${#files[@]} -gt "$most" ]; then
        echo "clang-tidy: $most of the ${#files[@]} files that the last $commits commits changed, the newest first"
        files=("${files[@]:0:$most}")
    fi
fi
[ ${#files[@]} -gt 0 ] || { echo "clang-tidy: the last $commits commits changed no source."; exit 0; }

cmake --preset tidy > /dev/null
printf '%s\0' "${files[@]}" | xargs -0 -n 1 -P "$(nproc)" clang-tidy -p build/tidy --quiet
