"""Games as a native environment of PufferLib 3: many learners against built-in players, in the buffers of its vector environments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium as gym
import numpy as np
import pufferlib
from numpy.typing import NDArray

from palestra.batch import Batch
from palestra.catalog import learner_and_opponents


class PufferEnv(pufferlib.PufferEnv):  # type: ignore[misc]
    """Many games against built-in players, moved together; each is an agent.

    An observation is bytes, as PufferLib has it: the parts of the observation and ``mask``, each of them where ``emulated`` says
    (``pufferlib.pytorch.nativize_dtype(env.emulated)``). Behind the end of a game comes the first observation of the next one.
    Infos tell ``won``, the share of the games that were over in a step.

    Args:
        game: the id of a game.
        num_envs: how many games are played side by side.
        players: how many players each has.
        opponents: a built-in player for all other seats, or a list by seat with ``None`` for the learner.
        buf: PufferLib's buffers, of which this environment has its rows.
        seed: decides everything that is left to chance.
        options: what `palestra.Batch` takes besides: ``settings``, ``generate``, ``maps``, ``max_steps``, ``threads``.
    """

    def __init__(
        self,
        game: str,
        num_envs: int = 1,
        players: int = 2,
        opponents: Sequence[str | None] | str | None = None,
        buf: Any = None,
        seed: int = 0,
        **options: Any,
    ) -> None:
        seats = learner_and_opponents(game, players, opponents)
        self.batch = Batch(game, num_envs, players, opponents=seats, seed=seed, autoreset="same_step", **options)
        self._learner = self.batch.learners[0]
        self._parts: dict[str, NDArray[Any]] = self.batch.observations | {"mask": self.batch.mask.view(np.uint8)}
        row = np.dtype([(part, array.dtype, array.shape[1:]) for part, array in self._parts.items()], align=True)
        self.num_agents = num_envs
        self.single_observation_space = gym.spaces.Box(0, 255, (row.itemsize,), np.uint8)
        self.single_action_space = gym.spaces.Discrete(self.batch.space.actions)
        super().__init__(buf)
        self._rows = self.observations.view(row)[:, 0]
        self._emulated = {"observation_dtype": np.dtype(np.uint8), "emulated_observation_dtype": row}

    @property
    def emulated(self) -> dict[str, np.dtype[Any]]:
        """What the bytes of an observation are."""
        return self._emulated

    def reset(self, seed: int | None = None) -> tuple[NDArray[np.uint8], list[dict[str, float]]]:
        """Begins a game in every environment."""
        self.batch.reset(seed)
        self._write()
        return self.observations, []

    def step(
        self, actions: NDArray[Any]
    ) -> tuple[NDArray[np.uint8], NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_], list[dict[str, float]]]:
        """Takes a step in every environment."""
        self.batch.step(np.asarray(actions).reshape(-1))
        self._write()
        over = self.terminals | self.truncations
        infos = [{"won": float((self.rewards[over] > 0).mean())}] if over.any() else []
        return self.observations, self.rewards, self.terminals, self.truncations, infos

    def close(self) -> None:
        """There is nothing to be closed."""

    def _write(self) -> None:
        for part, array in self._parts.items():
            self._rows[part] = array
        self.rewards[:] = self.batch.rewards[:, self._learner]
        self.terminals[:] = self.batch.terminated
        self.truncations[:] = self.batch.truncated
