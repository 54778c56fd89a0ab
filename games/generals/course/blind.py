"""Moves once without having looked, and passes from then on: what the first step asks for, and no other."""
import sys

rows, columns, players, _ = map(int, sys.stdin.readline().split())
answer = "1 1 1 1 2"
while sys.stdin.readline().strip() == "1":
    for _ in range(players + rows * columns):
        sys.stdin.readline()
    print(answer, flush=True)
    answer = "-1"
