"""Answers every packet with nothing."""
import sys

for line in sys.stdin:
    if line.startswith("finished"):
        break
    if line.strip() == ".":
        print(".", flush=True)
