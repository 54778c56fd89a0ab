#!/usr/bin/env bash
# palestra.exe, made on Linux with mingw and tried under Wine.
#
#   scripts/windows.sh build     prints where the program is; PROFILE=quick for one that is there sooner
#   scripts/windows.sh test      plays, watches, checks, ends hostile bots, goes on after a kill, connects to an arena and a queue;
#                                needs Wine. PALESTRA is the program of this machine that opens the arena
set -euo pipefail
cd "$(dirname "$0")/.."

target=x86_64-pc-windows-gnu
profile=${PROFILE:-release}
exe=target/$target/$profile/palestra.exe
place=target/windows

need() { # a command, and what to install for it
    command -v "$1" >/dev/null 2>&1 || { echo "windows: $1 is not here; $2" >&2; exit 1; }
}

build() {
    need x86_64-w64-mingw32-gcc "apt-get install gcc-mingw-w64-x86-64"
    rustup target list --installed 2>/dev/null | grep -qx $target ||
        { echo "windows: rustup target add $target" >&2; exit 1; }
    cargo build --locked --profile "$profile" --target $target --package palestra >&2
}

bot() { # the name of a program, its source, and what the compiler should know
    x86_64-w64-mingw32-gcc -O1 -static -o "$place/bots/$1.exe" "$2" "${@:3}"
}

case ${1:-} in
build)
    build
    echo "$exe"
    ;;
test)
    need wine "apt-get install wine wine64"
    need target/tools/nats/bin/nats-server "scripts/setup.sh --test installs it"
    build
    if [ -z "${PALESTRA:-}" ]; then
        cargo build --locked --profile quick --package palestra >&2
        PALESTRA=target/quick/palestra
    fi
    rm -rf "$place/bots" "$place/work"
    mkdir -p "$place/bots" "$place/work"
    cp "$exe" "$place/palestra.exe"
    x86_64-w64-mingw32-gcc -O1 -shared -o "$place/bcryptprimitives.dll" scripts/windows/prng.c -ladvapi32
    for name in exits_at_once exits_mid_answer crashes garbage endless_line silent floods_stderr blind no_line_break; do
        bot $name zoo/$name.c
    done
    for name in deaf stays; do bot $name zoo/$name.c -include scripts/windows/posix.h; done
    for name in stays_behind memory_hog loops; do bot $name scripts/windows/$name.c; done
    # Not in the project: Wine's folder leads to the whole machine, and whoever looks for files would follow.
    WINEPREFIX=$(mktemp -d)
    export WINEPREFIX
    trap 'wineserver -k || true; rm -rf "$WINEPREFIX"' EXIT
    python3 scripts/windows/test.py "$place" "$PALESTRA" target/tools/nats/bin/nats-server
    ;;
*)
    echo "usage: scripts/windows.sh build|test" >&2
    exit 2
    ;;
esac
