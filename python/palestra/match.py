"""One match, between functions of Python, built-in players and programs."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

import numpy as np

from palestra import _core
from palestra.batch import Observations
from palestra.catalog import map_argument, written
from palestra.replay import Replay, shaped
from palestra.space import Space

Sandbox = Literal["auto", "off", "strict"]


@dataclass(frozen=True)
class Turn:
    """What a policy is asked with."""

    seat: int
    """Whose turn it is, counted from 0."""
    observation: Observations
    mask: np.ndarray[Any, np.dtype[np.bool_]]
    """Which actions are allowed and do something."""
    space: Space
    text: bytes
    """What a program would be sent."""
    said: tuple[int, ...]
    """The actions of this turn so far, in games with several to a turn."""


Policy = Callable[[Turn], int | bytes | str]
"""A player: gives the number of an action, or a whole answer as text."""

Player = str | os.PathLike[str] | Policy
"""A built-in player by its name; a program, a source file, a folder with either called main, or a command line; or a policy."""


def play(
    game: str,
    players: Sequence[Player],
    *,
    seed: int = 0,
    map: str | None = None,
    settings: Mapping[str, object] | None = None,
    time: str | None = None,
    sandbox: Sandbox = "auto",
    memory: int | None = None,
    processes: int | None = None,
) -> Replay:
    """Plays one match to its end, as ``palestra play`` does.

    Args:
        game: the id of a game.
        players: by seat, a built-in player, a program, or a function that is asked in each of its turns.
        seed: decides everything that is left to chance.
        map: the text of a map, or the name of one that ships with the game; without, one is made.
        settings: constants of the rules that differ from their defaults.
        time: the time control: ``"2s+1ms"`` (bank and increment), ``"250ms/answer"`` or ``"none"``. The game's own unless
            given, or none where no program plays. The time of functions is not measured.
        sandbox: how programs are kept from doing harm; see SECURITY.md.
        memory: the most bytes of memory of a program, all its processes together.
        processes: the most processes and threads of a program.
    """
    core = _core.play(
        game, written(settings), map_argument(game, map), seed, entered(players), time, (sandbox, memory, processes)
    )
    return Replay(core)


def entered(players: Sequence[Player]) -> list[tuple[str, str | Asks]]:
    """What everybody is called, and what it is."""
    return [(player_name(player), _player(player)) for player in players]


def player_name(player: Player) -> str:
    """What a player is called unless somebody says otherwise."""
    if isinstance(player, (str, os.PathLike)):
        return os.fspath(player)
    return str(getattr(player, "__name__", "policy"))


Asks = Callable[[_core.Asked, int, bytes], bytes]


def _player(player: Player) -> str | Asks:
    if isinstance(player, (str, os.PathLike)):
        return os.fspath(player)
    return lambda asked, seat, text: answer(asked, seat, text, player)


def answer(asked: _core.Asked | _core.Reader, seat: int, text: bytes, policy: Policy) -> bytes:
    """What a policy answers in a turn, as text."""
    space = parsed_space(asked.space())
    said: list[int] = []
    while True:
        planes, counts, globals_, mask = asked.observe(said)
        seen = shaped(space, planes, counts, globals_)
        chosen = policy(Turn(seat, seen, mask.view(np.bool_), space, text, tuple(said)))
        if isinstance(chosen, str):
            return _line(chosen.encode())
        if isinstance(chosen, bytes):
            return _line(chosen)
        action = int(chosen)
        if not 0 <= action < space.actions:
            raise IndexError(f"seat {seat} chose the action {action}, and there are {space.actions}, counted from 0")
        said.append(action)
        whole = asked.text(said)
        if whole is not None:
            return whole


parsed_space = lru_cache(maxsize=64)(Space.parse)
"""Every turn has one, and all turns on a board have the same."""


def _line(text: bytes) -> bytes:
    """A last word ends with its line."""
    return text if text.endswith(b"\n") else text + b"\n"
