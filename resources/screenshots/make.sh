#!/bin/sh
# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes the pictures of the README anew: resources/screenshots/make.sh build/release/bin/vramscope
set -eu
program=$(realpath "${1:?the program: build/release/bin/vramscope}")
cd "$(dirname "$0")/../examples"
out=../screenshots
"$program" render llama-70b-8xh200.vramplan --view plan --out $out/plan.png
"$program" render training-out-of-memory.pickle --view trace --color category --out $out/trace.png
"$program" render training-out-of-memory-as-planned.vramplan training-out-of-memory.pickle \
    --view reconcile --theme dark --size 1600x940 --out $out/reconcile.png
