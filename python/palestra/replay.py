"""Recorded matches: of this package, of the command line, and of an arena."""

from __future__ import annotations

import json
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from os import PathLike
from pathlib import Path
from typing import Any, TypeVar, overload

import numpy as np

from palestra import _core
from palestra.batch import Observations
from palestra.show import filled, framed
from palestra.space import Space

SHOWN_TURNS = 5000
"""Of a match that is shown in a notebook: it is a part of the notebook's file."""


@dataclass(frozen=True)
class Placing:
    """What became of one player."""

    place: int
    """1 is the best; players that tie share a place."""
    score: float
    fate: str
    """Alive, out or disqualified."""
    reason: str


@dataclass(frozen=True)
class Fault:
    """A turn in which a player failed: it gave no answer, or none that can be read."""

    turn: int
    """Counted from 1 over all seats."""
    kind: str
    what: str
    """In one sentence."""


@dataclass(frozen=True)
class RecordedTurn:
    """A turn of a recorded match, as the one who moved saw it."""

    number: int
    """Counted from 1 over all seats."""
    seat: int
    """Counted from 0."""
    observation: Observations
    mask: np.ndarray[Any, np.dtype[np.bool_]]
    answer: bytes | None
    """As text; ``None`` if there was none."""
    actions: tuple[int, ...] | None
    """The actions that say the same, in games with several to a turn; ``None`` if there are none."""


@dataclass(frozen=True)
class SeatTurns:
    """What a seat saw and did in many turns: arrays whose first axis is the turns."""

    turns: np.ndarray[Any, np.dtype[np.int64]]
    """Their numbers, counted from 1 over all seats."""
    observations: Observations
    mask: np.ndarray[Any, np.dtype[np.bool_]]
    actions: list[tuple[int, ...] | None]
    """What the seat has answered; ``None`` where it was not its turn, gave no answer, or one that no actions say."""


class Replay:
    """A recorded match.

    Attributes:
        game: the id of its game.
        bots: what the players were called, by seat.
        turns: how many turns were taken.
        winner: the seat of the one winner, counted from 0, if there is one.
        placings: what became of everybody, by seat.
        faults: what went wrong, in order.
        stderr: what programs wrote to their standard error, by seat.
        space: what observations and actions are.
    """

    def __init__(self, core: _core.Replay) -> None:
        self._core = core
        head: dict[str, Any] = json.loads(core.head())
        self.game: str = head["game"]
        self.rules_version: int = head["rules_version"]
        self.made_by: str = head["made_by"]
        self.seed: int = head["seed"]
        self.seats: int = head["seats"]
        self.settings: dict[str, Any] = head["settings"]
        self.map: str = head["map"]
        self.bots: tuple[str, ...] = tuple(head["bots"])
        self.turns: int = head["turns"]
        self.winner: int | None = head["winner"]
        self.placings = tuple(Placing(**placing) for placing in head["placings"])
        self.time: str = head["time"]
        self.faults = tuple(Fault(**fault) for fault in head["faults"])
        self.stderr: tuple[str, ...] = tuple(head["stderr"])
        self.space = Space.parse(core.space())

    @staticmethod
    def open(path: str | PathLike[str]) -> Replay:
        """Reads a file."""
        return Replay.from_bytes(Path(path).read_bytes())

    @staticmethod
    def from_bytes(file: bytes) -> Replay:
        """Out of the bytes of a file."""
        return Replay(_core.Replay.from_bytes(file))

    def to_bytes(self) -> bytes:
        """The bytes of its file."""
        return self._core.to_bytes()

    def exactly(self) -> Replay:
        """The same match in the actions of ``Batch(exact=True)``, which say every answer that the rules allow."""
        return Replay(self._core.exactly())

    def save(self, path: str | PathLike[str]) -> None:
        """Writes a file that `palestra view` and everything else takes."""
        Path(path).write_bytes(self.to_bytes())

    def verify(self) -> int:
        """Plays it again, and raises a ValueError if it ends otherwise; says how many turns that were."""
        return self._core.verify()

    def frames(self, seat: int | None = None) -> Iterator[dict[str, Any]]:
        """What is drawn of every moment, from the beginning on: for a spectator, or through the eyes of a seat."""
        cursor = self._core.cursor()
        while True:
            frame: dict[str, Any] = json.loads(cursor.frame(seat))
            yield frame
            if not cursor.advance():
                return

    def recorded_turns(self, seat: int | None = None) -> Iterator[RecordedTurn]:
        """Every turn, or those of one seat, with what was seen, what was allowed and what was answered."""
        cursor = self._core.cursor()
        while (turn := cursor.peek()) is not None:
            mover, answer, actions = turn
            if seat is None or seat == mover:
                planes, counts, globals_, mask = cursor.observe(mover)
                yield RecordedTurn(
                    cursor.turn() + 1,
                    mover,
                    shaped(self.space, planes, counts, globals_),
                    mask.view(np.bool_),
                    answer,
                    None if actions is None else tuple(actions),
                )
            cursor.advance()

    def seen_by(self, seat: int, own_turns: bool = True) -> SeatTurns:
        """Everything that a seat saw, in one array for each part: before each of its own turns, or before every turn."""
        (planes, counts, globals_, mask), turns, actions = self._core.observations(seat, own_turns)
        number = len(turns)
        rows: dict[str, Any] = {"planes": planes, "counts": counts, "globals": globals_}
        return SeatTurns(
            np.array(turns, np.int64),
            {part: rows[part].reshape(number, *shape) for part, shape in self.space.shapes().items()},
            mask.view(np.bool_).reshape(number, self.space.actions),
            [None if said is None else tuple(said) for said in actions],
        )

    def page(self, seat: int | None = None) -> str:
        """A page that shows the match, to be looked at without a network: for a spectator, or through the eyes of a seat."""
        return filled(_core.REPLAY_PAGE, self._core.recording(seat))

    def _repr_html_(self) -> str | None:
        """What a notebook shows."""
        if not _core.REPLAY_PAGE or self.turns > SHOWN_TURNS:
            return None
        return framed(self.page(), 480)

    def __repr__(self) -> str:
        return f"Replay({self.game!r}, {' against '.join(self.bots)}, {self.turns} turns)"


def shaped(space: Space, planes: Any, counts: Any, globals_: Any) -> Observations:
    """The parts of an observation in their shapes."""
    rows = {"planes": planes, "counts": counts, "globals": globals_}
    return {part: rows[part].reshape(shape) for part, shape in space.shapes().items()}


Each = TypeVar("Each")


@overload
def read_all(
    paths: Iterable[str | PathLike[str]],
    threads: int = ...,
    verify: bool = ...,
    *,
    each: None = ...,
    damaged: Callable[[Path, Exception], object] | None = ...,
) -> Iterator[Replay]: ...


@overload
def read_all(
    paths: Iterable[str | PathLike[str]],
    threads: int = ...,
    verify: bool = ...,
    *,
    each: Callable[[Replay], Each],
    damaged: Callable[[Path, Exception], object] | None = ...,
) -> Iterator[Each]: ...


def read_all(
    paths: Iterable[str | PathLike[str]],
    threads: int = 2,
    verify: bool = False,
    *,
    each: Callable[[Replay], Any] | None = None,
    damaged: Callable[[Path, Exception], object] | None = None,
) -> Iterator[Any]:
    """Reads many files, a few of them ahead on other threads, in the order they are named.

    Args:
        paths: files, or folders whose files ``*.replay`` are meant.
        threads: how many files are read at the same time.
        verify: whether each is played again and compared.
        each: what to make of each replay, on those threads: ``lambda replay: replay.seen_by(0)``.
        damaged: is told of a file that cannot be read or does not hold, which is left out. Without, a warning tells it.
    """

    def read(path: Path) -> tuple[Path, Any, Exception | None]:
        try:
            replay = Replay.open(path)
            if verify:
                replay.verify()
        except (OSError, ValueError) as error:
            return path, None, error
        return path, each(replay) if each else replay, None

    def files() -> Iterator[Path]:
        for path in map(Path, paths):
            yield from sorted(path.rglob("*.replay")) if path.is_dir() else [path]

    with ThreadPoolExecutor(threads) as pool:
        left = files()
        ahead = deque(pool.submit(read, path) for path in islice(left, AHEAD * threads))
        while ahead:
            path, made, error = ahead.popleft().result()
            ahead.extend(pool.submit(read, path) for path in islice(left, 1))
            if error is None:
                yield made
            elif damaged:
                damaged(path, error)
            else:
                warnings.warn(f"{path} is left out: {error}", stacklevel=2)


AHEAD = 4
"""Files that are read ahead for each thread: what they hold is in memory."""
