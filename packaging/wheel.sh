#!/usr/bin/env bash
# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Installs what is missing, builds, and makes the wheel: dist/vramscope-VERSION-py3-none-manylinux_2_34_x86_64.whl
#   packaging/wheel.sh            the wheel
#   packaging/wheel.sh --check    and its tests, in a virtual environment made new
# The libraries that the programs need lie in it, but for those that every system has and for Qt: the window's comes by
# vramscope[window], out of PySide6, beside which the window looks for it. tests/test_wheel.py holds the symbols to those of
# glibc 2.34 and GCC 11.
set -euo pipefail
cd "$(dirname "$0")/.."

packaging/install-dependencies.sh --wheel
export CMAKE_CXX_COMPILER_LAUNCHER=ccache CCACHE_SLOPPINESS=pch_defines,time_macros
cmake --preset release > /dev/null
cmake --build --preset release --target vramscope vramscope-cli installed_files

work=$PWD/build/wheel
rm -rf "$work" dist
cmake --install build/release --prefix "$work/installed" --strip > /dev/null
version=$(sed -n 's/^project(VRAMscope VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
package=$work/tree/vramscope
mkdir -p "$package/bin" "$package/lib" "$package/share" dist
cp packaging/python/vramscope/*.py packaging/python/vramscope/py.typed "$package"
cp resources/recipes/vramscope_rehearse.py "$package/rehearse.py"
echo "__version__ = \"$version\"" > "$package/_version.py"
cp "$work/installed/bin/vramscope" "$work/installed/bin/vramscope-cli" "$package/bin"
cp -r "$work/installed/share/applications" "$work/installed/share/icons" "$work/installed/share/mime" "$package/share"

# bring FILE: the libraries that it names, and those that these name.
everywhere='^(ld-linux|lib(c|m|dl|rt|pthread|gcc_s|stdc\+\+|GL|EGL|OpenGL|Qt6.*)\.so)'
bring() {
    local name path
    for name in $(readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | grep -vE "$everywhere"); do
        [ ! -e "$package/lib/$name" ] || continue
        path=$(ldd "$1" | awk -v name="$name" '$1 == name { print $3 }')
        cp -L "$path" "$package/lib/$name"
        patchelf --set-rpath '$ORIGIN' "$package/lib/$name"
        bring "$path"
    done
}
bring "$work/installed/bin/vramscope-cli"
bring "$work/installed/bin/vramscope"
# What Qt's plugin for X11 needs and many systems lack; the launcher adds the folder to where Qt looks.
mkdir "$package/lib/x11"
for name in cursor.so.0 icccm.so.4 image.so.0 keysyms.so.1 render-util.so.0 util.so.1; do
    cp -L "/usr/lib/$(uname -m)-linux-gnu/libxcb-$name" "$package/lib/x11"
done
patchelf --set-rpath '$ORIGIN/../lib' "$package/bin/vramscope-cli"
patchelf --force-rpath --set-rpath '$ORIGIN/../lib:$ORIGIN/../../PySide6/Qt/lib' "$package/bin/vramscope"

info=$work/tree/vramscope-$version.dist-info
mkdir "$info"
sed "s/@VERSION@/$version/" packaging/python/METADATA > "$info/METADATA"
cp packaging/python/entry_points.txt LICENSE "$info"
printf 'Wheel-Version: 1.0\nGenerator: packaging/wheel.sh\nRoot-Is-Purelib: false\nTag: py3-none-manylinux_2_34_x86_64\n' > "$info/WHEEL"
/usr/bin/python3 -m wheel pack "$work/tree" --dest-dir dist > /dev/null
ls -l dist

if [ "${1:-}" = "--check" ]; then
    /usr/bin/python3 -m venv --system-site-packages "$work/check"
    "$work/check/bin/pip" install --quiet --disable-pip-version-check --no-index dist/*.whl
    "$work/check/bin/python" -m pytest -q -p no:cacheprovider packaging/python/tests
fi
