#!/bin/sh
# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes the pictures of README.md here: resources/screenshots/make.sh build/release/bin/vramscope [make_rank_run [make_tour]]
# make_rank_run of tests/support makes the ranks up, and make_tour of tests/ui/window goes through the window; without them their
# pictures stay. Needs Debian's packages pngquant (256 colours, a third of the bytes) and poppler-utils, and for the tour webp.
set -eu
program=$(realpath "${1:?the program: build/release/bin/vramscope}")
ranks=${2:+$(realpath "$2")}
tour=${3:+$(realpath "$3")}
cd "$(dirname "$0")/../examples"
out=../screenshots
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

shrink() { pngquant --quality 80-98 --speed 1 --nofs --strip --force --output "$out/$1.png" "$work/$1.png"; }

# render NAME ARGUMENT…: the picture that `vramscope render` draws of the arguments.
render() {
    name=$1
    shift
    "$program" render "$@" --out "$work/$name.png"
    shrink "$name"
}

render plan llama-70b-8xh200.vramplan --view plan
render sweep llama-70b-serving-2xh200.vramplan --view plan/sweep --size 1600x940
render trace training-out-of-memory.pickle --view trace --color category
render compare training-out-of-memory.pickle training-expandable-segments.pickle --view compare --size 1600x928
render reconcile training-out-of-memory-as-planned.vramplan training-out-of-memory.pickle --view reconcile --theme dark --size 1600x1000
render profile ../../tests/data/profiles/late/rank1.json.gz --view profile --size 1600x800
render serving-log ../../tests/data/serving_logs/t3-vllm-0.27-gfx1151-dflash2.log --view serving-log --size 1600x860

"$program" present llama-70b-8xh200.vramplan --out "$work/slides.pdf"
pdftoppm -r 96 -png -singlefile -f 1 -l 1 "$work/slides.pdf" "$work/slide-answer"
pdftoppm -r 96 -png -singlefile -f 4 -l 4 "$work/slides.pdf" "$work/slide-options"
shrink slide-answer
shrink slide-options

if [ -n "$ranks" ]; then
    "$ranks" "$work/run" 1024
    rm "$work/run/node0009_rank77.pickle"
    truncate -s 6000 "$work/run/node0062_rank500.pickle"
    render ranks "$work/run" --view ranks --size 1670x960
fi
if [ -n "$tour" ]; then
    mkdir "$work/frames"
    QT_QPA_PLATFORM=offscreen "$tour" "$work/frames"
    set -- -loop 0 -lossy -q 80 -m 6
    for frame in "$work/frames"/*.png; do
        time=${frame##*-}
        set -- "$@" -d "${time%.png}" "$frame"
    done
    img2webp "$@" -o $out/tour.webp
fi
