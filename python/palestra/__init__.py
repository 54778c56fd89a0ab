"""Palestra: turn-based strategy games of real contests, as fast environments for programs that learn.

    >>> import palestra
    >>> batch = palestra.Batch("generals", envs=4, generate=(12, 12, 2), seed=7)
    >>> batch.reset()
    >>> for _ in range(100):
    ...     batch.step(batch.sample())

`Batch` moves many games at once; `aec_env` and `parallel_env` are for PettingZoo, `gym_env` and `vector_env` for
Gymnasium. `games()` lists what can be played, and `Space` says what observations and actions are.
"""

from palestra._core import __version__
from palestra.batch import Batch, Observations
from palestra.catalog import Game, game, games, generate_map, map_text
from palestra.make import aec_env, gym_env, parallel_env, vector_env
from palestra.match import Policy, Turn, play
from palestra.replay import Placing, Replay, RecordedTurn, read_all
from palestra.space import ActionKind, Channel, Space

__all__ = [
    "ActionKind",
    "Batch",
    "Channel",
    "Game",
    "Observations",
    "Placing",
    "Policy",
    "RecordedTurn",
    "Replay",
    "Space",
    "Turn",
    "__version__",
    "aec_env",
    "game",
    "games",
    "generate_map",
    "gym_env",
    "map_text",
    "parallel_env",
    "play",
    "read_all",
    "vector_env",
]
