"""Which games there are, and their maps."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from palestra import _core


@dataclass(frozen=True)
class Game:
    """What there is to know of a game."""

    id: str
    title: str
    summary: str
    rules_version: int
    min_seats: int
    max_seats: int
    map_arguments: tuple[str, ...]
    """The numbers that a map is made from: ``generate=`` takes them in this order."""
    maps: tuple[str, ...]
    """Maps that ship with the game, by name."""
    built_ins: dict[str, str]
    """Built-in players: what they are called, and how they play."""
    settings: tuple[dict[str, Any], ...]
    """Every constant of the rules: key, doc, default and range."""


@cache
def games() -> dict[str, Game]:
    """Every game, by its id."""
    listed: list[dict[str, Any]] = json.loads(_core.games())
    return {
        about["id"]: Game(
            **{
                **about,
                "map_arguments": tuple(about["map_arguments"]),
                "maps": tuple(about["maps"]),
                "built_ins": dict(about["built_ins"]),
                "settings": tuple(about["settings"]),
            }
        )
        for about in listed
    }


def game(name: str) -> Game:
    """The game with this id."""
    known = games()
    if name not in known:
        raise ValueError(f'there is no game "{name}"; there are {", ".join(known)}')
    return known[name]


def map_text(game: str, name: str) -> str:
    """The text of a map that ships with a game."""
    return _core.map_text(game, name)


def generate_map(game: str, *numbers: int, seed: int = 0, settings: Mapping[str, object] | None = None) -> str:
    """Makes a map, from the numbers that ``games()[game].map_arguments`` names."""
    return _core.generate_map(game, written(settings), list(numbers), seed)


def written(settings: Mapping[str, object] | None) -> list[tuple[str, str]]:
    """Settings as the command line takes them."""
    return [(key, value if isinstance(value, str) else json.dumps(value)) for key, value in (settings or {}).items()]


def map_argument(name: str, map: str | None) -> str | None:
    """The text of a map that was given as such, or as the name of one that ships with the game."""
    return map_text(name, map) if map is not None and map in game(name).maps else map


def maps_argument(
    game: str, generate: Sequence[int] | None, maps: Sequence[str] | None
) -> list[int] | list[str] | None:
    """Where episodes begin: numbers to make maps from, or texts of maps; a map may be named that ships with the game."""
    if generate is not None and maps is not None:
        raise ValueError("generate and maps were both given; maps are either made or drawn from a list")
    if generate is not None:
        return [int(number) for number in generate]
    if maps is None:
        return None
    if not maps:
        raise ValueError("the list of maps is empty; name one")
    return [map_argument(game, text) or text for text in maps]


def learner_and_opponents(
    game_id: str, players: int, opponents: Sequence[str | None] | str | None
) -> list[str | None]:
    """One learner on the first seat, unless said otherwise, and built-in players on all others."""
    if opponents is None:
        names = list(game(game_id).built_ins)
        opponents = "random" if "random" in names else names[0]
    if isinstance(opponents, str):
        return [None] + [opponents] * (players - 1)
    seats = list(opponents)
    if seats.count(None) != 1:
        raise ValueError(f"{seats.count(None)} seats learn, and an environment of one agent has one learner")
    return seats
