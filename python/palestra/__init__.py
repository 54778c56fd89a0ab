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
from palestra.bot import run_bot
from palestra.catalog import Game, game, games, generate_map, map_text
from palestra.field import Duel, Standing, Tournament, duel, tournament
from palestra.make import aec_env, gym_env, parallel_env, puffer_env, vector_env
from palestra.match import Player, Policy, Turn, play
from palestra.replay import Fault, Placing, Replay, RecordedTurn, SeatTurns, read_all
from palestra.space import ActionKind, Channel, Space

__all__ = [
    "ActionKind",
    "Batch",
    "Channel",
    "Duel",
    "Fault",
    "Game",
    "Observations",
    "Placing",
    "Player",
    "Policy",
    "RecordedTurn",
    "Replay",
    "SeatTurns",
    "Space",
    "Standing",
    "Tournament",
    "Turn",
    "__version__",
    "aec_env",
    "duel",
    "game",
    "games",
    "generate_map",
    "gym_env",
    "map_text",
    "parallel_env",
    "play",
    "puffer_env",
    "read_all",
    "run_bot",
    "tournament",
    "vector_env",
]
