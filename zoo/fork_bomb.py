"""Forks in every process until it is refused."""
import mmap
import os
import time

from attack import found

FUSE = 3000
count = mmap.mmap(-1, 8)
os.read(0, 65536)
while int.from_bytes(count[:8], "little") < FUSE:
    try:
        if os.fork() == 0:
            count[:8] = (int.from_bytes(count[:8], "little") + 1).to_bytes(8, "little")
    except OSError as error:
        found(f"one more process: {error.strerror}", False)
        time.sleep(1000)
found("thousands of processes", True)
