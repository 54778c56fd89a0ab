"""One match, between functions of Python and built-in players."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from palestra import _core
from palestra.batch import Observations
from palestra.catalog import game as find_game
from palestra.catalog import map_text, written
from palestra.replay import Replay, shaped
from palestra.space import Space


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


def play(
    game: str,
    players: Sequence[str | Policy],
    *,
    seed: int = 0,
    map: str | None = None,
    settings: Mapping[str, object] | None = None,
) -> Replay:
    """Plays one match to its end, without limits of time.

    Args:
        game: the id of a game.
        players: by seat, the name of a built-in player, or a function that is asked in each of its turns.
        seed: decides everything that is left to chance.
        map: the text of a map, or the name of one that ships with the game; without, one is made.
        settings: constants of the rules that differ from their defaults.
    """
    if map is not None and map in find_game(game).maps:
        map = map_text(game, map)
    built_in = [player if isinstance(player, str) else None for player in players]
    names = [player if isinstance(player, str) else getattr(player, "__name__", "policy") for player in players]
    match = _core.Match(game, written(settings), map, seed, built_in, names)
    space = Space.parse(match.space())
    while (asked := match.next()) is not None:
        seat, text = asked
        policy = players[seat]
        assert not isinstance(policy, str), "built-in players are not asked from here"
        answer = _answer(match, space, seat, text, policy)
        if not match.answer(seat, answer):
            raise ValueError(f"seat {seat} answered {answer!r}, which is not a whole answer")
    return Replay(match.finish())


def _answer(match: _core.Match, space: Space, seat: int, text: bytes, policy: Policy) -> bytes:
    said: list[int] = []
    while True:
        planes, counts, globals_, mask = match.observe(seat, said)
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
        answer = match.text(seat, said)
        if answer is not None:
            return answer


def _line(text: bytes) -> bytes:
    """A last word ends with its line."""
    return text if text.endswith(b"\n") else text + b"\n"
