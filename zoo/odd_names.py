"""Leaves files with names that break scripts which clean up."""
import contextlib
import os

from attack import play_on

for name in [b"-rf", b"a\nb", b"\xff\xfe", b"$(touch x)", b"'; :", b" ", b"x" * 255]:
    with open(b"/tmp/" + name, "wb"):
        os.chmod(b"/tmp/" + name, 0)
for make in [lambda: os.symlink("/", "/tmp/root"), lambda: os.mkfifo("/tmp/fifo"), lambda: os.mkdir("/tmp/locked", 0)]:
    with contextlib.suppress(OSError):
        make()
play_on()
