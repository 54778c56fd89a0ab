"""Computes in processes and threads while it is not its turn."""
import os
import signal
import threading

from attack import play_on


def compute():
    while True:
        sum(range(1000))


if os.fork() == 0:
    signal.alarm(60)
    compute()
threading.Thread(target=compute, daemon=True).start()
play_on()
os._exit(0)
