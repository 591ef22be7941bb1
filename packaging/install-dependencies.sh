#!/usr/bin/env bash
# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Installs what is missing on Debian or Ubuntu to build and run VRAMscope; with --test also what its tests need, with --wheel
# what packaging/wheel.sh needs, with --page what the tests of pages in a browser need; with --check-package instead what
# packaging/check-package.sh needs. Does nothing, and needs no privileges, when everything is there.
set -euo pipefail

build=(ca-certificates cmake g++ ninja-build ccache nlohmann-json3-dev libtomlplusplus-dev libyaml-cpp-dev qt6-base-dev
    libsqlite3-dev zlib1g-dev libzstd-dev libzip-dev libqt6opengl6-dev libqt6svg6-dev libgl1-mesa-dev fonts-dejavu-core fonts-inter python3 python3-fonttools)
test=(librsvg2-bin poppler-utils clang clang-format clang-tidy libclang-rt-14-dev mold groff-base xvfb xauth appstream desktop-file-utils
    slurmctld slurmd slurm-client slurm-wlm-basic-plugins munge)
wheel=(patchelf python3-venv python3-wheel python3-pytest libxcb-cursor0 libxcb-icccm4 libxcb-image0 libxcb-keysyms1 libxcb-render-util0
    libxcb-util1)
page=(chromium firefox-esr nodejs npm)
check=(appstream desktop-file-utils lintian mmdebstrap xvfb)

wanted=("${build[@]}")
[ "${1:-}" = "--test" ] && wanted+=("${test[@]}")
[ "${1:-}" = "--wheel" ] && wanted+=("${wheel[@]}")
[ "${1:-}" = "--page" ] && wanted+=("${page[@]}")
[ "${1:-}" = "--check-package" ] && wanted=("${check[@]}")

# A name may also be what an installed package provides: libqt6svg6-dev is a package on Ubuntu 22.04, part of qt6-svg-dev
# since.
there=$(dpkg-query -W -f '${db:Status-Status} ${Package}, ${Provides}\n' 2>/dev/null |
    sed -n 's/^installed //p' | tr ',' '\n' | sed 's/(.*//; s/ //g' || true)
missing=()
for package in "${wanted[@]}"; do
    grep -qxF -- "$package" <<<"$there" || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

if ! command -v apt-get >/dev/null; then
    echo "Missing: ${missing[*]}. Install them (the names are Debian's) and start again." >&2
    exit 1
fi
as_root=()
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || { echo "Run as root once: apt-get install ${missing[*]}" >&2; exit 1; }
    as_root=(sudo)
fi
echo "Installing ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
"${as_root[@]}" apt-get update -q
"${as_root[@]}" apt-get install -y -q --no-install-recommends "${missing[@]}"
