#!/usr/bin/env bash
# Makes sure that everything needed to build (and, with --test, to test) is here.
# Installs Debian packages when it may; otherwise says in a sentence what to install.
set -euo pipefail

# Kept in one place; `make test` uses exactly this version.
cargo_deny_version=0.20.2

missing=()
need() { # command, Debian package
    command -v "$1" >/dev/null 2>&1 || missing+=("$2")
}
need cc gcc
need g++ g++
need python3 python3

if [ ${#missing[@]} -gt 0 ]; then
    as_root=""
    [ "$(id -u)" -eq 0 ] || as_root="sudo -n"
    if command -v apt-get >/dev/null 2>&1 && $as_root true 2>/dev/null; then
        echo "installing ${missing[*]}"
        $as_root apt-get update -qq
        DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends "${missing[@]}" libc6-dev
    else
        echo "setup: please install ${missing[*]} with your system's package manager, then try again" >&2
        exit 1
    fi
fi

if ! command -v cargo >/dev/null 2>&1; then
    echo "setup: please install Rust 1.95 or newer (rustup is the usual way), then try again" >&2
    exit 1
fi
have=$(rustc --version | sed -E 's/^rustc ([0-9]+)\.([0-9]+).*/\1 \2/')
read -r major minor <<<"$have"
if [ "$major" -eq 1 ] && [ "$minor" -lt 95 ]; then
    echo "setup: Rust 1.95 or newer is needed and this is $(rustc --version); please update it, then try again" >&2
    exit 1
fi

if [ "${1:-}" = "--test" ]; then
    for component in fmt clippy; do
        cargo "$component" --version >/dev/null 2>&1 || {
            echo "setup: please install the Rust component $component, then try again" >&2
            exit 1
        }
    done
    if ! cargo deny --version 2>/dev/null | grep -qF "$cargo_deny_version"; then
        echo "installing cargo-deny $cargo_deny_version, which takes a few minutes once"
        cargo install --quiet --locked "cargo-deny@$cargo_deny_version"
    fi
fi
