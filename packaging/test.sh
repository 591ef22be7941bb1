#!/usr/bin/env bash
# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Installs what is missing, checks the layout of the code, builds, and runs every test:
#   clang-format  over every file
#   release       both programs as they ship, with g++, and the window brought up without a screen (packaging/run.sh --check)
#   page          the pages of reports in Chromium and Firefox, and the types of their scripts
#   clang-tidy    over what the last commits changed and one slice of all files
#   asan          everything with clang under the address and undefined-behaviour sanitizers, and every test
#   tsan          what starts threads, under the thread sanitizer
#   wheel         the Python package, in a virtual environment made new (packaging/wheel.sh --check)
# By name also:
#   alone         each header and each source compiled by itself, without the others of its folder
#   windows       the core and the command line built for Windows, and their tests under Wine (packaging/windows.sh; Debian 12, as root)
# Name parts, or presets of CMakePresets.json, to run only those: packaging/test.sh dev
set -euo pipefail
cd "$(dirname "$0")/.."

packaging/install-dependencies.sh --test
export CMAKE_CXX_COMPILER_LAUNCHER=ccache CCACHE_SLOPPINESS=pch_defines,time_macros
export QT_QPA_PLATFORM=offscreen

# runTests PRESET: a test that is skipped fails too, but for want of what no checkout holds, which its reason names.
runTests() {
    ctest --preset "$1"
    local log=build/$1/Testing/Temporary/LastTest.log
    if grep -E '^(SKIP|skipped)' "$log" | grep -vE '\((VRAMSCOPE_(CORPUS|MEASURED|MODELS)|root|sanitizer)\)\.?$'; then
        echo "These tests were skipped: $log says where." >&2
        return 1
    fi
    echo "Skipped, for want of what no checkout holds: $(grep -cE '^SKIP' "$log" || true)"
}

# runWindowsTests: under Wine, but those that tests/windows_skipped.txt lists with a reason.
runWindowsTests() {
    export WINEPREFIX=$PWD/build/windows/wine WINEDEBUG=-all
    wineserver --kill 2> /dev/null || true # one that an earlier run left
    wineserver --persistent || true        # fails where one runs by now, which serves as well
    wine wineboot --init > /dev/null 2>&1
    local log=build/windows/Testing/Temporary/LastTest.log failed=0
    ctest --preset windows -E "^($(sed -n 's/^\([a-z_0-9]*\): .*/\1/p' tests/windows_skipped.txt | paste -sd '|'))\$" || failed=1
    wineserver --kill
    echo "Test functions under Wine:"
    tr -d '\r' < "$log" | awk '/^Totals:/ { passed += $2; failed += $4; skipped += $6 }
        END { printf "  %d passed, %d failed, %d skipped\n", passed, failed, skipped }'
    echo "Skipped functions, for how many rows, and why; and tests that are left out:"
    tr -d '\r' < "$log" | sed -nE 's/^SKIP *: ([A-Za-z]*::[A-Za-z]*)\([^)]*\)+ */\1: /p' | sort | uniq -c
    sed -nE 's/^(\(?[a-z_0-9]+\)?): /    &/p' tests/windows_skipped.txt
    return "$failed"
}

# The drivers of the browsers are npm's. Where its registry cannot be reached, a run of all parts says so
# and goes on; one that was asked for by name fails.
installDrivers() {
    timeout 120 npm install --silent --prefix build/page --no-save playwright-core@1.65.1 puppeteer-core@24.15.0 typescript@7.0.2 && return
    echo "npm's registry cannot be reached, so the pages were not tested." >&2
    return 1
}

parts=("$@")
[ ${#parts[@]} -gt 0 ] || parts=(clang-format release page wheel clang-tidy asan tsan)
for part in "${parts[@]}"; do
    echo "== $part"
    began=$SECONDS
    case $part in
    clang-format)
        find core ui app tests packaging \( -name '*.h' -o -name '*.cpp' \) -not -path 'tests/data/*' -print0 |
            xargs -0 -n 64 -P "$(nproc)" clang-format --dry-run --Werror
        ;;
    clang-tidy)
        packaging/tidy.sh
        ;;
    release)
        packaging/run.sh --check
        ;;
    wheel)
        packaging/wheel.sh --check
        ;;
    page)
        packaging/install-dependencies.sh --page
        cmake --preset release
        cmake --build --preset release --target vramscope
        if installDrivers; then
            build/page/node_modules/.bin/tsc -p tests/page/tsconfig.json
            NODE_PATH=build/page/node_modules node --test tests/page/
        elif [ $# -gt 0 ]; then
            exit 1
        fi
        ;;
    windows)
        packaging/windows.sh
        cmake --preset windows
        cmake --build --preset windows
        runWindowsTests
        ;;
    alone)
        cmake --preset alone
        cmake --build --preset alone
        cmake --build --preset alone --target all_verify_interface_header_sets
        ;;
    *)
        cmake --preset "$part"
        cmake --build --preset "$part"
        runTests "$part"
        ;;
    esac
    echo "== $part: $((SECONDS - began)) s"
done
