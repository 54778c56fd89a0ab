"""Games as environments of Gymnasium: one learner, and built-in players on the other seats.

Importing this module registers every game by its title and the version of its rules:
``gymnasium.make("palestra.gymnasium:palestra/Generals-v1")`` does both.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from palestra.batch import Autoreset, Batch, Observations
from palestra.catalog import games, learner_and_opponents
from palestra.space import Space


def observation_space(space: Space) -> gym.Space[Any]:
    """The space of observations: a dictionary of their parts."""
    bounds: dict[str, tuple[Any, int, int]] = {
        "planes": (np.uint8, 0, 255),
        "counts": (np.int32, -1, np.iinfo(np.int32).max),
        "globals": (np.int32, -1, np.iinfo(np.int32).max),
    }
    boxes: dict[str, gym.Space[Any]] = {}
    for part, shape in space.shapes().items():
        dtype, low, high = bounds[part]
        boxes[part] = gym.spaces.Box(low, high, shape, dtype)
    return gym.spaces.Dict(boxes)


class GymEnv(gym.Env[dict[str, NDArray[Any]], np.int64]):
    """One game against built-in players.

    The observation is a dictionary of arrays of its own; ``info["action_mask"]`` says which actions are allowed and do
    something. The reward comes at the end: +1 for a win against one opponent, -1 for a loss.

    Args:
        game: the id of a game.
        players: how many players it has.
        opponents: a built-in player for all other seats, or a list by seat with ``None`` for the learner.
        options: what `palestra.Batch` takes besides: ``settings``, ``generate``, ``maps``, ``max_steps``.
    """

    metadata: dict[str, Any] = {"render_modes": []}  # noqa: RUF012

    def __init__(
        self,
        game: str,
        players: int = 2,
        opponents: Sequence[str | None] | str | None = None,
        render_mode: None = None,
        **options: Any,
    ) -> None:
        seats = learner_and_opponents(game, players, opponents)
        self.batch = Batch(game, 1, players, opponents=seats, autoreset="disabled", **options)
        self.render_mode = render_mode
        self.action_space = gym.spaces.Discrete(self.batch.space.actions)
        self.observation_space = observation_space(self.batch.space)
        self._learner = self.batch.learners[0]

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        super().reset(seed=seed)
        self.batch.reset(int(self.np_random.integers(2**63)))
        return self._observation(), self._info()

    def step(self, action: Any) -> tuple[dict[str, NDArray[Any]], float, bool, bool, dict[str, Any]]:
        self.batch.step(np.array([action], np.int32))
        reward = float(self.batch.rewards[0, self._learner])
        over, cut_off = bool(self.batch.terminated[0]), bool(self.batch.truncated[0])
        return self._observation(), reward, over, cut_off, self._info()

    def _observation(self) -> dict[str, NDArray[Any]]:
        return {part: array[0].copy() for part, array in self.batch.observations.items()}

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.batch.mask[0].astype(np.int8)}


class VectorEnv(gym.vector.VectorEnv[dict[str, NDArray[Any]], NDArray[Any], NDArray[np.int64]]):
    """Many games against built-in players, moved together.

    Args:
        game: the id of a game.
        num_envs: how many games are played side by side.
        players: how many players each has.
        opponents: a built-in player for all other seats, or a list by seat with ``None`` for the learner.
        autoreset: what happens behind the end of an episode: ``"next_step"``, ``"same_step"`` (then ``info["final_obs"]`` has what was
            seen at the end), or ``"disabled"``.
        copy: whether every step gives arrays of its own. Without, they are written to again by the next step.
        options: what `palestra.Batch` takes besides: ``settings``, ``generate``, ``maps``, ``max_steps``, ``threads``.
    """

    def __init__(
        self,
        game: str,
        num_envs: int = 1,
        players: int = 2,
        opponents: Sequence[str | None] | str | None = None,
        autoreset: Autoreset = "next_step",
        copy: bool = True,
        **options: Any,
    ) -> None:
        seats = learner_and_opponents(game, players, opponents)
        self.batch = Batch(game, num_envs, players, opponents=seats, autoreset=autoreset, **options)
        self.num_envs = num_envs
        self.metadata = {"autoreset_mode": _MODES[autoreset]}
        self.single_action_space = gym.spaces.Discrete(self.batch.space.actions)
        self.single_observation_space = observation_space(self.batch.space)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self._learner = self.batch.learners[0]
        self._copy = copy

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        if seed is not None and not isinstance(seed, int):
            raise ValueError("a batch has one seed, from which those of all environments follow; give one number")
        if options and options.get("reset_mask") is not None:
            raise ValueError("environments of a batch are reset together, or by themselves with autoreset")
        super().reset(seed=seed)
        self.batch.reset(int(self.np_random.integers(2**63)))
        return self._observations(), self._info()

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[dict[str, NDArray[Any]], NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        self.batch.step(np.asarray(actions))
        rewards = self.batch.rewards[:, self._learner].astype(np.float64)
        over, cut_off = self.batch.terminated, self.batch.truncated
        if self._copy:
            over, cut_off = over.copy(), cut_off.copy()
        info = self._info()
        if self.batch.last and (ended := over | cut_off).any():
            info |= self._ended(ended)
        return self._observations(), rewards, over, cut_off, info

    def _ended(self, ended: NDArray[np.bool_]) -> dict[str, Any]:
        """What was seen where episodes have ended in this step, as Gymnasium has it: an observation for each, or ``None``."""
        seen = np.full(self.num_envs, None, dtype=object)
        for number in np.flatnonzero(ended):
            seen[number] = {part: array[number].copy() for part, array in self.batch.last.items()}
        infos = {"action_mask": np.zeros_like(self.batch.mask, np.int8), "_action_mask": ended.copy()}
        return {"final_obs": seen, "_final_obs": ended.copy(), "final_info": infos, "_final_info": ended.copy()}

    def _observations(self) -> Observations:
        seen = self.batch.observations
        return {part: array.copy() for part, array in seen.items()} if self._copy else seen

    def _info(self) -> dict[str, Any]:
        mask = self.batch.mask.view(np.int8)
        return {"action_mask": mask.copy() if self._copy else mask}


_MODES: dict[Autoreset, AutoresetMode] = {
    "next_step": AutoresetMode.NEXT_STEP,
    "same_step": AutoresetMode.SAME_STEP,
    "disabled": AutoresetMode.DISABLED,
}


def _register() -> None:
    for game in games().values():
        gym.register(
            id=f"palestra/{game.title.replace(' ', '')}-v{game.rules_version}",
            entry_point="palestra.gymnasium:GymEnv",
            vector_entry_point="palestra.gymnasium:VectorEnv",
            kwargs={"game": game.id},
        )


_register()
