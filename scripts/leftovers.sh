#!/bin/sh
# Runs a command with a folder of its own for temporary files. Fails if the command does, or if it leaves a file there or
# a process that was started with it.
set -u

folder=$(mktemp -d "${TMPDIR:-/tmp}/palestra-tests.XXXXXX") || exit 1
# Some tests run programs as a user without any rights.
chmod 755 "$folder"
TMPDIR=$folder "$@"
status=$?

# Every process is known by the folder in its environment, or by one in it.
left_behind() {
    for environment in $(grep -lszE "^TMPDIR=$folder(/|\$)" /proc/[0-9]*/environ); do
        process=${environment%/environ}
        echo "${process#/proc/} $(tr '\0' ' ' < "$process/cmdline")"
    done
}

# What was killed a moment ago may still be on its way out.
for _ in 1 2 3 4 5; do
    left=$(left_behind)
    [ -n "$left" ] || break
    sleep 1
done
if [ -n "$left" ]; then
    printf 'these processes were left behind:\n%s\n' "$left" >&2
    status=1
fi
rmdir "$folder" 2> /dev/null || {
    echo "these files were left behind:" >&2
    find "$folder" -mindepth 1 -maxdepth 2 >&2
    status=1
}
exit $status
