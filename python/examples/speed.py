"""How fast the environments are here: random allowed actions, drawn and played from Python.

    python speed.py [SECONDS] [THREADS]
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import palestra
from palestra import Batch


def rate(seconds: float, round_of: Callable[[], int]) -> float:
    """How many a second: a part of the time to warm up, the rest to measure."""
    for _ in range(3):
        round_of()
    start, done = time.perf_counter(), 0
    while time.perf_counter() - start < seconds:
        done += round_of()
    return done / (time.perf_counter() - start)


def moved(batch: Batch, rounds: int) -> Callable[[], int]:
    """Some steps of a batch, and how many they were."""
    batch.reset()

    def play() -> int:
        for _ in range(rounds):
            batch.step(batch.sample())
        return rounds * batch.envs

    return play


def idle(rounds: int) -> Callable[[], int]:
    """The same calls on a single tiny game, for what Python itself takes of them."""
    return moved(Batch("generals", maps=["1 2 2\n3 3\n"], settings={"max_turns": 1_000_000}), rounds)


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 2.0
    threads = int(sys.argv[2]) if len(sys.argv) > 2 else 2
    print(f"{'what':<58} {'steps a second':>15}")

    def row(what: str, measured: float) -> None:
        print(f"{what:<58} {measured:>15,.0f}", flush=True)

    for envs in (4, 1024, 4096):
        for kept in (True, False):
            batch = Batch("generals", envs, generate=(24, 24, 2), seed=7, per_seat=kept)
            rounds = max(1, 4096 // envs)
            done = rate(seconds, moved(batch, rounds))
            row(f"generals 24x24, {envs} environments, {'per seat' if kept else 'to move'}", done)
            if kept:
                calls = rate(seconds / 4, idle(rounds))
                print(f"{'  of it in Python, at most':<58} {done / envs / calls:>15.1%}")
    batch = Batch("generals", 4096, generate=(24, 24, 2), seed=7, per_seat=True, threads=threads)
    row(f"generals 24x24, 4096 environments, per seat, {threads} threads", rate(seconds, moved(batch, 1)))
    print(f"{'  bytes of arrays for each environment':<58} {batch.nbytes // batch.envs:>15,}")
    for game in palestra.games():
        batch = Batch(game, 1024, seed=7, per_seat=True)
        row(f"{game}, 1024 environments, per seat", rate(seconds, moved(batch, 4)))


if __name__ == "__main__":
    main()
