#!/usr/bin/env bash
# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# clang-tidy over these files; or over the newest files that the last commits changed and one slice of all files. The time of
# the last commit chooses the slice. The number of slices is a prime, so runs an hour, a day or a week apart pass through every
# slice in turn, and as many runs look at every file. Any finding is an error (.clang-tidy).
# Sources for Windows are left out: their headers are not here.
#   packaging/tidy.sh [FILE.cpp…]
set -euo pipefail
cd "$(dirname "$0")/.."

commits=10
most=16   # files of those commits
slices=31 # a file takes 5 to 7 seconds of a processor, a slice 3 to 4 minutes, all of them two hours

files=("$@")
if [ ${#files[@]} -eq 0 ]; then
    mapfile -t all < <(find app core ui -name '*.cpp' -not -name '*_windows.cpp' | LC_ALL=C sort)
    changed=()
    time=$(date +%s)
    if git rev-parse --verify --quiet HEAD > /dev/null 2>&1; then
        time=$(git show -s --format=%ct HEAD)
        # A header is seen with the source that implements it. A shallow checkout takes its oldest commit for one of all files.
        mapfile -t changed < <({ git diff --name-only HEAD; git log -n "$commits" --format= --name-only; } |
            sed -n 's/\.h$/.cpp/; /^\(app\|core\|ui\)\/.*\.cpp$/p' | awk '!seen[$0]++' |
            while IFS= read -r file; do [ ! -e "$file" ] || echo "$file"; done | grep -v '_windows\.cpp$')
    fi
    slice=$((time / 3600 % slices))
    newest=("${changed[@]:0:$most}")
    mapfile -t files < <({ printf '%s\n' "${newest[@]}"; printf '%s\n' "${all[@]}" | awk "NR % $slices == $slice"; } | awk 'NF && !seen[$0]++')
    echo "clang-tidy: ${#files[@]} of ${#all[@]} files: ${#newest[@]} of the ${#changed[@]} that the last $commits commits changed," \
        "and slice $((slice + 1)) of $slices"
fi

cmake --preset tidy > /dev/null
printf '%s\0' "${files[@]}" | xargs -0 -n 1 -P "$(nproc)" clang-tidy -p build/tidy --quiet
