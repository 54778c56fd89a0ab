"""Takes all the memory it can get, in Python."""
import os

from attack import found

os.read(0, 65536)
held = []
while len(held) < 768:
    held.append(bytearray(b"x") * (4 << 20))
found("gigabytes of memory", True)
