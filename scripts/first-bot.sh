#!/usr/bin/env bash
# A newcomer with nothing but palestra: for every game, in every language whose compiler is here, new, play, check,
# and submit to an arena with the strict sandbox. As root all of it is done by an account made for this run,
# without a home and a cache; otherwise with an empty home. On a busy machine TIME=100s/answer keeps check from complaining.
#
#   scripts/first-bot.sh [PALESTRA [LANGUAGE...]]      e.g. scripts/first-bot.sh target/debug/palestra go kotlin
set -euo pipefail

palestra=$(realpath "${1:-target/debug/palestra}")
shift || true
place=$(mktemp -d)
account=palestra-newcomer
server=
clean() {
    [ -z "$server" ] || kill "$server" 2>/dev/null || true
    [ -z "$server" ] || wait "$server" 2>/dev/null || true
    if [ "$(id -u)" -eq 0 ]; then userdel "$account" 2>/dev/null || true; fi
    rm -rf "$place"
}
trap clean EXIT

mkdir "$place/home"
cp "$palestra" "$place/palestra"
as=()
if [ "$(id -u)" -eq 0 ]; then
    useradd --no-create-home --home-dir "$place/home" "$account"
    chown -R "$account" "$place"
    chmod 755 "$place"
    as=(setpriv --reuid "$account" --regid "$account" --clear-groups)
fi
# Nothing of whoever runs this: tools are those of the system.
newcomer() {
    (cd "$place/home" && "${as[@]}" env -i HOME="$place/home" PATH="$place:${TOOLS:-/usr/local/bin:/usr/bin:/bin}" \
        TMPDIR="$place/home" "$@")
}

games=$(newcomer palestra games --json | python3 -c 'import json, sys; print(*(game["id"] for game in json.load(sys.stdin)["games"]))')
{
    printf 'name = "First bots"\nsite = "127.0.0.1:18099"\ngateway = "127.0.0.1:18098"\nsandbox = "strict"\n'
    # Whoever has no control groups of its own is limited process by process.
    printf 'memory_by_process = true\n'
    for game in $games; do printf '[[game]]\nid = "%s"\n' "$game"; done
} | newcomer tee event.toml >/dev/null
newcomer palestra serve event.toml >"$place/serve.log" 2>&1 &
server=$!
for _ in $(seq 100); do
    python3 -c 'import socket; socket.create_connection(("127.0.0.1", 18099), 1)' 2>/dev/null && break
    sleep 0.1
done

all="python cpp c rust java kotlin csharp go javascript typescript pascal ruby php"
done_in=() not_done=() failed=()
for language in ${*:-$all}; do
    for game in $games; do
        folder=$game-$language
        if ! said=$(newcomer palestra new "$game" --language "$language" "$folder" 2>&1); then
            failed+=("$folder: $said")
            continue
        fi
        if grep -q 'is needed on this machine' <<<"$said"; then
            not_done+=("$language")
            break
        fi
        opponents=$(grep -oP "palestra play $game $folder \K.*(?= --watch)" <<<"$said")
        ok=1
        step() { # what it is called, then the command
            local name=$1
            shift
            if ! said=$(newcomer "$@" 2>&1); then
                failed+=("$folder, $name: $(tail -5 <<<"$said")")
                echo "failed: ${failed[-1]}"
                ok=0
            fi
        }
        # shellcheck disable=SC2086
        step play palestra play "$game" "$folder" $opponents --seed 1 --no-replay
        # shellcheck disable=SC2086
        step check palestra check "$game" "$folder" ${TIME:+--time $TIME}
        # An arena takes six files of a player in a minute: everybody has one.
        newcomer palestra event players add event.toml "$folder" >/dev/null 2>&1
        key=$(newcomer palestra event players key event.toml "$folder" 2>/dev/null)
        step submit palestra submit 127.0.0.1:18099 "$game" "$folder" --token "$key"
        if [ $ok -eq 1 ]; then echo "$folder: new, play, check, submit"; fi
    done
    [[ " ${not_done[*]-} " == *" $language "* ]] || done_in+=("$language")
done
echo "done in: ${done_in[*]-}"
echo "no compiler here for: ${not_done[*]-}"
if [ ${#failed[@]} -gt 0 ]; then
    exit 1
fi
