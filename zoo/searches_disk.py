"""Searches the whole disk for files that are called like secrets of the tests."""
import os

from attack import found, play_on

count = 0
for folder, below, names in os.walk("/"):
    below[:] = [name for name in below if os.path.join(folder, name) not in ("/proc", "/sys", "/usr")]
    count += len(names)
    for name in names:
        if name.startswith("zoo-secret"):
            found(os.path.join(folder, name), True)
found(f"has looked at {count} names", False)
play_on()
