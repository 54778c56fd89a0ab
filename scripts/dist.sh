#!/usr/bin/env bash
# Programs ready to download, in target/dist: static ones for Linux on two processors, one for Windows where it can be built,
# each with its licences and a list of what is inside; SHA256SUMS over all of them.
#
#   scripts/dist.sh [x86_64-linux] [aarch64-linux] [x86_64-windows]
set -euo pipefail
cd "$(dirname "$0")/.."

zigbuild_version=0.24.0
zig_version=0.17.0
# Of a program, unpacked: what takes a while on a school's line is what nobody tries.
most_megabytes=30

tools=target/tools/zig
dist=target/dist
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
# Whoever packs the same commit gets the same archives.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export SOURCE_DATE_EPOCH

wanted=("$@")
[ ${#wanted[@]} -gt 0 ] || wanted=(x86_64-linux aarch64-linux x86_64-windows)

# One C compiler for every processor, with the C library to link against.
if ! "$tools/bin/cargo-zigbuild" --version 2>/dev/null | grep -qF "$zigbuild_version"; then
    echo "installing cargo-zigbuild $zigbuild_version and zig $zig_version into $tools"
    python3 -m venv "$tools"
    "$tools/bin/pip" install --quiet --disable-pip-version-check "cargo-zigbuild==$zigbuild_version" "ziglang==$zig_version"
fi

pack() { # name, target triple, program
    local name=palestra-$version-$1 triple=$2 program=$3
    local folder=$dist/$name bytes
    bytes=$(stat --format %s "$program")
    if [ "$bytes" -gt $((most_megabytes * 1000000)) ]; then
        echo "dist: $program takes $bytes bytes, more than $most_megabytes MB" >&2
        exit 1
    fi
    rm -rf "$folder"
    mkdir -p "$folder"
    cp README.md CHANGELOG.md LICENSE-APACHE LICENSE-MIT "$folder"
    install -m 755 "$program" "$folder/"
    python3 scripts/inventory.py "$triple" --licences "$folder/LICENSES-OTHERS.txt" --sbom "$dist/$name.cdx.json"
    cp "$dist/$name.cdx.json" "$folder/palestra.cdx.json"
    find "$folder" -exec touch --no-dereference --date "@$SOURCE_DATE_EPOCH" {} +
    case $1 in
    *-windows)
        archive=$name.zip
        (cd "$dist" && TZ=UTC python3 - "$name" <<'PYTHON'
import pathlib, sys, zipfile
folder = pathlib.Path(sys.argv[1])
with zipfile.ZipFile(f"{folder}.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
    for path in sorted(folder.rglob("*")):
        archive.write(path)
PYTHON
        )
        ;;
    *)
        archive=$name.tar.gz
        tar --create --directory "$dist" --sort name --owner 0 --group 0 --numeric-owner "$name" | gzip -9n >"$dist/$archive"
        ;;
    esac
    rm -r "$folder"
    local packed
    packed=$(stat --format %s "$dist/$archive")
    echo "$dist/$archive: program $((bytes / 100000))e5 bytes, archive $((packed / 100000))e5 bytes" |
        sed -E 's/([0-9]+)([0-9])e5 bytes/\1.\2 MB/g'
}

add_target() { # target triple
    rustup target list --installed | grep -qx "$1" || rustup target add "$1"
}

linux() { # name, target triple
    add_target "$2"
    # The folder first on the path is where cargo-zigbuild looks for zig.
    PATH="$PWD/$tools/bin:$PATH" cargo zigbuild --locked --profile ship --package palestra --target "$2"
    pack "$1" "$2" "target/$2/ship/palestra"
}

make web
mkdir -p "$dist"
for name in "${wanted[@]}"; do
    case $name in
    x86_64-linux | aarch64-linux) linux "$name" "${name%-linux}-unknown-linux-musl" ;;
    x86_64-windows)
        if ! command -v x86_64-w64-mingw32-gcc >/dev/null; then
            echo "$name: left out, as gcc-mingw-w64-x86-64 is not installed"
            continue
        fi
        add_target x86_64-pc-windows-gnu
        built=$(PROFILE=ship scripts/windows.sh build)
        # Rust leaves the symbols in here, whatever the profile says.
        program=target/windows/palestra.exe
        mkdir -p "${program%/*}"
        x86_64-w64-mingw32-strip --strip-all -o "$program" "$built"
        pack "$name" x86_64-pc-windows-gnu "$program"
        ;;
    *)
        echo "dist: there is no $name; use x86_64-linux, aarch64-linux or x86_64-windows" >&2
        exit 2
        ;;
    esac
done
cd "$dist"
# Only what belongs to this version: an older one may still lie beside it.
sha256sum "palestra-$version"-*.tar.gz $(ls "palestra-$version"-*.zip 2>/dev/null) "palestra-$version"-*.cdx.json >SHA256SUMS
