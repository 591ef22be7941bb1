#!/usr/bin/env bash
# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Makes a bundle that starts from any folder, with Qt inside: dist/vramscope-VERSION-linux-x86_64.tar.gz. Its folder is laid
# out as an AppImage's. The programs and their libraries are the wheel's (packaging/wheel.sh makes it where it is missing);
# Qt comes out of PySide6's wheel, from PyPI.
set -euo pipefail
cd "$(dirname "$0")/.."

pyside=6.9.3
packaging/install-dependencies.sh --wheel
ls dist/vramscope-*.whl > /dev/null 2>&1 || packaging/wheel.sh
version=$(sed -n 's/^project(VRAMscope VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
name=vramscope-$version-linux-x86_64
work=$PWD/build/bundle
root=$work/$name
rm -rf "$work"
mkdir -p "$root/usr/lib" "$work/wheels" "$work/unpacked"
/usr/bin/python3 -m venv "$work/tools"
"$work/tools/bin/pip" download --quiet --disable-pip-version-check --no-deps --only-binary :all: --dest "$work/wheels" \
    "PySide6-Essentials==$pyside"
for wheel in dist/vramscope-*.whl "$work"/wheels/*.whl; do
    /usr/bin/python3 -m zipfile -e "$wheel" "$work/unpacked"
done
qt=$work/unpacked/PySide6/Qt
package=$work/unpacked/vramscope

cp -r "$package/bin" "$package/share" "$root/usr"
cp "$package"/lib/*.so* "$package"/lib/x11/* "$root/usr/lib"
for kind in platforms platforminputcontexts platformthemes imageformats iconengines xcbglintegrations tls \
    wayland-shell-integration wayland-graphics-integration-client wayland-decoration-client; do
    [ ! -d "$qt/plugins/$kind" ] || { mkdir -p "$root/usr/plugins"; cp -r "$qt/plugins/$kind" "$root/usr/plugins"; }
done
rm -f "$root"/usr/plugins/imageformats/libqpdf.so "$root"/usr/plugins/platforminputcontexts/*virtualkeyboard* \
    "$root"/usr/plugins/platforms/libq{eglfs,linuxfb,minimal,minimalegl,vkkhrdisplay,vnc}.so

# The libraries of Qt that the program, its plugins and these libraries name; a plugin that names one that is not there goes.
named() { readelf -d "$@" 2> /dev/null | sed -n 's/.*(NEEDED).*\[\(lib\(Qt6\|icu\).*\)\]/\1/p' | sort -u; }
more=1
while [ "$more" -gt 0 ]; do
    more=0
    for library in $(named "$root"/usr/bin/vramscope "$root"/usr/plugins/*/*.so "$root"/usr/lib/*); do
        if [ ! -e "$root/usr/lib/$library" ] && [ -e "$qt/lib/$library" ]; then
            cp -L "$qt/lib/$library" "$root/usr/lib"
            more=1
        fi
    done
done
for plugin in "$root"/usr/plugins/*/*.so; do
    for library in $(named "$plugin"); do
        [ -e "$root/usr/lib/$library" ] || rm -f "$plugin"
    done
    [ ! -e "$plugin" ] || patchelf --set-rpath '$ORIGIN/../../lib' "$plugin"
done
chmod +x "$root"/usr/bin/*
patchelf --set-rpath '$ORIGIN/../lib' "$root/usr/bin/vramscope"
printf '[Paths]\nPrefix = ..\nPlugins = plugins\n' > "$root/usr/bin/qt.conf"
cp LICENSE "$root"
cp "$root/usr/share/applications/vramscope.desktop" "$root/usr/share/icons/hicolor/256x256/apps/vramscope.png" "$root"
cat > "$root/AppRun" << 'EOF'
#!/bin/sh
exec "$(dirname "$(readlink -f "$0")")/usr/bin/vramscope" "$@"
EOF
chmod +x "$root/AppRun"
tar -C "$work" --owner=0 --group=0 --sort=name -czf "dist/$name.tar.gz" "$name"
ls -l "dist/$name.tar.gz"
