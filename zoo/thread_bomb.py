"""Starts threads until it is refused."""
import os
import threading

from attack import found, play_on

threading.stack_size(65536)
try:
    for _ in range(3000):
        threading.Thread(target=threading.Event().wait, daemon=True).start()
    found("thousands of threads", True)
except RuntimeError as error:
    found(f"one more thread: {error}", False)
play_on()
os._exit(0)
