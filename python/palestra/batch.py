"""Many games side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from palestra import _core
from palestra.catalog import maps_argument, written
from palestra.space import Space

Observations = dict[str, NDArray[Any]]
"""The parts of an observation by name: ``planes`` (uint8), ``counts`` and ``globals`` (int32), those that a game has."""

Autoreset = Literal["next_step", "same_step", "disabled"]

_PARTS: dict[str, type[np.generic]] = {"planes": np.uint8, "counts": np.int32, "globals": np.int32}
_OTHERS: dict[str, type[np.generic]] = {
    "mask": np.bool_,
    "rewards": np.float32,
    "terminated": np.bool_,
    "truncated": np.bool_,
    "seat": np.int32,
    "alive": np.bool_,
}


class Batch:
    """Environments that are moved together.

    Everything is written in place, into the arrays of this object: read what you need before the next step, or copy it.

    Args:
        game: the id of a game; ``palestra.games()`` has them all.
        envs: how many games are played side by side.
        players: how many players each has.
        settings: constants of the rules that differ from their defaults.
        generate: numbers that maps are made from: ``(24, 24, 2)`` for Generals.
        maps: texts of maps, or names of maps that ship with the game; one is drawn for every episode. They may differ in
            size: the arrays have room for the largest.
        map_pool: how many maps are made; episodes draw from them. Another seed has other ones. ``None`` makes a new one for
            every episode: a fair map takes longer to make than hundreds of turns.
        seed: decides everything that is left to chance. The same seed gives the same stream for any number of threads.
        threads: how many threads move the environments.
        opponents: for each seat a built-in player, or ``None`` for who learns. Built-in players take their turns inside.
        per_seat: whether every seat has its own observation and mask, kept turn by turn: their arrays are envs x players x
            ..., and ``seat`` says which one to read. It is several times faster where several seats learn. Otherwise there
            is one for each environment, that of the seat to move.
        exact: whether actions can say everything that the rules allow. Where the usual ones leave amounts out, one of a single
            unit is begun, and powers of two are added to it, an action each.
        autoreset: what happens behind the end of an episode, as Gymnasium names it: ``"next_step"``, ``"same_step"`` or
            ``"disabled"``.
        max_steps: episodes that are longer are truncated.
        buffers: arrays to write to, by name, instead of new ones: NumPy arrays, or whatever shares its memory with them
            (tensors of PyTorch, pinned or not). `shapes` says which shape and type each has to have.

    Attributes:
        space: what observations and actions are.
        observations: the parts of the observations, by name.
        last: with ``autoreset="same_step"``, what was seen at the end of the episodes that are over: where ``terminated`` or
            ``truncated`` says so.
        mask: which actions are allowed and do something.
        rewards: envs x players. At the end of a game: the share of the others that a player was better than, less that of
            those who were better, so +1 and -1 between two. Otherwise 0.
        terminated: whether the game is over.
        truncated: whether the episode was cut off.
        seat: who is to move, counted from 0; behind the end, who moved last.
        alive: envs x players: who may still be asked.
    """

    def __init__(
        self,
        game: str,
        envs: int = 1,
        players: int = 2,
        *,
        settings: Mapping[str, object] | None = None,
        generate: Sequence[int] | None = None,
        maps: Sequence[str] | None = None,
        map_pool: int | None = 512,
        seed: int = 0,
        threads: int = 1,
        opponents: Sequence[str | None] | None = None,
        per_seat: bool = False,
        exact: bool = False,
        autoreset: Autoreset = "next_step",
        max_steps: int | None = None,
        buffers: Mapping[str, Any] | None = None,
    ) -> None:
        self.game = game
        self.envs = envs
        self.players = players
        self.per_seat = per_seat
        self.autoreset = autoreset
        self._core = _core.Batch(
            game,
            envs,
            players,
            written(settings),
            maps_argument(game, generate, maps),
            map_pool,
            seed,
            threads,
            list(opponents or []),
            per_seat,
            exact,
            autoreset,
            max_steps,
        )
        self.space = Space.parse(self._core.space())
        self.learners = tuple(seat for seat in range(players) if self._core.learns(seat))
        arrays = self._arrays(buffers or {})
        self.observations: Observations = {part: arrays[part] for part in self.space.shapes()}
        self.last: Observations = {part: arrays[f"last_{part}"] for part in self.observations if f"last_{part}" in arrays}
        self.mask: NDArray[np.bool_] = arrays["mask"]
        self.rewards: NDArray[np.float32] = arrays["rewards"]
        self.terminated: NDArray[np.bool_] = arrays["terminated"]
        self.truncated: NDArray[np.bool_] = arrays["truncated"]
        self.seat: NDArray[np.int32] = arrays["seat"]
        self.alive: NDArray[np.bool_] = arrays["alive"]
        self._actions = np.zeros(envs, np.int32)

    def shapes(self) -> dict[str, tuple[tuple[int, ...], np.dtype[Any]]]:
        """The shape and the type of every array, by name."""
        pages = (self.envs, self.players) if self.per_seat else (self.envs,)
        shapes = {part: (*pages, *shape) for part, shape in self.space.shapes().items()}
        shapes |= {
            "mask": (*pages, self.space.actions),
            "rewards": (self.envs, self.players),
            "terminated": (self.envs,),
            "truncated": (self.envs,),
            "seat": (self.envs,),
            "alive": (self.envs, self.players),
        }
        types = _PARTS | _OTHERS
        if self.autoreset == "same_step":
            shapes |= {f"last_{part}": shapes[part] for part in self.space.shapes()}
        return {name: (shape, np.dtype(types[name.removeprefix("last_")])) for name, shape in shapes.items()}

    @property
    def nbytes(self) -> int:
        """How many bytes all arrays have together."""
        return sum(int(np.prod(shape)) * dtype.itemsize for shape, dtype in self.shapes().values())

    def reset(self, seed: int | None = None) -> None:
        """Begins an episode in every environment, with another seed if one is given."""
        self._core.reset(seed)

    def step(self, actions: NDArray[np.integer[Any]]) -> None:
        """Takes a step in every environment: one action each.

        An action that its mask leaves out is played as the rules of the game have it: in some games it loses. One that there
        is not is an IndexError, and nothing is done.
        """
        self._core.step(np.ascontiguousarray(actions, np.int32))

    def sample(self, out: NDArray[np.int32] | None = None) -> NDArray[np.int32]:
        """Draws an action for every environment from those that its mask allows, each equally likely.

        Without ``out`` they are written to an array that is used again by the next call.
        """
        actions = self._actions if out is None else out
        self._core.sample(actions)
        return actions

    def _arrays(self, buffers: Mapping[str, Any]) -> dict[str, NDArray[Any]]:
        shapes = self.shapes()
        unknown = sorted(set(buffers) - set(shapes))
        if unknown:
            raise ValueError(f"there is no buffer {unknown[0]}; there are {', '.join(shapes)}")
        arrays = {name: _array(name, buffers.get(name), *shapes[name]) for name in shapes}

        kinds = _PARTS | _OTHERS | {f"last_{part}": kind for part, kind in _PARTS.items()}

        def row(name: str, kind: type[np.generic]) -> NDArray[Any]:
            array = arrays.get(name)
            plain = np.uint8 if kind is np.bool_ else kind
            return np.zeros(0, plain) if array is None else array.reshape(-1).view(plain)

        self._core.bind({name: row(name, kind) for name, kind in kinds.items()})
        return arrays

    def __repr__(self) -> str:
        return f"Batch({self.game!r}, envs={self.envs}, players={self.players})"


def _array(name: str, given: Any, shape: tuple[int, ...], dtype: np.dtype[Any]) -> NDArray[Any]:
    """A new array, or one that shares its memory with what was given."""
    if given is None:
        return np.zeros(shape, dtype)
    shared = given if isinstance(given, np.ndarray) else _shared(given)
    array: NDArray[Any] = shared
    if array.shape != shape or array.dtype != dtype:
        raise ValueError(
            f"the buffer {name} is {array.dtype} of shape {array.shape}, and must be {dtype} of shape {shape}"
        )
    if not (array.flags.c_contiguous and array.flags.writeable):
        raise ValueError(f"the buffer {name} must be contiguous and writable")
    return array


def _shared(given: Any) -> NDArray[Any]:
    """The memory of a tensor or of anything with the buffer protocol, as an array."""
    try:
        return np.asarray(memoryview(given))
    except TypeError:
        pass
    if hasattr(given, "numpy"):
        return np.asarray(given.numpy())
    if hasattr(given, "__dlpack__"):
        return np.from_dlpack(given)
    raise ValueError(f"a {type(given).__name__} shares no memory with an array; give an array or a tensor in main memory")
