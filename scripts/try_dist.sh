#!/usr/bin/env bash
# A newcomer's machine with nothing on it: an empty root folder with the download and a shell, an ordinary user, no network.
# There: unpack, new, play, view, serve, each once. Tells how long it took from unpacking to the end of the first fight.
#
#   scripts/try_dist.sh [ARCHIVE...]      by default what `make dist` has made for Linux
#
# Needs busybox linked statically (Debian: busybox-static); for a program for another processor also qemu-user-static.
set -euo pipefail
cd "$(dirname "$0")/.."

archives=("$@")
[ ${#archives[@]} -gt 0 ] || archives=(target/dist/palestra-*-linux.tar.gz)

busybox=$(command -v busybox || true)
if [ -z "$busybox" ] || ldd "$busybox" >/dev/null 2>&1; then
    echo "try_dist: a statically linked busybox is needed; install busybox-static" >&2
    exit 1
fi

root=
clean() {
    [ -z "$root" ] || rm -rf "$root"
}
trap clean EXIT

# What the newcomer does. The shell and what it calls are busybox; a kit's own language is nowhere here, so built-in
# players fight.
newcomer='
set -eu
cd /home
PATH=/bin:/home
export PATH HOME=/home
tell() { echo "  $*"; }
trap '"'"'code=$?; [ $code -eq 0 ] || cat ./*.txt >&2; exit $code'"'"' EXIT
begun=$(date +%s)
tar xzf /download.tar.gz
folder=$(echo palestra-*)
palestra() { $EMULATOR "/home/$folder/palestra" "$@"; }
palestra --version
palestra new generals --language python mybot >new.txt
[ -s mybot/bot.py ] && [ -s mybot/RULES.md ]
tell "new: $(ls mybot | wc -l) files in mybot"
palestra play generals greedy random --seed 7 --map tiny >play.txt
grep "^winner: seat 1, greedy" play.txt >/dev/null
tell "play: $(tail -1 play.txt)"
tell "from unpacking to the first fight: $(($(date +%s) - begun)) s"

asked() { # address, port
    for _ in $(seq 600); do
        wget -q -O page.txt "http://127.0.0.1:$2$1" 2>/dev/null && return
        sleep 0.1
    done
    echo "nothing answers at $1" >&2
    exit 1
}
# Not through the function: what is ended must be the program, and a shell has Ctrl-C ignored by what it starts beside itself.
$EMULATOR "/home/$folder/palestra" view replays --port 7777 --no-open >view.txt 2>&1 &
viewer=$!
asked / 7777
grep "<title>Palestra" page.txt >/dev/null
asked /api/matches 7777
grep generals page.txt >/dev/null
kill -TERM "$viewer"
wait "$viewer" || true
tell "view: the page, and the replay of the fight"

cat >event.toml <<PLAN
name = "In an empty room"
site = "127.0.0.1:8080"
gateway = "127.0.0.1:4242"
[[game]]
id = "generals"
house = ["greedy", "random"]
# In a changed root folder there are no namespaces for the sandbox of what is handed in.
submissions = false
PLAN
$EMULATOR "/home/$folder/palestra" serve event.toml >serve.txt 2>&1 &
server=$!
asked /api/event 8080
grep "In an empty room" page.txt >/dev/null
asked / 8080
grep "<title>Palestra" page.txt >/dev/null
kill -TERM "$server"
wait "$server" || true
tell "serve: the site of an event"
'

for archive in "${archives[@]}"; do
    [ -f "$archive" ] || {
        echo "try_dist: there is no $archive; run make dist" >&2
        exit 1
    }
    clean
    root=$(mktemp -d)
    mkdir -p "$root/bin" "$root/home" "$root/proc" "$root/tmp" "$root/dev"
    touch "$root/dev/null"
    cp "$busybox" "$root/bin/busybox"
    for applet in sh cat date grep kill ls mount sed seq sleep tail tar gzip wc wget ip; do ln -s busybox "$root/bin/$applet"; done
    cp "$archive" "$root/download.tar.gz"
    printf '%s' "$newcomer" >"$root/newcomer.sh"
    emulator=
    case $archive in
    *-"$(uname -m)"-linux.tar.gz) ;;
    *)
        processor=$(sed -E 's/.*-([^-]+)-linux\.tar\.gz/\1/' <<<"$archive")
        emulator=/bin/qemu
        cp "$(command -v "qemu-$processor-static")" "$root/bin/qemu" || {
            echo "try_dist: $archive is for $processor; install qemu-user-static" >&2
            exit 1
        }
        ;;
    esac
    chmod 755 "$root"
    chmod 1777 "$root/home" "$root/tmp"
    echo "$archive${emulator:+ (emulated)}"
    # Root gives itself up inside; anybody else is root in a world of one user, which has no more rights than they have.
    if [ "$(id -u)" -eq 0 ]; then
        apart=(unshare --mount --net --pid --fork)
        user=(--userspec=65534:65534)
    else
        apart=(unshare --map-root-user --mount --net --pid --fork)
        user=()
    fi
    EMULATOR=$emulator "${apart[@]}" sh -c 'mount -t proc proc "$0/proc" && mount --bind /dev/null "$0/dev/null" && "$0/bin/busybox" ip link set lo up && exec "$@"' \
        "$root" chroot "${user[@]}" "$root" /bin/sh /newcomer.sh
done
