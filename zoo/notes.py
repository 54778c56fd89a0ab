"""Leaves a note wherever it can and looks for notes of others; the other seat is taken by another one of these."""
import os
import uuid

from attack import found

own = uuid.uuid4().hex
places = ["/tmp", "/var/tmp", "/dev/shm", "/dev/mqueue", "/run", ".", os.path.expanduser("~")]
while os.read(0, 65536):
    for place in places:
        try:
            with open(f"{place}/zoo-note-{own}", "w") as file:
                file.write(own)
            for name in os.listdir(place):
                if name.startswith("zoo-note-") and own not in name:
                    found(f"the other's note in {place}", True)
        except OSError as error:
            found(f"a note in {place}: {error.strerror}", False)
    os.write(1, b"0\n")
found("has looked for notes", False)
