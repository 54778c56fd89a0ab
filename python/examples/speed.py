"""How fast the environments are here: random allowed actions, drawn and played from Python.

    python speed.py [--json]

Rates are steps per second of processor time, so that a machine that others share matters less; where threads are compared, they
are per second. Everything that is compared is measured in turns, and the median counts. With --json, a line for each row of the
table in docs/performance.md.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import json
import os
import statistics
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import palestra
from palestra import Batch

GAMES = Path(__file__).resolve().parents[2] / "games"
"""Where each game says in its bench.toml what is measured of it."""
SECONDS = 0.5
"""How long something is measured for, each of several times."""
TIMES = 7
WARM_UP = 600
"""Steps until games are in their middle, and every map of the pool was drawn."""
LARGE = ("generals", 1024, (24, 24, 2))
"""The batch that the rows are about which are not of a game."""

Clock = Callable[[], float]


@dataclass
class Row:
    """What was measured, what it is held against, and what the ratio should be."""

    what: str
    ours: str
    against: str
    ratio: float
    goal: str


class Measured:
    """Something that moves in steps."""

    moves: int
    """Of players, in a step."""

    def take(self) -> None:
        """Takes a step."""
        raise NotImplementedError

    def rate(self, clock: Clock) -> float:
        """How many moves are made in a second."""
        start, taken, begun = time.perf_counter(), 0, clock()
        while time.perf_counter() - start < SECONDS:
            self.take()
            taken += 1
        return taken * self.moves / (clock() - begun)


class Steps(Measured):
    """Steps of some batches, one after the other."""

    def __init__(self, *batches: Batch) -> None:
        self.batches, self.moves = batches, sum(batch.envs for batch in batches)
        for batch in batches:
            batch.reset()
        for _ in range(WARM_UP):
            self.take()

    def take(self) -> None:
        """One of each batch."""
        for batch in self.batches:
            batch.step(batch.sample())


class GeneralsBots(Measured):
    """A game of generals-bots, played as its documents do."""

    moves = 2

    def __init__(self) -> None:
        # It greets on the standard output.
        os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"
        from generals import GridFactory
        from generals.agents import RandomAgent
        from generals.envs import PettingZooGenerals

        board = GridFactory(mode="uniform", min_grid_dims=LARGE[2][:2], max_grid_dims=LARGE[2][:2])
        self.players = {name: RandomAgent(name) for name in ("one", "two")}
        self.env = PettingZooGenerals(agents=list(self.players), grid_factory=board)
        self.begin()
        for _ in range(WARM_UP):
            self.take()

    def begin(self) -> None:
        """Begins a game."""
        self.seen, _ = self.env.reset()

    def take(self) -> None:
        """A move of both players."""
        self.seen, _, terminated, truncated, _ = self.env.step(
            {name: player.act(self.seen[name]) for name, player in self.players.items()}
        )
        if terminated or truncated:
            self.begin()


def rates(every: Sequence[Measured], clock: Clock = time.process_time) -> list[list[float]]:
    """Rates of each, measured in turns."""
    return [list(row) for row in zip(*([steps.rate(clock) for steps in every] for _ in range(TIMES)), strict=True)]


def ratio(ours: list[float], theirs: list[float]) -> float:
    """That of what was measured at the same time."""
    return statistics.median(a / b for a, b in zip(ours, theirs, strict=True))


def many(rate: float) -> str:
    """A rate to be read."""
    return f"{rate / 1e3:.1f} thousand/s" if rate < 1e6 else f"{rate / 1e6:.2f} million/s"


def rows_of_games() -> Iterator[Row]:
    """What the games ask to be measured."""
    for game in palestra.games().values():
        asked: list[dict[str, Any]] = tomllib.loads((GAMES / game.id / "bench.toml").read_text()).get("batch", [])
        measured = rates([Steps(asked_for(game.id, row)) for row in asked])
        for row, found in zip(asked, measured, strict=True):
            ours, against = statistics.median(found), row.get("against")
            theirs = measured[against["row"]] if against else [float(row["yardstick"])] * TIMES
            called = against["called"] if against else many(row["yardstick"])
            yield Row(f"{game.title}, {row['what']}", many(ours), called, ratio(found, theirs), row.get("goal", "1 or more"))


def asked_for(game: str, row: dict[str, Any]) -> Batch:
    """The batch of a row."""
    return Batch(game, row["envs"], generate=row["map"], seed=7, per_seat=row.get("per_seat", False))


def large(**options: Any) -> Batch:
    """The large batch."""
    game, envs, numbers = LARGE
    return Batch(game, envs, generate=numbers, seed=7, per_seat=True, **options)


def rows_of_python() -> Iterator[Row]:
    """What is not of a game: what Python, threads, a beginning and small batches take."""
    name = "1024 environments of Generals, 24x24"
    # The same calls for a single tiny game are hardly anything but Python.
    tiny = Batch("generals", maps=["1 2 2\n3 3\n"], settings={"max_turns": 1_000_000})
    whole, calls = rates([Steps(large()), Steps(tiny)])
    took = statistics.median(1e6 / rate for rate in calls)
    share = ratio([rate / LARGE[1] for rate in whole], calls)
    yield Row(f"{name}: what Python takes of a step, at most", f"{took:.1f} us", "the whole step", share, "0.1 or less")
    two, one = rates([Steps(large(threads=2)), Steps(large())], time.perf_counter)
    yield Row(
        f"{name}, two threads", many(statistics.median(two)), "one thread", ratio(two, one), "1.8 or more"
    )
    few = [Batch("generals", 4, generate=LARGE[2], seed=7, per_seat=True)]
    loop = [Batch("generals", 1, generate=LARGE[2], seed=seed, per_seat=True) for seed in range(4)]
    together, alone = rates([Steps(*few), Steps(*loop)])
    yield Row(
        "4 environments of Generals at once",
        many(statistics.median(together)),
        "a loop over 4 of 1",
        ratio(together, alone),
        "1 or more",
    )
    arrays = large().nbytes / LARGE[1]
    grown = (first_step(5 * LARGE[1])[1] - first_step(LARGE[1])[1]) / (4 * LARGE[1])
    yield Row(
        f"{name}: memory of each", f"{grown / 1e3:.1f} KB", f"its arrays, {arrays / 1e3:.1f} KB", grown / arrays, "-"
    )
    took = statistics.median(first_step(1)[0] for _ in range(TIMES))
    name = "from the start of Python to the first step of Generals: processor time"
    yield Row(name, f"{took:.2f} s", "0.5 s", took / 0.5, "1 or less")


def rows_of_others() -> Iterator[Row]:
    """The same game elsewhere, where that is installed."""
    if importlib.util.find_spec("generals") is None:
        return
    theirs = GeneralsBots()
    called = f"generals-bots {importlib.metadata.version('generals-bots')}"
    for what, batch in (("1024 environments", large()), ("one environment", Batch("generals", 1, generate=LARGE[2], per_seat=True))):
        ours, other = rates([Steps(batch), theirs])
        against = f"{called}, {many(statistics.median(other))}"
        yield Row(
            f"Generals, 24x24, {what}, kept", many(statistics.median(ours)), against, ratio(ours, other), "1 or more"
        )


ONE_STEP = """
import palestra
import time
batch = palestra.Batch("generals", {envs}, generate=(24, 24, 2), seed=7, per_seat=True)
batch.reset()
batch.step(batch.sample())
print(time.process_time())
print(next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")))
"""


def first_step(envs: int) -> tuple[float, float]:
    """The processor time of a process that steps so many environments once, and the most bytes of memory that it has."""
    script = [sys.executable, "-c", ONE_STEP.format(envs=envs)]
    told = subprocess.run(script, check=True, capture_output=True, text=True).stdout.split()
    return float(told[0]), int(told[1]) * 1024


def main() -> None:
    for rows in (rows_of_games(), rows_of_others(), rows_of_python()):
        for row in rows:
            if "--json" in sys.argv:
                print(json.dumps(vars(row)), flush=True)
            else:
                print(f"{row.what:<90} {row.ours:>18}   {row.ratio:.2f} of {row.against} ({row.goal})", flush=True)


if __name__ == "__main__":
    main()
