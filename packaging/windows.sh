#!/usr/bin/env bash
# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Makes what the preset "windows" builds with, on Debian 12 as root: installs mingw-w64 and Wine, and builds the libraries of the
# core and Qt Core and Qt Test from Debian's own sources, static, into build/windows/prefix. What is there is not built again.
set -euo pipefail
cd "$(dirname "$0")/.."

packages=(g++-mingw-w64-x86-64-posix libz-mingw-w64-dev wine64 wine dpkg-dev tcl cmake ninja-build ccache qt6-base-dev)
sources=(libzstd sqlite3 libzip yaml-cpp qt6-base)
work=$PWD/build/windows
prefix=$work/prefix
mkdir -p "$work/sources" "$prefix/include"

missing=()
for package in "${packages[@]}"; do
    dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null | grep -q '^installed' || missing+=("$package")
done
if [ ${#missing[@]} -gt 0 ]; then
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -q
    apt-get install -y -q --no-install-recommends "${missing[@]}"
fi

# The sources, of the releases that the machine itself builds with: from where its packages come.
fetch() {
    local lists=$work/sources.list suite=bookworm
    printf 'deb-src %s %s main\n' "http://deb.debian.org/debian" "$suite" > "$lists"
    local options=(-o "Dir::Etc::sourcelist=$lists" -o Dir::Etc::sourceparts=- -o APT::Get::List-Cleanup=0 -o APT::Sandbox::User=root)
    apt-get "${options[@]}" update -q
    for source in "${sources[@]}"; do
        [ -d "$work/sources/$source" ] && continue
        (cd "$work/sources" && apt-get "${options[@]}" source -q --download-only "$source" &&
            dpkg-source --no-check -x "$source"_*.dsc "$source")
    done
}
for source in "${sources[@]}"; do
    [ -d "$work/sources/$source" ] || { fetch; break; }
done

# build FILE SOURCE OPTION…: with CMake, unless the prefix has the file.
build() {
    local made=$1 source=$2
    shift 2
    [ ! -e "$prefix/$made" ] || return 0
    echo "== $source"
    cmake -G Ninja -S "$work/sources/$source" -B "$work/${source%%/*}" -DCMAKE_TOOLCHAIN_FILE="$PWD/packaging/windows/toolchain.cmake" \
        -DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache -DCMAKE_INSTALL_PREFIX="$prefix" \
        -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=OFF "$@" > "$work/${source%%/*}.log" 2>&1
    cmake --build "$work/${source%%/*}" >> "$work/${source%%/*}.log" 2>&1
    cmake --install "$work/${source%%/*}" >> "$work/${source%%/*}.log" 2>&1
}
build lib/libzstd.a libzstd/build/cmake -DZSTD_BUILD_PROGRAMS=OFF -DZSTD_BUILD_SHARED=OFF -DZSTD_BUILD_TESTS=OFF
build lib/libyaml-cpp.a yaml-cpp -DYAML_CPP_BUILD_TESTS=OFF -DYAML_CPP_BUILD_TOOLS=OFF
build lib/libzip.a libzip -DBUILD_TOOLS=OFF -DBUILD_REGRESS=OFF -DBUILD_EXAMPLES=OFF -DBUILD_DOC=OFF -DENABLE_OPENSSL=OFF \
    -DENABLE_GNUTLS=OFF -DENABLE_MBEDTLS=OFF -DENABLE_COMMONCRYPTO=OFF -DENABLE_WINDOWS_CRYPTO=OFF -DENABLE_BZIP2=OFF -DENABLE_LZMA=OFF

# SQLite's sources are put together by its own script, into one file.
if [ ! -e "$prefix/lib/libsqlite3.a" ]; then
    echo "== sqlite3"
    mkdir -p "$work/sqlite3"
    (
        cd "$work/sqlite3"
        ../sources/sqlite3/configure --disable-tcl --disable-readline
        make sqlite3.c
        x86_64-w64-mingw32-gcc-posix -O2 -DSQLITE_ENABLE_FTS5 -c sqlite3.c -o sqlite3.o
        x86_64-w64-mingw32-ar rcs "$prefix/lib/libsqlite3.a" sqlite3.o
        cp sqlite3.h sqlite3ext.h "$prefix/include"
    ) > "$work/sqlite3.log" 2>&1
fi

# Headers alone, of the machine's packages.
for header in nlohmann toml++; do
    [ -e "$prefix/include/$header" ] || cp -r "/usr/include/$header" "$prefix/include"
done
[ -e "$prefix/share/cmake/nlohmann_json" ] || { mkdir -p "$prefix/share/cmake" && cp -r /usr/share/cmake/nlohmann_json "$prefix/share/cmake"; }

# Qt Core and Qt Test, with the machine's own moc and rcc. It optimises itself at -O3: see -fno-ipa-ra in CMakeLists.txt.
build lib/libQt6Test.a qt6-base -DCMAKE_CXX_FLAGS=-fno-ipa-ra -DCMAKE_CXX_FLAGS_RELEASE=-O1 -DCMAKE_C_FLAGS_RELEASE=-O1 -DQT_HOST_PATH=/usr \
    -DQT_HOST_PATH_CMAKE_DIR="/usr/lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH)/cmake" -DQT_BUILD_EXAMPLES=OFF -DQT_BUILD_TESTS=OFF \
    -DFEATURE_{gui,widgets,network,sql,dbus,xml,concurrent,printsupport,icu,glib,zstd,pkg_config}=OFF \
    -DFEATURE_system_{zlib,pcre2,doubleconversion}=OFF
