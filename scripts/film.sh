#!/usr/bin/env bash
# The moving picture of a match at the head of the README and of the documentation, recorded anew: docs/pictures/match.gif.
# Needs a browser of the Chromium family.
#
#   scripts/film.sh [PALESTRA]
set -euo pipefail
cd "$(dirname "$0")/.."

palestra=${1:-target/quick/palestra}
# Whoever reads the README waits for it.
most_bytes=1500000

replay=$(mktemp --suffix .replay)
trap 'rm -f "$replay"' EXIT
"$palestra" play generals strategist hunter strategist hunter --seed 12 --quiet --replay "$replay"
"$palestra" replay film "$replay" --width 560 --height 560 --delay 80 --out docs/pictures/match.gif
bytes=$(stat --format %s docs/pictures/match.gif)
if [ "$bytes" -gt "$most_bytes" ]; then
    echo "film: docs/pictures/match.gif has $bytes bytes, more than $most_bytes; take a shorter match" >&2
    exit 1
fi
