#!/usr/bin/env bash
# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Installs what is missing, builds, and makes the packages: build/release/packages/*.deb and *.tar.gz
set -euo pipefail
cd "$(dirname "$0")/.."

packaging/install-dependencies.sh
export CMAKE_CXX_COMPILER_LAUNCHER=ccache
cmake --preset release
cmake --build --preset release --target vramscope vramscope-cli installed_files
packages=$PWD/build/release/packages
rm -rf "$packages"
(cd build/release && cpack -B "$packages")
rm -rf "$packages/_CPack_Packages"
ls -l "$packages"
