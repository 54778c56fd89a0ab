#!/usr/bin/env bash
# Checks the types of everything for Windows and macOS, where these targets are installed. Parts in C are not compiled: that
# takes each system's own headers, and no type depends on them. Nor does any depend on the processor of a Mac.
set -euo pipefail
cd "$(dirname "$0")/.."

installed=$(rustup target list --installed 2>/dev/null || true)
for target in x86_64-pc-windows-gnu aarch64-apple-darwin; do
    if ! grep -qx $target <<<"$installed"; then
        echo "types are not checked for $target, which is not installed: rustup target add $target"
        continue
    fi
    echo "checking types for $target"
    no_c=()
    # What a compiler is there for is made by it: whoever builds for that system has it already.
    if [ $target != x86_64-pc-windows-gnu ] || ! command -v x86_64-w64-mingw32-gcc >/dev/null; then
        name=${target//-/_}
        [ "$(uname)" = Darwin ] || no_c=("CC_$name=true" "CXX_$name=true" "AR_$name=true" SDKROOT=/)
    fi
    env "${no_c[@]}" cargo check --locked --quiet --target $target --package palestra
done
