#!/usr/bin/env bash
# Fuzzes what strangers send: every target of fuzz/ in turn, or those that are named, for so many seconds each.
# Installs cargo-fuzz if it is missing. Says what it found and where; ends with an error if it found something.
#
#   scripts/fuzz.sh [--keep] [SECONDS [TARGET...]]
#
# --keep adds what was found to be of use to fuzz/corpus, minimised.
set -euo pipefail
cd "$(dirname "$0")/.."

# Kept in one place; `make fuzz` uses exactly this version.
cargo_fuzz_version=0.13.2
# Bytes of an input: what is found in longer ones is found in these too.
max_len=20000
# Bytes of one that is kept.
kept_len=4096
# Megabytes that a target may take altogether, and seconds that one input may.
memory=1024
timeout=20

keep=false
if [ "${1:-}" = "--keep" ]; then
    keep=true
    shift
fi
seconds=${1:-10}
[ $# -gt 0 ] && shift
targets=("$@")
if [ ${#targets[@]} -eq 0 ]; then
    for file in fuzz/fuzz_targets/*.rs; do
        targets+=("$(basename "$file" .rs)")
    done
fi

scripts/setup.sh
if ! cargo fuzz --version 2>/dev/null | grep -qF "$cargo_fuzz_version"; then
    echo "installing cargo-fuzz $cargo_fuzz_version, which takes a minute once"
    CARGO_PROFILE_DEV_DEBUG=0 cargo install --quiet --locked --debug "cargo-fuzz@$cargo_fuzz_version"
fi

work=target/fuzz
cargo run --quiet --locked --package palestra-fuzz --example seeds "$work/seeds"
# Coverage needs flags that stable compilers keep back. There is no unsafe code of ours for a sanitizer to watch.
RUSTC_BOOTSTRAP=1 CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_DEBUG=line-tables-only \
    cargo fuzz build --fuzz-dir fuzz --features libfuzzer --sanitizer none --codegen-units 16 --target-dir "$work/build"

found=0
for target in "${targets[@]}"; do
    mkdir -p "$work/corpus/$target" "$work/seeds/$target" "$work/found/$target" "fuzz/corpus/$target"
    program=$(ls "$work"/build/*/release/"$target")
    log=$work/$target.log
    if "$program" "$work/corpus/$target" "fuzz/corpus/$target" "$work/seeds/$target" \
        -max_total_time="$seconds" -max_len=$max_len -rss_limit_mb=$memory -timeout=$timeout \
        -artifact_prefix="$work/found/$target/" -print_final_stats=1 </dev/null >"$log" 2>&1; then
        runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
        echo "$target: nothing in $runs runs"
    else
        found=$((found + 1))
        echo "$target: FOUND $(sed -n 's/.*Test unit written to //p' "$log" | tail -n 1); what it says is in $log"
        echo "  again: $program FILE; for good: put it into fuzz/crashes/$target/ and mend what it shows"
    fi
    if $keep; then
        # Few and small: what reaches the same code as others is left out. Files with names of their own stay.
        rm -rf "$work/kept/$target"
        mkdir -p "$work/kept/$target"
        "$program" -set_cover_merge=1 -use_counters=0 -max_len=$kept_len "$work/kept/$target" \
            "fuzz/corpus/$target" "$work/seeds/$target" "$work/corpus/$target" </dev/null >>"$log" 2>&1
        find "fuzz/corpus/$target" -regextype posix-extended -regex '.*/[0-9a-f]{40}' -delete
        cp "$work/kept/$target"/* "fuzz/corpus/$target/"
    fi
done
[ $found -eq 0 ]
