"""What the attackers in Python share: see attack.h."""
import os
import sys


def found(what, escaped):
    """Says whether an attack worked."""
    print("escaped" if escaped else "contained", what, sep=": ", file=sys.stderr, flush=True)


def tried(what, attempt):
    """Makes an attempt that raises an error if it fails, and says what came of it."""
    try:
        attempt()
    except OSError as error:
        found(f"{what}: {error.strerror}", False)
    else:
        found(what, True)


def read(path):
    """Tries to read a file."""
    tried(f"reads {path}", lambda: open(path, "rb").read(1))


def play_on():
    """Passes until the match is over."""
    while os.read(0, 65536):
        os.write(1, b"0\n")
