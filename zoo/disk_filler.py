"""Looks for folders outside the scratch space in which files can be made, and fills what it finds."""
import os

from attack import found, play_on

FUSE = 64 << 20
places = ["/", ".", "@home_folder@", "/dev/shm", "/dev/mqueue", "/run", "/var/tmp", "/var/crash", "/usr/local", "/etc"]
places += [os.path.dirname(os.path.abspath(__file__)), os.path.expanduser("~/.."), "/proc/self/cwd", "/sys/fs/cgroup"]
for place in places:
    name = os.path.join(place, "zoo-filler")
    if os.path.realpath(name).startswith("/tmp/zoo-filler"):
        continue
    try:
        with open(name, "wb") as file:
            for _ in range(FUSE >> 20):
                file.write(bytes(1 << 20))
        os.unlink(name)
        found(f"filled {place}", True)
    except OSError as error:
        found(f"filled {place}: {error.strerror}", False)
play_on()
