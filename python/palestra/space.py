"""What observations and actions are."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Channel:
    """One number of an observation."""

    name: str
    scale: int
    """Divided by this, it is mostly between -1 and 1."""


@dataclass(frozen=True)
class ActionKind:
    """Actions of one kind: a number for every combination of their factors, of which the last one changes fastest."""

    name: str
    start: int
    """The first number."""
    factors: tuple[tuple[str, int], ...]
    """What it is put together from: what a factor is called, and how many values it has."""

    @property
    def size(self) -> int:
        """How many actions are of this kind."""
        size = 1
        for _, values in self.factors:
            size *= values
        return size


@dataclass(frozen=True)
class Space:
    """What observations and actions of a game are, for the largest of its boards here."""

    rows: int
    columns: int
    players: int
    board: tuple[int, ...]
    """The shape of the board: rows and columns, or a list of places."""
    planes: tuple[Channel, ...]
    """Bytes of every place."""
    counts: tuple[Channel, ...]
    """Integers of every place."""
    globals: tuple[Channel, ...]
    """Integers of the whole."""
    actions: int
    """How many actions there are."""
    kinds: tuple[ActionKind, ...]
    """The kinds of actions, in the order of their numbers."""
    rest: int | None
    """The action that does nothing, if there is one."""
    several: bool
    """Whether a turn may be several actions; then the one that does nothing ends it."""

    @staticmethod
    def parse(text: str) -> Space:
        """Out of JSON."""
        data: dict[str, Any] = json.loads(text)

        def channels(part: str) -> tuple[Channel, ...]:
            return tuple(Channel(**channel) for channel in data[part])

        kinds = (
            ActionKind(kind["name"], kind["start"], tuple((name, size) for name, size in kind["factors"]))
            for kind in data["kinds"]
        )
        return Space(
            **data["extent"],
            board=tuple(data["board"]),
            planes=channels("planes"),
            counts=channels("counts"),
            globals=channels("globals"),
            actions=data["actions"],
            kinds=tuple(kinds),
            rest=data["rest"],
            several=data["several"],
        )

    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The parts of an observation that are there, and their shapes. Channels come last."""
        parts = {
            "planes": (*self.board, len(self.planes)),
            "counts": (*self.board, len(self.counts)),
            "globals": (len(self.globals),),
        }
        return {name: shape for name, shape in parts.items() if all(shape)}

    def scales(self, part: str) -> NDArray[np.float32]:
        """What to divide the channels of a part by to come to about -1 to 1."""
        channels: tuple[Channel, ...] = getattr(self, part)
        return np.array([channel.scale for channel in channels], np.float32)

    def factored(self, action: int) -> tuple[str, dict[str, int]]:
        """The kind of an action, and its factors by name."""
        if not 0 <= action < self.actions:
            raise IndexError(f"there is no action {action}; there are {self.actions}, counted from 0")
        kind = next(kind for kind in reversed(self.kinds) if kind.start <= action)
        rest, factors = action - kind.start, {}
        for name, size in reversed(kind.factors):
            rest, factors[name] = divmod(rest, size)
        return kind.name, {name: factors[name] for name, _ in kind.factors}

    def flat(self, kind: str, **factors: int) -> int:
        """The number of an action: `factored` the other way round."""
        found = next((known for known in self.kinds if known.name == kind), None)
        if found is None:
            raise ValueError(f"there is no kind of actions {kind}; there are {', '.join(k.name for k in self.kinds)}")
        if set(factors) != {name for name, _ in found.factors}:
            raise ValueError(f"a {kind} is made of {', '.join(name for name, _ in found.factors) or 'nothing'}")
        number = 0
        for name, size in found.factors:
            if not 0 <= factors[name] < size:
                raise IndexError(f"{name} is {factors[name]}, and must be from 0 to {size - 1}")
            number = number * size + factors[name]
        return found.start + number
