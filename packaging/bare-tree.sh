#!/usr/bin/env bash
# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Installs the wheel (packaging/wheel.sh) in a bare tree near RHEL 9, as a user who may write in the home alone and has no network,
# and runs the command line, the Python package and the window there. Ends with status 1 at the first thing that is wrong.
#   packaging/bare-tree.sh GLIBC     the source of glibc 2.34, as of git clone --depth 1 --branch glibc-2.34 …/glibc.git
# It runs as root on Debian 12, with a network for Debian's and Python's packages. The first run builds glibc, in about ten
# minutes; later ones take 40 seconds, of what build/bare-tree keeps. CI does not run it.
#
# How near this is to RHEL 9. The same: glibc 2.34 (the upstream release, without Red Hat's patches), the C++ library of GCC 11
# (GLIBCXX_3.4.29, out of Debian's objects of it, without 57 names that it keeps for old programs) and Python 3.9.
# Older than there: everything else, from Debian 11, such as pip 20.3.4, GLib 2.66, libxcb 1.14 and the libgcc of GCC 10.
# Different: the paths of libraries, Debian's OpenGL and fonts (DejaVu, which fontconfig brings), the running kernel; there is
# neither SELinux nor Wayland. A pass shows that the wheel needs no newer symbol and no library beyond those listed here. It does
# not show that anybody tried it on RHEL 9.
set -euo pipefail
cd "$(dirname "$0")/.."

# What the window needs beyond the bare tree, by the names of Debian, with what these bring: libGL, libEGL, libX11, libX11-xcb,
# libxcb with its randr, render, shape, shm, sync, xfixes and xkb, libxkbcommon, libxkbcommon-x11, libfontconfig, libfreetype,
# libdbus-1 and libglib-2.0. A system with a desktop has them. `vramscope render` needs all but those of xcb.
window=(libgl1 libegl1 libxkbcommon-x11-0 libfontconfig1 libdbus-1-3 libglib2.0-0 libxcb-randr0 libxcb-render0 libxcb-shape0)

[ "$(id -u)" -eq 0 ] || { echo "Run as root: a tree of Debian 11 is unpacked and entered." >&2; exit 1; }
glibc=$(realpath "${1:?the source of glibc 2.34}")
grep -q '^#define VERSION "2.34"' "$glibc/version.h" || { echo "$glibc is not the source of glibc 2.34." >&2; exit 1; }
for tool in mmdebstrap Xvfb gawk bison g++ readelf unshare; do
    command -v "$tool" > /dev/null || { echo "$tool is missing: apt-get install mmdebstrap xvfb gawk bison g++ binutils" >&2; exit 1; }
done
wheel=$(ls "$PWD"/dist/vramscope-*.whl) || { echo "Run packaging/wheel.sh first." >&2; exit 1; }
kept=$PWD/build/bare-tree
mkdir -p "$kept"
work=$(mktemp -d)
log=$work/log
server=
finish() {
    [ -z "$server" ] || kill "$server" || true
    rm -rf --one-file-system "$work"
}
trap finish EXIT

# check WHAT COMMAND…: says whether the command ended well and how long it took, and if not, what it printed.
check() {
    local what=$1 began=${EPOCHREALTIME/./}
    shift
    if "$@" > "$log" 2>&1; then
        printf 'ok    %s (%d ms)\n' "$what" $(((${EPOCHREALTIME/./} - began) / 1000))
    else
        echo "WRONG $what: $*"
        tail -n 40 "$log"
        exit 1
    fi
}
refused() { ! "$@"; }
# staysOpen … timeout …: until it is ended.
staysOpen() {
    local status=0
    "$@" || status=$?
    [ "$status" -eq 124 ]
}

# A program of glibc's own tests does not link against the libgcc of GCC 12, which asks for more than glibc 2.34: -k goes on.
buildGlibc() {
    mkdir -p "$kept/glibc"
    (cd "$kept/glibc" && "$glibc/configure" --prefix=/usr --libdir=/usr/lib/x86_64-linux-gnu --disable-werror --disable-profile \
        --disable-crypt --disable-nscd --disable-timezone-tools libc_cv_slibdir=/usr/lib/x86_64-linux-gnu libc_cv_rtlddir=/lib64 &&
        { make -s -k || true; } && [ -e elf/ld.so ] && [ -e elf/ldconfig ] && [ -e resolv/libresolv.so.2 ])
}

# What a process loads of it; libcrypt is Debian's.
libraries=(libc.so.6 math/libm.so.6 mathvec/libmvec.so.1 nptl/libpthread.so.0 dlfcn/libdl.so.2 rt/librt.so.1 login/libutil.so.1
    resolv/libresolv.so.2 resolv/libanl.so.1 nss/libnss_files.so.2 resolv/libnss_dns.so.2)

# The C++ library of GCC 11, linked out of Debian's archives of its objects; that of shared objects lacks the compatibility ones.
linkCxx() {
    local objects=$kept/cxx/usr/lib/gcc/x86_64-linux-gnu/11 package
    mkdir -p "$kept/cxx"
    (cd "$kept/cxx" && apt-get download -q libstdc++-11-pic libstdc++-11-dev) || return 1
    for package in "$kept"/cxx/*.deb; do
        dpkg-deb -x "$package" "$kept/cxx" || return 1
    done
    (cd "$objects" && ar t libstdc++.a | grep '^compatibility.*\.o$' | xargs ar x libstdc++.a &&
        gcc -shared -nodefaultlibs -o "$kept/libstdc++.so.6" -Wl,-soname,libstdc++.so.6 -Wl,--version-script=libstdc++_pic.map \
            -Wl,--whole-archive libstdc++_pic.a -Wl,--no-whole-archive compatibility*.o "$kept/glibc/math/libm.so.6" \
            "$kept/glibc/libc.so.6" "$kept/glibc/libc_nonshared.a" "$kept/glibc/elf/ld-linux-x86-64.so.2" -lgcc_s)
}

# makeTree NAME PACKAGE…: Debian 11 with these packages, glibc and the C++ library replaced.
makeTree() {
    local tree=$kept/$1.part library
    rm -rf --one-file-system "$tree"
    mmdebstrap --variant=essential --include="python3 python3-pip ${*:2}" bullseye "$tree" || return 1
    rm -f "$tree"/lib/x86_64-linux-gnu/*-2.31.so "$tree/lib64/ld-linux-x86-64.so.2" "$tree"/usr/lib/x86_64-linux-gnu/libstdc++.so.6*
    for library in "${libraries[@]}"; do
        rm -f "$tree/lib/x86_64-linux-gnu/$(basename "$library")"
        cp -L "$kept/glibc/$library" "$tree/usr/lib/x86_64-linux-gnu"
    done
    cp -L "$kept/glibc/elf/ld.so" "$tree/lib64/ld-linux-x86-64.so.2"
    cp "$kept/libstdc++.so.6" "$tree/usr/lib/x86_64-linux-gnu"
    cp "$kept/glibc/elf/ldconfig" "$tree/sbin/ldconfig"
    ln -s ../locale "$tree/usr/lib/x86_64-linux-gnu/locale"
    chroot "$tree" /sbin/ldconfig || return 1
    mkdir -p "$tree/home/user" "$tree/tmp/.X11-unix"
    mv "$tree" "$kept/$1"
}

# within NAME COMMAND…: in the tree, as user 1000, without a network; all but the home is read-only.
within() {
    local tree=$kept/$1
    shift
    # shellcheck disable=SC2016 # the inner shell expands them
    unshare --mount --pid --net --fork /bin/sh -ec '
        tree=$1; home=$2; shift 2
        mount --bind "$tree" "$tree"
        mount --bind "$home" "$tree/home/user"
        mount -t proc proc "$tree/proc"
        [ ! -d /tmp/.X11-unix ] || mount --bind /tmp/.X11-unix "$tree/tmp/.X11-unix"
        mount -o remount,ro,bind "$tree"
        exec chroot --userspec=1000:1000 "$tree" /usr/bin/env -i LANG=C.UTF-8 HOME=/home/user TMPDIR=/home/user/tmp DISPLAY="$DISPLAY" \
            PATH=/home/user/.local/bin:/usr/bin:/bin /bin/sh -c "cd && exec \"\$@\"" sh "$@"
    ' sh "$tree" "$work/home" "$@"
}
export DISPLAY=

freshHome() {
    rm -rf "${work:?}/home"
    mkdir -p "$work/home/tmp" "$work/home/wheels"
    cp "$wheel" "$kept"/wheels/*.whl resources/examples/*.pickle resources/examples/*.vramplan "$work/home/wheels"
    chown -R 1000:1000 "$work/home"
}

# symbols FILE…: the newest version of each kind that the files ask for.
symbols() {
    local file
    for file in "$@"; do readelf -VW "$file" 2> /dev/null | sed -n '/version_r/,$p'; done |
        grep -oE '\b(GLIBC|GLIBCXX|CXXABI|GCC)_[0-9.]+' | sort -uV |
        awk -F_ '{ newest[$1] = $2 } END { for (kind in newest) print kind "_" newest[kind] }' | sort
}
# noNewer FILE…: none is newer than what glibc 2.34 and GCC 11 have.
noNewer() {
    local found
    found=$(symbols "$@")
    echo "$found"
    [ "$(printf '%s\n' "$found" GLIBC_2.34 GLIBCXX_3.4.29 CXXABI_1.3.13 GCC_11.0 | sort -uV |
        awk -F_ '{ newest[$1] = $2 } END { for (kind in newest) print kind "_" newest[kind] }' | sort | tr '\n' ' ')" = \
        "CXXABI_1.3.13 GCC_11.0 GLIBCXX_3.4.29 GLIBC_2.34 " ]
}
isPicture() { [ "$(od -An -tx1 -N4 "$1" | tr -d ' ')" = 89504e47 ] && [ "$(stat -c %s "$1")" -gt "${2:-10000}" ]; }

echo "== The tree"
[ -e "$kept/glibc/resolv/libresolv.so.2" ] || check "glibc 2.34 is built" buildGlibc
[ -e "$kept/libstdc++.so.6" ] || check "the C++ library of GCC 11 is linked" linkCxx
[ -d "$kept/wheels" ] || check "pip download PySide6-Essentials for Python 3.9 and glibc 2.34" python3 -m pip download --no-deps \
    --python-version 3.9 --only-binary :all: --platform manylinux_2_34_x86_64 --platform manylinux_2_28_x86_64 \
    --dest "$kept/wheels" PySide6-Essentials shiboken6
[ -d "$kept/bare" ] || check "Debian 11 with Python 3.9 and pip" makeTree bare
[ -d "$kept/window" ] || check "the same with ${window[*]}" makeTree window "${window[@]}"
freshHome
check "  its glibc is 2.34" within bare python3.9 -c 'import os; assert os.confstr("CS_GNU_LIBC_VERSION") == "glibc 2.34"'
check "  nothing but the home can be written" refused within bare sh -c ': > /tmp/file || : > /usr/file || : > /var/tmp/file'

echo "== The symbols"
mkdir "$work/wheel" "$work/qt"
python3 -m zipfile -e "$wheel" "$work/wheel"
mapfile -t programs < <(find "$work/wheel" -path '*/bin/*' -o -name '*.so*')
check "no file of the wheel asks for newer ones than glibc 2.34 and GCC 11 have" noNewer "${programs[@]}"
sed 's/^/      /' "$log"

echo "== The command line and the Python package"
question="llama 3.1 8b lora on a 4090"
check "pip install of the wheel, offline" within bare python3.9 -m pip install --user --no-index --no-warn-script-location \
    "wheels/$(basename "$wheel")"
check "  vramscope-cli plan \"$question\"" within bare vramscope-cli plan "$question"
check "  with every symbol bound at the start" within bare env LD_BIND_NOW=1 vramscope-cli --version
check "  import vramscope; vramscope.plan(…).fits" within bare python3.9 -c \
    "import vramscope; assert vramscope.plan('$question').fits is True"
check "  vramscope-cli oom reads a recording" within bare vramscope-cli oom wheels/training-out-of-memory.pickle
check "  vramscope without Qt says what to install" refused within bare vramscope --version
grep -q 'pip install "vramscope\[window\]"' "$log" || { cat "$log"; exit 1; }

echo "== The window"
freshHome
check "pip install of the wheel with [window], offline" within window python3.9 -m pip install --user --no-index \
    --no-warn-script-location --find-links wheels "vramscope[window]"
mapfile -t programs < <(find "$work"/home/.local/lib/python3.9/site-packages/PySide6/Qt/lib -name 'libQt6*.so*' -type f)
check "  no library of Qt asks for newer symbols either" noNewer "${programs[@]}"
sed 's/^/      /' "$log"
check "  vramscope --version" within window vramscope --version
check "  vramscope render draws a plan" within window vramscope render wheels/llama-70b-8xh200.vramplan --view plan --out plan.png
check "  … into a picture" isPicture "$work/home/plan.png"
check "  vramscope --check: every page comes up, without a display" within window vramscope --check \
    wheels/llama-70b-8xh200.vramplan wheels/training-out-of-memory.pickle
check "  vramscope --register writes the entry of the desktop" within window vramscope --register
check "  … below the home" test -s "$work/home/.local/share/applications/vramscope.desktop"

Xvfb -displayfd 3 -screen 0 1600x1000x24 3> "$work/display" 2> /dev/null &
server=$!
until [ -s "$work/display" ]; do
    kill -0 "$server"
    sleep 0.2
done
DISPLAY=:$(cat "$work/display")
# The window stays open for ten seconds; PySide6 then takes the picture of the display, which needs the wheel's libraries of X11.
cat > "$work/home/look.py" << 'END'
import subprocess, sys, time
from PySide6.QtGui import QGuiApplication
shown = subprocess.Popen(["vramscope", "wheels/llama-70b-8xh200.vramplan", "wheels/training-out-of-memory.pickle"])
time.sleep(10)
assert shown.poll() is None, "the window closed"
app = QGuiApplication(sys.argv)
assert app.primaryScreen().grabWindow(0).save("window.png")
shown.terminate()
shown.wait()
END
check "  the window stays open on an X display" within window env \
    LD_LIBRARY_PATH=/home/user/.local/lib/python3.9/site-packages/vramscope/lib/x11 python3.9 look.py
check "  … and is in the picture of the display" isPicture "$work/home/window.png" 50000
cp "$work/home/window.png" "$work/home/plan.png" "$kept"

bundle=$(ls "$PWD"/dist/vramscope-*-linux-x86_64.tar.gz 2> /dev/null || true)
if [ -n "$bundle" ]; then
    echo "== The bundle"
    freshHome
    tar -xf "$bundle" -C "$work/home" --no-same-owner
    folder=$(basename "$bundle" .tar.gz)
    mapfile -t programs < <(find "$work/home/$folder/usr" -path '*/bin/*' -o -name '*.so*' -type f)
    check "no file of it asks for newer symbols" noNewer "${programs[@]}"
    check "  AppRun --check: every page comes up" within window "$folder/AppRun" --check wheels/llama-70b-8xh200.vramplan \
        wheels/training-out-of-memory.pickle
    check "  AppRun stays open on the X display" staysOpen within window timeout 10 "$folder/AppRun"
    check "  its vramscope-cli plans" within bare "$folder/usr/bin/vramscope-cli" plan "$question"
fi
echo "All of it works in this tree. $kept/window.png shows the window."
