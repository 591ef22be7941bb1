#!/usr/bin/env bash
# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Checks what packaging/package.sh made, and says what it checked: the files by Debian's own tools, and that either
# package, with nothing but what it asks for, starts on a bare Debian 12. That Debian is made in a folder (once, then
# kept as build/debian-12.tar), which takes root and the network. Ends with status 1 at the first thing that is wrong.
set -euo pipefail
cd "$(dirname "$0")/.."

[ "$(id -u)" -eq 0 ] || { echo "Run as root: a Debian is set up in a folder." >&2; exit 1; }
packaging/install-dependencies.sh --check-package
packages=$PWD/build/release/packages
deb=$(ls "$packages"/*.deb) || { echo "Run packaging/package.sh first." >&2; exit 1; }
tgz=$(ls "$packages"/*.tar.gz)
bare=$PWD/build/debian-12.tar
work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT
log=$work/log

# check WHAT COMMAND…: says whether the command ended well, and if not, what it said.
check() {
    local what=$1
    shift
    if "$@" > "$log" 2>&1; then
        echo "ok    $what"
    else
        echo "WRONG $what: $*"
        cat "$log"
        exit 1
    fi
}

# within ROOT COMMAND…: as if the folder were the machine, with nothing of the environment here.
within() {
    local root=$1
    shift
    unshare --mount --pid --fork --mount-proc="$root/proc" env -i HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
        PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin /usr/sbin/chroot "$root" "$@"
}

bareRoot() {
    mkdir "$1"
    tar -xf "$bare" -C "$1"
    cp /etc/resolv.conf "$1/etc/resolv.conf"
}

install() { within "$1" apt-get install -y -q --no-install-recommends "${@:2}"; }
packagesIn() { within "$1" dpkg-query -f '.\n' -W | wc -l; }

# isPicture FILE WIDTH HEIGHT: a PNG of this size, with more in it than one colour.
isPicture() {
    local sides
    sides=$(od -An -tu1 -j16 -N8 "$1" | awk '{ print $3 * 256 + $4, $7 * 256 + $8 }')
    [ "$sides" = "$2 $3" ] && [ "$(stat -c %s "$1")" -gt 10000 ]
}

# holds FOLDER: what belongs to the programs is there.
holds() {
    local share=$1/share size file
    for size in 16x16 22x22 24x24 32x32 48x48 64x64 128x128 256x256 512x512 scalable; do
        for file in apps/vramscope mimetypes/application-x-vramscope-plan mimetypes/application-x-vramscope-recording; do
            [ -s "$share/icons/hicolor/$size/$file.png" ] || [ -s "$share/icons/hicolor/$size/$file.svg" ] ||
                { echo "no $file of size $size"; return 1; }
        done
    done
    for file in man/man1/vramscope.1.gz man/man1/vramscope-cli.1.gz applications/vramscope.desktop \
        metainfo/vramscope.metainfo.xml mime/packages/vramscope.xml bash-completion/completions/vramscope-cli \
        zsh/vendor-completions/_vramscope-cli fish/vendor_completions.d/vramscope-cli.fish doc/vramscope/{copyright,changelog.gz,README,LICENSE}; do
        [ -s "$share/$file" ] || { echo "no $file"; return 1; }
    done
}

# starts ROOT PREFIX: both programs do their work there.
starts() {
    local root=$1 bin=$2/bin examples=$2/share/vramscope/examples
    local version
    version=$(sed -n 's/^project(VRAMscope VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
    check "  holds icons of every size, manual pages, desktop entry, kinds of files and documents" holds "$root$2"
    check "  vramscope --version says $version" grep -qx "vramscope $version" <(within "$root" "$bin/vramscope" --version)
    check "  vramscope-cli --version says it too" \
        grep -qx "vramscope-cli $version" <(within "$root" "$bin/vramscope-cli" --version)
    check "  vramscope-cli plan reads an example" within "$root" "$bin/vramscope-cli" plan "$examples/llama-70b-8xh200.vramplan"
    check "  vramscope-cli oom reads an example" within "$root" "$bin/vramscope-cli" oom "$examples/training-out-of-memory.pickle"
    check "  vramscope render draws a plan" within "$root" "$bin/vramscope" render "$examples/llama-70b-8xh200.vramplan" \
        --view plan --size 1200x800 --out /tmp/plan.png
    check "  … into a picture of that size" isPicture "$root/tmp/plan.png" 1200 800
    check "  vramscope render draws a recording" within "$root" "$bin/vramscope" render \
        "$examples/training-out-of-memory.pickle" --view trace --size 1200x800 --out /tmp/trace.png
    check "  … into a picture of that size" isPicture "$root/tmp/trace.png" 1200 800
    check "  vramscope --check: every page of the window comes up" within "$root" "$bin/vramscope" --check
    check "  the window stays open on an X display" staysOpen "$root" "$bin/vramscope"
}

# The window on a display of its own must still be there after 10 seconds, when it is told to end.
staysOpen() {
    local root=$1 status=0 server
    rm -f "$work/display"
    Xvfb -displayfd 1 -screen 0 1600x1000x24 > "$work/display" 2> /dev/null &
    server=$!
    until [ -s "$work/display" ]; do
        kill -0 "$server" || return 1
        sleep 0.2
    done
    within "$root" env DISPLAY=":$(cat "$work/display")" timeout 10 "${@:2}" || status=$?
    kill "$server"
    wait "$server" || true
    [ "$status" -eq 124 ]
}

echo "== The files"
check "desktop-file-validate" desktop-file-validate packaging/vramscope.desktop
# The project has no domain whose reverse the name could be.
check "appstreamcli validate" appstreamcli validate --no-net --override=cid-desktopapp-is-not-rdns=info \
    packaging/vramscope.metainfo.xml
# The project has no address either, and one that nobody reads would mislead.
check "lintian: no error, no warning" lintian --fail-on error,warning --allow-root \
    --suppress-tags malformed-contact,bogus-mail-host-in-debian-changelog "$deb"

echo "== $(basename "$deb") on a bare Debian 12"
if [ ! -e "$bare" ]; then
    echo "      making $bare"
    check "mmdebstrap --variant=minbase bookworm" mmdebstrap --variant=minbase bookworm "${bare%.tar}.part.tar"
    mv "${bare%.tar}.part.tar" "$bare"
fi
bareRoot "$work/deb"
cp "$deb" "$work/deb/tmp/vramscope.deb"
before=$(packagesIn "$work/deb")
check "apt-get update" within "$work/deb" apt-get update -q
check "apt-get install --no-install-recommends" install "$work/deb" /tmp/vramscope.deb
echo "      $before packages before, $(packagesIn "$work/deb") after"
starts "$work/deb" /usr
check "apt-get purge" within "$work/deb" apt-get purge -y -q vramscope
check "  nothing stays behind" test -z "$(find "$work/deb/usr" -name '*vramscope*')"

echo "== $(basename "$tgz") on a bare Debian 12"
bareRoot "$work/tgz"
cp -a "$work/deb/var/cache/apt/archives/." "$work/tgz/var/cache/apt/archives"
cp -a "$work/deb/var/lib/apt/lists/." "$work/tgz/var/lib/apt/lists"
mkdir -p "$work/tgz/home/some one"
tar -xf "$tgz" -C "$work/tgz/home/some one"
folder="/home/some one/$(basename "$tgz" .tar.gz)"
needs=$(sed -n 's/^ *apt-get install //p' "$work/tgz$folder/share/doc/vramscope/README")
# shellcheck disable=SC2086 # several words
check "apt-get install $needs, as its README says" install "$work/tgz" $needs
starts "$work/tgz" "$folder"
echo "Both packages are as they should be."
