"""Produces rocks and never moves one: what the first step asks for, and no other."""
import sys

for line in sys.stdin:
    if line.startswith("finished"):
        break
    if line.strip() == ".":
        print("prod R\n.", flush=True)
