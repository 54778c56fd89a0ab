"""Writes outside its scratch space: by parent folders, symbolic links, hard links, and links of /proc."""
import os

from attack import play_on, tried

home = "@home_folder@"


def write(path):
    with open(path, "w") as file:
        file.write("owned")


def through_link():
    os.symlink(home, "/tmp/link")
    write("/tmp/link/zoo-owned")


def through_hard_link():
    os.link("@home@", "/tmp/hard")
    write("/tmp/hard")


tried("writes at home", lambda: write(home + "/zoo-owned"))
tried("writes through ..", lambda: write("/tmp/../../../.." + home + "/zoo-owned"))
tried("writes through a symbolic link", through_link)
tried("writes through a hard link", through_hard_link)
tried("moves a secret", lambda: os.rename("@home@", "/tmp/moved"))
for way in ["/proc/self/root", "/proc/1/root", "/proc/1/cwd/../../../../..", "/proc/self/cwd/../../../../../../.."]:
    tried(f"writes through {way}", lambda: write(way + home + "/zoo-owned"))
play_on()
