#!/usr/bin/env bash
# The Python package.
#   python.sh wheel [PROFILE]   builds one wheel into target/wheels
#   python.sh test              builds it into fresh virtual environments and runs everything that looks at it
#   python.sh bench             builds it into an environment of its own, for python/examples/speed.py
#   python.sh train [GAME]      builds it, and trains the bot in games/GAME/kits/python-rl again, that of Generals unless said otherwise
set -euo pipefail
cd "$(dirname "$0")/.."

# Nothing is left behind beside the sources.
export PYTHONDONTWRITEBYTECODE=1

# Kept in one place.
maturin="maturin>=1.16,<1.17"
adapters=("gymnasium>=1.4,<1.5" "pettingzoo>=1.27,<1.28")
test_tools=("pytest>=9,<10" "mypy>=2,<3")

tools=target/python/tools
environment() { # folder, then what to install into a fresh one
    local folder=$1
    shift
    rm -rf "$folder"
    python3 -m venv "$folder"
    "$folder/bin/pip" install --quiet --disable-pip-version-check "$@"
}

wheel() {
    [ -x $tools/bin/maturin ] || environment $tools "$maturin"
    rm -f target/wheels/palestra-*.whl
    $tools/bin/maturin build --quiet --locked --manifest-path python/Cargo.toml --profile "$1" --out target/wheels
}

case ${1:-} in
wheel)
    wheel "${2:-release}"
    ls target/wheels/palestra-*.whl
    ;;
test)
    wheel dev
    environment target/python/test target/wheels/palestra-*.whl "${adapters[@]}" "${test_tools[@]}"
    target/python/test/bin/python -m pytest --quiet -p no:cacheprovider --basetemp target/python/tmp python/tests
    (cd python && ../target/python/test/bin/mypy --cache-dir ../target/python/mypy palestra examples)
    # Each by itself: their files have the same names.
    for kit in games/*/kits/python-rl; do
        target/python/test/bin/mypy --config-file python/pyproject.toml --cache-dir target/python/mypy "$kit"
    done
    # The oldest NumPy that is promised, where this Python has it.
    if environment target/python/oldest target/wheels/palestra-*.whl "numpy==1.26.*" pytest 2>/dev/null; then
        target/python/oldest/bin/python -m pytest --quiet -p no:cacheprovider --basetemp target/python/tmp python/tests/test_batch.py
    else
        echo "python: no NumPy 1.26 for $(python3 --version); not tried"
    fi
    ;;
bench)
    wheel release
    environment target/python/bench target/wheels/palestra-*.whl
    # The same game by others, to be measured in the same run.
    target/python/bench/bin/pip install --quiet --disable-pip-version-check "generals-bots==2.5.*" ||
        echo "python: generals-bots cannot be installed here; not measured"
    ;;
train)
    wheel release
    environment target/python/train target/wheels/palestra-*.whl
    kit=games/${2:-generals}/kits/python-rl
    target/python/train/bin/python "$kit/train.py" --out target/train
    cp target/train/weights.json "$kit/"
    # The curve of the documents.
    if [ "${2:-generals}" = generals ]; then cp target/train/curve.svg docs/pictures/ppo.svg; fi
    ;;
*)
    echo "usage: python.sh wheel [PROFILE] | test | bench | train [GAME]" >&2
    exit 2
    ;;
esac
