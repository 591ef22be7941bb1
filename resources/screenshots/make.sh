#!/bin/sh
# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes the pictures of the README anew: resources/screenshots/make.sh build/release/bin/vramscope [make_rank_run [make_tour]]
# make_rank_run of tests/support makes the ranks up, and make_tour of tests/ui/window goes through the window (its frames are
# joined by img2webp of Debian's package webp); without them their pictures stay.
set -eu
program=$(realpath "${1:?the program: build/release/bin/vramscope}")
ranks=${2:+$(realpath "$2")}
tour=${3:+$(realpath "$3")}
cd "$(dirname "$0")/../examples"
out=../screenshots
"$program" render llama-70b-8xh200.vramplan --view plan --out $out/plan.png
"$program" render training-out-of-memory.pickle --view trace --color category --out $out/trace.png
"$program" render training-out-of-memory-as-planned.vramplan training-out-of-memory.pickle \
    --view reconcile --theme dark --size 1600x940 --out $out/reconcile.png
if [ -n "$ranks" ]; then
    run=$(mktemp -d)
    trap 'rm -rf "$run"' EXIT
    "$ranks" "$run/run" 1024
    rm "$run/run/node0009_rank77.pickle"
    truncate -s 6000 "$run/run/node0062_rank500.pickle"
    "$program" render "$run/run" --view ranks --size 1600x940 --out $out/ranks.png
fi
if [ -n "$tour" ]; then
    frames=$(mktemp -d)
    trap 'rm -rf "${run:-}" "$frames"' EXIT
    QT_QPA_PLATFORM=offscreen "$tour" "$frames"
    set -- -loop 0 -lossy -q 80 -m 6
    for frame in "$frames"/*.png; do
        time=${frame##*-}
        set -- "$@" -d "${time%.png}" "$frame"
    done
    img2webp "$@" -o $out/tour.webp
fi
