"""Moves once without having looked, and does nothing from then on: what the first step asks for, and no other."""
import sys

height, width, _, _ = map(int, sys.stdin.readline().split())
answer = "MOVE 0 0 0 1 50"
while sys.stdin.readline().strip() == "0":
    for _ in range(height * width):
        sys.stdin.readline()
    print(answer, flush=True)
    answer = "EMPTY"
